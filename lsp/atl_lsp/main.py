"""Starting the server on standard input and output, or on a socket for debugging."""

from __future__ import annotations

import linecache
import os
import sys
from typing import BinaryIO

from atl_lsp.binding import bound

__all__ = ["serve_stdio", "serve_tcp"]


def serve_stdio() -> int:
    """Serve the client at the other ends of standard input and output; the exit code."""
    reader, writer = _own_streams()
    _forget_sources()
    return bound(reader, writer).serve()


def serve_tcp(host: str, port: int) -> int:
    """Wait for one client and serve it."""
    import socket

    with socket.create_server((host, port)) as listener:
        host, port = listener.getsockname()[:2]
        print(f"listening on {host}:{port}", file=sys.stderr, flush=True)
        connection, _ = listener.accept()
    with connection, connection.makefile("rb") as reader, connection.makefile("wb") as writer:
        return bound(reader, writer).serve()


def _forget_sources() -> None:
    """Let go of the source of what `attrs` generated for the protocol's classes: 5 MB that only a traceback through
    them would show."""
    for name in [name for name in linecache.cache if name.startswith("<attrs generated")]:
        del linecache.cache[name]


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for the protocol alone: whatever else prints goes to standard error."""
    if os.name == "nt":
        import msvcrt

        for number in (0, 1):
            msvcrt.setmode(number, os.O_BINARY)  # type: ignore[attr-defined,unused-ignore]
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return reader, writer
