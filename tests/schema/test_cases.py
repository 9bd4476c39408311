"""Every conformance case, whole and cut short, has symbols and a model that go through their JSON."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from atl.schema.build import build
from atl.schema.canonical import digest, dump, json_schema, load
from atl.schema.symbols import symbol_from_json, symbol_of, symbol_to_json
from atl.source import SourceFile
from atl.syntax.parser import parse
from atl.syntax.tree import FileTree

CASES = Path(__file__).parent.parent / "conformance"
FOLDERS = sorted(path for kind in ("accept", "reject") for path in (CASES / kind).iterdir())
VALIDATOR = jsonschema.Draft202012Validator(json_schema())


def trees(case: Path) -> list[FileTree]:
    paths = sorted(case.rglob("*.atl")) if case.is_dir() else [case]
    return [parse(SourceFile.from_bytes(path.relative_to(CASES).as_posix(), path.read_bytes())) for path in paths]


@pytest.mark.parametrize("case", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_case(case: Path) -> None:
    files = trees(case)
    for decl in (decl for tree in files for unit in tree.units for decl in unit.chunk.declarations):
        symbol = symbol_of(decl)
        assert symbol_from_json(json.loads(json.dumps(symbol_to_json(symbol)))) == symbol
    schema = build(files)
    text = dump(schema)
    VALIDATOR.validate(json.loads(text))
    if "\\u0000" not in text:
        assert load(text) == schema
        assert dump(load(text)) == text
    assert digest(build(reversed(files))) == digest(schema)


@pytest.mark.parametrize("case", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_case_cut_short(case: Path) -> None:
    for tree in trees(case):
        text = tree.file.text
        for end in range(len(text) % 37, len(text), 37):
            dump(build([parse(SourceFile("cut.atl", text[:end]))]))
