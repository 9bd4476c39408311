"""SQL fragments under check: what PostgreSQL refuses in a check, a predicate, an index expression, a backfill and a
default, as far as it is certain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from atl.check.context import Context
from atl.check.fields import settled
from atl.check.sql import identity
from atl.findings import Finding
from atl.findings.suggest import closest
from atl.records import NamedTuple
from atl.schema.conversions import assignable, comparable
from atl.schema.symbols import EntitySymbol
from atl.schema.types import Family, Type, family, make_type, spelled, type_of
from atl.source import Place
from atl.syntax import nodes as n
from atl.syntax.strings import offset_in, predicate_sql

if TYPE_CHECKING:
    from atl.postgres.expression import Expression

__all__ = ["Fragment", "columns", "in_predicate", "in_string", "misfit", "problems", "reading"]


class Fragment(NamedTuple):
    """A fragment as it is read.

    code, noun: of its rule ("check"). whole: the node that holds it. place: from a span of `sql` to the source.
    boolean: it has to be of type boolean. immutable: it may only depend on the row. row: it may name columns.
    """

    code: str
    noun: str
    sql: str
    whole: n.Node
    place: Callable[[int, int], Place]
    boolean: bool = False
    immutable: bool = False
    row: bool = True


def in_string(code: str, noun: str, sql: n.Str, ctx: Context) -> Fragment:
    """A fragment in a string."""
    text = ctx.unit.chunk.text

    def place(start: int, end: int) -> Place:
        return ctx.at(offset_in(text, sql.start, start), offset_in(text, sql.start, end))

    return Fragment(code, noun, sql.value, sql, place)


def in_predicate(code: str, noun: str, predicate: n.RawSql, ctx: Context) -> Fragment:
    """A partial index's predicate."""
    sql, offset = predicate_sql(predicate.text)

    def place(start: int, end: int) -> Place:
        return ctx.at(predicate.start + offset(start), predicate.start + offset(end))

    return Fragment(code, noun, sql, predicate, place, boolean=True, immutable=True)


# PostgreSQL's short names of types that are spelled otherwise here.
_SHORT = {
    "smallint": "int2",
    "int": "int4",
    "bigint": "int8",
    "real": "float4",
    "double": "float8",
    "boolean": "bool",
    "char": "bpchar",
}


_OURS = {short: name for name, short in _SHORT.items()}


def columns(ctx: Context) -> Mapping[str, str]:
    """The fields that a fragment of this declaration may name, with their PostgreSQL types; "" where one is not
    certain."""
    found: dict[str, str] | None = ctx.memo.get(columns)
    if found is None:
        found = ctx.memo[columns] = {}
        for field in _fields(ctx.decl):
            if field.name.text not in found:
                found[field.name.text] = _type(field, ctx)
    return found


def _fields(decl: n.Declaration) -> Iterator[n.Field]:
    match decl:
        case n.EntityDecl() | n.EphemeralDecl():
            for member in decl.members:
                if type(member) is n.Field:
                    yield member
        case n.JobDecl():
            for clause in decl.clauses:
                if type(clause) is n.Args:
                    yield from clause.fields
        case n.WorkflowDecl():
            for part in decl.parts:
                if type(part) is n.State:
                    yield from part.fields
        case _:
            pass


def _type(field: n.Field, ctx: Context) -> str:
    if field.type is None:
        return ""
    type_ = type_of(field.type, ctx.scope.namespace)
    if not settled(ctx, type_):
        return ""
    name = _SHORT.get(type_.base, type_.base) or "enum"
    return name + "[]" if type_.dims else name


def reading(fragment: Fragment, ctx: Context) -> Expression:
    """The fragment as PostgreSQL's grammar reads it."""
    key = (reading, fragment.whole)
    found: Expression | None = ctx.memo.get(key)
    if found is None:
        from atl.postgres.expression import expression

        found = ctx.memo[key] = expression(fragment.sql, columns(ctx))
    return found


def problems(fragment: Fragment, ctx: Context) -> Iterator[Finding]:
    """What is certainly wrong with a fragment."""
    types = columns(ctx)
    read = reading(fragment, ctx)
    if read.error is not None:
        error = read.error
        where = fragment.place(error.start, error.end) if error.end > error.start else ctx.place(fragment.whole)
        yield ctx.finding(
            fragment.code,
            where,
            f"the {fragment.noun} is not one expression: {error.message}",
            help="write one SQL expression",
        )
        return
    found = [*_names(fragment, read, types, ctx), *_parts(fragment, read, ctx), *_comparisons(fragment, read, ctx)]
    yield from found
    if not found and fragment.boolean:
        yield from _not_boolean(fragment, read, ctx)


def _read_type(short: str) -> Type | None:
    """A type of PostgreSQL's as ours; None when it is none of them."""
    base = short.removesuffix("[]")
    made = make_type(_OURS.get(base, base), "", None)
    return made._replace(dims=int(short != base), known=True) if made.base else None


def misfit(fragment: Fragment, field: n.Field, ctx: Context) -> Iterator[Finding]:
    """Of a fragment without problems: whether PostgreSQL would not assign its type to the field's."""
    if field.type is None:
        return
    target = type_of(field.type, ctx.scope.namespace)
    source = _read_type(reading(fragment, ctx).type)
    # Into text PostgreSQL assigns everything; of a bit string's length nothing is known here.
    if source is None or not settled(ctx, target) or source.base == "bit":
        return
    if target.base and family(target) is Family.TEXT and target.dims <= source.dims:
        return
    if not assignable(source, target):
        yield ctx.finding(
            fragment.code,
            fragment.whole,
            f"the {fragment.noun} is of type `{spelled(source)}`, which `{field.name.text}` does not take",
            labels=[(field.type, f"`{spelled(target)}`")],
            help=f"cast it, or write a value of type `{spelled(target)}`",
        )


