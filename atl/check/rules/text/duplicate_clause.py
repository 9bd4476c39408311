"""A clause, modifier or block is given twice.

## Why

Each of them has one value. With two the server would have to choose, and refuses instead; a column named twice in a key
or unique constraint, or set twice by one step, is refused by PostgreSQL.

## Example

```atl
job Bake in bakery {
  retries 1
  queue "ovens"
  retries 2
}
```

## Fix

Keep one of the two.

```atl
job Bake in bakery {
  retries 2
  queue "ovens"
}
```
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from atl.check.context import Context
from atl.check.edits import removal
from atl.check.mending import Change, remove_item, remove_member, remove_modifier
from atl.findings import Finding
from atl.syntax import nodes as n

# By node type, the word that is given at most once in a body.
_ONCE: dict[type[n.Node], str] = {
    n.PrimaryBy: "primary by",
    n.TableClause: "table",
    n.QueryTimeout: "query_timeout",
    n.Keyless: "keyless",
    n.ChunkInterval: "chunk_time_interval",
    n.Cache: "cache",
    n.ReadThrough: "read_through",
    n.InvalidateOn: "invalidate_on",
    n.Consistency: "consistency",
    n.Input: "input",
    n.Output: "output",
    n.Sql: "sql",
    n.Steps: "steps",
    n.Invalidate: "invalidate",
    n.Args: "args",
    n.Retries: "retries",
    n.Timeout: "timeout",
    n.Heartbeat: "heartbeat",
    n.Queue: "queue",
    n.Schedule: "schedule",
    n.VisibleTo: "visible_to",
    n.State: "state",
    n.Ttl: "ttl",
    n.StepArgs: "args",
}
# A second `check` of a field is ATL321's.
_MODIFIERS: dict[type[n.Node], str] = {n.Default: "default", n.References: "references", n.Backfill: "backfill"}


def check(node: n.Node, ctx: Context) -> Iterator[Finding]:
    match node:
        case n.EntityDecl() | n.EphemeralDecl():
            yield from _clauses(node.members, ctx)
            yield from _in_fields((member for member in node.members if type(member) is n.Field), ctx)
        case n.QueryDecl() | n.ProcedureDecl() | n.WorkflowDecl() | n.Cache():
            yield from _clauses(node.parts, ctx)
        case n.JobDecl():
            yield from _clauses(node.clauses, ctx)
        case n.Step() | n.Compensate():
            # `job` given twice is ATL503's.
            yield from _clauses((part for part in node.parts if type(part) is n.StepArgs), ctx)
        case n.Args() | n.State():
            yield from _in_fields(node.fields, ctx)
        case n.PrimaryBy() | n.UniqueBy():
            yield from _columns(node.fields, node.fields, ctx)
        case n.Update() | n.Insert():
            yield from _columns([each.field for each in node.sets], node.sets, ctx)
        case _:
            pass


def _clauses(clauses: Iterable[n.Node], ctx: Context) -> Iterator[Finding]:
    first: dict[str, n.Node] = {}
    for clause in clauses:
        word = clause.word if type(clause) is n.FieldClause else _ONCE.get(type(clause))
        if word is None:
            continue
        before = first.setdefault(word, clause)
        if before is not clause:
            if type(ctx.decl) is n.EntityDecl and not isinstance(
                clause, n.ReadThrough | n.InvalidateOn | n.Consistency
            ):
                changes = remove_member(ctx, clause)
            else:
                changes = [(removal(ctx, clause.start, clause.end), "")]
            yield _finding(word, clause, before, changes, ctx)


def _in_fields(fields: Iterable[n.Field], ctx: Context) -> Iterator[Finding]:
    for field in fields:
        if len(field.modifiers) > 1:
            first: dict[str, n.Node] = {}
            for modifier in field.modifiers:
                word = modifier.word if type(modifier) is n.Flag else _MODIFIERS.get(type(modifier))
                if word is not None and first.setdefault(word, modifier) is not modifier:
                    yield _finding(word, modifier, first[word], [remove_modifier(ctx, modifier)], ctx)
        for modifier in field.modifiers:
            if type(modifier) is n.References and len(modifier.actions) > 1:
                yield from _actions(modifier.actions, ctx)


def _actions(actions: list[n.Action], ctx: Context) -> Iterator[Finding]:
    first: dict[str, n.Action] = {}
    for action in actions:
        before = first.setdefault(action.event, action)
        if before is not action:
            yield _finding(f"on {action.event}", action, before, [remove_modifier(ctx, action)], ctx)


def _columns(names: Sequence[n.Name], items: Sequence[n.Node], ctx: Context) -> Iterator[Finding]:
    """names: of the items, in their order."""
    first: dict[str, n.Name] = {}
    for at, name in enumerate(names):
        before = first.setdefault(name.text, name)
        if before is not name:
            yield _finding(name.text, name, before, remove_item(ctx, items, at), ctx)


def _finding(word: str, node: n.Node, first: n.Node, changes: list[Change], ctx: Context) -> Finding:
    return ctx.finding(
        "ATL011",
        node,
        f"`{word}` is given twice",
        primary="given again here",
        labels=[(first, "first given here")],
        help="remove one of the two",
        fixes=[ctx.fix(f"remove the second `{word}`", *changes)],
    )
