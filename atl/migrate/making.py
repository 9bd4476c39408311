"""What the parts of the emission share: the sides, the stages, and statements that several of them make."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from atl.diff import Change, Diff
from atl.migrate.fates import Fates
from atl.migrate.model import Lock
from atl.migrate.physical import Column, Constraint, Index, Table
from atl.migrate.shared import (
    ACCESS_POLICY,
    PARTITION_POLICY,
    TRIGGER,
    access_policy,
    partition_policy,
    touch_trigger,
)
from atl.migrate.sides import Sides, TableSides
from atl.migrate.sqltext import qualified, quote, quote_literal
from atl.migrate.stages import Causes, Phase, Stages
from atl.schema.naming import MAX_BYTES

__all__ = [
    "EXCLUSIVE",
    "Attach",
    "Fresh",
    "Making",
    "Rewrite",
    "Shape",
    "column_sql",
    "do",
    "do_block",
    "sequence_default",
    "set_sequence",
]

EXCLUSIVE = Lock.ACCESS_EXCLUSIVE


class Shape(IntEnum):
    """The order within `Phase.SHAPE`: down to PARK everything has its old name, from MADE on its new one."""

    SCHEMAS = 0
    FOREIGN_KEYS = 1
    TRIGGERS = 2
    CONSTRAINTS = 3
    INDEXES = 4
    DEFAULTS = 5
    PARK = 6
    MOVE = 7
    RELATIONS = 8
    COLUMNS = 9
    TABLE_CONSTRAINTS = 10
    NULL_NAMES = 11
    MADE = 12
    UNSET = 13
    ADD = 14
    SET = 15
    CHECKS = 16
    NEW_INDEXES = 17
    NEW_TRIGGERS = 18


class Fresh(IntEnum):
    """The order within `Phase.TABLES`."""

    TABLES = 0
    INDEXES = 1
    TRIGGERS = 2
    REFERENCES = 3


class Rewrite(IntEnum):
    """The order within a table's part of `Phase.REWRITE`."""

    LOCK = 0
    LENGTHS = 1
    POLICIES = 2
    INDEXES = 3
    CHECKS = 4
    DEFAULTS = 5
    TYPES = 6
    SEQUENCES = 7
    SET = 8
    ADD = 9
    NEW_CHECKS = 10
    NEW_INDEXES = 11
    NEW_POLICIES = 12


class Attach(IntEnum):
    """The order within `Phase.ATTACH`."""

    FOREIGN_KEYS = 0
    KEYS = 1
    NEW_KEYS = 2
    NULLS = 3
    COUNTED = 4
    REFERENCES = 5
    POLICIES = 6


