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
from atl.findings import Finding
from atl.syntax import nodes as n


def check(job: n.JobDecl, ctx: Context) -> Iterator[Finding]:
    schedule = next((c for c in job.clauses if type(c) is n.Schedule), None)
    if schedule is None:
        return
    required = [arg for arg in ctx.job.args if arg.not_null and not arg.filled]
    if not required:
        return
    names = ", ".join(f"`{arg.name}`" for arg in required)
    is_are = "is" if len(required) == 1 else "are"
    flags = [
        (field, flag)
        for clause in job.clauses
        if type(clause) is n.Args
        for field in clause.fields
        if field.name.text in {arg.name for arg in required} and (flag := field.flag("not null")) is not None
    ]
    first = required[0].name
    yield ctx.finding(
        "ATL408",
        schedule,
        f"a scheduled job is fired without arguments, but {names} {is_are} required",
        primary="fired on this schedule",
        labels=[(field.name, "required: `not null` without a default") for field, _ in flags],
        help=f"give `{first}` a default, or drop `not null` and let null stand for all of them",
        fixes=[
            ctx.fix(
                "make the argument nullable" if len(flags) == 1 else "make the arguments nullable",
                *((ctx.at(flag.start - 1, flag.end), "") for _, flag in flags),
                safe=False,
            )
        ]
        if flags
        else (),
    )
