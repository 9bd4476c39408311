"""Calls of jobs: `enqueue`, and a workflow's steps and compensations."""

from __future__ import annotations

from atl.check.context import Context
from atl.check.mending import Change, indentation, newline, starts_line
from atl.records import NamedTuple
from atl.schema.index import Found
from atl.schema.symbols import FieldSymbol, JobSymbol
from atl.source import Place
from atl.syntax import nodes as n

__all__ = ["CALLS", "Call", "CallNode", "call", "insertion"]

CallNode = n.Enqueue | n.Step | n.Compensate
CALLS = (n.Enqueue, n.Step, n.Compensate)
"""The node types that `call` takes."""


class Call(NamedTuple):
    """A call whose job is known.

    name: the job's name in the call. given: the arguments that the job declares, the first of each name, with their
    declaration. extra: those that repeat one, with the first. unknown: those that the job does not declare.
    """

    node: CallNode
    name: n.Ref
    job: JobSymbol
    found: Found
    args: list[n.Arg]
    given: list[tuple[n.Arg, FieldSymbol]]
    extra: list[tuple[n.Arg, n.Arg]]
    unknown: list[n.Arg]

    def declared(self, arg: FieldSymbol) -> Place:
        """Where the job declares an argument: its name."""
        return Place(self.found.anchor, *arg.span)


def call(node: CallNode, ctx: Context) -> Call | None:
    """The call that a node makes; None when its job is missing, unknown, or named twice."""
    key = (call, node)
    if key not in ctx.memo:
        ctx.memo[key] = _call(node, ctx)
    found: Call | None = ctx.memo[key]
    return found


def _call(node: CallNode, ctx: Context) -> Call | None:
    if type(node) is n.Enqueue:
        name, args = node.job, node.args
    else:
        assert isinstance(node, n.Step | n.Compensate)
        jobs = [part.job for part in node.parts if type(part) is n.JobUse]
        if len(jobs) != 1:
            return None
        name = jobs[0]
        args = [arg for part in node.parts if type(part) is n.StepArgs for arg in part.args]
    found = ctx.scope.find("job", None if name.namespace is None else name.namespace.text, name.name.text)
    if found is None or type(found.symbol) is not JobSymbol:
        return None
    job = found.symbol
    first: dict[str, n.Arg] = {}
    given: list[tuple[n.Arg, FieldSymbol]] = []
    extra: list[tuple[n.Arg, n.Arg]] = []
    unknown: list[n.Arg] = []
    for arg in args:
        declared = job.arg(arg.name.text)
        if declared is None:
            unknown.append(arg)
        elif (earlier := first.setdefault(arg.name.text, arg)) is not arg:
            extra.append((arg, earlier))
        else:
            given.append((arg, declared))
    return Call(node, name, job, found, args, given, extra, unknown)


def insertion(call: Call, ctx: Context, texts: list[str]) -> list[Change]:
    """The edits that give a call more arguments (`name: value` each), in the layout that it has."""
    if call.args:
        return _behind(max(call.args, key=lambda arg: arg.end), ctx, texts)
    given = ", ".join(texts)
    if type(call.node) is n.Enqueue:
        return [(ctx.insertion(call.node.args_end), given)]
    assert isinstance(call.node, n.Step | n.Compensate)
    block = next((part for part in call.node.parts if type(part) is n.StepArgs), None)
    if block is None:
        return [(ctx.insertion(call.name.name.end), f" args {{ {given} }}")]
    lead = "" if ctx.source(block.close - 1, block.close).isspace() else " "
    return [(ctx.insertion(block.close), f"{lead}{given} ")]


def _behind(last: n.Arg, ctx: Context, texts: list[str]) -> list[Change]:
    text = ctx.unit.chunk.text
    if not starts_line(text, last.start):
        return [(ctx.insertion(last.end), "".join(f", {part}" for part in texts))]
    # One argument a line: new lines behind its own, which may end in a comment.
    lead = newline(ctx) + indentation(text, last.start)
    comma = "," if text[last.end : last.end + 1] == "," else ""
    line_end = text.find("\n", last.end)
    if line_end > 0 and text[line_end - 1] == "\r":
        line_end -= 1
    rest = text[last.end + len(comma) : line_end].strip()
    if line_end < 0 or not rest.startswith("//"):
        at = last.end + len(comma)
        return [(ctx.insertion(at), ("" if comma else ",") + lead + f",{lead}".join(texts) + comma)]
    lines = lead + f",{lead}".join(texts) + comma
    return [*([] if comma else [(ctx.insertion(last.end), ",")]), (ctx.insertion(line_end), lines)]
