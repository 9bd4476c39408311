"""Building nodes: one function for each rule of the grammar that builds something.

A function takes what its rule's symbols left on top of the value stack, and leaves the rule's own value there. A name,
a string, a number leaves its node; a sign that compares leaves its text; any other word or sign leaves its offset.
`end` is the end of the last token that was read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from atl.syntax import _table as k
from atl.syntax import nodes as n
from atl.syntax.durations import bad_duration, milliseconds
from atl.syntax.strings import unquote
from atl.syntax.tree import RawFinding

__all__ = ["ACTIONS", "MAKERS", "Values"]


class Values(list[Any]):
    """The value stack, and what is kept about the chunk besides."""

    __slots__ = ("lost", "raw", "text")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.raw: list[RawFinding] = []
        self.lost = False


Action = Callable[[Values, int], None]

# ------------------------------------------------------------------ tokens

_LONGEST_INT = 4000


def _int(start: int, end: int, text: str) -> n.Int:
    """A number of thousands of digits is far out of every range, and Python refuses to read it: one as large stands
    for it."""
    return n.Int(start, end, int(text) if len(text) <= _LONGEST_INT else 10**_LONGEST_INT)


def _string(start: int, end: int, text: str) -> n.Str:
    if text[0] == '"' and "\\" not in text and text[-1] == '"' and len(text) > 1:
        return n.Str(start, end, text[1:-1])
    return n.Str(start, end, unquote(text))


def _duration(start: int, end: int, text: str) -> n.Duration:
    return n.Duration(start, end, text, milliseconds(text))


def _parameter(start: int, end: int, text: str) -> n.Parameter:
    return n.Parameter(start, end, text[1:])


def _reserved_name(start: int, end: int, text: str) -> n.Name:
    return n.Name(start, end, text, True)


def _text(start: int, end: int, text: str) -> str:
    return text


MAKERS: list[Callable[[int, int, str], Any] | None] = [None] * k.WIDTH
MAKERS[k.NAME] = MAKERS[k.NAME_BOL] = MAKERS[k.BARE] = n.Name
MAKERS[k.NAME_RESERVED] = _reserved_name
MAKERS[k.INT] = _int
MAKERS[k.DECIMAL] = n.Decimal
MAKERS[k.DURATION] = _duration
MAKERS[k.STRING] = _string
MAKERS[k.PARAM] = _parameter
MAKERS[k.RAW_SQL] = MAKERS[k.PREDICATE] = n.RawSql
for _kind in (k.EQUAL, k.NE, k.LT, k.LE, k.GT, k.GE):
    MAKERS[_kind] = _text

# ------------------------------------------------------------------ lists and words


def empty(v: Values, end: int) -> None:
    v.append([])


def append(v: Values, end: int) -> None:
    item = v.pop()
    v[-1].append(item)


def one(v: Values, end: int) -> None:
    v[-1] = [v[-1]]


def more(v: Values, end: int) -> None:
    item = v.pop()
    v[-2].append(item)
    del v[-1]


def trailing(v: Values, end: int) -> None:
    del v[-1]


def spelling(v: Values, end: int) -> None:
    v[-1] = v.text[v[-1] : end]


def set_null(v: Values, end: int) -> None:
    v[-2:] = ("set null",)


# ------------------------------------------------------------------ declarations


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


# ------------------------------------------------------------------ fields and types


def field(v: Values, end: int) -> None:
    mods = v.pop()
    type_ = v.pop()
    name = v.pop()
    if name.reserved:
        reserved(v, name)
    v[-1].append(n.Field(name.start, end, name, type_, mods))


def type_plain(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.TypeRef(name.start, end, None, name, None, 0, 0)


def type_qualified(v: Values, end: int) -> None:
    space, _, name = v[-3:]
    v[-3:] = (n.TypeRef(space.start, end, space, name, None, 0, 0),)


def type_with_params(v: Values, end: int) -> None:
    name, _, params, _ = v[-4:]
    v[-4:] = (n.TypeRef(name.start, end, None, name, params, 0, 0),)


def type_qualified_with_params(v: Values, end: int) -> None:
    space, _, name, _, params, _ = v[-6:]
    v[-6:] = (n.TypeRef(space.start, end, space, name, params, 0, 0),)


def type_postfix(v: Values, end: int) -> None:
    name, postfix = v[-2:]
    v[-2:] = (n.TypeRef(name.start, end, None, name, None, 0, postfix),)


def type_qualified_postfix(v: Values, end: int) -> None:
    space, _, name, postfix = v[-4:]
    v[-4:] = (n.TypeRef(space.start, end, space, name, None, 0, postfix),)


def type_with_params_postfix(v: Values, end: int) -> None:
    name, _, params, _, postfix = v[-5:]
    v[-5:] = (n.TypeRef(name.start, end, None, name, params, 0, postfix),)


def type_array(v: Values, end: int) -> None:
    start, _, element = v[-3:]
    if element is not None:
        element.start = start
        element.dims += 1
    v[-3:] = (element,)


def postfix(v: Values, end: int) -> None:
    v[-2:] = (1,)


def postfix_sized(v: Values, end: int) -> None:
    v[-3:] = (1,)


def postfix_again(v: Values, end: int) -> None:
    v[-3:] = (v[-3] + 1,)


def minus(v: Values, end: int) -> None:
    value = v.pop()
    start = v[-1]
    match value:
        case n.Int():
            v[-1] = n.Int(start, end, -value.value)
        case n.Decimal():
            v[-1] = n.Decimal(start, end, "-" + value.text)
        case _:
            v[-1] = n.Duration(start, end, "-" + value.text, None)


# ------------------------------------------------------------------ modifiers


def mod_flag(v: Values, end: int) -> None:
    start = v.pop()
    v[-1].append(n.Flag(start, end, v.text[start:end]))


def mod_not_null(v: Values, end: int) -> None:
    start = v[-2]
    del v[-2:]
    v[-1].append(n.Flag(start, end, "not null"))


def mod_default(v: Values, end: int) -> None:
    _, start, value = v[-3:]
    del v[-2:]
    v[-1].append(n.Default(start, end, value))


def mod_references(v: Values, end: int) -> None:
    start, path, actions = v[-3:]
    del v[-3:]
    v[-1].append(n.References(start, actions[-1].end if actions else path[-1].end, path, actions))


def mod_check(v: Values, end: int) -> None:
    sql = v.pop()
    start = v.pop()
    v[-1].append(n.FieldCheck(start, end, sql))


def mod_backfill(v: Values, end: int) -> None:
    sql = v.pop()
    start = v.pop()
    v[-1].append(n.Backfill(start, end, sql))


def path_two(v: Values, end: int) -> None:
    v[-3:] = ([v[-3], v[-1]],)


def path_three(v: Values, end: int) -> None:
    v[-5:] = ([v[-5], v[-3], v[-1]],)


def action(v: Values, end: int) -> None:
    start, event, what = v[-3:]
    del v[-3:]
    v[-1].append(n.Action(start, end, event, what))


# ------------------------------------------------------------------ values


def raw(v: Values, end: int) -> None:
    start, sql = v[-2:]
    v[-2:] = (n.Raw(start, end, sql),)


def now_called(v: Values, end: int) -> None:
    v[-3:] = (n.Now(v[-3], end, True),)


def now_uncalled(v: Values, end: int) -> None:
    start = v[-1]
    v.raw.append(
        RawFinding(
            "ATL001",
            start,
            start + 3,
            "expected `now()`, found `now` without its brackets",
            help="write `now()`",
            fixes=(("write `now()`", True, ((start, start + 3, "now()"),)),),
        )
    )
    v[-1] = n.Now(start, end, True)


def now_word(v: Values, end: int) -> None:
    v[-1] = n.Now(v[-1], end, False)


def null_word(v: Values, end: int) -> None:
    v[-1] = n.Name(v[-1], end, "null")


def bare(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.Word(name.start, end, name)


def call_empty(v: Values, end: int) -> None:
    name = v[-3]
    v[-3:] = (n.Call(name.start, end, name),)


def call(v: Values, end: int) -> None:
    name = v[-4]
    v[-4:] = (n.Call(name.start, end, name),)


def true(v: Values, end: int) -> None:
    v[-1] = n.Bool(v[-1], end, True)


def false(v: Values, end: int) -> None:
    v[-1] = n.Bool(v[-1], end, False)


def column_value(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.Column(name.start, end, name)


def duration(v: Values, end: int) -> None:
    _check_duration(v, v[-1])


def _check_duration(v: Values, value: Any) -> None:
    if type(value) is n.Duration and value.ms is None:
        v.raw.append(bad_duration(value.text, value.start, value.end))


def expr(v: Values, end: int) -> None:
    first = v[-1]
    v[-1] = n.Expr(first.start, first.end, [first])


def expr_and(v: Values, end: int) -> None:
    term = v.pop()
    del v[-1]
    v[-1].terms.append(term)
    v[-1].end = term.end


def comparison_alone(v: Values, end: int) -> None:
    value = v[-1]
    v[-1] = n.Comparison(value.start, value.end, value, None, None)


def comparison(v: Values, end: int) -> None:
    left, op, right = v[-3:]
    v[-3:] = (n.Comparison(left.start, right.end, left, op, right),)


# ------------------------------------------------------------------ entity members


def primary_by(v: Values, end: int) -> None:
    start, _, fields = v[-3:]
    v[-3:] = (n.PrimaryBy(start, fields[-1].end, fields),)


def unique_by(v: Values, end: int) -> None:
    start, _, fields = v[-3:]
    v[-3:] = (n.UniqueBy(start, fields[-1].end, fields, None),)


def unique_by_deferrable(v: Values, end: int) -> None:
    start, _, fields, word = v[-4:]
    v[-4:] = (n.UniqueBy(start, end, fields, n.Name(word, end, "deferrable")),)


def column_field(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.IndexColumn(name.start, name.end, name, None, None)


def column_field_directed(v: Values, end: int) -> None:
    name, direction = v[-2:]
    v[-2:] = (n.IndexColumn(name.start, end, name, None, direction),)


def column_expr(v: Values, end: int) -> None:
    start, sql = v[-2:]
    v[-2:] = (n.IndexColumn(start, sql.end, None, sql, None),)


def column_expr_directed(v: Values, end: int) -> None:
    start, sql, direction = v[-3:]
    v[-3:] = (n.IndexColumn(start, end, None, sql, direction),)


def index(v: Values, end: int) -> None:
    start, _, columns = v[-3:]
    v[-3:] = (n.Index(start, columns[-1].end, columns, False, None),)


def partial_index(v: Values, end: int) -> None:
    start, _, _, columns, _, predicate = v[-6:]
    v[-6:] = (n.Index(start, end, columns, False, predicate),)


def unique_partial_index(v: Values, end: int) -> None:
    start, _, _, _, columns, _, predicate = v[-7:]
    v[-7:] = (n.Index(start, end, columns, True, predicate),)


def hnsw_index(v: Values, end: int) -> None:
    start, _, _, name, _, ops = v[-6:]
    v[-6:] = (n.HnswIndex(start, end, name, ops),)


def gin_index(v: Values, end: int) -> None:
    start, _, _, name = v[-4:]
    v[-4:] = (n.GinIndex(start, end, name),)


def _relation(kind: str) -> Action:
    def build(v: Values, end: int) -> None:
        start, name, _, target, _, via = v[-6:]
        if name.reserved:
            reserved(v, name)
        v[-6:] = (n.Relation(start, end, kind, name, target, via),)

    return build


def _field_clause(word: str, symbols: int) -> Action:
    def build(v: Values, end: int) -> None:
        v[-symbols:] = (n.FieldClause(v[-symbols], end, word, v[-1]),)

    return build


def _with_string(node: Callable[[int, int, n.Str], n.Node]) -> Action:
    def build(v: Values, end: int) -> None:
        start, text = v[-2:]
        v[-2:] = (node(start, end, text),)

    return build


def _with_duration(node: Callable[[int, int, n.Duration], n.Node], symbols: int) -> Action:
    def build(v: Values, end: int) -> None:
        v[-symbols:] = (node(v[-symbols], end, v[-1]),)

    return build


def keyless(v: Values, end: int) -> None:
    v[-1] = n.Keyless(v[-1], end)


def entity_check(v: Values, end: int) -> None:
    start, sql = v[-2:]
    v[-2:] = (n.EntityCheck(start, sql.end, sql, None),)


def entity_check_named(v: Values, end: int) -> None:
    start, sql, _, name = v[-4:]
    v[-4:] = (n.EntityCheck(start, end, sql, name),)


def cache(v: Values, end: int) -> None:
    start, _, parts, _ = v[-4:]
    v[-4:] = (n.Cache(start, end, parts),)


def read_through(v: Values, end: int) -> None:
    start, _, _, ttl = v[-4:]
    v[-4:] = (n.ReadThrough(start, ttl.end, ttl, None),)


def read_through_tagged(v: Values, end: int) -> None:
    start, _, _, ttl, _, _, tag = v[-7:]
    v[-7:] = (n.ReadThrough(start, end, ttl, tag),)


def invalidate_on(v: Values, end: int) -> None:
    start, _, writes = v[-3:]
    v[-3:] = (n.InvalidateOn(start, writes[-1].end, writes),)


def consistency(v: Values, end: int) -> None:
    start, _, value = v[-3:]
    v[-3:] = (n.Consistency(start, end, value),)


def write_self(v: Values, end: int) -> None:
    v[-4:] = (n.Write(v[-4], end, None, None, None),)


def write_entity(v: Values, end: int) -> None:
    start, _, entity, _ = v[-4:]
    v[-4:] = (n.Write(start, end, entity, None, None),)


def write_where(v: Values, end: int) -> None:
    start, _, entity, _, name, _, _, _, own, _ = v[-10:]
    v[-10:] = (n.Write(start, end, entity, name, own),)


# ------------------------------------------------------------------ enums


def label_name(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.EnumLabel(name.start, name.end, name.text, False)


def label_string(v: Values, end: int) -> None:
    text = v[-1]
    v[-1] = n.EnumLabel(text.start, text.end, text.value, True)


def label_word(v: Values, end: int) -> None:
    v[-1] = n.EnumLabel(v[-1], end, v.text[v[-1] : end], False)


# ------------------------------------------------------------------ queries and procedures


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


# ------------------------------------------------------------------ jobs, workflows, ephemerals


def _with_fields(node: Callable[[int, int, list[n.Field]], n.Node]) -> Action:
    def build(v: Values, end: int) -> None:
        start, _, fields, _ = v[-4:]
        v[-4:] = (node(start, end, fields),)

    return build


def retries(v: Values, end: int) -> None:
    start, value = v[-2:]
    v[-2:] = (n.Retries(start, end, value),)


def retries_bare(v: Values, end: int) -> None:
    start, name = v[-2:]
    v[-2:] = (n.Retries(start, end, n.Word(name.start, name.end, name)),)


def timeout(v: Values, end: int) -> None:
    start, value = v[-2:]
    _check_duration(v, value)
    v[-2:] = (n.Timeout(start, end, value),)


def timeout_none(v: Values, end: int) -> None:
    v[-2:] = (n.Timeout(v[-2], end, None),)


def heartbeat(v: Values, end: int) -> None:
    start, value = v[-2:]
    _check_duration(v, value)
    v[-2:] = (n.Heartbeat(start, end, value),)


def step(v: Values, end: int) -> None:
    start, name, _, parts, _ = v[-5:]
    if name.reserved:
        reserved(v, name)
    v[-5:] = (n.Step(start, end, name, parts),)


def compensate(v: Values, end: int) -> None:
    start, name, _, parts, _ = v[-5:]
    v[-5:] = (n.Compensate(start, end, name, parts),)


def job_use(v: Values, end: int) -> None:
    start, job = v[-2:]
    v[-2:] = (n.JobUse(start, job.end, job),)


def step_args(v: Values, end: int) -> None:
    start, _, args, closing = v[-4:]
    v[-4:] = (n.StepArgs(start, end, args, closing),)


def start(v: Values, end: int) -> None:
    """The declarations are the chunk's value."""


args = call_list = label_list = labels = touched = start

has_many = _relation("has_many")
has_one = _relation("has_one")
soft_delete = _field_clause("soft_delete", 3)
touch_on_update = _field_clause("touch_on_update", 3)
partition = _field_clause("partition", 3)
ttl_field = _field_clause("ttl_field", 2)
table = _with_string(n.TableClause)
queue = _with_string(n.Queue)
schedule = _with_string(n.Schedule)
visible_to = _with_string(n.VisibleTo)
query_timeout = _with_duration(n.QueryTimeout, 3)
chunk_interval = _with_duration(n.ChunkInterval, 2)
ttl = _with_duration(n.Ttl, 3)
job_args = _with_fields(n.Args)
state = _with_fields(n.State)

ACTIONS: list[tuple[int, int, Action | None]] = [
    (length, left, globals()[name] if name is not None else None) for length, left, name in k.RULES
]
