"""Counts of rows that a plan cannot take along, asked before anything changes."""

from __future__ import annotations

from typing import NamedTuple

from atl.diff import Change
from atl.diff.fields import fills_each_row
from atl.diff.renames import GONE
from atl.diff.types import type_change
from atl.migrate.filling import filler
from atl.migrate.making import Making
from atl.migrate.model import Guard
from atl.migrate.physical import Constraint, Index
from atl.migrate.refusals import refusals
from atl.migrate.sides import TableSides
from atl.migrate.sqltext import columns_of, name_list, quote, quote_literal
from atl.postgres.expression import expression
from atl.schema.types import Type

__all__ = ["guards"]


_SHOWN = 5


def guards(mk: Making) -> tuple[Guard, ...]:
    """In the order of the tables; of what cannot be counted on the old tables there is none, and the statement itself
    fails."""
    found: list[Guard] = []
    to_come = _to_come(mk)
    for table in mk.sides.tables.values():
        found += _Counter(mk, table, to_come).guards()
    return tuple(found)


class _ToCome(NamedTuple):
    """What the plan makes of enums. types: their names. labels: (id, name of the type, labels that are new or have a
    new name, as SQL writes them)."""

    types: tuple[str, ...]
    labels: tuple[tuple[str, str, tuple[str, ...]], ...]


def _to_come(mk: Making) -> _ToCome:
    types = [enum.name for enum in mk.sides.created_enums.values()]
    labels = []
    for id, sides in mk.sides.enums.items():
        if (sides.old.schema, sides.old.name) != (sides.new.schema, sides.new.name):
            types.append(sides.new.name)
        if changed := (*sides.added, *sides.renamed.values()):
            labels.append((id, sides.new.name, tuple(map(quote_literal, changed))))
    return _ToCome(tuple(types), tuple(labels))


