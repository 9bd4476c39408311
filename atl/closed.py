"""`assert_never` for Python 3.10, without the import of typing_extensions."""

from __future__ import annotations

from typing import NoReturn

__all__ = ["assert_never"]


def assert_never(value: NoReturn) -> NoReturn:
    """Ends a `match` over a closed set: the type checker reports every case that is not handled before."""
    raise AssertionError(f"not a case: {value!r}")
