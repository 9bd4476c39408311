"""The connection: each request has one answer whatever comes, the server lives on, and goes when its client goes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.lsp.client import Client, Failed, everything, running
from tests.lsp.requests import HERE, at

A = "entity A in x {\n  id bigint primary\n}\n"
LOOSE = "entity   A in x {\nid bigint primary\n}\n"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with running("--stdio") as made:
        made.start(tmp_path_factory.mktemp("w"))
        yield made
        assert made.stop() == 0


def code_of(answer: dict[str, Any]) -> int:
    return int(answer.get("error", {"code": 0})["code"])


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("textDocument/nothing", {}, -32601),
        ("$/nothing", None, -32601),
        ("textDocument/hover", None, -32602),
        ("textDocument/hover", {}, -32602),
        ("textDocument/hover", [], -32602),
        ("textDocument/hover", {"textDocument": {"uri": "file:///a"}, "position": {"line": "x"}}, -32602),
        ("textDocument/hover", {"textDocument": 7, "position": {"line": 0, "character": 0}}, -32602),
        ("workspace/executeCommand", {"command": "x"}, -32601),
        ("initialize", {"processId": None, "capabilities": {}}, -32600),
    ],
)
def test_requests_that_cannot_be_served(client: Client, method: str, params: Any, code: int) -> None:
    assert code_of(client.answer(client.begin(method, params))) == code
    assert client.ask("workspace/symbol", {"query": ""}) == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b'{"jsonrpc":"2.0","id":[1],"method":"shutdown"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":7}', -32600),
    ],
)
def test_what_is_no_message(client: Client, body: bytes, code: int) -> None:
    client.raw(body)
    assert code_of(client.next_unasked()) == code
    assert client.ask("workspace/symbol", {"query": ""}) == []


def test_notifications_that_mean_nothing_are_passed_over(client: Client) -> None:
    client.notify("$/nothing", {})
    client.notify("textDocument/didOpen", {"textDocument": 7})
    client.notify("textDocument/didChange", {"textDocument": {"uri": "file:///no", "version": 1}, "contentChanges": []})
    client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///no"}})
    client.notify("$/cancelRequest", {"id": 10**9})
    client.notify("$/cancelRequest", 7)
    client.send({"jsonrpc": "2.0", "id": 999_999, "result": None})
    assert client.process.stdin is not None
    client.process.stdin.write(b"Content-Type: x\r\n\r\ncontent-LENGTH:2\r\nContent-Type: y\r\n\r\n{}")
    client.process.stdin.flush()
    assert {code_of(client.next_unasked()), code_of(client.next_unasked())} == {-32700, -32600}
    assert client.ask("workspace/symbol", {"query": ""}) == []


def test_before_and_after() -> None:
    with running() as client:
        assert code_of(client.answer(client.begin("workspace/symbol", {"query": ""}))) == -32002
        assert code_of(client.answer(client.begin("initialize", {"capabilities": 7}))) == -32602
        capabilities = everything()
        capabilities["textDocument"]["completion"]["completionItemKind"] = {"valueSet": [1, 999]}
        assert client.start(capabilities=capabilities)["hoverProvider"] is True, "a client newer than the server"
        client.ask("shutdown")
        assert code_of(client.answer(client.begin("workspace/symbol", {"query": ""}))) == -32600
        client.notify("exit")
        assert client.process.wait(20) == 0
    with running() as client:
        client.start()
        client.notify("exit")
        assert client.process.wait(20) == 1, "without a shutdown"


def test_cancelled_requests_are_skipped_and_the_newest_text_counts(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.atl").as_uri()
    client.open(uri, A)
    # The server is kept busy while the queue fills: these arrive in one piece.
    bodies = [b'{"jsonrpc":"2.0","id":"busy","method":"workspace/symbol","params":{"query":""}}']
    document = f'"textDocument":{{"uri":"{uri}"}}'
    for number in range(100):
        position = '"position":{"line":0,"character":8}'
        bodies.append(
            f'{{"jsonrpc":"2.0","id":"c{number}","method":"textDocument/hover","params":{{{document},{position}}}}}'.encode()
        )
    bodies += [
        f'{{"jsonrpc":"2.0","method":"$/cancelRequest","params":{{"id":"c{number}"}}}}'.encode()
        for number in range(100)
    ]
    assert client.process.stdin is not None
    client.process.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies))
    client.process.stdin.flush()
    answers = [client.answer(f"c{number}") for number in range(100)]  # type: ignore[arg-type]
    assert {code_of(answer) for answer in answers} <= {0, -32800}
    assert sum(code_of(answer) == -32800 for answer in answers) > 50
    client.change(uri, LOOSE)
    options = {"tabSize": 2, "insertSpaces": True}
    edits = client.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": options})
    assert edits != [], "formatted as it is now"
    client.close(uri)


def test_painting_an_old_text_is_not_worth_it(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "b.atl").as_uri()
    client.open(uri, A)
    document = f'"textDocument":{{"uri":"{uri}"'
    bodies = [
        f'{{"jsonrpc":"2.0","id":"p{n}","method":"textDocument/{method}","params":{{{document}}}}}}}'
        for n, method in enumerate(["semanticTokens/full", "diagnostic"])
    ]
    bodies.append(
        f'{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{{document},"version":9}},'
        '"contentChanges":[{"text":""}]}}'
    )
    assert client.process.stdin is not None
    client.process.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(b), b.encode()) for b in bodies))
    client.process.stdin.flush()
    codes = [code_of(client.answer(f"p{n}")) for n in range(2)]  # type: ignore[arg-type]
    assert codes[0] in (0, -32801) and codes[1] in (0, -32802)
    assert client.diagnostics(uri) == []
    client.close(uri)


def test_a_failing_feature_is_an_error_told_once(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        import atl.ide.hover, sys
        def broken(*_): print("to nowhere"); raise KeyError("oh")
        atl.ide.hover.hover = broken
        from atl.cli import main
        sys.exit(main(["lsp"]))
    """)
    uri = (tmp_path / "a.atl").as_uri()
    with running(command=("-c", program)) as client:
        client.start(tmp_path)
        client.open(uri, A)
        for _ in range(3):
            with pytest.raises(Failed):
                client.ask("textDocument/hover", client.at(uri, 0, 8))
        assert client.codes(uri) == []
        logged = [each for each in client.told if each["method"] == "window/logMessage"]
        assert len(logged) == 1 and "KeyError" in logged[0]["params"]["message"]
        assert not any(each["method"] == "window/showMessage" for each in client.told)


