"""Building nodes: one function for each rule of the grammar that builds something.

A function takes what its rule's symbols left on top of the value stack, and leaves the rule's own value there. A name,
a string, a number leaves its node; a sign that compares leaves its text; any other word or sign leaves its offset.
`end` is the end of the last token that was read.
"""

from __future__ import annotations

from atl.syntax import _table as k
from atl.syntax.actions import declarations, fields, jobs, members, operations, stack, values
from atl.syntax.actions.stack import MAKERS, Action, Values

__all__ = ["ACTIONS", "BY_NAME", "MAKERS", "Action", "Values"]

BY_NAME: dict[str, Action] = {}
for _module in (values, fields, declarations, members, operations, jobs, stack):
    BY_NAME.update(vars(_module))

ACTIONS: list[tuple[int, int, Action | None]] = [
    (length, left, BY_NAME[name] if name is not None else None) for length, left, name in k.RULES
]
