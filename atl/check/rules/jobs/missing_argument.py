"""A call of a job leaves out an argument that is required.

## Why

An argument that is `not null` and has no default has no value when the call does not give one, and the job is refused.

## Example

```atl
entity Line in phone { id bigint primary }
job Ring in phone {
  args {
    line bigint not null
  }
}
procedure CallLine for Line {
  input { line: bigint }
  steps {
    update Line set id = 2 where id = $line
    enqueue Ring()
  }
}
```

## Fix

Give the argument.

```atl
entity Line in phone { id bigint primary }
job Ring in phone {
  args {
    line bigint not null
  }
}
procedure CallLine for Line {
  input { line: bigint }
  steps {
    update Line set id = 2 where id = $line
    enqueue Ring(line: $line)
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atl.check.calls import CallNode, call, insertion
from atl.check.context import Context
from atl.check.fillers import filler
from atl.check.mending import Change
from atl.check.parameters import parameter_uses
from atl.check.values import parameters
from atl.check.wording import listed
from atl.findings import Finding


def check(node: CallNode, ctx: Context) -> Iterator[Finding]:
    made = call(node, ctx)
    if made is None or made.job.lost or ctx.decl.lost:
        return
    given = {arg.name.text for arg in made.args}
    # Of two arguments with one name the first is the one that counts.
    required = {arg.name: arg for arg in reversed(made.job.args) if arg.name not in given}
    missing = [arg for arg in required.values() if arg.not_null and not arg.filled][::-1]
    if not missing:
        return
    names = [arg.name for arg in missing]
    fillers = [filler(arg, ctx) for arg in missing]
    texts = [f"{name}: {text}" for name, text in zip(names, fillers, strict=True) if text is not None]
    fixes = []
    if len(texts) == len(missing):
        fixes = [ctx.fix(f"add {listed(names)}", *insertion(made, ctx, texts), *_kept(fillers, ctx))]
    yield ctx.finding(
        "ATL452",
        made.name,
        f"the job `{made.job.namespace}.{made.job.name}` is called without {listed(names)}",
        labels=[(made.declared(arg), "required: `not null` without a default") for arg in missing],
        help=f"give a value, such as `{texts[0]}`" if texts else f"give {listed(names)} a value",
        fixes=fixes,
    )


def _kept(fillers: Sequence[str | None], ctx: Context) -> Iterator[Change]:
    """Edits that change nothing, on the declarations of the parameters that become used only now: so the fix that
    removes an unused one is not applied together with this one."""
    used = {use.name for use in parameter_uses(ctx)}
    for text in fillers:
        if text is not None and text.startswith("$") and text[1:] not in used:
            yield ctx.at(*parameters(ctx)[text[1:]][0].span), text[1:]