def test_what_prints_does_not_break_the_stream(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        import atl.ide.hover, os, subprocess, sys
        def loud(*_):
            print("stray")
            sys.__stdout__.write("stray")
            os.write(1, b"stray")
            subprocess.run(["echo", "stray"])
            assert sys.stdin.read() == ""
        atl.ide.hover.hover = loud
        from atl.cli import main
        sys.exit(main(["lsp", "--stdio"]))
    """)
    uri = (tmp_path / "a.atl").as_uri()
    with running(command=("-c", program)) as client:
        client.start(tmp_path)
        client.open(uri, A)
        assert client.ask("textDocument/hover", client.at(uri, 0, 8)) is None
        assert client.codes(uri) == []


def test_traces(tmp_path: Path) -> None:
    with running() as client:
        client.start(tmp_path, trace="messages")
        client.ask("workspace/symbol", {"query": ""})
        client.wait(lambda: any(each["method"] == "$/logTrace" for each in client.told))
        client.notify("$/setTrace", {"value": "off"})
        client.ask("workspace/symbol", {"query": ""})
        client.told.clear()
        client.ask("workspace/symbol", {"query": ""})
        assert client.told == []


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("keep_open", [False, True], ids=["pipe ends", "pipe held open"])
def test_the_server_goes_with_its_client(keep_open: bool) -> None:
    """A client in between is killed; with the pipe held open by us the server has only the process to watch."""
    program = textwrap.dedent("""
        import subprocess, sys, os, json
        server = subprocess.Popen([sys.executable, "-m", "atl", "lsp"], stdin=subprocess.PIPE if KEEP is None else KEEP,
                                  stdout=subprocess.PIPE)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                           "params": {"processId": os.getpid(), "capabilities": {}}}).encode()
        write = server.stdin.write if KEEP is None else lambda data: os.write(OTHER, data)
        write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
        if KEEP is None: server.stdin.flush()
        server.stdout.readline()
        print(server.pid, flush=True)
        server.wait()
    """)
    inside, outside = os.pipe()
    head = f"KEEP, OTHER = {inside}, {outside}\n" if keep_open else "KEEP = None\n"
    between = subprocess.Popen(
        [sys.executable, "-c", head + program], stdout=subprocess.PIPE, pass_fds=(inside, outside) if keep_open else ()
    )
    try:
        assert between.stdout is not None
        server = int(between.stdout.readline())
        between.send_signal(signal.SIGKILL)
        between.wait()
        between.stdout.close()
        until = time.monotonic() + 15
        while alive(server) and time.monotonic() < until:
            time.sleep(0.1)
        assert not alive(server)
    finally:
        os.close(inside)
        os.close(outside)


def alive(process: int) -> bool:
    """Whether it runs: one that has ended and that nobody asks about does not."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_random_messages_leave_it_alive(client: Client) -> None:
    random = Random(5)
    values: list[Any] = [None, 0, -1, "x", [], {}, True, 1.5, "file:///a.atl", {"uri": "file:///a.atl"}, 10**30]

    def some(depth: int) -> Any:
        if depth == 0 or random.random() < 0.3:
            return random.choice(values)
        names = ("textDocument", "position", "range", "context", "uri", "line", "character", "item", "data", "newName")
        return {name: some(depth - 1) for name in random.sample(names, 3)}

    ids = []
    for _ in range(300):
        method = random.choice((*HERE, "completionItem/resolve", "callHierarchy/incomingCalls", "workspace/symbol"))
        params = some(3) if random.random() < 0.5 else {**at("file:///a.atl", 0, 0), "position": some(2)}
        ids.append(client.begin(method, params))
    assert len([client.answer(id) for id in ids]) == 300
    assert client.ask("workspace/symbol", {"query": ""}) == []


def test_over_a_socket(tmp_path: Path) -> None:
    import socket

    process = subprocess.Popen([sys.executable, "-m", "atl", "lsp", "--tcp", "0"], stderr=subprocess.PIPE)
    try:
        assert process.stderr is not None
        port = int(process.stderr.readline().rpartition(b":")[2])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}'
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            assert connection.makefile("rb").readline().startswith(b"Content-Length")
        assert process.wait(20) == 1
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
