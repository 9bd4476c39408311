"""At any moment of typing every request is answered, without an error, with ranges that the text has.

Sampled; `ATL_LSP_EVERY=1` tries every prefix of every example, and every example without each one of its tokens.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.conformance.test_conformance import CASES
from tests.lsp.inside import Inside
from tests.lsp.requests import EVERYWHERE, HERE, at

EVERY = bool(os.environ.get("ATL_LSP_EVERY"))
SAMPLES = int(os.environ.get("ATL_LSP_SAMPLES", "150"))
ROOT = Path(__file__).parents[2]
TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_bytes().decode("utf-8", "replace")
    for folder in (ROOT / "examples", *(case if case.is_dir() else case.parent for case in CASES))
    for path in sorted(folder.rglob("*.atl"))
}
TOKEN = re.compile(r"\w+|[^\w\s]")
ELSEWHERE = {  # whose answers are about other files too
    *(f"textDocument/{word}" for word in ("definition", "declaration", "typeDefinition", "implementation")),
    *("textDocument/references", "textDocument/rename"),
}
REFUSALS = {"textDocument/prepareRename", "textDocument/rename"}  # which may say why not, with -32803


def variants(text: str) -> list[tuple[str, int]]:
    """Texts on the way to a text, each with the offset where the cursor is."""
    cut = [(text[:end], end) for end in range(len(text) + 1)]
    gaps = [(text[: m.start()] + text[m.end() :], m.start()) for m in TOKEN.finditer(text)]
    return cut + gaps


def sampled() -> list[tuple[str, str, int]]:
    random = Random(os.environ.get("ATL_LSP_SEED", "3"))
    if EVERY:
        return [(name, *variant) for name, text in TEXTS.items() for variant in variants(text)]
    names = random.choices(sorted(TEXTS), weights=[len(TEXTS[name]) for name in sorted(TEXTS)], k=SAMPLES)
    return [(name, *random.choice(variants(TEXTS[name]))) for name in names]


def place(text: str, offset: int) -> tuple[int, int]:
    lines = re.split(r"\r\n|\r|\n", text[:offset])
    return len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2


def ranges(value: Any) -> list[Any]:
    """All ranges in an answer, wherever they stand."""
    if isinstance(value, dict):
        found = [value] if set(value) == {"start", "end"} else []
        return found + [one for inner in value.values() for one in ranges(inner)]
    if isinstance(value, list):
        return [one for inner in value for one in ranges(inner)]
    return []


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Inside:
    folder = tmp_path_factory.mktemp("w")
    (folder / "other.atl").write_text((ROOT / "examples" / "broken.atl").read_text())
    made = Inside(folder)
    made.open((folder / "a.atl").as_uri(), "")
    made.folder = folder  # type: ignore[attr-defined]
    return made


def test_every_request(editor: Inside) -> None:
    uri = (editor.folder / "a.atl").as_uri()  # type: ignore[attr-defined]
    wrong = []
    for name, text, offset in sampled():
        editor.change(uri, text)
        params = at(uri, *place(text, offset))
        last = place(text, len(text))
        for method in (*HERE, *EVERYWHERE):
            answer = editor.ask(method, params)
            if "error" in answer:
                if method not in REFUSALS or answer["error"]["code"] != -32803:
                    wrong.append((name, offset, method, answer["error"]["message"]))
                continue
            if method in ELSEWHERE:
                continue
            for each in ranges(answer["result"]):
                start, end = ((each[side]["line"], each[side]["character"]) for side in ("start", "end"))
                if not start <= end <= last:
                    wrong.append((name, offset, method, f"{start} to {end} in a text of {last}"))
    said = "\n\n".join(editor.logged)
    assert wrong == [], f"{len(wrong)}, such as {wrong[:3]}\n{said}"
    assert said == ""


ODD = ("", "\ufeff", "\n", "\r", "}", "\ud83d", "\0", "entity", "/*", "{" * 3000, "😀" * 99)


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "file:///nowhere/at/all.atl", "inmemory://model/1"])
def test_odd_texts(editor: Inside, uri: str, text: str) -> None:
    editor.open(uri, text)
    for line, column in ((0, 0), (0, 1), (7, 7)):
        for method in (*HERE, *EVERYWHERE):
            answer = editor.ask(method, at(uri, line, column))
            assert "error" not in answer or (method in REFUSALS and answer["error"]["code"] == -32803), method
    editor.close(uri)
    for method in (*HERE, *EVERYWHERE):
        answer = editor.ask(method, at(uri, 0, 0))
        assert "error" not in answer or method in REFUSALS, "of a document that is not open"
    assert editor.logged == []
