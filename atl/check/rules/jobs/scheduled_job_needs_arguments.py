"""A scheduled job is fired without arguments, but one of its arguments is required.

## Why

The platform fires a `schedule` with no arguments at all. An argument that is `not null` and has no default then has
no value, and every run is refused: at night, when nobody looks.

## Example

```atl
job Report in sales {
  args {
    region varchar(20) not null
  }
  schedule "0 3 * * *"
}
```

## Fix

Give the argument a default, or drop `not null` and let the handler treat null as "all of them".

```atl
job Report in sales {
  args {
    region varchar(20) not null default "all"
  }
  schedule "0 3 * * *"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.mending import remove_modifier
from atl.check.wording import listed
from atl.findings import Finding
from atl.syntax import nodes as n


def check(job: n.JobDecl, ctx: Context) -> Iterator[Finding]:
    schedule = next((c for c in job.clauses if type(c) is n.Schedule), None)
    if schedule is None or job.lost:
        return
    required = [arg.name for arg in ctx.job.args if arg.not_null and not arg.filled]
    if not required:
        return
    fields = [f for clause in job.clauses if type(clause) is n.Args for f in clause.fields if f.name.text in required]
    # Other modifiers that make a field `not null` are wrong on an argument and go with their own finding.
    flags = [m for f in fields for m in f.modifiers if type(m) is n.Flag and m.word == "not null"]
    are = "is" if len(fields) == 1 else "are"
    nullable = "make the argument nullable" if len(fields) == 1 else "make the arguments nullable"
    yield ctx.finding(
        "ATL408",
        schedule,
        f"a scheduled job is fired without arguments, but {listed(required)} {are} required",
        primary="fired on this schedule",
        labels=[(field.name, "required: `not null` without a default") for field in fields],
        help=f"give `{required[0]}` a default, or drop `not null` and let null stand for all of them",
        fixes=[ctx.fix(nullable, *(remove_modifier(ctx, flag) for flag in flags), safe=False)] if flags else (),
    )
