"""Fixtures that every room's tests may ask for."""

import os
import signal

from hypothesis import settings

from tests.databases import address, subject
from tests.server import server

__all__ = ["address", "server", "subject"]

# A shell that starts the tests in the background has them ignore interrupts, and so would the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Generated cases are the same in each run, so that what is red stays red; ATL_RANDOM=1 looks for new ones. How long one
# takes depends on what else the machine does, and decides nothing.
REPEATED = not os.environ.get("ATL_RANDOM")
settings.register_profile("atl", derandomize=REPEATED, deadline=None, **({"database": None} if REPEATED else {}))
settings.load_profile("atl")
