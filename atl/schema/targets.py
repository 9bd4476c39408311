"""What has a name, and a place that names it."""

from __future__ import annotations

from atl.records import NamedTuple

__all__ = ["Target", "Use"]


class Target(NamedTuple):
    """Something with a name. kind: `entity`, `enum`, `job`, `query`, `procedure`, `workflow`, `ephemeral`, or a member:
    `field` (of an entity or ephemeral), `label`, `argument`, `input`, `output`, `state`, `step`, `relation`, `check`.
    id: of the declaration. member: "" for a declaration itself."""

    kind: str
    id: str
    member: str = ""


class Use(NamedTuple):
    """A place, relative to the declaration's anchor, that names `target`.

    form: how the name is spelled there, which a rename has to keep: `name` (as it is), `parameter` (`$name`, the span
    without the dollar), `string` (inside a string or tag as it is), `quoted` (a label as a whole string). Inside SQL,
    by SQL's rules of quoting and spelling: `column`, `table`, `qualifier` (a table's own name before a column),
    `literal` (a label as a whole constant), `type` (an enum's type).
    declares: the place is the declaration of the name itself.
    """

    target: Target
    start: int
    end: int
    form: str = "name"
    declares: bool = False
