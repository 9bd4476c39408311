"""Renaming whatever has a name, everywhere that names it, or saying why not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from atl.ide.keeping import keeping_names
from atl.ide.named import declared, holder, named_at
from atl.ide.places import included, span_in
from atl.ide.renamed import TextEdit, broken_by, unreadable_in
from atl.ide.spelling import Unwritable, quoted_label, respelled
from atl.ide.use_index import UnitUse, use_index
from atl.schema.hints import hints
from atl.schema.naming import MAX_BYTES
from atl.schema.targets import Target
from atl.source import Span, encoded
from atl.syntax._table import RESERVED_WORDS
from atl.syntax.tree import Unit

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

_NATURAL = re.compile(r"\bnatural\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)

__all__ = ["Refusal", "Renamable", "Renamed", "TextEdit", "prepare_rename", "rename"]


class Refusal(NamedTuple):
    """Why nothing is renamed: a sentence for the user."""

    reason: str


class Renamable(NamedTuple):
    """The name at the cursor: what is selected, and what the input box begins with."""

    span: Span
    placeholder: str


class Renamed(NamedTuple):
    """The edits by path, in the order of the text, none overlapping. hint: the same edits and one more, the comment
    that tells the planner of the rename, which may stand right before another edit; None where no plan would ask."""

    edits: dict[str, list[TextEdit]]
    hint: dict[str, list[TextEdit]] | None


_HINTED = ("entity", "field", "enum", "job", "label")


@included
def prepare_rename(workspace: Workspace, path: str, offset: int) -> Renamable | Refusal:
    """Whether what is named at the offset can be renamed at all."""
    found = named_at(workspace, path, offset)
    target = _target(workspace, found)
    if isinstance(target, Refusal):
        return target
    here = found[0]
    start, end = here.location.span
    text = here.unit.chunk.text[here.use.start : here.use.end]
    quote = None if here.use.form == "table" else re.match(r"""\\?["']""", text)
    if quote is not None:
        start += quote.end()
        end = max(start, end - quote.end() if text.endswith(quote[0]) else end)
    elif here.use.form == "table":
        start += text.rfind(".") + 1
    return Renamable(Span(start, end), _name(target))


@included
def rename(workspace: Workspace, path: str, offset: int, new_name: str) -> Renamed | Refusal:
    """What renames the thing at the offset, or why it cannot be."""
    target = _target(workspace, named_at(workspace, path, offset))
    if isinstance(target, Refusal):
        return target
    old_name = _name(target)
    if new_name == old_name:
        return Renamed({}, None)
    problem = _invalid(target, new_name)
    if problem:
        return Refusal(problem)
    new = target._replace(member=new_name) if target.member else target._replace(id=_renamed_id(target, new_name))
    index = use_index(workspace)
    unread = unreadable_in(workspace, target)
    if unread is not None:
        line = unread.place.anchor.file.lines.line(unread.place.span.start) + 1
        return Refusal(
            f"`{old_name}` may stand in text that cannot be read: {unread.place.path}:{line}: {unread.message}"
        )
    uses = index.of_target(target)
    edits: dict[str, list[TextEdit]] = {}
    for each in uses:
        if not workspace.is_own(each.location.path):
            continue
        written = respelled(each, new_name)
        if isinstance(written, Unwritable):
            return Refusal(written.reason)
        edits.setdefault(each.location.path, []).append(TextEdit(each.location.span, written))
    shared = _shared(workspace, target, uses)
    if shared is not None:
        return Refusal(f"`{old_name}` stands for `{shared.id}.{shared.member}` too, where the two are joined")
    natural = _natural_join(workspace, target)
    if natural is not None:
        return Refusal(f"a NATURAL JOIN goes by the names of columns: {natural}")
    for path_, extra in keeping_names(workspace, target, new_name, uses):
        edits.setdefault(path_, []).append(extra)
    back = _stale_hint(declared(workspace, target)[0], new_name)
    if back is not None:
        edits.setdefault(back[0], []).append(back[1])
    sorted_edits = {path_: _settled(found) for path_, found in sorted(edits.items())}
    broken = broken_by(workspace, target, new, sorted_edits)
    if broken is not None:
        return Refusal(f"renaming `{old_name}` to `{new_name}` would break something: {broken}")
    return Renamed(sorted_edits, _with_hint(workspace, target, sorted_edits))


def _settled(edits: list[TextEdit]) -> list[TextEdit]:
    """In order, each once."""
    return sorted(dict.fromkeys(edits))


def _name(target: Target) -> str:
    return target.member or target.id.rpartition(".")[2]


def _renamed_id(target: Target, new_name: str) -> str:
    return f"{target.id.rpartition('.')[0]}.{new_name}"


