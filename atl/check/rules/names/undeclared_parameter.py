"""A `$name` is used that is no input, or no state field of the workflow.

## Why

A query's or procedure's `$name` is filled from its inputs, a workflow's from its state. A name that is neither has no
value, and the server refuses the declaration.

## Example

```atl
entity Visit in museum {
  id    bigint primary
  guest text
}

procedure Greet for Visit {
  input { id: bigint }
  steps {
    update Visit set guest = $guest where id = $id
  }
}
```

## Fix

Declare it, or correct the name.

```atl
entity Visit in museum {
  id    bigint primary
  guest text
}

procedure Greet for Visit {
  input { id: bigint, guest: text }
  steps {
    update Visit set guest = $guest where id = $id
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.mending import Change, indentation, newline, skip_blanks, starts_line
from atl.check.parameters import ParameterUse, parameter_uses
from atl.findings import Finding, Fix
from atl.findings.suggest import closest
from atl.schema.types import spelled
from atl.syntax import nodes as n


def check(decl: n.QueryDecl | n.ProcedureDecl | n.WorkflowDecl, ctx: Context) -> Iterator[Finding]:
    if decl.lost:
        return
    blocks = [part for part in decl.parts if isinstance(part, n.Input | n.State)]
    names = {item.name.text for block in blocks for item in _items(block)}
    noun = "state field" if type(decl) is n.WorkflowDecl else "input"
    for use in parameter_uses(ctx):
        if use.name in names:
            continue
        near = closest(use.name, names)
        fixes: list[Fix] = []
        if near is not None:
            fixes.append(ctx.fix(f"change to `${near}`", (ctx.at(use.start, use.end), f"${near}"), safe=False))
        if (change := _declaration(ctx, use, blocks[0] if blocks else None)) is not None:
            fixes.append(ctx.fix(f"declare the {noun} `{use.name}`", change, safe=False))
        yield ctx.finding(
            "ATL110",
            ctx.at(use.start, use.end),
            f"`${use.name}` is no {noun}",
            primary="not declared",
            help=f"did you mean `${near}`?" if near is not None else f"declare the {noun} `{use.name}`",
            fixes=fixes,
        )
    for start, end in _positional(decl):
        number = ctx.source(start + 1, end)
        # Up to the number of inputs it may name one of them. What is no 32-bit number is a syntax error.
        if len(number) < 10 and not 0 < int(number) <= len(names):
            yield ctx.finding(
                "ATL110",
                ctx.at(start, end),
                f"there is no {noun} number {number}",
                help="name it: `$name`",
            )


def _positional(decl: n.QueryDecl | n.ProcedureDecl | n.WorkflowDecl) -> Iterator[tuple[int, int]]:
    """The `$1`, `$2`, ... of the declaration's SQL."""
    if type(decl) is n.WorkflowDecl:
        return
    parts = [each for part in decl.parts for each in (part.steps if type(part) is n.Steps else [part])]
    for part in parts:
        if type(part) is n.Sql and "$" in part.sql.text:
            from atl.postgres.scan import positional

            for found in positional(part.sql.text):
                yield part.sql.start + found.start, part.sql.start + found.end


def _items(block: n.Input | n.State) -> list[n.Param] | list[n.Field]:
    return block.params if type(block) is n.Input else block.fields if type(block) is n.State else []


def _declaration(ctx: Context, use: ParameterUse, block: n.Input | n.State | None) -> Change | None:
    """Declare the parameter with the type of what it is given to, or as text."""
    type_ = use.type(ctx)
    spelling = "text" if type_ is None else spelled(type_)
    workflow = type(ctx.decl) is n.WorkflowDecl
    text, line_end = ctx.unit.chunk.text, newline(ctx)
    item = f"{use.name} {spelling} not null" if workflow else f"{use.name}: {spelling}"
    word = "state" if workflow else "input"
    if block is None:
        at = ctx.decl.open + 1
        if at == 0:
            return None
        first = skip_blanks(text, at)
        lead = line_end + indentation(text, first) if starts_line(text, first) else " "
        return ctx.insertion(at), f"{lead}{word} {{ {item} }}"
    items = _items(block)
    if not items:
        return ctx.place(block), f"{word} {{ {item} }}"
    last = items[-1]
    end = last.end
    after = skip_blanks(text, end)
    comma = text[after : after + 1] == "," and "\n" not in text[end:after]
    if comma:
        end = after + 1
    rest_end = text.find("\n", end)
    rest = text[end : len(text) if rest_end < 0 else rest_end].strip()
    if starts_line(text, last.start) and rest_end >= 0 and (not rest or rest.startswith("//")):
        at = rest_end - 1 if text[rest_end - 1] == "\r" else rest_end
        return ctx.insertion(at), line_end + indentation(text, last.start) + item
    return ctx.insertion(end), f"  {item}" if workflow else f" {item}" if comma else f", {item}"
