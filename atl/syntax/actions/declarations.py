"""Declarations and the labels of enums."""

from __future__ import annotations

from atl.syntax import nodes as n
from atl.syntax.actions.stack import Values
from atl.syntax.tree import RawFinding


def _lost(v: Values) -> bool:
    """Whether text of the declaration that ends here was lost."""
    lost = v.lost
    v.lost = False
    return lost


def reserved(v: Values, name: n.Name) -> None:
    """ATL012."""
    v.raw.append(
        RawFinding(
            "ATL012",
            name.start,
            name.end,
            f"`{name.text}` is a reserved word and cannot be a name here",
            help=f"choose another name, like `{name.text}_`; words such as {_SOME_FREE} may be used",
        )
    )


_SOME_FREE = "`state`, `queue`, `tag` and `schedule`"


def entity(v: Values, end: int) -> None:
    start, name, _, namespace, opening, members, closing = v[-7:]
    v[-7:] = (n.EntityDecl(start, end, name, opening, closing, _lost(v), namespace, None, False, members),)


def hypertable(v: Values, end: int) -> None:
    start, name, _, namespace, _, on, opening, members, closing = v[-9:]
    v[-9:] = (n.EntityDecl(start, end, name, opening, closing, _lost(v), namespace, on, True, members),)


def enum(v: Values, end: int) -> None:
    start, name, _, namespace, opening, labels, closing = v[-7:]
    v[-7:] = (n.EnumDecl(start, end, name, opening, closing, _lost(v), namespace, labels),)


def query(v: Values, end: int) -> None:
    start, name, _, owner, opening, parts, closing = v[-7:]
    v[-7:] = (n.QueryDecl(start, end, name, opening, closing, _lost(v), owner, parts),)


def procedure(v: Values, end: int) -> None:
    start, name, _, owner, opening, parts, closing = v[-7:]
    v[-7:] = (n.ProcedureDecl(start, end, name, opening, closing, _lost(v), owner, parts),)


def job(v: Values, end: int) -> None:
    start, name, _, namespace, opening, clauses, closing = v[-7:]
    v[-7:] = (n.JobDecl(start, end, name, opening, closing, _lost(v), namespace, clauses),)


def workflow(v: Values, end: int) -> None:
    start, name, _, namespace, opening, parts, closing = v[-7:]
    v[-7:] = (n.WorkflowDecl(start, end, name, opening, closing, _lost(v), namespace, parts),)


def ephemeral(v: Values, end: int) -> None:
    start, name, _, namespace, opening, members, closing = v[-7:]
    v[-7:] = (n.EphemeralDecl(start, end, name, opening, closing, _lost(v), namespace, members),)


def label_name(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.EnumLabel(name.start, name.end, name.text, False)


def label_string(v: Values, end: int) -> None:
    text = v[-1]
    v[-1] = n.EnumLabel(text.start, text.end, text.value, True)


def label_word(v: Values, end: int) -> None:
    v[-1] = n.EnumLabel(v[-1], end, v.text[v[-1] : end], False)