@dataclass(slots=True)
class Making:
    """plan_id: of the plan being made. parked_names: names that parked things have already. aside: (schema, name) of
    what is dropped later, and has to leave its name to something else before: what it is called meanwhile.
    parked_enums: of enums that are parked, in SQL, the old name and the new.
    """

    diff: Diff
    sides: Sides
    fates: Fates
    plan_id: str
    parked_names: set[str]
    aside: dict[tuple[str, str], str] = field(default_factory=dict)
    parked_enums: dict[str, str] = field(default_factory=dict)
    out: Stages = field(default_factory=Stages)
    causes: Causes = field(init=False)

    def __post_init__(self) -> None:
        self.causes = Causes(self.diff.changes)

    def parked_name(self, name: str) -> str:
        """`parked_<hash>_<name>`, within 63 bytes, that nothing parked has."""
        from hashlib import sha256

        for at in range(1000):
            digest = sha256(f"{self.plan_id} {name} {at}".encode("utf-8", "surrogateescape")).hexdigest()[:8]
            start = f"parked_{digest}_"
            rest = name.encode("utf-8", "surrogateescape")[: MAX_BYTES - len(start)].decode("utf-8", "ignore")
            if start + rest not in self.parked_names:
                self.parked_names.add(start + rest)
                return start + rest
        raise ValueError(f"every parked name of `{name}` is taken")

    # ------------------------------------------------------------ constraints and indexes

    def drop_constraint(
        self, phase: Phase, step: int, table: str, constraint: Constraint, change: Change | None, group: str = ""
    ) -> str:
        """Drop a constraint of a table that has these names; the statement that puts it back."""
        name = quote(constraint.name)
        reverse = f"ALTER TABLE {table} ADD CONSTRAINT {name} {constraint.definition}"
        self.out.add(
            phase,
            step,
            f"ALTER TABLE {table} DROP CONSTRAINT {name}",
            f"drop the {_KINDS[constraint.kind]} `{constraint.name}`",
            lock=EXCLUSIVE,
            reverse=reverse,
            change=change,
            group=group,
        )
        return reverse

    def create_index(
        self, phase: Phase, step: int, table: Table, index: Index, change: Change | None, group: str = ""
    ) -> None:
        """Plain, on a table that nobody reads yet, or that is locked anyway."""
        where = qualified(table.schema, index.name)
        self.out.add(
            phase,
            step,
            f"CREATE {'UNIQUE ' * index.unique}INDEX {quote(index.name)} ON {table.sql} {index.definition}",
            f"build the index `{index.name}`",
            lock=Lock.SHARE,
            reverse=f"DROP INDEX {where}",
            change=change,
            group=group,
        )

    def build_index(
        self, phase: Phase, table: Table, name: str, definition: str, unique: bool, change: Change | None
    ) -> None:
        """While others write; what a build that failed left invalid is dropped first."""
        where = qualified(table.schema, name)
        state = "SELECT EXISTS (SELECT FROM pg_catalog.pg_index WHERE indexrelid = pg_catalog.to_regclass({}) AND {})"
        literal = quote_literal(where)
        self.out.add(
            phase,
            0,
            f"CREATE {'UNIQUE ' * unique}INDEX CONCURRENTLY {quote(name)} ON {table.sql} {definition}",
            f"build the index `{name}` while others write",
            lock=Lock.SHARE_UPDATE_EXCLUSIVE,
            # A constraint that was made of it has taken it along on the way back.
            reverse=f"DROP INDEX CONCURRENTLY IF EXISTS {where}",
            change=change,
            unless=state.format(literal, "indisvalid"),
            leftover=state.format(literal, "NOT indisvalid"),
            clear=f"DROP INDEX CONCURRENTLY IF EXISTS {where}",
        )

    def drop_index(
        self, phase: Phase, step: int, table: Table, name: str, index: Index, change: Change | None, plain: bool = False
    ) -> str:
        """Drop an index that is called `name` on a table of these names; the statement that puts it back."""
        where = qualified(table.schema, name)
        unique, apart = "UNIQUE " * index.unique, "" if plain else "CONCURRENTLY "
        reverse = f"CREATE {unique}INDEX {apart}{quote(name)} ON {table.sql} {index.definition}"
        self.out.add(
            phase,
            step,
            f"DROP INDEX {apart}{where}",
            f"drop the index `{name}`",
            lock=EXCLUSIVE if plain else Lock.SHARE_UPDATE_EXCLUSIVE,
            reverse=reverse,
            change=change,
            unless="" if plain else f"SELECT pg_catalog.to_regclass({quote_literal(where)}) IS NULL",
        )
        return reverse

    # ------------------------------------------------------------ triggers and policies

    def create_trigger(self, phase: Phase, step: int, table: str, column: str, change: Change | None) -> None:
        self.out.add(
            phase,
            step,
            touch_trigger(table, column),
            f"updates set `{column}`",
            lock=Lock.SHARE_ROW_EXCLUSIVE,
            reverse=f"DROP TRIGGER {quote(TRIGGER)} ON {table}",
            change=change,
        )

    def drop_trigger(self, step: int, table: str, column: str, change: Change | None) -> str:
        reverse = touch_trigger(table, column)
        self.out.add(
            Phase.SHAPE,
            step,
            f"DROP TRIGGER {quote(TRIGGER)} ON {table}",
            f"updates no longer set `{column}`",
            lock=EXCLUSIVE,
            reverse=reverse,
            change=change,
        )
        return reverse

    def create_policies(
        self,
        phase: Phase,
        step: int,
        table: str,
        column: str,
        change: Change | None,
        group: str = "",
        switch: bool = True,
    ) -> None:
        """switch: row-level security is not on yet."""
        words = [
            (partition_policy(table, column), PARTITION_POLICY, f"only rows whose `{column}` is the caller's"),
            (access_policy(table), ACCESS_POLICY, "and of those all"),
        ]
        for sql, name, comment in words:
            reverse = f"DROP POLICY {quote(name)} ON {table}"
            self.out.add(phase, step, sql, comment, lock=EXCLUSIVE, reverse=reverse, change=change, group=group)
        for sql, reverse, comment in _SWITCHES if switch else ():
            self.out.add(
                phase,
                step,
                f"ALTER TABLE {table} {sql}",
                comment,
                lock=EXCLUSIVE,
                reverse=f"ALTER TABLE {table} {reverse}",
                change=change,
                group=group,
            )

    def drop_policies(
        self,
        phase: Phase,
        step: int,
        table: str,
        column: str,
        change: Change | None,
        group: str = "",
        switch: bool = True,
    ) -> list[str]:
        """switch: row-level security is turned off too. The statements that put it all back."""
        back = []
        for sql, reverse, comment in reversed(_SWITCHES) if switch else ():
            back.append(f"ALTER TABLE {table} {sql}")
            self.out.add(
                phase,
                step,
                f"ALTER TABLE {table} {reverse}",
                f"no longer: {comment}",
                lock=EXCLUSIVE,
                reverse=back[-1],
                change=change,
                group=group,
            )
        for name, reverse in (
            (ACCESS_POLICY, access_policy(table)),
            (PARTITION_POLICY, partition_policy(table, column)),
        ):
            back.append(reverse)
            self.out.add(
                phase,
                step,
                f"DROP POLICY {quote(name)} ON {table}",
                f"drop the policy `{name}`",
                lock=EXCLUSIVE,
                reverse=reverse,
                change=change,
                group=group,
            )
        return back

    # ------------------------------------------------------------ changes

    def cause_of_constraint(self, table: TableSides, constraint: Constraint) -> Change | None:
        """The change that a statement about a constraint of a table that stays belongs to."""
        id, find = table.id, self.causes.find
        column = constraint.columns[0] if constraint.columns else ""
        match constraint.kind:
            case "primary":
                return find(id, "key_changed", "entity_keyless", "entity_", "field_")
            case "unique":
                names = ", ".join(sorted(constraint.columns))
                return find(id, "unique_by_", member=names) or self.causes.column(id, column, "field_unique", "field_")
            case "check":
                named = constraint.key[2] if constraint.key[1] != "unnamed" else ""
                found = find(id, "check_", member=named) if named else None
                return found or find(id, "check_") or self.causes.column(id, column, "field_")
            case _:
                own = self.causes.column(id, column, "reference_", "field_")
                target = constraint.target[0]
                return own or find(target, "key_changed", "entity_", "field_type", "field_unique", "field_")

    def cause_of_index(self, table: TableSides, index: Index) -> Change | None:
        find = self.causes.find
        for change in self.causes.of.get(table.id, ()):
            if change.kind.startswith("index_") and set(index.columns) & _words(change.member):
                return change
        if table.new.partition in index.columns and (found := find(table.id, "partition_")):
            return found
        return find(table.id, "index_", "partition_", "field_", "entity_")


