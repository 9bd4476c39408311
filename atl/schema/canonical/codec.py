"""Small codecs between model values and JSON: each writes, reads with validation, and describes itself.

One description of a format serves three uses, so that what is written is what is read is what the JSON Schema says.
Reading trusts nothing: whatever is wrong raises `SchemaError` with the place, and nothing recurses deeper than the
format itself does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from atl.records import NamedTuple

__all__ = [
    "ANY_TEXT",
    "FLAG",
    "NAME",
    "REFERENCE",
    "Choice",
    "Codec",
    "ListOf",
    "MapOf",
    "Nullable",
    "Object",
    "Pairs",
    "Row",
    "SchemaError",
    "Tagged",
    "Text",
    "Whole",
]


class SchemaError(ValueError):
    """A text that is no schema JSON; the message says where and why."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)


class Codec(Protocol):
    """`load` takes the path to the value for messages; `load(dump(x))` equals `x`."""

    def dump(self, value: Any) -> Any: ...

    def load(self, data: Any, path: str) -> Any: ...

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        """JSON Schema of the value; named objects are put into `defs`."""
        ...


class Text(NamedTuple):
    """A string without NUL; `pattern` (of Python and ECMAScript alike) holds for all of it."""

    pattern: str = ""

    def dump(self, value: Any) -> Any:
        return value

    def load(self, data: Any, path: str) -> Any:
        if not isinstance(data, str):
            raise SchemaError(path, f"expected a string, found {kind_of(data)}")
        if "\0" in data:
            raise SchemaError(path, "the string holds a NUL")
        if self.pattern and re.fullmatch(self.pattern, data) is None:
            raise SchemaError(path, f"`{data[:80]}` has not the form {self.pattern}")
        return data

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        return {"type": "string", "pattern": self.pattern} if self.pattern else {"type": "string"}


_WORD = r"[^\s().,\[\]\"'`$]+"
ANY_TEXT = Text()
NAME = Text(rf"^{_WORD}$")
REFERENCE = Text(rf"^({_WORD}(\.{_WORD})*)?$")


class _Flag(NamedTuple):
    def dump(self, value: Any) -> Any:
        return value

    def load(self, data: Any, path: str) -> Any:
        if not isinstance(data, bool):
            raise SchemaError(path, f"expected true or false, found {kind_of(data)}")
        return data

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        return {"type": "boolean"}


FLAG = _Flag()


class Whole(NamedTuple):
    """A whole number of at least `least`."""

    least: int | None = None

    def dump(self, value: Any) -> Any:
        return value

    def load(self, data: Any, path: str) -> Any:
        if not isinstance(data, int) or isinstance(data, bool):
            raise SchemaError(path, f"expected a whole number, found {kind_of(data)}")
        if self.least is not None and data < self.least:
            raise SchemaError(path, f"{data} is below {self.least}")
        return data

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        return {"type": "integer"} if self.least is None else {"type": "integer", "minimum": self.least}


class Choice(NamedTuple):
    """One of a few words."""

    words: tuple[str, ...]

    def dump(self, value: Any) -> Any:
        return value

    def load(self, data: Any, path: str) -> Any:
        if not isinstance(data, str) or data not in self.words:
            raise SchemaError(path, f"expected one of {', '.join(filter(None, self.words))}, found {kind_of(data)}")
        return data

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        return {"enum": list(self.words)}


class Nullable(NamedTuple):
    """null stands for `absent`."""

    inner: Codec
    absent: Any = None

    def dump(self, value: Any) -> Any:
        return None if value == self.absent else self.inner.dump(value)

    def load(self, data: Any, path: str) -> Any:
        return self.absent if data is None else self.inner.load(data, path)

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        return {"anyOf": [self.inner.describe(defs), {"type": "null"}]}


class ListOf(NamedTuple):
    """An array; a tuple in the model. order: the model keeps it sorted by that key. unique: no item twice."""

    inner: Codec
    order: Callable[[Any], Any] | None = None
    unique: bool = False
    least: int = 0

    def dump(self, value: Any) -> Any:
        return [self.inner.dump(each) for each in value]

    def load(self, data: Any, path: str) -> Any:
        if not isinstance(data, list):
            raise SchemaError(path, f"expected a list, found {kind_of(data)}")
        items = [self.inner.load(each, f"{path}[{at}]") for at, each in enumerate(data)]
        if len(items) < self.least:
            raise SchemaError(path, f"has fewer than {self.least} items")
        if self.unique and len(set(items)) < len(items):
            raise SchemaError(path, "an item stands twice")
        if self.order is not None:
            items.sort(key=self.order)
        return tuple(items)

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        described: dict[str, Any] = {"type": "array", "items": self.inner.describe(defs)}
        if self.unique:
            described["uniqueItems"] = True
        if self.least:
            described["minItems"] = self.least
        return described


class Pairs(NamedTuple):
    """An array of arrays of `width` strings each; a tuple of tuples in the model."""

    width: int
    sorted: bool = False

    def dump(self, value: Any) -> Any:
        return [list(each) for each in value]

    def load(self, data: Any, path: str) -> Any:
        row = ListOf(ANY_TEXT)
        items = ListOf(row).load(data, path)
        for at, item in enumerate(items):
            if len(item) != self.width:
                raise SchemaError(f"{path}[{at}]", f"expected {self.width} strings, found {len(item)}")
        return tuple(sorted(items)) if self.sorted else items

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        row = {"type": "array", "items": {"type": "string"}, "minItems": self.width, "maxItems": self.width}
        return {"type": "array", "items": row}