def _target(workspace: Workspace, found: list[UnitUse]) -> Target | Refusal:
    """The one thing that is named, if it is this workspace's and declared once."""
    targets = list(dict.fromkeys(each.use.target for each in found))
    if not targets:
        return Refusal("there is no name here that can be changed")
    if len(targets) > 1:
        both = " and ".join(f"`{target.id}.{target.member}`" for target in targets)
        return Refusal(f"this names {both} at once")
    (target,) = targets
    if target.kind == "label" and not target.member:
        return Refusal("an empty label is no name that could be changed: write another one")
    if found[0].use not in use_index(workspace).of_unit(found[0].unit):
        return Refusal(f"it is not certain what `{_name(target)}` means here: mend the error first")
    places = declared(workspace, target)
    if not places:
        return Refusal(f"`{_name(target)}` is not declared")
    if not all(workspace.is_own(place.location.path) for place in places):
        return Refusal(f"`{_name(target)}` is declared by another caller, in {places[0].location.path}")
    if len(places) > 1:
        return Refusal(f"`{_name(target)}` is declared {len(places)} times, so it is not certain which one is meant")
    return target


def _invalid(target: Target, name: str) -> str:
    """Why a name is none for this kind of thing, or ""."""
    size = len(encoded(name))
    if target.kind == "label":
        if not name:
            return "a label is not empty"
        if any(char in name for char in "\0\r") or not name.isprintable():
            return "a label is printable text"
    else:
        if not _WORD.fullmatch(name):
            return f"`{name}` is no name: a name is a letter or `_`, then letters, digits, `_`"
        if name in RESERVED_WORDS:
            return f"`{name}` is a reserved word"
    if size > MAX_BYTES and target.kind in ("label", "field", "check"):
        return f"a name in PostgreSQL has at most {MAX_BYTES} bytes, this one has {size}"
    return ""


def _shared(workspace: Workspace, target: Target, uses: Sequence[UnitUse]) -> Target | None:
    """Another target that one of the places to change names."""
    starts: dict[Unit, set[int]] = {}
    for each in uses:
        if workspace.is_own(each.location.path):
            starts.setdefault(each.unit, set()).add(each.use.start)
    index = use_index(workspace)
    others = (use for unit, there in starts.items() for use in index.of_unit(unit) if use.start in there)
    return next((use.target for use in others if use.target != target), None)


def _natural_join(workspace: Workspace, target: Target) -> str | None:
    """Where a field's table stands in a statement with a NATURAL JOIN, which any new name may change."""
    index = use_index(workspace)
    for unit in index.may_name(target) if target.kind == "field" else ():
        tables = [use for use in index.of_unit(unit) if use.form == "table" and use.target.id == target.id]
        if tables and _NATURAL.search(unit.chunk.text) and workspace.is_own(unit.anchor.file.path):
            path, span = UnitUse(unit, tables[0]).location
            return f"{path}:{unit.anchor.file.lines.line(span.start) + 1}"
    return None


# ---------------------------------------------------------------- the planner's hint


def _stale_hint(place: UnitUse, new_name: str) -> tuple[str, TextEdit] | None:
    """The edit that takes away a hint which says what the new name is already: the rename is undone."""
    node, text = holder(place.unit, place.use), place.unit.chunk.text
    for hint in hints(place.unit.chunk):
        if hint.target is node and hint.old_name == new_name:
            start, end = hint.comment.start, hint.comment.end
            while start > 0 and text[start - 1] in " \t":
                start -= 1
            if hint.comment.own_line:
                end = min(text.find("\n", end) + 1 or len(text), len(text))
            return place.location.path, TextEdit(span_in(place.unit, start, end), "")
    return None


def _with_hint(
    workspace: Workspace, target: Target, edits: dict[str, list[TextEdit]]
) -> dict[str, list[TextEdit]] | None:
    """The edits and a `renamed-from` comment above what is renamed; None where none is needed, or one is there."""
    if target.kind not in _HINTED or (target.kind == "field" and not workspace.index.at(("entity", target.id))):
        return None
    (place,) = declared(workspace, target)
    node = holder(place.unit, place.use)
    if node is None or any(hint.target is node for hint in hints(place.unit.chunk)):
        return None
    text = place.unit.chunk.text
    old = _name(target)
    comment = f"// atl: renamed-from {old if _WORD.fullmatch(old) else quoted_label(old)}"
    line = text.rfind("\n", 0, node.start) + 1
    before = text[line : node.start]
    ending = "\r\n" if "\r\n" in text else "\n"
    if before.strip():
        indent = before[: len(before) - len(before.lstrip())] + "  "
        start, written = node.start, f"{ending}{indent}{comment}{ending}{indent}"
    else:
        start, written = line, f"{before}{comment}{ending}"
    span = span_in(place.unit, start, start)
    path = place.location.path
    return {**edits, path: sorted([TextEdit(span, written), *edits[path]])}
