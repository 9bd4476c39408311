"""Whether everything means the same after a rename: the workspace with the edits is read again beside the live one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from atl.findings import CODES, Severity
from atl.ide.use_index import UseIndex, use_index
from atl.schema.targets import Target, Use
from atl.source import Anchor, SourceFile, Span

if TYPE_CHECKING:
    from atl.findings import Finding
    from atl.workspace.core import Core
    from atl.workspace.live import Workspace

__all__ = ["TextEdit", "applied", "broken_by", "composed", "unreadable_in", "with_edits"]


class TextEdit(NamedTuple):
    span: Span
    new_text: str


def applied(text: str, edits: Sequence[TextEdit]) -> str:
    out, at = [], 0
    for (start, end), new in edits:
        out += [text[at:start], new]
        at = end
    return "".join([*out, text[at:]])


def composed(text: str, *rounds: Sequence[TextEdit]) -> list[TextEdit]:
    """The edits that do at once what these do one after the other, each to the text that the one before it left."""
    now, origins = text, list(range(len(text)))
    for edits in rounds:
        for (start, end), new in reversed(edits):
            origins[start:end] = [-1] * len(new)
        now = applied(now, edits)
    made: list[TextEdit] = []
    at, new = 0, ""
    for char, origin in zip(f"{now}\0", [*origins, len(text)], strict=True):
        if origin < 0:
            new += char
        else:
            if new or origin > at:
                made.append(TextEdit(Span(at, origin), new))
            at, new = origin + 1, ""
    return made


# What leaves a part of a declaration unread, so that names may stand there which nothing knows.
_UNREADABLE = frozenset({"ATL607", "ATL701", "ATL702", "ATL703", "ATL704", "ATL705"})


def unreadable_in(workspace: Workspace, target: Target) -> Finding | None:
    """The first error that leaves text unread in which the target may be named."""
    units = use_index(workspace).may_name(target)
    for unit in sorted(units, key=lambda unit: (unit.anchor.file.path, unit.anchor.start)):
        path = unit.anchor.file.path
        if not workspace.is_own(path):
            continue
        for finding in workspace.core.findings(path):
            lost = finding.code < "ATL100" or finding.code in _UNREADABLE
            if finding.place.anchor is unit.anchor and lost and finding.severity is Severity.ERROR:
                return finding
    return None


def broken_by(workspace: Workspace, target: Target, new: Target, edits: Mapping[str, Sequence[TextEdit]]) -> str | None:
    """What the edits would break, as the end of a sentence; None when every use still means what it meant and there is
    no new error."""
    index = use_index(workspace)
    affected = {unit.anchor.file.path for each in (target, new) for unit in index.may_name(each)} | edits.keys()
    paths = sorted(path for path in affected if workspace.is_own(path))
    after = with_edits(workspace, paths, edits)
    for path in paths:
        known = Counter(finding.code for finding in workspace.core.findings(path) if _counts(finding))
        for finding in after.findings(path):
            if _counts(finding):
                known[finding.code] -= 1
                if known[finding.code] < 0:
                    line = finding.place.anchor.file.lines.line(finding.place.span.start) + 1
                    return f"{path}:{line}: {finding.message}"
    later = UseIndex(after)
    later.follow()
    for path in paths:
        tree, new_tree = workspace.tree(path), after.trees[path]
        assert tree is not None
        moved = _Moved(edits.get(path, ()))
        there = {(unit.anchor.start + use.start, use.target) for unit in new_tree.units for use in later.of_unit(unit)}
        for unit in tree.units:
            for use in index.of_unit(unit):
                start = moved.to(unit.anchor.start + use.start)
                if (start, _mapped(use, target, new)) not in there:
                    line = tree.file.lines.line(unit.anchor.start + use.start) + 1
                    return f"{path}:{line}: `{_spelled(use)}` would mean something else there"
    return None


def _spelled(use: Use) -> str:
    return use.target.member or use.target.id.rpartition(".")[2]


def _counts(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR and CODES[finding.code].severity is Severity.ERROR


def _mapped(use: Use, target: Target, new: Target) -> Target:
    """The use's target after the rename; a declaration's new name is in the id of its members too."""
    found = use.target
    if found == target:
        return new
    if not target.member and found.member and found.id == target.id and found.kind in _MEMBERS[target.kind]:
        return found._replace(id=new.id)
    return found


_MEMBERS = {
    "entity": ("field", "relation", "check"),
    "ephemeral": ("field",),
    "enum": ("label",),
    "job": ("argument",),
    "query": ("input", "output"),
    "procedure": ("input",),
    "workflow": ("state", "step"),
}


class _Moved:
    """From offsets before the edits to offsets after them."""

    def __init__(self, edits: Sequence[TextEdit]) -> None:
        self.starts = [edit.span.start for edit in edits]
        self.shifts = [0]
        for (start, end), new in edits:
            self.shifts.append(self.shifts[-1] + len(new) - (end - start))

    def to(self, offset: int) -> int:
        at = bisect_right(self.starts, offset)
        if at and self.starts[at - 1] == offset:
            at -= 1
        return offset + self.shifts[at]


def with_edits(workspace: Workspace, paths: Sequence[str], edits: Mapping[str, Sequence[TextEdit]]) -> Core:
    """The files at `paths` read with their edits; of the others only what can be seen of them."""
    from atl.workspace.core import Core

    live = workspace.core
    made = Core(live.settings.caller)
    reading = set(paths)
    for path, tree in live.trees.items():
        own = live.is_own(path)
        if path in reading:
            made.put(SourceFile(path, applied(tree.file.text, edits.get(path, ())), tree.file.bom), own)
        else:
            file = tree.file
            made.put_known(path, [(symbol, Anchor(file, start)) for symbol, start in live.symbols(path)], own)
    return made
