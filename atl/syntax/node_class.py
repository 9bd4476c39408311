"""What `dataclasses.dataclass(slots=True, eq=False)` is to the syntax nodes, at a tenth of its cost.

The nodes are some eighty classes; making data classes of them takes longer than checking a file. Here a class costs no
more than its creation, and its `__init__` is written when its first node is made. The type checker sees the real one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["dataclass"]


def dataclass(*, slots: bool, eq: bool) -> Callable[[type], type]:
    assert slots and not eq, "nothing else is needed"
    return _with_slots


def _with_slots(cls: type) -> type:
    """The class made again with slots for its annotations; `__match_args__` names all fields, inherited ones first."""
    space = dict(cls.__dict__)
    own = tuple(space.get("__annotations__", ()))
    for name in ("__dict__", "__weakref__"):
        space.pop(name, None)
    inherited: dict[str, object] = getattr(cls, "_defaults", {})
    space["_defaults"] = inherited | {name: space.pop(name) for name in own if name in space}
    space["__slots__"] = own
    space["__match_args__"] = getattr(cls, "__match_args__", ()) + own
    space["__init__"] = _first_init
    space["__repr__"] = _repr
    return type(cls.__name__, cls.__bases__, space)


def _first_init(self: Any, *args: object, **named: object) -> None:
    cls = type(self)
    names, defaults = cls.__match_args__, cls._defaults
    params = ", ".join(f"{name}=defaults[{name!r}]" if name in defaults else name for name in names)
    body = "; ".join(f"self.{name} = {name}" for name in names)
    made: dict[str, Any] = {}
    exec(f"def __init__(self, {params}): {body}", {"defaults": defaults}, made)
    cls.__init__ = made["__init__"]
    cls.__init__(self, *args, **named)


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__match_args__)})"
