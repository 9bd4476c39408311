"""A job is called that is not declared.

## Why

A procedure's `enqueue` and a workflow's step queue a job by its id. Without its namespace a job is looked up in the own
namespace alone, never in others, so a job of another namespace is always written `namespace.Name`.

## Example

```atl
entity Pane in glass {
  id bigint primary
}

job Cut in metal {
  args { sheet bigint not null }
}

procedure Finish for Pane {
  input { id: bigint }
  steps {
    enqueue Cut(sheet: $id)
  }
}
```

## Fix

Correct the name, write the namespace, or declare the job.

```atl
entity Pane in glass {
  id bigint primary
}

job Cut in metal {
  args { sheet bigint not null }
}

procedure Finish for Pane {
  input { id: bigint }
  steps {
    enqueue metal.Cut(sheet: $id)
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.findings.suggest import closest
from atl.source import Place
from atl.syntax import nodes as n

# So many namespaces are named in a message; the rest is counted.
_SHOWN = 3


def check(node: n.Enqueue | n.JobUse, ctx: Context) -> Iterator[Finding]:
    job = node.job
    namespace = ctx.scope.namespace if job.namespace is None else job.namespace.text
    if not namespace:
        # The owner of the procedure is unknown.
        return
    wanted = job.name.text
    if ctx.scope.job(namespace, wanted) is not None or ctx.scope.may_be_broken(wanted):
        return
    jobs = ctx.scope.names("job")
    homes = [home for home, name in jobs if name == wanted]
    candidates = [f"{home}.{wanted}" for home in homes[:_SHOWN]]
    message = f"there is no job `{namespace}.{wanted}`"
    if homes:
        more = f" and {len(homes) - _SHOWN} more" if len(homes) > _SHOWN else ""
        message += f", but one in {', '.join(f'`{home}`' for home in homes[:_SHOWN])}{more}"
        help = "write " + " or ".join(f"`{id}`" for id in candidates)
    else:
        near = closest(wanted, (name for home, name in jobs if home == namespace))
        if near is not None:
            candidates = [near if job.namespace is None else f"{namespace}.{near}"]
        elif (near := closest(f"{namespace}.{wanted}", (f"{home}.{name}" for home, name in jobs))) is not None:
            candidates = [near]
        help = f"did you mean `{candidates[0]}`?" if candidates else "declare the job, or correct the name"
    whole = Place(ctx.unit.anchor, job.start, job.end)
    yield ctx.finding(
        "ATL105",
        whole if job.namespace is not None and namespace not in {home for home, _ in jobs} else job.name,
        message,
        primary="unknown job",
        help=help,
        fixes=[ctx.fix(f"change to `{id}`", (whole, id), safe=False) for id in candidates],
    )
