"""Messages in and out: framing, and the queue between the thread that reads and the one that works.

Everything the server does happens in the working thread. The reading thread only notes what is cancelled, what is
overtaken by a newer text, and hands answers of the client to whoever waits for them.
"""

from __future__ import annotations

import json
import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple

from atl_lsp.uris import key_of

__all__ = ["END", "Broken", "Call", "Inbox", "Writer", "messages"]

_LARGEST = 1 << 28
"""Bytes of a message; a longer one is no message."""


class Broken(NamedTuple):
    """A message that is no JSON."""

    reason: str


class Call(NamedTuple):
    """Something that another thread wants done by the working one."""

    function: Callable[[Any], None]
    argument: Any


class End(NamedTuple):
    """Nothing more comes."""


END = End()


class Writer:
    """Frames messages. Threads may share it. A client that has gone away ends the process: nobody waits for answers."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._lock = threading.Lock()

    def send(self, message: object) -> None:
        # A lone surrogate, which stands for a byte that is no text, has no place in JSON.
        body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        try:
            with self._lock:
                self._file.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                self._file.flush()
        except (OSError, ValueError):
            os._exit(1)


def messages(file: BinaryIO) -> Iterator[Any]:
    """What a client sends, as JSON values or Broken, until its stream ends."""
    while True:
        length = -1
        seen = False
        while line := file.readline(1 << 16):
            if not line.strip():
                if seen:
                    break
                continue
            seen = True
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
        if not line:
            return
        if length < 0 or length > _LARGEST:
            yield Broken("the header has no usable Content-Length")
            continue
        body = file.read(length)
        if len(body) < length:
            return
        try:
            yield json.loads(body)
        except (ValueError, RecursionError) as error:
            yield Broken(str(error) or "nested too deeply")


class Inbox:
    """What has arrived and is not handled yet. on_answer: called in the reading thread."""

    def __init__(self, on_answer: Callable[[dict[str, Any]], None]) -> None:
        self._on_answer = on_answer
        self._ready = threading.Condition()
        self._waiting: deque[Any] = deque()
        self._open: set[int | str] = set()
        self._cancelled: set[int | str] = set()
        self._changes: Counter[str] = Counter()

    def read(self, file: BinaryIO) -> None:
        """The reading thread."""
        try:
            for message in messages(file):
                self._take(message)
        except (OSError, ValueError):
            pass  # as good as an end
        finally:
            self.put(END)

    def put(self, message: object) -> None:
        with self._ready:
            self._waiting.append(message)
            self._ready.notify()

    def get(self, timeout: float | None) -> Any:
        """The next message, END, or None when none came in time (seconds; None waits for ever)."""
        with self._ready:
            if not self._waiting:
                self._ready.wait(timeout)
            if not self._waiting:
                return None
            message = self._waiting.popleft()
            if (key := _changed(message)) is not None:
                self._changes[key] -= 1
                if not self._changes[key]:
                    del self._changes[key]
            return message

    def busy(self) -> bool:
        return bool(self._waiting)

    def cancelled(self, id: int | str) -> bool:
        return id in self._cancelled

    def overtaken(self, key: str) -> bool:
        """Whether a newer text of a document has arrived already."""
        return key in self._changes

    def answered(self, id: int | str) -> None:
        with self._ready:
            self._open.discard(id)
            self._cancelled.discard(id)

    def _take(self, message: Any) -> None:
        if isinstance(message, dict):
            method = message.get("method")
            id = message.get("id")
            if method is None and isinstance(id, (int, str)):
                self._on_answer(message)
                return
            with self._ready:
                if method == "$/cancelRequest":
                    params = message.get("params")
                    which = params.get("id") if isinstance(params, dict) else None
                    if isinstance(which, (int, str)) and which in self._open:
                        self._cancelled.add(which)
                    return
                if isinstance(id, (int, str)):
                    self._open.add(id)
                if (key := _changed(message)) is not None:
                    self._changes[key] += 1
        self.put(message)


def _changed(message: Any) -> str | None:
    """The key of the document that a message changes."""
    if not isinstance(message, dict) or message.get("method") != "textDocument/didChange":
        return None
    params = message.get("params")
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    return key_of(uri) if isinstance(uri, str) else None
