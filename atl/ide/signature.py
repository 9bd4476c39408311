"""The arguments of a job while a call is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import included
from atl.source import Span

if TYPE_CHECKING:
    from atl.ide.completing.request import Request
    from atl.schema.symbols import JobSymbol
    from atl.workspace.live import Workspace

__all__ = ["Signature", "SignatureParameter", "signature_help"]


class SignatureParameter(NamedTuple):
    """span: of the argument within `Signature.label`."""

    name: str
    span: Span
    documentation: str


class Signature(NamedTuple):
    """label: `shop.SendMail(to: text, note: text?)`. documentation: which arguments are still missing. active: which
    parameter is written at the cursor, None when it is none of the job's, or every one is given."""

    label: str
    documentation: str
    parameters: tuple[SignatureParameter, ...]
    active: int | None


@included
def signature_help(workspace: Workspace, path: str, offset: int) -> Signature | None:
    """In `enqueue Job(...)`, and in the `args { ... }` of a step or compensation whose job is named in it."""
    tree = workspace.tree(path)
    if tree is None:
        return None
    from atl.ide.completing.lists import called_job
    from atl.ide.completing.request import Request

    request = Request(workspace, tree, offset)
    inside = request.position.inside
    if inside is not None and inside.kind != "string":
        return None
    symbols = request.position.symbols()
    opened = [at for at, symbol in enumerate(symbols) if symbol in ("LPAR", "LBRACE")]
    if not opened or symbols[opened[-1] - 1] not in ("ref", "ARGS"):
        return None
    job = called_job(request, symbols)
    return _signature(request, job, symbols) if job is not None else None


def _signature(request: Request, job: JobSymbol, symbols: tuple[str, ...]) -> Signature:
    from atl.ide.completing.about import argument
    from atl.ide.completing.lists import given_arguments

    label = f"{job.namespace}.{job.name}("
    parameters: list[SignatureParameter] = []
    defaults = _defaults(request, job)
    for arg in job.args:
        label += ", " if parameters else ""
        text = argument(arg)
        span = Span(len(label), len(label) + len(text))
        said = f"`{arg.name}` must be given"
        if not arg.not_null or arg.filled:
            said = f"`{arg.name}` may be left out: then it is `{defaults.get(arg.name, 'null')}`"
        parameters.append(SignatureParameter(arg.name, span, said))
        label += text
    given = given_arguments(request)
    missing = [arg.name for arg in job.args if arg.not_null and not arg.filled and arg.name not in given]
    said = "" if job.args else "takes no arguments"
    if missing:
        said = f"still missing: {', '.join(f'`{name}`' for name in missing)}"
    return Signature(f"{label})", said, tuple(parameters), _active(request, job, symbols))


def _defaults(request: Request, job: JobSymbol) -> dict[str, str]:
    """The arguments' defaults as they are written."""
    from atl.syntax import nodes as n

    found = request.index.at(("job", f"{job.namespace}.{job.name}"))
    for tree in (request.workspace.tree(found[0].anchor.file.path),) if found else ():
        for unit in tree.units if tree is not None else ():
            if unit.anchor is not found[0].anchor:
                continue
            for decl in unit.chunk.declarations:
                if type(decl) is n.JobDecl and decl.name is not None and decl.name.text == job.name:
                    fields = [field for clause in decl.clauses if type(clause) is n.Args for field in clause.fields]
                    return {
                        f.name.text: unit.chunk.text[f.default.value.start : f.default.value.end]
                        for f in fields
                        if f.default is not None
                    }
    return {}


def _active(request: Request, job: JobSymbol, symbols: tuple[str, ...]) -> int | None:
    """The argument whose name or value the cursor is at; at a new one, the first that is not given, required before
    others."""
    from atl.ide.completing.lists import given_arguments
    from atl.syntax import nodes as n

    order = {arg.name: at for at, arg in enumerate(job.args)}
    values = request.position.values
    for at in range(len(symbols) - 1, max(len(symbols) - 5, 0), -1):
        if symbols[at] == "COLON" and isinstance(values[at - 1], n.Name):
            return order.get(values[at - 1].text)
        if symbols[at] in ("COMMA", "LPAR", "LBRACE"):
            break
    word = request.text[request.position.word_start : request.position.word_end]
    if word in order:
        return order[word]
    given = given_arguments(request)
    left = [arg for arg in job.args if arg.name not in given]
    left.sort(key=lambda arg: not arg.not_null or arg.filled)
    return order[left[0].name] if left else None
