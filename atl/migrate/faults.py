"""Where a test can end the process: at the boundaries of what an apply does.

`ATL_FAULT=kill:7` kills the process, without a chance to tidy up, when it passes the seventh point; `ATL_FAULT=trace`
names each point as it is passed. Without the variable a point costs a comparison.
"""

from __future__ import annotations

import os
import signal
import sys

__all__ = ["point"]

_WISH = os.environ.get("ATL_FAULT", "")
_passed = 0


def point(name: str) -> None:
    """A boundary: the process may end here for any reason, and a second apply has to go on from here."""
    if not _WISH:
        return
    global _passed
    _passed += 1
    what, _, number = _WISH.partition(":")
    if what == "trace":
        sys.stderr.write(f"point {_passed} {name}\n")
    elif what == "kill" and _passed == int(number):
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGKILL)
