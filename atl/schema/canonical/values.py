"""Types, names, values and calls in the schema's JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atl.schema import model as m
from atl.schema.canonical.codec import (
    ANY_TEXT,
    NAME,
    SchemaError,
    Text,
    Whole,
    kind_of,
)
from atl.schema.types import UNREAD, parse_type, spelled

__all__ = ["ARGUMENTS", "ID", "MILLISECONDS", "PHYSICAL", "TYPE", "VALUE"]

ID = Text(r"^[^\s().,\[\]\"'`$]+\.[^\s().,\[\]\"'`$]+$")
MILLISECONDS = Whole(1)


class _Type:
    """A type as it is written, an enum's by its id; "" where it could not be read."""

    def dump(self, value: Any) -> Any:
        return spelled(value)

    def load(self, data: Any, path: str) -> Any:
        found = UNREAD if data == "" else parse_type(data) if isinstance(data, str) else None
        if found is None:
            raise SchemaError(path, f"expected a type, found {kind_of(data)}")
        return found

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "string",
            "pattern": r"^$|^(\[\])?[^\s().,\[\]]+(\.[^\s().,\[\]]+)?(\(-?[0-9]+(, -?[0-9]+)*\))?$",
            "examples": ["bigint", "numeric(8, 2)", "[]text", "shop.Status"],
        }


class _Physical:
    """(schema, name) as `schema.name`."""

    def dump(self, value: Any) -> Any:
        return ".".join(value)

    def load(self, data: Any, path: str) -> Any:
        schema, _, name = ID.load(data, path).partition(".")
        return schema, name

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        return ID.describe(defs)


class _Value:
    """A literal as itself; `raw` SQL and `now()` as objects."""

    def dump(self, value: Any) -> Any:
        match value.kind:
            case "string":
                return value.text
            case "integer":
                return int(value.text)
            case "boolean":
                return value.text == "true"
            case kind:
                return {kind: value.text if kind == "raw" else True}

    def load(self, data: Any, path: str) -> Any:
        match data:
            case bool():
                return m.Value("boolean", "true" if data else "false")
            case int():
                return m.Value("integer", str(data))
            case str():
                return m.Value("string", ANY_TEXT.load(data, path))
            case {"now": True, **rest} if not rest:
                return m.Value("now", "")
            case {"raw": str(sql), **rest} if not rest:
                return m.Value("raw", ANY_TEXT.load(sql, path))
            case _:
                raise SchemaError(path, f"expected a value, found {kind_of(data)}")

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        if "value" not in defs:
            defs["value"] = {
                "description": 'A literal, `{"now": true}` for `now()`, or `{"raw": ...}` for SQL.',
                "anyOf": [
                    {"type": ["string", "integer", "boolean"]},
                    _one_key("raw", {"type": "string"}),
                    _one_key("now", {"const": True}),
                ],
            }
        return {"$ref": "#/$defs/value"}


class _Arguments:
    """A call's arguments by name: a value, `{"parameter": name}`, or null for what is no value."""

    def dump(self, value: Any) -> Any:
        return {each.name: self._dump(each) for each in value}

    def _dump(self, argument: m.Argument) -> Any:
        if argument.parameter:
            return {"parameter": argument.parameter}
        return None if argument.value is None else VALUE.dump(argument.value)

    def load(self, data: Any, path: str) -> Any:
        if not isinstance(data, dict):
            raise SchemaError(path, f"expected an object, found {kind_of(data)}")
        found = []
        for name in sorted(data):
            where, given = f"{path}.{name[:80]}", data[name]
            NAME.load(name, where)
            match given:
                case {"parameter": parameter, **rest} if not rest:
                    found.append(m.Argument(name, NAME.load(parameter, where), None))
                case None:
                    found.append(m.Argument(name, "", None))
                case _:
                    found.append(m.Argument(name, "", VALUE.load(given, where)))
        return tuple(found)

    def describe(self, defs: dict[str, Any]) -> dict[str, Any]:
        given = {"anyOf": [VALUE.describe(defs), _one_key("parameter", NAME.describe(defs)), {"type": "null"}]}
        return {"type": "object", "additionalProperties": given, "propertyNames": {"pattern": NAME.pattern}}


def _one_key(key: str, value: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {key: value}, "required": [key], "additionalProperties": False}


TYPE, PHYSICAL, VALUE, ARGUMENTS = _Type(), _Physical(), _Value(), _Arguments()
