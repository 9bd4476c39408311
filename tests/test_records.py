"""`atl.records.NamedTuple` is to its users what `typing.NamedTuple` is."""

from __future__ import annotations

import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from atl import records


class Ours(records.NamedTuple):
    """A pair and what goes with it."""

    left: str
    right: dict[str, int] | None
    more: tuple[int, ...] = ()
    last: bool = False

    @property
    def both(self) -> str:
        return f"{self.left}{self.right}"


class Theirs(typing.NamedTuple):
    """A pair and what goes with it."""

    left: str
    right: dict[str, int] | None
    more: tuple[int, ...] = ()
    last: bool = False

    @property
    def both(self) -> str:
        return f"{self.left}{self.right}"


class Nothing(records.NamedTuple):
    pass


class Words(records.NamedTuple):
    cls: int
    defaults: int
    make: int = 3
    tuple: int = 4


class Further(Ours):
    def both_again(self) -> str:
        return self.both


SAME: dict[str, Callable[[Any], object]] = {
    "fields": lambda kind: kind._fields,
    "defaults": lambda kind: kind._field_defaults,
    "match": lambda kind: kind.__match_args__,
    "docstring": lambda kind: kind.__doc__,
    "is a tuple": lambda kind: kind("a", None) == ("a", None, (), False),
    "hash": lambda kind: hash(kind("a", None)),
    "order": lambda kind: sorted([kind("b", None), kind("a", None)]),
    "by name": lambda kind: kind(right={}, left="a", last=True),
    "attributes": lambda kind: (kind("a", None).left, kind("a", None, (1,)).more, kind("a", None).both),
    "replace": lambda kind: kind("a", None)._replace(last=True, left="b"),
    "make": lambda kind: kind._make(iter(["a", None, (), True])),
    "dictionary": lambda kind: kind("a", None)._asdict(),
    "unpacked": lambda kind: [*kind("a", None)],
    "no attributes of its own": lambda kind: hasattr(kind("a", None), "__dict__"),
}

REFUSED: dict[str, tuple[type[Exception] | tuple[type[Exception], ...], Callable[[Any], object]]] = {
    "too few": (TypeError, lambda kind: kind("a")),
    "too many": (TypeError, lambda kind: kind("a", None, (), False, 1)),
    "twice": (TypeError, lambda kind: kind("a", None, left="b")),
    "unknown": (TypeError, lambda kind: kind("a", None, other=1)),
    "make of too few": (TypeError, lambda kind: kind._make(["a"])),
    # A TypeError from Python 3.13 on.
    "replace of an unknown": ((TypeError, ValueError), lambda kind: kind("a", None)._replace(other=1)),
    "set": (AttributeError, lambda kind: setattr(kind("a", None), "left", "b")),
}


@pytest.mark.parametrize("name", SAME)
def test_is_as_the_standard_one(name: str) -> None:
    assert SAME[name](Ours) == SAME[name](Theirs)


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_the_standard_one_refuses(name: str) -> None:
    error, asked = REFUSED[name]
    for kind in (Ours, Theirs):
        with pytest.raises(error):
            asked(kind)


def test_is_shown_with_its_fields() -> None:
    assert repr(Ours("a", None)) == repr(Theirs("a", None)).replace("Theirs", "Ours")


def test_is_pickled_as_itself() -> None:
    back = pickle.loads(pickle.dumps(Ours("a", {"b": 1})))
    assert back == Ours("a", {"b": 1})
    assert type(back) is Ours


def test_fields_may_have_any_name() -> None:
    assert Words(1, 2) == (1, 2, 3, 4)
    assert Words(1, 2)._replace(cls=5) == Words(5, 2)


def test_may_have_no_fields_and_be_a_base() -> None:
    assert Nothing() == ()
    assert Further("a", None, last=True).both_again() == Ours("a", None).both
    assert type(Further("a", None)._replace(left="b")) is Further