class MapOf(NamedTuple):
    """An object whose keys are names. An `Object` inside may take the key as an attribute."""

    inner: Codec
    key: Text = NAME

    def dump(self, value: Any) -> Any:
        return {name: self.inner.dump(each) for name, each in value.items()}

    def load(self, data: Any, path: str) -> Any:
        if not isinstance(data, dict):
            raise SchemaError(path, f"expected an object, found {kind_of(data)}")
        loaded: dict[str, Any] = {}
        for name, each in data.items():
            where = f"{path}.{name[:80]}" if path else name[:80]
            self.key.load(name, where)
            inner = self.inner
            loaded[name] = inner.build(each, where, name) if isinstance(inner, Object) else inner.load(each, where)
        return loaded

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        described: dict[str, Any] = {"type": "object", "additionalProperties": self.inner.describe(defs)}
        if self.key.pattern:
            described["propertyNames"] = {"pattern": self.key.pattern}
        return described


_REQUIRED: Any = object()


class Row(NamedTuple):
    """One key of an object. default: what the attribute is when the key is absent; without one the key is required.
    spelled: written even when it has the default."""

    attribute: str
    key: str
    codec: Codec
    documentation: str
    default: Any = _REQUIRED
    spelled: bool = False


class Object(NamedTuple):
    """An object of fixed keys; an instance of `make` in the model.

    named: the attribute that a `MapOf` fills with its key. fixed: attributes that are always so. settle: last changes
    to the loaded attributes, or SchemaError with the path given.
    """

    name: str
    documentation: str
    make: Callable[..., Any]
    rows: Sequence[Row]
    named: str = ""
    fixed: Mapping[str, Any] = {}
    settle: Callable[[dict[str, Any], str], None] | None = None
    implied: Callable[[Any], frozenset[str]] | None = None

    def dump(self, value: Any) -> Any:
        dumped: dict[str, Any] = {}
        implied = self.implied(value) if self.implied is not None else ()
        for row in self.rows:
            attribute = getattr(value, row.attribute)
            if (row.spelled or attribute != row.default) and row.attribute not in implied:
                dumped[row.key] = row.codec.dump(attribute)
        return dumped

    def load(self, data: Any, path: str) -> Any:
        return self.build(data, path, "")

    def build(self, data: Any, path: str, name: str) -> Any:
        if not isinstance(data, dict):
            raise SchemaError(path, f"expected an object, found {kind_of(data)}")
        attributes: dict[str, Any] = dict(self.fixed)
        if self.named:
            attributes[self.named] = name
        keys = set()
        for row in self.rows:
            keys.add(row.key)
            if row.key in data:
                attributes[row.attribute] = row.codec.load(data[row.key], f"{path}.{row.key}" if path else row.key)
            elif row.default is _REQUIRED:
                raise SchemaError(path, f"`{row.key}` is missing")
            else:
                attributes[row.attribute] = row.default
        for key in data:
            if key not in keys:
                raise SchemaError(path, f"`{key[:80]}` is not known here")
        if self.settle is not None:
            self.settle(attributes, path)
        return self.make(**attributes)

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        if self.name not in defs:
            defs[self.name] = {}
            defs[self.name] = self.body(defs)
        return {"$ref": f"#/$defs/{self.name}"}

    def body(self, defs: dict[str, Any]) -> dict[str, Any]:
        properties: dict[str, Any] = {}
        for row in self.rows:
            properties[row.key] = {"description": row.documentation, **row.codec.describe(defs)}
        described: dict[str, Any] = {
            "type": "object",
            "description": self.documentation,
            "properties": properties,
            "additionalProperties": False,
        }
        required = [row.key for row in self.rows if row.default is _REQUIRED]
        if required:
            described["required"] = required
        return described


class Tagged(NamedTuple):
    """One of several objects, told apart by the key `tag`. tag_of: the tag of a model value."""

    tag: str
    cases: Mapping[str, Object]
    tag_of: Callable[[Any], str]

    def dump(self, value: Any) -> Any:
        tag = self.tag_of(value)
        return {self.tag: tag, **self.cases[tag].dump(value)}

    def load(self, data: Any, path: str) -> Any:
        if not isinstance(data, dict):
            raise SchemaError(path, f"expected an object, found {kind_of(data)}")
        tag = data.get(self.tag)
        if not isinstance(tag, str) or tag not in self.cases:
            raise SchemaError(path, f"`{self.tag}` is none of {', '.join(self.cases)}")
        return self.cases[tag].load({key: each for key, each in data.items() if key != self.tag}, path)

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        described = []
        for tag, case in self.cases.items():
            body = case.body(defs)
            body["properties"] = {self.tag: {"const": tag}, **body["properties"]}
            body["required"] = [self.tag, *body.get("required", ())]
            described.append(body)
        return {"oneOf": described}


def kind_of(data: Any) -> str:
    """What a JSON value is, for messages."""
    match data:
        case None:
            return "null"
        case bool():
            return "true" if data else "false"
        case str():
            return f"`{data[:40]}`"
        case dict():
            return "an object"
        case list():
            return "a list"
        case _:
            return "a number"
