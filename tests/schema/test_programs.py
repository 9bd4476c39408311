"""Generated programs over all constructs: symbols and the model go through their JSON, layout does not count."""

from __future__ import annotations

import json

import jsonschema
from hypothesis import HealthCheck, given, settings

from atl.schema.build import build
from atl.schema.canonical import digest, dump, json_schema, load
from atl.schema.symbols import symbol_from_json, symbol_of, symbol_to_json
from atl.source import SourceFile
from atl.syntax.parser import parse
from tests.strategies import programs

VALIDATOR = jsonschema.Draft202012Validator(json_schema())
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUICK
@given(programs())
def test_symbols_and_the_model_go_through_json(text: str) -> None:
    tree = parse(SourceFile("a.atl", text))
    for decl in (decl for unit in tree.units for decl in unit.chunk.declarations):
        made = symbol_of(decl)
        assert symbol_from_json(json.loads(json.dumps(symbol_to_json(made)))) == made
    schema = build([tree])
    written = dump(schema)
    assert load(written) == schema
    assert dump(load(written)) == written
    VALIDATOR.validate(json.loads(written))


@QUICK
@given(programs())
def test_the_files_that_declarations_stand_in_do_not_count(text: str) -> None:
    """Each declaration in a file of its own, in the other order."""
    tree = parse(SourceFile("a.atl", text))
    apart = [
        parse(SourceFile(f"{at:04}.atl", unit.chunk.text))
        for at, unit in enumerate(tree.units)
        if unit.chunk.text.strip()
    ]
    assert build(reversed(apart)) == build([tree])
    assert digest(build(apart)) == digest(build([tree]))
