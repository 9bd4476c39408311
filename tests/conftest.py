"""Fixtures that every room's tests may ask for."""

from tests.server import server

__all__ = ["server"]
