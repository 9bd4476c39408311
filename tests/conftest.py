"""Fixtures that every room's tests may ask for."""

from tests.databases import address, subject
from tests.server import server

__all__ = ["address", "server", "subject"]
