"""What is pushed is what would be pulled, whatever is edited, opened, closed, created, moved or configured."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.lsp.client import everything
from tests.lsp.inside import Inside
from tests.lsp.test_same_findings import some

NAMES = ("a.atl", "b.atl", "x/c.atl", "x/y/d.atl", ".tide-cache/schema/a.atl", "x/tide.yaml", "atl.toml")


class Pushed(Inside):
    """shown: the diagnostics that the client shows, by URI, where there are any."""

    def __init__(self, folder: Path) -> None:
        self.shown: dict[str, list[Any]] = {}
        super().__init__(folder, capabilities=everything(pull=False))

    def sent(self) -> list[Any]:
        found = super().sent()
        for message in found:
            if message.get("method") == "textDocument/publishDiagnostics":
                self.shown[message["params"]["uri"]] = message["params"]["diagnostics"]
        return found

    def rest(self, random: Random) -> None:
        """Let the server do what it does while nobody types; now and then a key comes between."""
        while self.server.idle() == 0.0 and random.random() < 0.9:
            pass
        self.sent()


@pytest.mark.parametrize("seed", range(8))
def test_pushed_is_pulled(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    editor = Pushed(tmp_path)
    now: dict[str, str] = {}
    for _ in range(60):
        name = random.choice(NAMES)
        path = tmp_path / name
        uri = path.as_uri()
        text = some(random)
        match random.randrange(7):
            case 0 if name in now:
                editor.close(uri)
                del now[name]
            case 1:
                path.parent.mkdir(parents=True, exist_ok=True)
                content = {"x/tide.yaml": "caller: n\n", "atl.toml": 'ignore = ["ATL108"]\n'}.get(name, text)
                path.write_text(content)
                changed(editor, path)
            case 2 if path.exists():
                path.unlink()
                changed(editor, path)
            case 3 if path.exists() and not name.startswith("."):
                path.rename(tmp_path / "moved.atl")
                changed(editor, path, tmp_path / "moved.atl")
            case 4 if name.endswith(".atl") and name not in now:
                now[name] = text
                editor.open(uri, text)
            case _ if name in now:
                cut = random.randrange(len(now[name]) + 1)
                now[name] = now[name][:cut] + random.choice(["", "}", "x", text])
                editor.change(uri, now[name])
            case _:
                pass
        editor.rest(random)
        if random.random() < 0.3:
            while editor.server.idle() == 0.0:
                pass
            editor.sent()
            pulled = {uri: items for uri, items in editor.everywhere().items() if items}
            assert {uri: items for uri, items in editor.shown.items() if items} == pulled
    assert editor.logged == []


def changed(editor: Inside, *paths: Path) -> None:
    changes = [{"uri": path.as_uri(), "type": 2} for path in paths]
    editor.notify("workspace/didChangeWatchedFiles", {"changes": changes})
