"""A session with all that a broken client and an odd disk can do: each request is answered, and nothing is logged."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.lsp.client import Client, everything, running
from tests.lsp.requests import EVERYWHERE, HERE, at

A = "entity A in x {\n  id bigint primary\n}\n"


def ask_all(client: Client, uri: str, line: int = 0, character: int = 8) -> None:
    """Each request has an answer, which may be that there is no such place."""
    for method in (*HERE, *EVERYWHERE):
        answer = client.answer(client.begin(method, at(uri, line, character)))
        assert "error" not in answer or answer["error"]["code"] in (-32803, -32602), (uri, method)


@pytest.mark.skipif(os.name == "nt", reason="links, pipes and rights as they are elsewhere")
@pytest.mark.parametrize("pull", [True, False])
def test_a_nasty_session(pull: bool, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    (folder / "sub" / "dir.atl").mkdir(parents=True)
    (folder / "a.atl").write_text(A)
    (folder / "sub" / "up").symlink_to(folder)
    (folder / "loop.atl").symlink_to(folder / "loop.atl")
    (folder / "nowhere.atl").symlink_to(folder / "nothing.atl")
    os.mkfifo(folder / "pipe.atl")
    (folder / "bytes.atl").write_bytes(bytes(range(256)) * 4)
    (folder / "secret.atl").write_text(A)
    (folder / "secret.atl").chmod(0)
    uri = (folder / "a.atl").as_uri()
    with running() as client:
        client.start(folder, capabilities=everything(pull=pull))
        assert client.process.stdin is not None
        for frame in (
            b"Content-Length: 5\r\n\r\nhello",
            b"Content-Length: -5\r\n\r\n",
            b"Content-Length: 99999999999999\r\n\r\n",
            b"\x00\xff\r\n\r\n",
            b"Content-Length: 4\r\nContent-Length: 2\r\n\r\n{}",
        ):
            client.process.stdin.write(frame)
        client.process.stdin.flush()
        for line, character in ((10**9, 0), (0, 10**9), (-1, -1), (2**40, 2**40)):
            ask_all(client, uri, line, character)
        files = ["sub/dir.atl", "loop.atl", "nowhere.atl", "pipe.atl", "secret.atl", "sub/up/sub/up/a.atl", "sub"]
        names = [(folder / name).as_uri() for name in files]
        for name in (*names, "untitled:x", "git:/a.atl?x", "", "no uri", f"{folder.as_uri()}/{'a' * 5000}.atl"):
            ask_all(client, name)
            client.open(name, A)
            ask_all(client, name)
            client.close(name)
            client.close(name)
        client.change(uri, "not open")
        client.open(uri, A)
        client.open(uri, A)
        client.change(uri, (-1, -1, -1, -1, "x"), (9, 9, 0, 0, "y"))
        client.change(uri, (9, 9, 0, 7, "B in x { id bigint primary }"))
        names_of = [each["name"] for each in client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})]
        assert names_of == ["B"], "a change that cannot be read changes nothing; a range back to front is one"
        shutil.rmtree(folder)
        client.watched(folder, folder / "a.atl")
        assert client.codes(uri) == []
        folder.write_text("a file now")
        client.watched(folder)
        ask_all(client, uri)
        event = {"added": [{"uri": "file:///no/where", "name": ""}], "removed": [{"uri": folder.as_uri(), "name": ""}]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        client.close(uri)
        client.close(uri)
        assert client.ask("textDocument/rename", {**at(uri, 0, 8), "newName": "C"}) is None
        assert client.ask("workspace/symbol", {"query": ""}) == []
        logged = [each for each in client.told if each["method"] in ("window/logMessage", "window/showMessage")]
        assert logged == []
        assert client.stop() == 0
