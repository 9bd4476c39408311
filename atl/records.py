"""What `typing.NamedTuple` is to the modules of a check, at a tenth of its cost.

The standard one compiles each field's annotation and some code for every class; with fifty classes that takes as long
as checking a file. Here a class costs no more than its creation, and its `__new__` is written when its first tuple is
made. The type checker sees the real one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import _tuplegetter as getter

    _tuple = tuple.__new__

    class _Kind(type):
        def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> type:
            if bases == (tuple,) or NamedTuple not in bases:
                return type.__new__(mcs, name, bases, space)
            names = tuple(space.get("__annotations__", ()))
            space["_field_defaults"] = {name: space[name] for name in names if name in space}
            space["__slots__"] = ()
            space["_fields"] = space["__match_args__"] = names
            for number, field in enumerate(names):
                space[field] = getter(number, None)
            return type.__new__(mcs, name, bases, space)

    class NamedTuple(tuple, metaclass=_Kind):
        __slots__ = ()

        def __new__(cls, *args: object, **named: object) -> NamedTuple:
            cls.__new__ = staticmethod(_written(cls))
            return cls(*args, **named)

        @classmethod
        def _make(cls, values: Iterable[object]) -> NamedTuple:
            made = _tuple(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}")
            return made

        def _replace(self, **named: object) -> NamedTuple:
            made = self._make(map(named.pop, self._fields, self))
            if named:
                raise ValueError(f"{type(self).__name__} has no {', '.join(named)}")
            return made

        def _asdict(self) -> dict[str, object]:
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

    def _written(cls: type) -> Any:
        """The `__new__` of a class. Fields never begin with `_`, so no name here is one of theirs."""
        defaults = cls._field_defaults
        params = ", ".join(f"{name}=_defaults[{name!r}]" if name in defaults else name for name in cls._fields)
        space = {"_defaults": defaults, "_tuple": _tuple}
        exec(
            f"def __new__(_cls, {params}): return _tuple(_cls, ({''.join(f'{name}, ' for name in cls._fields)}))", space
        )
        return space["__new__"]
