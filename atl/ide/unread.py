"""What a name means in text that could not be read: by what the grammar takes where it stands, as for completion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from atl.schema.targets import Target
from atl.syntax import _table as k
from atl.syntax import nodes as n

if TYPE_CHECKING:
    from atl.ide.completing.request import Request
    from atl.syntax.tree import FileTree
    from atl.workspace.live import Workspace

__all__ = ["meant_at"]


def meant_at(workspace: Workspace, tree: FileTree, offset: int) -> tuple[list[Target], int, int]:
    """What the word at an offset may mean, and the word's span in the file; nothing of a word that is not whole, or is
    a name that is declared here."""
    from atl.ide.completing.request import Request

    request = Request(workspace, tree, offset)
    start, end = request.position.word_start, request.position.word_end
    word = request.text[start:end]
    if request.position.inside is not None or not word.strip("$"):
        return [], start, end
    return list(dict.fromkeys(_targets(request, word))), start + word.startswith("$"), end


def _targets(request: Request, word: str) -> Iterator[Target]:
    from atl.ide.completing.lists import called_job, set_entity

    position = request.position
    if word[0] == "$":
        kind = "state" if isinstance(request.decl, n.WorkflowDecl) else "input"
        if request.decl is not None and request.decl.name is not None:
            id = f"{request.scope.namespace}.{request.decl.name.text}"
            yield from (Target(kind, id, field.name) for field in request.inputs if field.name == word[1:])
        return
    if not position.takes_name():
        return
    symbols = position.before(k.NAME)
    namespace: str | None = None
    if symbols[-1] == "DOT":
        before = position.values[len(symbols) - 2] if len(position.values) >= len(symbols) - 1 else None
        if not isinstance(before, n.Name):
            return
        namespace, symbols = before.text, symbols[:-2]
    match (symbols[-2] if len(symbols) > 1 else "", symbols[-1]):
        case (_, "ENQUEUE") | ("step_body", "JOB"):
            job = request.scope.job(namespace, word)
            if job is not None:
                yield Target("job", f"{job.namespace}.{job.name}")
        case (
            ("NAME", "FOR")
            | ("OUTPUT", "AS")
            | ("TOUCHES", "LPAR")
            | ("refs", "COMMA")
            | ("WRITE", "LPAR")
            | (_, "UPDATE" | "DELETE" | "INSERT")
        ):
            for found in request.scope.entity_candidates(namespace, word):
                yield Target("entity", f"{found.symbol.namespace}.{found.symbol.name}")
        case (_, "LPAR" | "LBRACE" | "COMMA" | "SET" | "WHERE" | "AND"):
            job = called_job(request, symbols)
            entity = set_entity(request, symbols)
            if job is not None and job.arg(word) is not None:
                yield Target("argument", f"{job.namespace}.{job.name}", word)
            elif entity is not None and entity.field(word) is not None:
                yield Target("field", f"{entity.namespace}.{entity.name}", word)
        case _:
            pass
