"""Fixtures that every room's tests may ask for."""

from tests.databases import database, subject
from tests.server import server

__all__ = ["database", "server", "subject"]
