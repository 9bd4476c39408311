"""libpg_query through ctypes: SQL text to PostgreSQL's parse tree as JSON.

The shared library comes with the wheel `postgast`, whose package is not imported: it pulls in protobuf, which costs
more than all of our start-up.
"""

from __future__ import annotations

import ctypes
import re
import sys
import threading
from functools import cache
from typing import Any

from atl.records import NamedTuple

__all__ = ["Failure", "TooLarge", "Tree", "read"]

Tree = dict[str, Any]
"""A node of the parse tree, or a struct inside one. Values that are zero, empty or null are left out."""

# The library writes its JSON by recursion and without a guard: about 200 bytes of stack for each level, and a level
# takes at least two characters (`1+1+1`). Short texts fit any thread's stack; longer ones get a thread with a stack
# for the worst case; beyond 256 kB a block is not read at all.
_STACK_PER_BYTE = 256
_SMALL = 2_000
_LARGEST = 256_000
# Trees nested deeper than the interpreter's recursion limit are decoded by a slower loop, up to this many bytes.
_LARGEST_DEEP_TREE = 4_000_000


class Failure(NamedTuple):
    """A syntax error. position: where, in code points from 0; the text's length at its end."""

    message: str
    position: int


class TooLarge(Exception):
    """The text is too large, or nested too deeply, to be read; nothing may be concluded about it."""


class _Error(ctypes.Structure):
    _fields_ = (
        ("message", ctypes.c_char_p),
        ("funcname", ctypes.c_char_p),
        ("filename", ctypes.c_char_p),
        ("lineno", ctypes.c_int),
        ("cursorpos", ctypes.c_int),
        ("context", ctypes.c_char_p),
    )


class _Result(ctypes.Structure):
    # The pointers stay raw (c_char_p would hand out copies), because the struct goes back to be freed.
    _fields_ = (
        ("parse_tree", ctypes.c_void_p),
        ("stderr_buffer", ctypes.c_void_p),
        ("error", ctypes.POINTER(_Error)),
    )


_NAMES = {"win32": "pg_query.dll", "darwin": "libpg_query.dylib"}


@cache
def _library() -> ctypes.CDLL:
    from importlib.util import find_spec

    spec = find_spec("postgast")
    folders = (spec.submodule_search_locations or []) if spec is not None else []
    try:
        library = ctypes.CDLL(f"{folders[0]}/{_NAMES.get(sys.platform, 'libpg_query.so')}")
    except (IndexError, OSError):
        # Not where the wheel has it: the package knows where else to look.
        from postgast import native

        library = ctypes.CDLL(native.lib._name)
    library.pg_query_parse.argtypes = [ctypes.c_char_p]
    library.pg_query_parse.restype = _Result
    library.pg_query_free_parse_result.argtypes = [_Result]
    library.pg_query_free_parse_result.restype = None
    return library


def read(plain: str) -> Tree | Failure:
    """The parse tree of a text without NUL or lone surrogates: `{"version": ..., "stmts": [...]}`. Locations in it are
    byte offsets into the text's UTF-8; 0 is left out. Raises TooLarge."""
    data = plain.encode()
    if len(data) > _LARGEST:
        raise TooLarge
    found = _parse(data) if len(data) <= _SMALL else _parse_in_thread(data)
    return found if isinstance(found, Failure) else _decode(found)


def _parse(data: bytes) -> bytes | Failure:
    library = _library()
    result = library.pg_query_parse(data)
    try:
        if result.error:
            error = result.error.contents
            return Failure(error.message.decode("utf-8", "replace"), max(error.cursorpos - 1, 0))
        return ctypes.string_at(result.parse_tree)
    finally:
        library.pg_query_free_parse_result(result)


_stack_size_lock = threading.Lock()


def _parse_in_thread(data: bytes) -> bytes | Failure:
    found: list[bytes | Failure] = []
    thread = threading.Thread(target=lambda: found.append(_parse(data)), daemon=True)
    with _stack_size_lock:
        before = threading.stack_size(1_048_576 + (len(data) * _STACK_PER_BYTE + 4095) // 4096 * 4096)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    thread.join()
    return found[0]


def _decode(data: bytes) -> Tree:
    import json

    try:
        tree: Tree = json.loads(data)
    except RecursionError:
        if len(data) > _LARGEST_DEEP_TREE:
            raise TooLarge from None
        tree = _decode_deep(data.decode())
    return tree


_PIECE = re.compile(r'[{}\[\]]|"(?:[^"\\]|\\.)*"|[^\s{}\[\]",:]+')


def _decode_deep(text: str) -> Tree:
    """JSON text to dicts and lists by a loop, for any depth."""
    import json

    root: list[Any] = []
    open_: list[Any] = [root]
    key: str | None = None
    for found in _PIECE.finditer(text):
        piece = found[0]
        into = open_[-1]
        value: Any
        if piece in "}]":
            open_.pop()
            continue
        if piece == "{":
            value = {}
        elif piece == "[":
            value = []
        else:
            value = json.loads(piece)
            if key is None and type(into) is dict:
                key = value
                continue
        if type(into) is dict:
            into[key] = value
            key = None
        else:
            into.append(value)
        if piece in "{[":
            open_.append(value)
    tree: Tree = root[0]
    return tree