def _names(fragment: Fragment, read: Expression, types: Mapping[str, str], ctx: Context) -> Iterator[Finding]:
    """Columns that are not there."""
    for column in read.columns:
        where = fragment.place(column.start, column.end)
        if not fragment.row:
            yield ctx.finding(
                fragment.code,
                where,
                f"the {fragment.noun} names the column `{column.name}`, but there is no row yet",
                help="write a value, or a function of no column",
            )
            return
        if ctx.decl.lost or _is_known(column.name, column.qualifier, types, ctx):
            continue
        near = closest(column.name, types) if column.qualifier is None else None
        named = column.name if column.qualifier is None else f"{column.qualifier}.{column.name}"
        yield ctx.finding(
            fragment.code,
            where,
            f"the {fragment.noun} names `{named}`, which is no {_of_what(ctx)}",
            primary=f"unknown {_member(ctx)}",
            help=_advice(column.name, near, types),
        )
    for row in read.rows:
        if fragment.row and (ctx.decl.lost or row.qualifier in _tables(ctx)):
            continue
        what = f"`{row.qualifier}.*`, which is no row here" if fragment.row else "a row, but there is none yet"
        where = fragment.place(row.start, row.end)
        yield ctx.finding(fragment.code, where, f"the {fragment.noun} names {what}", help="name the columns")


def _advice(name: str, near: str | None, types: Mapping[str, str]) -> str:
    if name in types:
        return f"write `{name}` alone"
    return f"did you mean `{near}`?" if near is not None else "correct the name"


def _member(ctx: Context) -> str:
    match ctx.decl:
        case n.EntityDecl():
            return "column"
        case n.JobDecl():
            return "argument"
        case n.WorkflowDecl():
            return "state field"
        case _:
            return "field"


def _of_what(ctx: Context) -> str:
    if isinstance(ctx.symbol, EntitySymbol):
        return f"{_member(ctx)} of `{identity(ctx.symbol)}`"
    return f"{_member(ctx)} of `{ctx.decl.name.text}`" if ctx.decl.name is not None else f"{_member(ctx)} here"


def _is_known(name: str, qualifier: str | None, types: Mapping[str, str], ctx: Context) -> bool:
    """Whether `[qualifier.]name` is a column here. The table may qualify its columns, and stands for a whole row."""
    if not isinstance(ctx.symbol, EntitySymbol):
        return qualifier is None and name in types
    if qualifier is None:
        return name in types or name in (ctx.symbol.table[1], "tableoid")
    return name in types and qualifier in _tables(ctx)


def _tables(ctx: Context) -> tuple[str, ...]:
    """What the table may be called where it qualifies its columns, or stands for its whole row."""
    if not isinstance(ctx.symbol, EntitySymbol):
        return ()
    schema, table = ctx.symbol.table
    return table, f"{schema}.{table}"


def _parts(fragment: Fragment, read: Expression, ctx: Context) -> Iterator[Finding]:
    """What may stand in a query, but not here."""
    noun = fragment.noun
    wrong = [
        (read.subquery, f"the {noun} holds a subquery", "only the row itself may be looked at"),
        (read.aggregate, f"the {noun} calls an aggregate, which takes many rows", "write it for one row"),
        (read.window, f"the {noun} calls a window function, which takes many rows", "write it for one row"),
        (read.set_returning, f"the {noun} calls a function that returns many rows", "write it as one value"),
        (read.parameter, f"the {noun} names a parameter, which nothing fills", "write a value"),
    ]
    if fragment.immutable and read.volatile is not None:
        name = read.volatile_name
        what = name if " " in name else f"`{name}`"
        wrong.append(
            (read.volatile, f"the {noun} uses {what}, whose result may change", "use only what the row alone decides")
        )
    for span, message, help_ in wrong:
        if span is not None:
            yield ctx.finding(fragment.code, fragment.place(*span), message, help=help_)


def _comparisons(fragment: Fragment, read: Expression, ctx: Context) -> Iterator[Finding]:
    """Comparisons that PostgreSQL has no operator for."""
    for left, right, start, end in read.compared:
        a, b = _read_type(left), _read_type(right)
        # Of shapes PostgreSQL compares some by their area.
        if a is None or b is None or Family.GEOMETRIC in (family(a), family(b)) or comparable(a, b):
            continue
        if a.dims == b.dims == 1 and a.base == b.base:
            # Whether the elements can be compared shows when the first row comes.
            continue
        yield ctx.finding(
            fragment.code,
            fragment.place(start, end),
            f"the {fragment.noun} compares `{spelled(a)}` with `{spelled(b)}`, which have no common type",
            help="cast one of them to the other's type",
        )


def _not_boolean(fragment: Fragment, read: Expression, ctx: Context) -> Iterator[Finding]:
    if read.operand is not None:
        where = fragment.place(*read.operand)
        yield ctx.finding(
            fragment.code,
            where,
            f"a part of the {fragment.noun} that has to be true or false is not of type boolean",
            help="compare it with something",
        )
    elif read.boolean is False:
        yield ctx.finding(
            fragment.code,
            fragment.whole,
            f"the {fragment.noun} is not of type boolean",
            help="compare it with something, so that it is true or false",
        )
