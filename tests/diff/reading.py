"""Schemas and their diffs from text."""

from __future__ import annotations

from atl.diff import Diff, diff
from atl.diff.callers import find_users
from atl.schema import model as m
from atl.schema.build import build
from atl.source import SourceFile
from atl.syntax.parser import parse

__all__ = ["compare", "kinds", "schema"]


def schema(text: str, path: str = "a.atl") -> m.Schema:
    return build([parse(SourceFile(path, text))])


def compare(old: str, new: str, caller: str | None = None, cached: str | None = None) -> Diff:
    """cached: the text of another caller's file, when there is one."""
    before, after = schema(old), schema(new)
    trees = [] if cached is None else [parse(SourceFile("other.atl", cached))]
    return diff(before, after, caller, find_users(before, after, trees))


def kinds(found: Diff) -> set[str]:
    """Changes as `kind id.member class`."""
    return {" ".join((c.kind, f"{c.id}.{c.member}".rstrip("."), c.cls.value)) for c in found.changes}
