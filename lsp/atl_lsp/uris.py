"""Documents' names: `file:` URIs to paths and back, and one key for all spellings of one document."""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote

__all__ = ["key_of", "path_of", "uri_of"]

_DRIVE = re.compile(r"/([A-Za-z])(?::|%3[Aa])(?=/|$)")


def path_of(uri: str) -> str | None:
    """The absolute path of a `file:` URI; None for any other document, and where no file can have that name. Clients
    that leave `#` and `?` as they are mean them as parts of names."""
    if uri[:5].lower() != "file:":
        return None
    rest = uri[5:]
    host = ""
    if rest.startswith("//"):
        host, slash, rest = rest[2:].partition("/")
        rest = slash + rest
    path = unquote(rest, errors="surrogateescape") or "/"
    if "\0" in path:
        return None
    if host and host.lower() != "localhost":
        path = f"//{unquote(host)}{path}"
    elif drive := _DRIVE.match(path):
        path = f"{drive[1].lower()}:{path[3:]}" if os.name == "nt" else f"/{drive[1].lower()}:{path[3:]}"
    return os.path.normpath(path) if os.name == "nt" or "//" in path or "/." in path else path.rstrip("/") or "/"


def uri_of(path: str) -> str:
    """The `file:` URI of an absolute path."""
    if os.name == "nt":
        path = path.replace(os.sep, "/")
        if path.startswith("//"):
            return "file:" + _quoted(path)
        path = "/" + path[:1].lower() + path[1:]
    return "file://" + _quoted(path)


def key_of(uri: str) -> str:
    """The same for every spelling of a document's URI."""
    path = path_of(uri)
    if path is None:
        return unquote(uri)
    return "file:" + (os.path.normcase(path) if os.name == "nt" else path)


def _quoted(path: str) -> str:
    return quote(path, safe="/~!$&'()*+,;=@-._", errors="surrogateescape")
