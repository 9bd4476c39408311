"""The two sides of a case, and what it expects.

Each side is a workspace of its own, `old.atl` or a folder `old/`, with the case's `tide.yaml` and `.tide-cache/` beside
it; a side without a file is an empty schema.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from atl.diff import Diff, diff
from atl.diff.callers import find_users
from atl.schema import model as m
from atl.schema.build import build
from atl.source import SourceFile
from atl.syntax.parser import parse
from atl.syntax.tree import FileTree

__all__ = ["CASES", "Side", "case_diff", "expected", "read_side"]

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("*/expect.yaml"))


class Side(NamedTuple):
    """own, cached: trees of the own and of other callers' files. caller: who we are, None without `tide.yaml`."""

    own: list[FileTree]
    cached: list[FileTree]
    caller: str | None

    @property
    def schema(self) -> m.Schema:
        return build(self.own, self.cached)


def _trees(folder: Path, files: list[Path]) -> list[FileTree]:
    return [parse(SourceFile(path.relative_to(folder).as_posix(), path.read_text("utf-8"))) for path in sorted(files)]


def read_side(case: Path, side: str) -> Side:
    file, folder = case / f"{side}.atl", case / side
    files = list(folder.rglob("*.atl")) if folder.is_dir() else [file] if file.exists() else []
    config = case / "tide.yaml"
    caller = yaml.safe_load(config.read_text("utf-8")).get("caller") if config.exists() else None
    cached = list((case / ".tide-cache" / "schema").rglob("*.atl"))
    return Side(_trees(case, files), _trees(case, cached), caller)


def case_diff(case: Path) -> Diff:
    old, new = read_side(case, "old"), read_side(case, "new")
    before, after = old.schema, new.schema
    return diff(before, after, new.caller, find_users(before, after, new.cached))


def expected(case: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((case / "expect.yaml").read_text("utf-8"))
    return loaded
