"""Checking from scratch in two processes: each parses half of the files, they tell each other the symbols, each checks
its half.

By fork and pipes alone: what was read is there already, and nothing is imported for it. What they send each other is
marshalled, which only a process may read that wrote it itself. Where that cannot be, or goes
wrong, the caller checks in one process; a mistake in a rule then shows there as it always would.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, BinaryIO

from atl.workspace.cache import Row, Tables
from atl.workspace.files import Content, Entry, Stamp

__all__ = ["Half", "in_two", "pays"]

# Bytes of declarations from which a second process saves more than it costs, as measured.
_WORTH = 400_000

Half = Callable[[list[str], Callable[[list[Any]], list[Any]]], "tuple[dict[str, tuple[Row, bytes]], Tables]"]
"""Checks some of the files: hands the symbols of these to the second argument, which gives those of the others."""


def pays(contents: Mapping[str, Content]) -> bool:
    """Whether two processes are possible here and quicker."""
    if sys.platform in ("win32", "emscripten", "wasi") or not hasattr(os, "fork"):
        return False
    if sum(len(content.data) for content in contents.values()) < _WORTH or _processors() < 2:
        return False
    threading = sys.modules.get("threading")
    return threading is None or threading.active_count() == 1


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_two(
    entries: Mapping[str, Entry], contents: Mapping[str, Content], half: Half
) -> tuple[dict[str, tuple[Row, bytes]], Tables] | None:
    """What `half` gives for all files; None when the other process failed."""
    mine, others = _split(contents)
    try:
        to_child, from_child, pid = _fork(lambda reader, writer: _serve(reader, writer, others, half))
    except OSError:
        return None
    with to_child, from_child:
        try:

            def exchange(symbols: list[Any]) -> list[Any]:
                # The child sends before it reads: in this order neither waits for the other's pipe to be emptied.
                found = _receive(from_child)
                _send(to_child, marshal.dumps(symbols))
                made: list[Any] = marshal.loads(found)
                return made

            rows, tables = half(mine, exchange)
            other_rows = _rows(_receive(from_child), _receive(from_child))
            other_tables: list[dict[str, list[str]]] = marshal.loads(_receive(from_child))
        except (EOFError, BrokenPipeError):
            return None
        finally:
            _end(pid)
    for table, other in zip(tables, other_tables, strict=True):
        for key, paths in other.items():
            there = table.get(key)
            table[key] = paths if there is None else there + paths
    both = {**rows, **other_rows}
    return {path: both[path] for path in entries}, tables


def _split(contents: Mapping[str, Content]) -> tuple[list[str], list[str]]:
    """Two parts of about as many bytes, each sorted."""
    parts: tuple[list[str], list[str]] = ([], [])
    sizes = [0, 0]
    for path, content in contents.items():
        smaller = 0 if sizes[0] <= sizes[1] else 1
        parts[smaller].append(path)
        sizes[smaller] += len(content.data) + 200
    return parts


# ------------------------------------------------------------------ the other process


def _fork(serve: Callable[[BinaryIO, BinaryIO], None]) -> tuple[BinaryIO, BinaryIO, int]:
    """Run `serve(reader, writer)` in a copy of this process; the pipes to and from it, and its id."""
    down, up = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(down[1])
            os.close(up[0])
            with open(down[0], "rb") as reader, open(up[1], "wb") as writer:
                serve(reader, writer)
            code = 0
        finally:
            # Neither the copied buffers nor the handlers at exit are this process's own.
            os._exit(code)
    os.close(down[0])
    os.close(up[1])
    return open(down[1], "wb"), open(up[0], "rb"), pid


def _serve(reader: BinaryIO, writer: BinaryIO, paths: list[str], half: Half) -> None:
    def exchange(symbols: list[Any]) -> list[Any]:
        _send(writer, marshal.dumps(symbols))
        made: list[Any] = marshal.loads(_receive(reader))
        return made

    rows, tables = half(paths, exchange)
    blobs = [blob for _, blob in rows.values()]
    heads = [(row.path, row.own, tuple(row.stamp), *row[3:]) for row, _ in rows.values()]
    _send(writer, marshal.dumps([(*head[:-2], len(blob), 0) for head, blob in zip(heads, blobs, strict=True)]))
    _send(writer, b"".join(blobs))
    _send(writer, marshal.dumps(tuple(tables)))


def _end(pid: int) -> None:
    """The child ends by itself when its pipes are closed or all is sent; if it does not get there, it is ended."""
    with suppress(ChildProcessError):
        if os.waitpid(pid, os.WNOHANG)[0] == 0:
            with suppress(ProcessLookupError):
                os.kill(pid, 9)
            os.waitpid(pid, 0)


def _rows(head: bytes, blobs: bytes) -> dict[str, tuple[Row, bytes]]:
    made: dict[str, tuple[Row, bytes]] = {}
    at = 0
    for path, own, stamp, *rest in marshal.loads(head):
        row = Row(path, own, Stamp(*stamp), *rest)
        made[path] = row, blobs[at : at + row.length]
        at += row.length
    return made


def _send(pipe: BinaryIO, data: bytes) -> None:
    pipe.write(b"%d\n" % len(data))
    pipe.write(data)
    pipe.flush()


def _receive(pipe: BinaryIO) -> bytes:
    """Raises EOFError when the other side is gone."""
    line = pipe.readline()
    data = pipe.read(int(line)) if line else b""
    if not line or len(data) != int(line):
        raise EOFError
    return data
