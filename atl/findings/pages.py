"""Where a rule is documented: the page that `make generate` writes, with an anchor for each code."""

from __future__ import annotations

__all__ = ["PAGE", "anchor", "url"]

PAGE = "docs/rules.md"


def anchor(code: str) -> str:
    return code.lower()


def url(code: str) -> str:
    """The address of a rule's documentation, relative to the project's root: `docs/rules.md#atl408`."""
    return f"{PAGE}#{anchor(code)}"
