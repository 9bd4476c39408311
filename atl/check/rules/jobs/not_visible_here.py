"""A job is visible to another caller than the one of this repository.

## Why

Only the caller that `visible_to` names may submit the job and claim it. `tide.yaml` says that this repository is
another one, so neither its services nor its workers can use what is declared here.

## Example

With `caller: counter` in `tide.yaml`:

```atl
job Print in desk {
  visible_to "backoffice"
}
```

## Fix

Name the own caller, or leave the clause out for any caller.

```atl
job Print in desk {
  visible_to "counter"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.wording import shown
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.VisibleTo, ctx: Context) -> Iterator[Finding]:
    caller, own = clause.value.value, ctx.settings.caller
    if own is None or caller in ("", "*", own):
        return
    yield ctx.finding(
        "ATL411",
        clause,
        f"only the caller {shown(ctx, clause.value)} may submit and claim this job, but this repository is `{own}`",
        help=f'write `visible_to "{own}"`, or leave the clause out for any caller',
    )
