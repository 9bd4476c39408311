"""Says what is going on when it takes long."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import TimeoutError
from typing import TYPE_CHECKING

from lsprotocol import types as t

if TYPE_CHECKING:
    from atl_lsp.session import Session

__all__ = ["Progress"]

_AFTER = 1.0
"""Seconds until something is worth a word."""


class Progress:
    """Shown while the block runs, once it has run for a second; of a client that can show it."""

    def __init__(self, session: Session, title: str, about: str) -> None:
        self._server = session.server
        self._title, self._about = title, about
        self._token = str(uuid.uuid4())
        self._lock = threading.Lock()
        self._ended = self._begun = False
        self._timer: threading.Timer | None = None
        if session.can("window.work_done_progress"):
            self._timer = threading.Timer(_AFTER, self._begin)
            self._timer.daemon = True

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.start()

    def __exit__(self, *_: object) -> None:
        if self._timer is None:
            return
        self._timer.cancel()
        with self._lock:
            self._ended = True
            if self._begun:
                self._say(t.WorkDoneProgressEnd())

    def _begin(self) -> None:
        created = self._server.window_work_done_progress_create(t.WorkDoneProgressCreateParams(self._token), None)
        try:
            created.result(10)
        except (TimeoutError, Exception):
            return
        with self._lock:
            if not self._ended:
                self._begun = True
                self._say(t.WorkDoneProgressBegin(self._title, message=self._about))

    def _say(self, value: object) -> None:
        self._server.protocol.notify(t.PROGRESS, t.ProgressParams(self._token, value))
