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

from collections.abc import Iterator

from atl.check.calls import CallNode, call, insertion
from atl.check.context import Context
from atl.check.fillers import filler
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
        fixes = [ctx.fix(f"add {listed(names)}", insertion(made, ctx, texts))]
    yield ctx.finding(
        "ATL452",
        made.name,
        f"the job `{made.job.namespace}.{made.job.name}` is called without {listed(names)}",
        labels=[(made.declared(arg), "required: `not null` without a default") for arg in missing],
        help=f"give a value, such as `{texts[0]}`" if texts else f"give {listed(names)} a value",
        fixes=fixes,
    )
