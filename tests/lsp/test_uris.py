"""One key for all spellings of a document, and paths there and back."""

from __future__ import annotations

import os

import pytest
from atl_lsp.uris import key_of, path_of, uri_of

posix = pytest.mark.skipif(os.name == "nt", reason="paths as they are elsewhere")


@pytest.mark.parametrize(
    "spellings",
    [
        ("file:///C:/x", "file:///c%3A/x", "file:///c:/x", "file:///C%3a/x", "file:/c:/x", "file://localhost/c:/x"),
        ("file:///a%20b/c.atl", "file:///a b/c.atl", "file:///a%20b/./c.atl", "FILE:///a%20b/c.atl"),
        ("file:///a%23b.atl", "file:///a#b.atl"),
        ("file:///%C3%A4.atl", "file:///ä.atl"),
        ("untitled:Untitled-1",),
        ("file:///a%2520b.atl",),
    ],
)
def test_keys(spellings: tuple[str, ...]) -> None:
    assert len({key_of(uri) for uri in spellings}) == 1


def test_what_differs_stays_apart() -> None:
    uris = [
        "file:///a%20b",
        "file:///a%2520b",
        "file:///A%20b",
        "untitled:a",
        "file:///a#b",
        "file:///a?b",
        "file:///a",
    ]
    assert len({key_of(uri) for uri in uris}) == len(uris)


@posix
@pytest.mark.parametrize("path", ["/", "/a", "/a b/ä#?%20.atl", "/a:b", "/x/\udcff.atl", "/[x]{y}"])
def test_there_and_back(path: str) -> None:
    assert path_of(uri_of(path)) == path


@posix
def test_paths() -> None:
    assert path_of("file://host/share/a.atl") == "//host/share/a.atl"
    assert path_of("file:///a/") == "/a"
    assert path_of("git:/a") is None
    for odd in ("file:", "file://", "file://x", "file:%", "file:///%zz", "", "a"):
        key_of(odd)
