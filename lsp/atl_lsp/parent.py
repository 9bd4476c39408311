"""Ends the server when the client has gone, also where its end of the pipe is held open by someone else."""

from __future__ import annotations

import os
import sys
import threading
import time

__all__ = ["watch"]

_SECONDS = 1.0


def watch(process: int | None) -> None:
    """Watch a process from a thread. One that is not there at first is not watched: it lives in another container."""
    if process is None or process <= 0 or not _alive(process):
        return
    threading.Thread(target=_wait, args=(process,), name="parent", daemon=True).start()


def _wait(process: int) -> None:
    is_parent = os.getppid() == process
    while True:
        time.sleep(_SECONDS)
        # A parent that nobody has collected yet still has its number; its children have another parent.
        if not _alive(process) or (is_parent and os.getppid() != process):
            os._exit(1)


if sys.platform == "win32":

    def _alive(process: int) -> bool:
        import ctypes

        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(0x00100000, False, process)  # SYNCHRONIZE
        if not handle:
            return False
        ended = kernel.WaitForSingleObject(handle, 0) == 0
        kernel.CloseHandle(handle)
        return not ended

else:

    def _alive(process: int) -> bool:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except (OSError, OverflowError):
            return True
        return True
