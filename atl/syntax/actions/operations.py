"""The parts of queries and procedures."""

from __future__ import annotations

from atl.syntax import nodes as n
from atl.syntax.actions.declarations import reserved
from atl.syntax.actions.stack import Values


def input_empty(v: Values, end: int) -> None:
    v[-3:] = (n.Input(v[-3], end, []),)


def input(v: Values, end: int) -> None:
    start, _, params, _ = v[-4:]
    v[-4:] = (n.Input(start, end, params),)


def input_trailing(v: Values, end: int) -> None:
    start, _, params, _, _ = v[-5:]
    v[-5:] = (n.Input(start, end, params),)


def param(v: Values, end: int) -> None:
    name, _, type_ = v[-3:]
    if name.reserved:
        reserved(v, name)
    v[-3:] = (n.Param(name.start, end, name, type_, None),)


def param_default(v: Values, end: int) -> None:
    name, _, type_, start, value = v[-5:]
    if name.reserved:
        reserved(v, name)
    v[-5:] = (n.Param(name.start, end, name, type_, n.Default(start, end, value)),)


def output_as(v: Values, end: int) -> None:
    start, _, entity = v[-3:]
    v[-3:] = (n.Output(start, entity.end, entity, None),)


def output(v: Values, end: int) -> None:
    start, _, params, _ = v[-4:]
    v[-4:] = (n.Output(start, end, None, params),)


def output_trailing(v: Values, end: int) -> None:
    start, _, params, _, _ = v[-5:]
    v[-5:] = (n.Output(start, end, None, params),)


def sql(v: Values, end: int) -> None:
    start, word, _, touched, _, _, text, _ = v[-8:]
    v[-8:] = (n.Sql(start, end, touched, n.Name(word, word + 7, "touches"), text),)


def ref(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.Ref(name.start, name.end, None, name)


def ref_qualified(v: Values, end: int) -> None:
    space, _, name = v[-3:]
    v[-3:] = (n.Ref(space.start, end, space, name),)


def steps(v: Values, end: int) -> None:
    start, _, found, _ = v[-4:]
    v[-4:] = (n.Steps(start, end, found),)


def invalidate(v: Values, end: int) -> None:
    start, _, _, _, tag, _ = v[-6:]
    v[-6:] = (n.Invalidate(start, end, tag),)


def update(v: Values, end: int) -> None:
    start, entity, _, sets, _, where = v[-6:]
    v[-6:] = (n.Update(start, where.end, entity, sets, where),)


def delete(v: Values, end: int) -> None:
    start, entity, _, where = v[-4:]
    v[-4:] = (n.Delete(start, where.end, entity, where),)


def insert(v: Values, end: int) -> None:
    start, entity, _, sets, _ = v[-5:]
    v[-5:] = (n.Insert(start, end, entity, sets),)


def insert_trailing(v: Values, end: int) -> None:
    start, entity, _, sets, _, _ = v[-6:]
    v[-6:] = (n.Insert(start, end, entity, sets),)


def enqueue(v: Values, end: int) -> None:
    start, job, _, args, closing = v[-5:]
    v[-5:] = (n.Enqueue(start, end, job, args, closing),)


def set(v: Values, end: int) -> None:
    name, _, value = v[-3:]
    v[-3:] = (n.Set(name.start, end, name, value),)


def arg(v: Values, end: int) -> None:
    name, _, value = v[-3:]
    first = value.terms[0]
    alone = len(value.terms) == 1 and first.op is None
    v[-3:] = (n.Arg(name.start, value.end, name, first.left if alone else value),)
