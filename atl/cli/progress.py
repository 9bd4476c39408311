"""A line on the terminal while something takes longer than a second; gone when it is done."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _thread import LockType

__all__ = ["Progress"]


class Progress:
    """`with Progress("checking"):`. Silent where standard error is no terminal."""

    __slots__ = ("_doing", "_done", "_gone")

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._done: LockType | None = None
        self._gone: LockType | None = None

    def __enter__(self) -> None:
        if sys.stderr is None or not sys.stderr.isatty():
            return
        # Not `threading`: its import takes longer than most runs of what is waited for here.
        import _thread

        self._done, self._gone = _thread.allocate_lock(), _thread.allocate_lock()
        self._done.acquire()
        self._gone.acquire()
        _thread.start_new_thread(self._show, (self._done, self._gone))

    def __exit__(self, *_: object) -> None:
        if self._done is not None and self._gone is not None:
            self._done.release()
            self._gone.acquire()

    def _show(self, done: LockType, gone: LockType) -> None:
        seconds = 0
        while not done.acquire(timeout=1):
            seconds += 1
            sys.stderr.write(f"\r{self._doing} ... {seconds} s")
            sys.stderr.flush()
        if seconds:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        gone.release()
