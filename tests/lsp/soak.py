"""A long session: edits and requests without end in sight, with the memory that the server holds.

`python -m tests.lsp.soak [EDITS]` prints a row a tenth of the way, and fails when the last tenths still grow.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

from bench.workspace import declarations, write_workspace
from tests.lsp.client import Client, everything, running
from tests.lsp.requests import EVERYWHERE, HERE, at

__all__ = ["GROWTH", "soak"]

GROWTH = 1.15
"""The largest part by which the second half of a soak may grow."""


def soak(edits: int, files: int) -> list[int]:
    """Resident bytes of the server after each tenth."""
    rows: list[int] = []
    with tempfile.TemporaryDirectory() as name, running("--stdio") as client:
        folder = Path(name).resolve()
        write_workspace(folder, declarations(files))
        client.start(folder, capabilities=everything(pull=False))
        paths = sorted(folder.rglob("*.atl"))
        for number in range(edits):
            if number % 100 == 0:
                uri = _other(client, paths[number // 100 % len(paths)])
            _edit(client, uri, number)
            if number % 100 == 50:
                for method in (*HERE, *EVERYWHERE):
                    client.answer(client.begin(method, at(uri, number % 80, number % 20)))
            client.told.clear()
            if (number + 1) % max(edits // 10, 1) == 0:
                client.answer(client.begin("workspace/symbol", {"query": "a"}))
                rows.append(_resident(client.process.pid))
        client.stop()
    return rows


def _other(client: Client, path: Path) -> str:
    uri = path.as_uri()
    client.close(uri)
    client.open(uri, path.read_text())
    return uri


def _edit(client: Client, uri: str, number: int) -> None:
    random = Random(number)
    line = random.randrange(90)
    new = random.choice(["x", "\n", "  a text\n", "{", "}", "", "// 😀"])
    client.change(uri, (line, random.randrange(20), line, 20, new))


def _resident(process: int) -> int:
    return int(Path(f"/proc/{process}/status").read_text().partition("VmRSS:")[2].split()[0]) * 1024


def main(edits: int) -> int:
    rows = soak(edits, 200)
    for number, row in enumerate(rows, 1):
        print(f"{number * edits // 10:>8} edits  {row / 2**20:8.1f} MB")
    return int(rows[-1] > rows[len(rows) // 2] * GROWTH)


if __name__ == "__main__":
    sys.exit(main(int((sys.argv[1:] or ["10000"])[0])))
