"""Something that a copy of this process does, while this one goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

__all__ = ["aside"]


def aside(work: Callable[[], Any], instead: Callable[[], Any]) -> Callable[[], Any]:
    """Begin some work in a copy of this process, which has all that this one has now; what waits for its result. The
    result goes through JSON. Where that cannot be, or goes wrong, `instead` is done when the result is asked for: a
    mistake in the work then shows as it always would."""
    try:
        reader, writer = os.pipe()
        pid = os.fork()
    except OSError:
        return instead
    if pid == 0:
        code = 1
        try:
            os.close(reader)
            with open(writer, "w", encoding="ascii") as pipe:
                pipe.write(json.dumps(work()))
            code = 0
        finally:
            # Neither the copied buffers nor the handlers at exit are this process's own.
            os._exit(code)
    os.close(writer)

    def result() -> Any:
        with open(reader, encoding="ascii") as pipe:
            said = pipe.read()
        code = 1
        with suppress(ChildProcessError):
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return json.loads(said) if code == 0 else instead()

    return result
