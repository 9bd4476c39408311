"""A client that speaks the protocol over a server's standard input and output, and keeps what it was told.

Written by hand and synchronous, so that a test can also send what no client library would.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Client", "Failed", "everything", "running"]

Json = Any


class Failed(Exception):
    """An answer that is an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


def everything(encoding: str = "utf-16", pull: bool = True) -> dict[str, Json]:
    """The capabilities of an editor that can do all that the server asks about."""
    text: dict[str, Json] = {
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "definition": {"linkSupport": True},
        "rename": {"prepareSupport": True},
        "publishDiagnostics": {"relatedInformation": True},
    }
    if pull:
        text["diagnostic"] = {"relatedDocumentSupport": True}
    return {
        "general": {"positionEncodings": [encoding]},
        "textDocument": text,
        "workspace": {
            "workspaceEdit": {"documentChanges": True},
            "didChangeWatchedFiles": {"dynamicRegistration": True},
            "diagnostics": {"refreshSupport": True},
            "configuration": True,
            "workspaceFolders": True,
        },
        "window": {"workDoneProgress": True},
    }


class Client:
    """told: notifications by method. asked: methods of the server's requests, each answered with null (settings with
    `settings`)."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.told: list[dict[str, Json]] = []
        self.asked: list[str] = []
        self.settings: Json = None
        self.shown: dict[str, list[Json]] = {}
        self._id = 0
        self._version = 0
        self._answers: dict[int, dict[str, Json]] = {}
        self._incoming: queue.Queue[dict[str, Json] | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    # ------------------------------------------------------------ the wire

    def raw(self, body: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, message: Mapping[str, Json]) -> None:
        self.raw(json.dumps(message).encode())

    def notify(self, method: str, params: Json = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method: str, params: Json = None) -> int:
        """Send a request, and return its id."""
        self._id += 1
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        return self._id

    def answer(self, id: int, timeout: float = 30) -> dict[str, Json]:
        """The whole message that answers a request."""
        while id not in self._answers:
            self._handle(timeout)
        return self._answers.pop(id)

    def ask(self, method: str, params: Json = None) -> Json:
        """A request's result. Raises Failed."""
        message = self.answer(self.begin(method, params))
        if "error" in message:
            raise Failed(message["error"]["code"], message["error"]["message"])
        return message["result"]

    def wait(self, condition: Any, timeout: float = 30) -> None:
        """Handle what comes until the condition holds."""
        while not condition():
            self._handle(timeout)

    def next_unasked(self, timeout: float = 30) -> dict[str, Json]:
        """The next answer to no known request."""
        while None not in self._answers:  # type: ignore[comparison-overlap]
            self._handle(timeout)
        return self._answers.pop(None)  # type: ignore[call-overload, no-any-return]

    def _handle(self, timeout: float) -> None:
        message = self._incoming.get(timeout=timeout)
        if message is None:
            raise EOFError("the server has gone")
        method = message.get("method")
        if method is None:
            self._answers[message["id"]] = message
        elif "id" in message:
            self.asked.append(method)
            result = [self.settings] if method == "workspace/configuration" else None
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})
        else:
            self.told.append(message)
            if method == "textDocument/publishDiagnostics":
                self.shown[message["params"]["uri"]] = message["params"]["diagnostics"]

    def _read(self) -> None:
        assert self.process.stdout is not None
        out = self.process.stdout
        while line := out.readline():
            length = 0
            while line.strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                line = out.readline()
            self._incoming.put(json.loads(out.read(length)))
        self._incoming.put(None)

    # ------------------------------------------------------------ what an editor does

    def start(self, *folders: Path, capabilities: Json = None, **more: Json) -> Json:
        """Initialize; the server's capabilities."""
        params = {
            "processId": os.getpid(),
            "capabilities": everything() if capabilities is None else capabilities,
            "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name} for folder in folders],
            **more,
        }
        result = self.ask("initialize", params)
        self.notify("initialized", {})
        return result["capabilities"]

    def open(self, uri: str, text: str, language: str = "atl") -> None:
        self._version += 1
        document = {"uri": uri, "languageId": language, "version": self._version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri: str, *changes: Json) -> None:
        """Each a whole text or (start line, column, end line, column, text)."""
        self._version += 1
        rows = [
            {"text": change} if isinstance(change, str) else {"range": span(*change[:4]), "text": change[4]}
            for change in changes
        ]
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": self._version}, "contentChanges": rows},
        )

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def watched(self, *paths: Path) -> None:
        changes = [{"uri": path.as_uri(), "type": 2} for path in paths]
        self.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def gone(self, *paths: Path) -> None:
        changes = [{"uri": path.as_uri(), "type": 3} for path in paths]
        self.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def diagnostics(self, uri: str) -> list[Json]:
        found = self.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        items: list[Json] = found["items"]
        return items

    def codes(self, uri: str, hints: bool = False) -> list[str]:
        return [item["code"] for item in self.diagnostics(uri) if hints or item["severity"] < 4]

    def at(self, uri: str, line: int, character: int) -> Json:
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

    def stop(self) -> int:
        self.ask("shutdown")
        self.notify("exit")
        return self.process.wait(20)


def span(line: int, column: int, end_line: int, end_column: int) -> Json:
    return {
        "start": {"line": line, "character": column},
        "end": {"line": end_line, "character": end_column},
    }


@contextmanager
def running(*options: str, command: Sequence[str] = ("-m", "atl", "lsp")) -> Iterator[Client]:
    """A server and its client; killed at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, *command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        yield Client(process)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()
