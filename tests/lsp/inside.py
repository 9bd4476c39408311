"""A server in the test's own process, whose answers are looked at as they were sent."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from atl_lsp.binding import bound
from atl_lsp.transport import messages

from tests.lsp.client import everything

__all__ = ["Inside"]

Json = Any


class Inside:
    """Each call is handled at once, on the test's stack; `errors` collects answers that are errors."""

    def __init__(self, *folders: Path, capabilities: Json = None, options: Json = None) -> None:
        self._out = io.BytesIO()
        self.server = bound(io.BytesIO(), self._out)
        self._id = 0
        self._version = 0
        self.logged: list[str] = []
        params = {
            "processId": None,
            "capabilities": everything() if capabilities is None else capabilities,
            "workspaceFolders": [{"uri": folder.as_uri(), "name": ""} for folder in folders],
            "initializationOptions": options,
        }
        self.capabilities = self.ask("initialize", params)["result"]["capabilities"]
        self.notify("initialized", {})

    def notify(self, method: str, params: Json) -> None:
        self.server.handle({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Json) -> Json:
        """The whole answer."""
        self._id += 1
        self.server.handle({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        while self.server.working():
            self.server.step()
        answers = [message for message in self.sent() if message.get("id") == self._id and "method" not in message]
        assert len(answers) == 1, (method, answers)
        return answers[0]

    def sent(self) -> list[Json]:
        """What the server has sent since the last look."""
        self._out.seek(0)
        found = list(messages(self._out))
        self._out.seek(0)
        self._out.truncate()
        for message in found:
            if message.get("method") == "window/logMessage":
                self.logged.append(message["params"]["message"])
        return found

    def open(self, uri: str, text: str) -> None:
        self._version += 1
        item = {"uri": uri, "languageId": "atl", "version": self._version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, text: str, range: Json = None) -> None:
        self._version += 1
        change = {"text": text} if range is None else {"text": text, "range": range}
        params = {"textDocument": {"uri": uri, "version": self._version}, "contentChanges": [change]}
        self.notify("textDocument/didChange", params)

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def everywhere(self) -> dict[str, list[Json]]:
        """All diagnostics by URI."""
        result = self.ask("workspace/diagnostic", {"previousResultIds": []})["result"]
        return {row["uri"]: row["items"] for row in result["items"]}