class _Counter:
    """Counts on one table. Every count reads a view of the old table in which columns have their new names, and new
    ones the value that they are going to have."""

    def __init__(self, mk: Making, table: TableSides, to_come: _ToCome) -> None:
        self.mk = mk
        self.table = table
        self.found: list[Guard] = []
        # A view stands for the table, also where an expression names the table itself.
        self.alias = quote(table.new.name)
        self.to_come = to_come

    def guards(self) -> list[Guard]:
        table = self.table
        for column in table.added:
            self._added(column.name)
        for name, sides in table.columns.items():
            if sides.retyped:
                self._retyped(name)
            if sides.new.not_null and not sides.old.not_null:
                cause = self.mk.causes.column(table.id, name, "field_not_null", "key_", "entity_keyless")
                value = filler(table, name)
                # A default is no null, and may be of a type that has yet to come back.
                if not value or value == sides.after.backfill:
                    self._nulls(name, value, cause)
        for constraint in self.mk.fates.tables[table.id].made_constraints:
            self._constraint(constraint)
        for index in self.mk.fates.tables[table.id].made_indexes:
            if index.unique and index.key not in table.old.indexes:
                self._unique_index(index, self.mk.cause_of_index(table, index))
        return self.found

    def _add(self, sql: str, message: str, help: str, cause: Change | None, some: str = "", since: int = 0) -> None:
        if cause is not None:
            self.found.append(Guard(sql, message, help, cause, some or self._some(sql), since))

    @property
    def key(self) -> list[str]:
        """The columns of the key that the rows have now, quoted."""
        primary = self.table.plain.constraints.get(("primary",))
        return [quote(name) for name in primary.columns] if primary is not None else []

    def _some(self, count: str) -> str:
        """A query for the keys of rows that a query counts. A view has them under other names."""
        rest = count.removeprefix("SELECT count(*) FROM ")
        plain = rest.startswith(self.table.plain.sql)
        if rest == count or not self.key or (plain and " WHERE " not in rest):
            return ""
        names = self.key if plain else [quote(f"atl_key_{at}") for at in range(len(self.key))]
        pairs = zip(self.key, names, strict=True)
        shown = ", ".join(f"{quote_literal(f'{key} = '.replace(chr(34), ''))} || {name}::text" for key, name in pairs)
        return f"SELECT concat_ws(', ', {shown}) FROM {rest} ORDER BY {', '.join(names)} LIMIT {_SHOWN}"

    def _keyed(self) -> list[str]:
        return [f"{name} AS {quote(f'atl_key_{at}')}" for at, name in enumerate(self.key)]

    def _early(self, sql: str) -> bool:
        """Whether an expression may name a type or a label that is there, or is called so, only once the plan runs."""
        fields, lowered = self.table.entity.fields, sql.lower()
        enums = {fields[name].type.enum for name in columns_of(sql) if name in fields}
        return any(type_name in lowered for type_name in self.to_come.types) or any(
            (id in enums or type_name in lowered) and any(label in sql for label in labels)
            for id, type_name, labels in self.to_come.labels
        )

    def view(self, names: tuple[str, ...], table: TableSides | None = None) -> str | None:
        """The table with columns of these names; None when the value of one is not known before the plan runs."""
        table = table or self.table
        parts = []
        for name in names:
            value = self.value(table, name)
            if value is None:
                return None
            parts.append(f"{value} AS {quote(name)}")
        if table is self.table:
            parts += self._keyed()
        return f"(SELECT {', '.join(parts)} FROM {table.plain.sql})"

    def value(self, table: TableSides, name: str) -> str | None:
        sides = table.columns.get(name)
        f = table.entity.fields[name]
        if sides is not None:
            filled = filler(table, name) if sides.new.not_null and not sides.old.not_null else ""
            back = sides.unpark is not None or table.unpark is not None
            if filled or (back and f.type.enum):  # whose type may have to come back as well
                return None
            if sides.before is None or not sides.retyped:
                return quote(sides.old.name)
            before, change = sides.before.type, type_change(sides.before.type, f.type)
            fits = change.kind == "widened" or (f.type.base == "text" and not change.manual)
            if not fits or self.mk.diff.renames.labels.get(before.enum):
                return None  # a cast may fail, or give labels their old names
            return f"{quote(sides.old.name)}::{sides.new.type}"
        column = table.new.columns[name]
        if fills_each_row(f) or filler(table, name) or f.type.enum or self._early(column.default):
            return None
        return f"({column.default or 'NULL'})::{column.type}"

    # ------------------------------------------------------------ nulls

    def _added(self, name: str) -> None:
        table, f = self.table, self.table.entity.fields[name]
        if not f.not_null or f.generated:
            return
        cause = self.mk.causes.find(table.id, "field_added", member=name)
        if f.backfill:
            self._nulls(name, f.backfill, cause)
        elif f.default is None:
            self._add(
                f"SELECT count(*) FROM {table.plain.sql}",
                f"{{rows}} rows of `{table.id}` have no value for `{name}`, which is not null",
                "give it a `backfill` or a `default`",
                cause,
            )

    def _nulls(self, name: str, filled: str, cause: Change | None) -> None:
        table = self.table
        sides = table.columns.get(name)
        condition = "" if sides is None else f"{quote(sides.old.name)} IS NULL"
        if not filled:
            self._add(
                f"SELECT count(*) FROM {table.plain.sql} WHERE {condition}",
                f"{{rows}} rows of `{table.id}` have null for `{name}`, which becomes not null",
                "give it a `backfill`, or fill them first",
                cause,
            )
            return
        if self._early(filled):
            return
        uses = expression(filled).columns
        read = tuple(sorted({use.name for use in uses if use.name in table.entity.fields}))
        if name in read or any("." in (use.qualifier or "") for use in uses):
            return
        extra = [] if sides is None else [f'{quote(sides.old.name)} IS NULL AS "atl_pending"']
        parts = []
        for column in read:
            value = self.value(table, column)
            if value is None:
                return
            parts.append(f"{value} AS {quote(column)}")
        columns = ", ".join([*parts, *extra, *self._keyed()]) or "1"
        pending = ' AND "atl_pending"' if extra else ""
        view = f"(SELECT {columns} FROM {table.plain.sql})"
        self._add(
            f"SELECT count(*) FROM {view} AS {self.alias} WHERE ({filled}) IS NULL{pending}",
            f"{{rows}} rows of `{table.id}` get null for `{name}` from its `backfill`",
            "let the `backfill` give a value for every row",
            cause,
        )

    # ------------------------------------------------------------ types

    def _retyped(self, name: str) -> None:
        table, sides = self.table, self.table.columns[name]
        assert sides.before is not None
        old, new = sides.before.type, sides.after.type
        enum = self.mk.diff.new.enums.get(new.enum)
        labels = enum.labels if enum is not None else ()
        lost = self._lost(old, labels)
        for refused in refusals(sides.old.name, old, new, sides.new.type, lost, labels):
            self._add(
                f"SELECT count(*) FROM {table.plain.sql} WHERE {refused.condition}",
                f"{{rows}} rows of `{table.id}` hold a value of `{name}` that {refused.what}",
                "change them first",
                self.mk.causes.column(table.id, name, "field_type", "field_scale"),
                since=refused.since,
            )

    def _lost(self, old: Type, labels: tuple[str, ...]) -> list[str]:
        """Labels of a column's old enum that are not among others, as the rows have them before the plan runs."""
        enum = self.mk.diff.followed.enums.get(old.enum)
        called = {b: a for a, b in self.mk.diff.renames.labels.get(old.enum, {}).items()}
        gone = [label for label in enum.labels if label not in labels] if enum is not None else []
        return [called.get(label, label.removesuffix(GONE)) for label in gone]

    # ------------------------------------------------------------ constraints

    def _constraint(self, constraint: Constraint) -> None:
        table, cause = self.table, self.mk.cause_of_constraint(self.table, constraint)
        old = table.old.constraints.get(constraint.key)
        if old is not None and old.meaning == constraint.meaning:
            return  # it held before, and what it is about stays what it was
        match constraint.kind:
            case "primary" | "unique":
                self._unique(constraint.columns, cause)
            case "check":
                view = self.view(constraint.columns)
                if view is None:
                    return
                sql = constraint.definition.removeprefix("CHECK ")
                if self._early(sql) or any("." in (use.qualifier or "") for use in expression(sql).columns):
                    return
                self._add(
                    f"SELECT count(*) FROM {view} AS {self.alias} WHERE NOT {sql}"
                    if constraint.columns
                    else f"SELECT count(*) FROM {table.plain.sql} WHERE NOT {sql}",
                    f"{{rows}} rows of `{table.id}` do not pass the check `{constraint.name}`",
                    "change them first",
                    cause,
                )
            case _:
                self._foreign(constraint, cause)

    def _unique(self, columns: tuple[str, ...], cause: Change | None) -> None:
        view = self.view(columns)
        if view is not None:
            self._repeats(view, columns, "", "", cause)

    def _unique_index(self, index: Index, cause: Change | None) -> None:
        """Of plain columns; `USING btree ("a", "b" DESC) WHERE ...`."""
        view = self.view(index.columns)
        inside, _, predicate = index.definition.removeprefix("USING btree (").partition(") WHERE ")
        plain = {quote(name): name for name in index.columns}
        names = [part.removesuffix(" DESC") for part in inside.split(", ")]
        if view is not None and predicate and not self._early(predicate) and all(name in plain for name in names):
            columns = tuple(plain[name] for name in names)
            self._repeats(view, columns, predicate, f" that the unique index `{index.name}` takes in", cause)

    def _repeats(self, view: str, columns: tuple[str, ...], predicate: str, which: str, cause: Change | None) -> None:
        """Rows that hold the same in these columns. predicate: of the rows that count, all of them for "".
        which: how these are called."""
        names, said = name_list(columns), " and ".join(f"`{name}`" for name in columns)
        told = " AND ".join(f"{quote(name)} IS NOT NULL" for name in columns)
        where = f"{told} AND ({predicate})" if predicate else told
        groups = f"FROM {view} AS {self.alias} WHERE {where} GROUP BY {names} HAVING count(*) > 1"
        self._add(
            f'SELECT COALESCE(sum("n"), 0) FROM (SELECT count(*) AS "n" {groups}) AS "g"',
            f"{{rows}} rows of `{self.table.id}`{which} share {said} with another row",
            "make them different first",
            cause,
            f"SELECT {_repeated(columns)} {groups} ORDER BY {names} LIMIT {_SHOWN}",
        )

    def _foreign(self, constraint: Constraint, cause: Change | None) -> None:
        column, (id, there) = constraint.columns[0], constraint.target
        view = self.view((column,))
        if view is None:
            return
        name = quote(column)
        target = self.mk.sides.tables.get(id)
        missing = ""
        if target is not None:
            other = self.view((there,), target)
            if other is None:
                return
            same = f'"atl_other".{quote(there)} = {self.alias}.{name}'
            missing = f' AND NOT EXISTS (SELECT FROM {other} AS "atl_other" WHERE {same})'
        elif id in self.mk.sides.by_hand:
            return
        self._add(
            f"SELECT count(*) FROM {view} AS {self.alias} WHERE {name} IS NOT NULL{missing}",
            f"{{rows}} rows of `{self.table.id}` have a `{column}` that is no `{there}` of `{id}`",
            f"change or remove them, or add the missing rows of `{id}`, first",
            cause,
        )


def _repeated(columns: tuple[str, ...]) -> str:
    shown = ", ".join(f"{quote_literal(f'{name} = ')} || {quote(name)}::text" for name in columns)
    return f"concat_ws(', ', {shown}) || ' (' || count(*) || ' times)'"
