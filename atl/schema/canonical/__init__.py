"""The schema as JSON: what `atl schema` prints, what a database's checkpoint holds, what a side of a plan is read from.

Equal schemas give equal text, but for the order of an enum's labels, which the text keeps and the digest does not
count. Keys are the words of the language; a key is left out where it would say nothing, but the defaults of the
language (`retries`, `queue`, `table`, ...) are spelled out. Durations are whole milliseconds.
"""

from __future__ import annotations

import json
import re
from typing import Any

from atl.schema import model as m
from atl.schema.canonical.codec import MapOf, Object, Row, SchemaError, kind_of
from atl.schema.canonical.entities import ENTITY, ENUM
from atl.schema.canonical.methods import EPHEMERAL, JOB, PROCEDURE, QUERY, WORKFLOW
from atl.schema.canonical.values import ID

__all__ = ["SchemaError", "digest", "digests", "dump", "json_schema", "load"]

VERSION = 1
# The format nests less than 10 deep; whatever is deeper is hostile.
_MAX_DEPTH = 32
# The longest number that the format can hold has a thousand digits.
_MAX_DIGITS = 1100

_KINDS = (
    ("entities", "Entities and hypertables by id.", ENTITY),
    ("enums", "Enums by id.", ENUM),
    ("queries", "Queries by id.", QUERY),
    ("procedures", "Procedures by id.", PROCEDURE),
    ("jobs", "Jobs by id.", JOB),
    ("workflows", "Workflows by id.", WORKFLOW),
    ("ephemerals", "Ephemerals by id.", EPHEMERAL),
)


FORMAT = Object(
    "schema",
    "Everything that a workspace declares.",
    m.Schema,
    tuple(Row(kind, kind, MapOf(codec, ID), text, {}, True) for kind, text, codec in _KINDS),
)


def dump(schema: m.Schema) -> str:
    """Canonical JSON: sorted keys, two blanks of indentation, a line end at the end."""
    return _encoded({"version": VERSION, **FORMAT.dump(schema)}, indent=2) + "\n"


def digest(schema: m.Schema) -> str:
    """SHA-256, as 64 hex digits, of the canonical JSON without white space and with labels sorted: equal for two
    schemas exactly when they are equal, whatever the order of labels."""
    return digests(schema)[0]


def digests(*schemas: m.Schema) -> list[str]:
    """The digest of each of some schemas. A declaration that they share is written once."""
    from hashlib import sha256

    written: dict[tuple[str, str], tuple[Any, str]] = {}
    found = []
    for schema in schemas:
        kinds = []
        for kind, _, codec in sorted(_KINDS, key=lambda row: row[0]):
            held, texts = getattr(schema, kind), []
            for id in sorted(held):
                known = written.get((kind, id))
                if known is None or known[0] != held[id]:
                    known = written[kind, id] = held[id], _declaration(id, codec.dump(held[id]))
                texts.append(known[1])
            kinds.append(f'"{kind}":{{{",".join(texts)}}}')
        found.append(sha256(f"{{{','.join(kinds)}}}".encode()).hexdigest())
    return found


def _declaration(id: str, data: dict[str, Any]) -> str:
    if "labels" in data:
        data["labels"].sort()
    return _encoded({id: data}, indent=None)[1:-1]


def load(text: str) -> m.Schema:
    """The schema of which `dump` made the text. Raises SchemaError, and nothing else, for any other text."""
    _check_depth(text)
    try:
        data = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer, parse_float=_no_constant
        )
    except SchemaError:
        raise
    except ValueError as problem:
        raise SchemaError("", f"not JSON: {problem}") from problem
    if not isinstance(data, dict) or "version" not in data:
        raise SchemaError("", "not the JSON of a schema: it has no `version`")
    version = data.pop("version")
    if version != VERSION or isinstance(version, bool):
        raise SchemaError("version", f"version {VERSION} is read here, found {kind_of(version)}")
    loaded: m.Schema = FORMAT.load(data, "")
    return loaded


def json_schema() -> dict[str, Any]:
    """The format as JSON Schema, draft 2020-12."""
    defs: dict[str, Any] = {}
    body = FORMAT.body(defs)
    version = {"description": "The version of this format.", "const": VERSION}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The schema of an .atl workspace",
        **body,
        "properties": {"version": version, **body["properties"]},
        "required": ["version"],
        "$defs": dict(sorted(defs.items())),
    }


def _encoded(data: Any, indent: int | None) -> str:
    separators = (",", ":") if indent is None else None
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, indent=indent, separators=separators)
    # Bytes of a file that were not UTF-8 stand in the text as lone surrogates, which UTF-8 cannot hold.
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _check_depth(text: str) -> None:
    depth = 0
    for found in _BRACKETS.finditer(text):
        first = found[0][0]
        if first in "[{":
            depth += 1
            if depth > _MAX_DEPTH:
                raise SchemaError("", f"nested deeper than {_MAX_DEPTH}")
        elif first in "]}":
            depth -= 1


# Strings are passed over, also one that never ends.
_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{\]}]', re.DOTALL)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise SchemaError("", "a key stands twice in an object")
    return made


def _no_constant(word: str) -> None:
    raise SchemaError("", f"`{word[:40]}` is no whole number")


def _integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise SchemaError("", "a number is too long")
    return int(digits)
