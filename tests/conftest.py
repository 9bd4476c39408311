"""Fixtures that every room's tests may ask for."""

import signal

from hypothesis import settings

from tests.databases import address, subject
from tests.server import server

__all__ = ["address", "server", "subject"]

# A shell that starts the tests in the background has them ignore interrupts, and so would the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes depends on what else the machine does, and decides nothing.
settings.register_profile("patient", settings(), deadline=None)
settings.load_profile("patient")