def _words(member: str) -> set[str]:
    import re

    return set(re.findall(r"\w+", member))


_KINDS = {"primary": "key", "unique": "unique constraint", "foreign": "foreign key", "check": "check"}
_SWITCHES = (
    ("ENABLE ROW LEVEL SECURITY", "DISABLE ROW LEVEL SECURITY", "the policies count"),
    ("FORCE ROW LEVEL SECURITY", "NO FORCE ROW LEVEL SECURITY", "they count for the table's owner too"),
)


def sequence_default(schema: str, sequence: str) -> str:
    return f"nextval({quote_literal(qualified(schema, sequence))}::regclass)"


def column_sql(schema: str, column: Column, *, not_null: bool, default: bool = True) -> str:
    """A column as CREATE TABLE and ADD COLUMN have it."""
    parts = [quote(column.name), column.type]
    if not_null:
        parts.append("NOT NULL")
    if default and column.generated == "identity":
        parts.append(f"GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME {qualified(schema, column.sequence)})")
    elif default and column.generated == "serial":
        parts.append(f"DEFAULT {sequence_default(schema, column.sequence)}")
    elif default and column.default:
        parts.append(f"DEFAULT {column.default}")
    return " ".join(parts)


def set_sequence(table: str, column: str, schema: str, sequence: str) -> str:
    """The next value is the one after the greatest that is there, or 1."""
    name, most = quote_literal(qualified(schema, sequence)), f"max({quote(column)})"
    return f"SELECT pg_catalog.setval({name}, GREATEST({most}, 1), COALESCE({most} >= 1, false)) FROM {table}"


def do_block(*statements: str) -> str:
    """Several statements as one. A query's result is thrown away."""
    body = " ".join(f"{s.replace('SELECT', 'PERFORM', 1) if s.startswith('SELECT ') else s};" for s in statements)
    return do(f"BEGIN {body} END")


def do(body: str) -> str:
    """A block of plpgsql, in dollar quotes that nothing in it ends."""
    tag = "$do$"
    while tag in body:
        tag = f"{tag[:-1]}o$"
    return f"DO {tag} {body} {tag}"
