"""What a key costs the editor: `python -m bench.editor FOLDER PATH`, in a process of its own.

Prints one JSON object: the milliseconds of each key, from the edit to the file's findings, and from the edit to the
list of completions; and the resident memory after all files were checked, in bytes, with the server's library loaded.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__: list[str] = []

_KEYS = 400
_TYPED = "a_ 1{x}\n"


def main(folder: str, path: str) -> None:
    from atl.workspace.live import Workspace

    started = time.perf_counter()
    workspace = Workspace(folder)
    workspace.all_findings()
    opened = time.perf_counter() - started
    import_module("pygls.lsp.server")
    memory = _resident()
    source = workspace.source(path)
    assert source is not None
    workspace.set_text(path, source.text)
    keys, lists = _findings(workspace, path, source.text), _completions(workspace, path, source.text)
    json.dump({"keys": keys, "lists": lists, "memory": memory, "opened": opened}, sys.stdout)


def _findings(workspace: Workspace, path: str, text: str) -> list[float]:
    random = Random(1)
    times: list[float] = []
    for number in range(_KEYS):
        # Mostly where words are typed, at a line's end; now and then anywhere, through a string or a name.
        at = random.randrange(len(text))
        if number % 4:
            at = text.find("\n", at)
            at = at if at >= 0 else len(text)
        for start, end, new in ((at, at, _TYPED[number % len(_TYPED)]), (at, at + 1, "")):
            started = time.perf_counter()
            workspace.edit(path, start, end, new)
            workspace.findings(path)
            times.append((time.perf_counter() - started) * 1000)
    return times


def _completions(workspace: Workspace, path: str, text: str) -> list[float]:
    """A letter behind the beginning of a word, or where one can begin, as an editor asks while somebody types."""
    from atl.ide.completion import completions

    random = Random(2)
    times: list[float] = []
    for _ in range(_KEYS):
        space = text.rfind(" ", 0, random.randrange(200, len(text)))
        at = space + 1 + random.randrange(3)
        started = time.perf_counter()
        workspace.edit(path, at, at, "a")
        completions(workspace, path, at + 1)
        times.append((time.perf_counter() - started) * 1000)
        workspace.edit(path, at, at + 1, "")
    return times


def _resident() -> int:
    try:
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024
    except OSError:  # no such thing here: the largest it ever was
        from resource import RUSAGE_SELF, getrusage

        return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main(*sys.argv[1:])
