from __future__ import annotations

import pytest

from atl.ide.formatting import format_document, format_on_type, format_range
from atl.source import Span
from atl.workspace.live import Workspace
from tests.ide.marked import example_texts, opened
from tests.ide.test_fixes import applied

LOOSE = "entity A in n {\n id bigint primary\n}\n\nentity B in n {\n id bigint primary\n}\n"
TIGHT = "entity A in n {\n  id bigint primary\n}\n"


def test_a_document_and_then_nothing_more() -> None:
    workspace = Workspace.in_memory({"a.atl": LOOSE})
    new = applied(LOOSE, format_document(workspace, "a.atl"))
    assert new == TIGHT + "\n" + TIGHT.replace("A", "B")
    workspace.set_text("a.atl", new)
    assert format_document(workspace, "a.atl") == []


def test_a_range_is_the_declarations_that_it_touches() -> None:
    workspace = Workspace.in_memory({"a.atl": LOOSE})
    edits = format_range(workspace, "a.atl", Span(20, 22))
    assert applied(LOOSE, edits) == TIGHT + LOOSE[len(TIGHT) - 1 :]


@pytest.mark.parametrize("path", sorted(example_texts()))
def test_examples_are_laid_out_already(path: str) -> None:
    assert format_document(Workspace.in_memory(example_texts()), path) == []


@pytest.mark.parametrize(
    ("text", "typed", "after"),
    [
        ("entity A in n {\n<|>", "\n", "entity A in n {\n  "),
        ("entity A in n {\n<|>}", "\n", "entity A in n {\n}"),
        ("job J in n {\n  args {\n<|>}\n}\n", "\n", "job J in n {\n  args {\n  }\n}\n"),
        ("job J in n {\n  args {\n<|>\n  }\n}\n", "\n", "job J in n {\n  args {\n    \n  }\n}\n"),
        ("job J in n {\n  args {\n      <|>a int\n  }\n}\n", "\n", None),
        ("query Q for A {\n  sql touches(A) {\n<|>\n  }\n}\n", "\n", None),
        ("entity A in n {\n  a int\n<|>        not null\n}\n", "\n", None),
        ("// a note\n<|>", "\n", None),
        ("entity  A in n { id bigint primary }<|>\n", "}", "entity A in n {\n  id bigint primary\n}\n"),
        ("job J in n { args { a   int }<|> }\n", "}", None),
        ("entity  A in n { id bigint bigint primary }<|>\n", "}", None),
        ('job J in n { queue "}<|>" }\n', "}", None),
    ],
)
def test_as_it_is_typed(text: str, typed: str, after: str | None) -> None:
    workspace, offset = opened(text)
    plain = text.replace("<|>", "")
    edits = format_on_type(workspace, "a.atl", offset, typed)
    assert applied(plain, edits) == (plain if after is None else after)
