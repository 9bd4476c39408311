"""Random schemas that make sense, and rows that fit: all from one seed. `changing` changes them.

A world renders to `.atl` text. A changed world remembers what its members were called, so that it can say so in hints,
in either direction.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from random import Random

from atl.postgres.scan import quote_identifier, quote_literal
from atl.schema import model as m
from tests.diff.reading import schema
from tests.migrate.spelling import respell, spell

__all__ = [
    "ACTIONS",
    "KEYS",
    "NAMES",
    "NEXT",
    "NUMBERS",
    "SOUGHT",
    "TEXTS",
    "Entity",
    "World",
    "add_field",
    "decorate",
    "default",
    "make",
    "new_entity",
    "quoted",
    "rows",
]

TYPES = [
    *("smallint", "int", "bigint", "text", "varchar(8)", "varchar(20)", "varchar", "char(6)", "numeric(8, 2)"),
    *("numeric(12, 4)", "real", "double", "boolean", "date", "timestamp", "timestamptz", "uuid", "jsonb"),
    *("[]int", "[]text", "bytea", "interval", "time", "timetz", "inet", "cidr", "macaddr", "bit(4)", "varbit"),
    *("int4range", "tstzrange", "tsvector", "point", "money", "json"),
]
# Where a column may go: every value that `rows` makes can be carried over.
NEXT = {
    "smallint": ["int", "bigint", "text", "numeric(8, 2)", "varchar(8)", "double"],
    "int": ["bigint", "smallint", "text", "numeric(12, 4)", "varchar(20)", "double"],
    "bigint": ["int", "text", "varchar(20)", "numeric(8, 2)"],
    "text": ["varchar(8)", "varchar(20)", "varchar", "char(6)", "int", "bigint", "numeric(8, 2)"],
    "varchar(8)": ["varchar(20)", "text", "varchar", "char(6)", "int"],
    "varchar(20)": ["varchar(8)", "text", "varchar", "bigint"],
    "varchar": ["text", "varchar(20)"],
    "char(6)": ["text", "varchar(8)", "varchar(20)"],
    "numeric(8, 2)": ["numeric(12, 4)", "text", "int", "double"],
    "numeric(12, 4)": ["numeric(8, 2)", "text"],
    "real": ["double", "text"],
    "double": ["real", "numeric(8, 2)", "text"],
    "boolean": ["int", "text"],
    "date": ["timestamp", "timestamptz", "text"],
    "timestamp": ["timestamptz", "date", "text"],
    "timestamptz": ["timestamp", "date", "text"],
    "uuid": ["text"],
    "jsonb": ["text"],
    "[]int": ["[]text"],
    "[]text": [],
    "bytea": [],
    "interval": ["text", "time"],
    "time": ["interval", "text", "timetz"],
    "timetz": ["time", "varchar(20)"],
    "inet": ["text", "cidr"],
    "cidr": ["inet", "text"],
    "macaddr": ["text"],
    "bit(4)": ["varbit", "text"],
    "varbit": ["text"],
    "int4range": ["text"],
    "tstzrange": ["text"],
    "tsvector": ["text"],
    "point": ["text"],
    "money": ["numeric(12, 4)", "text"],
    "json": ["jsonb", "text"],
}
NUMBERS = ("smallint", "int", "bigint", "numeric(8, 2)", "numeric(12, 4)", "real", "double")
TEXTS = ("text", "varchar(8)", "varchar(20)", "varchar", "char(6)")
ACTIONS = ("", "cascade", "restrict", "set null")
SOUGHT = ("jsonb", "[]int", "[]text", "tsvector")
SORTED = tuple(t for t in TYPES if t not in ("point", "json"))
KEYS = ("smallint", "int", "bigint", "text", "varchar(8)", "varchar(20)", "date", "uuid")
NAMES = ("amount", "code", "label", "made_at", "note", "order", "rank", "size", "state", "total", "user", "weight")


@dataclass
class Field:
    type: str
    not_null: bool = False
    unique: bool = False
    generated: str = ""
    default: str = ""
    ref: str = ""
    action: str = "cascade"
    on_update: str = ""
    check: str = ""
    backfill: str = ""
    was: str = ""


@dataclass
class Entity:
    fields: dict[str, Field]
    key: list[str]
    uniques: list[list[str]] = field(default_factory=list)
    indexes: list[str] = field(default_factory=list)
    checks: dict[str, str] = field(default_factory=dict)
    touch: str = ""
    partition: str = ""
    table: str = ""
    was: str = ""


@dataclass
class World:
    entities: dict[str, Entity] = field(default_factory=dict)
    enums: dict[str, list[str]] = field(default_factory=dict)
    enum_was: dict[str, str] = field(default_factory=dict)
    label_was: dict[str, dict[str, str]] = field(default_factory=dict)
    spelling: str = "plain"

    def text(self) -> str:
        parts = []
        for name, labels in self.enums.items():
            hint = f"// atl: renamed-from {self.enum_was[name]}\n" if self.enum_was.get(name) else ""
            was = self.label_was.get(name, {})
            shown = "".join(
                (f"// atl: renamed-from {was[label]}\n" if label in was else "") + f"{label},\n" for label in labels
            )
            parts.append(f"{hint}enum {name} in w {{\n{shown}}}")
        parts += [_entity(name, entity) for name, entity in self.entities.items()]
        return "\n\n".join(parts) + "\n"

    @property
    def schema(self) -> m.Schema:
        return respell(schema(self.text()), self.spelling)

    def back_from(self, later: World) -> World:
        """This world with hints that say what everything is called in `later`, which was changed from it."""
        back = copy.deepcopy(self)
        for name, entity in back.entities.items():
            entity.was = ""
            for f in entity.fields.values():
                f.was = ""
            new = next((n for n, e in later.entities.items() if (e.was or n) == name), None)
            if new is None:
                continue
            entity.was = new if new != name else ""
            for field_name, f in entity.fields.items():
                there = later.entities[new].fields
                now = next((n for n, g in there.items() if (g.was or n) == field_name), None)
                f.was = now if now is not None and now != field_name else ""
        back.enum_was = {old: new for new, old in later.enum_was.items()}
        back.label_was = {
            (later.enum_was.get(name) or name): {old: new for new, old in labels.items()}
            for name, labels in later.label_was.items()
        }
        return back

    def settled(self) -> World:
        """Without hints."""
        out = copy.deepcopy(self)
        out.enum_was, out.label_was = {}, {}
        for entity in out.entities.values():
            entity.was = ""
            for f in entity.fields.values():
                f.was = ""
        return out


def _entity(name: str, entity: Entity) -> str:
    lines = [f"// atl: renamed-from {entity.was}"] if entity.was else []
    lines.append(f"entity {name} in w {{")
    for field_name, f in entity.fields.items():
        if f.was:
            lines.append(f"  // atl: renamed-from {f.was}")
        words = [f"  {field_name} {f.type}"]
        words += ["primary"] if entity.key == [field_name] else []
        words += [f.generated] if f.generated else []
        words += ["not null"] if f.not_null or field_name in entity.key else []
        words += ["unique"] if f.unique else []
        words += [f"default {f.default}"] if f.default else []
        words += [f"references w.{f.ref}"] if f.ref else []
        words += [f"on delete {f.action}"] if f.ref and f.action else []
        words += [f"on update {f.on_update}"] if f.ref and f.on_update else []
        words += [f'check "{f.check}"'] if f.check else []
        words += [f'backfill "{f.backfill}"'] if f.backfill else []
        lines.append(" ".join(words))
    if len(entity.key) > 1:
        lines.append(f"  primary by {', '.join(entity.key)}")
    elif not entity.key:
        lines.append("  keyless")
    lines += [f"  unique by {', '.join(names)}" for names in entity.uniques]
    lines += [f"  {index}" for index in entity.indexes]
    lines += [f'  check "{sql}"' + (f" as {check}" if check else "") for check, sql in entity.checks.items()]
    lines += [f"  touch_on_update by {entity.touch}"] if entity.touch else []
    lines += [f"  partition by {entity.partition}"] if entity.partition else []
    lines += [f'  table "{entity.table}"'] if entity.table else []
    return "\n".join([*lines, "}"])


# ---------------------------------------------------------------- making


def make(random: Random, size: int = 4) -> World:
    world = World()
    for name in random.sample(["Mood", "Phase"], random.randint(0, 2)):
        world.enums[name] = random.sample(["low", "mid", "high", "none", "on"], random.randint(2, 4))
    for name in random.sample(["Account", "Box", "Cart", "Deal", "HTTPLog", "User"], random.randint(1, size)):
        world.entities[name] = new_entity(random, world)
        if random.random() < 0.15:
            world.entities[name].table = f"{random.choice(['public', 'own'])}.{name.lower()}"
    return world


def new_entity(random: Random, world: World) -> Entity:
    entity = Entity({}, [])
    kind = random.choice(["counted", "counted", "plain", "plain", "pair", "keyless"])
    entity.fields["id"] = Field("bigint" if kind == "counted" else random.choice(KEYS))
    if kind == "counted":
        entity.fields["id"].generated = random.choice(["identity", "serial", ""])
    entity.key = ["id"]
    if kind == "pair":
        entity.fields["part"] = Field("int", not_null=True)
        entity.key = ["part", "id"]
    elif kind == "keyless":
        entity.key = []
    for name in random.sample(NAMES, random.randint(0, 5)):
        add_field(random, world, entity, name)
    for _ in range(random.randint(0, 6)):
        decorate(random, entity)
    return entity


def add_field(random: Random, world: World, entity: Entity, name: str) -> None:
    enum = random.choice([*world.enums]) if world.enums and random.random() < 0.25 else ""
    f = Field(enum or random.choice(TYPES), random.random() < 0.5)
    targets = [
        (f"{n}.{k}", e.fields[k].type)
        for n, e in world.entities.items()
        for k in e.fields
        if e.key == [k] or e.fields[k].unique
    ]
    if targets and random.random() < 0.2:
        f.ref, f.type = random.choice(targets)
        f.action = random.choice(ACTIONS)
        f.on_update = random.choice(["", "", "cascade", "set null"])
        f.not_null = False
    elif random.random() < 0.4:
        f.default = default(random, world, f.type)
    if f.type in NUMBERS and not f.ref and random.random() < 0.2:
        f.check = f"{quoted(name)} >= 0"
    entity.fields[name] = f


def quoted(name: str) -> str:
    return f'\\"{name}\\"'


def default(random: Random, world: World, type_: str) -> str:
    if type_ in world.enums:
        return f'"{random.choice(world.enums[type_])}"'
    if type_ in ("smallint", "int", "bigint", "numeric(8, 2)", "numeric(12, 4)"):
        return str(random.randint(0, 9))
    if type_ in TEXTS:
        return random.choice(['"7"', '"8"'])
    if type_ in ("timestamp", "timestamptz"):
        return random.choice(["now()", '"2020-01-02 03:04:05"', 'raw "clock_timestamp()"'])
    if type_ == "uuid":
        return 'raw "gen_random_uuid()"'
    return "true" if type_ == "boolean" else ""


def decorate(random: Random, entity: Entity) -> None:
    """An index, a set of unique fields, a check, a setting."""
    plain = [n for n, f in entity.fields.items() if f.type in KEYS or f.type in NUMBERS]
    numbers = [n for n, f in entity.fields.items() if f.type in NUMBERS]
    texts = [n for n, f in entity.fields.items() if f.type in TEXTS]
    sought = [n for n, f in entity.fields.items() if f.type in SOUGHT]
    match random.randrange(9):
        case 8 if sought:
            index = f"index gin on {random.choice(sought)}"
            if index not in entity.indexes:
                entity.indexes.append(index)
        case 0 | 1 if plain:
            names = random.sample(plain, min(len(plain), random.randint(1, 2)))
            index = f"index by {', '.join(n + random.choice(['', ' desc']) for n in names)}"
            if index not in entity.indexes:
                entity.indexes.append(index)
        case 2 if numbers:
            number = random.choice([n for n in numbers if n not in ("order", "user")] or ["id"])
            unique = "unique " * (random.random() < 0.3)
            index = f"{unique}index partial by id where {number} is not null"
            if index not in entity.indexes:
                entity.indexes.append(index)
        case 3 if texts:
            index = f'index by expr "lower({quoted(random.choice(texts))})"'
            if index not in entity.indexes:
                entity.indexes.append(index)
        case 4 if len(plain) > 1:
            names = sorted({*random.sample(plain, 2), "id"})
            if names not in entity.uniques and names != sorted(entity.key):
                entity.uniques.append(names)
        case 5 if numbers:
            number = quoted(random.choice(numbers))
            entity.checks[random.choice(["sane", "sound", ""])] = f"{number} < 1000000 or {number} is null"
        case 6 if entity.fields.get("made_at", Field("")).type == "timestamptz":
            entity.touch = "made_at"
        case 7 if "code" in entity.fields and entity.fields["code"].not_null and entity.fields["code"].type in SORTED:
            entity.partition = "code"
        case _:
            pass


# ---------------------------------------------------------------- rows


def rows(random: Random, world: World, count: int = 7) -> list[str]:
    """INSERT statements that fill every table; foreign keys are null, or point at a row that is there."""
    physical = world.schema
    out = []
    for name, entity in world.entities.items():
        schema_name, table = physical.entities[f"w.{name}"].table
        columns = [n for n, f in entity.fields.items() if f.generated != "identity"]
        generated = [n for n, f in entity.fields.items() if f.generated == "identity"]
        shown = ", ".join(quote_identifier(spell(world.spelling, n)) for n in [*columns, *generated])
        override = " OVERRIDING SYSTEM VALUE" if generated else ""
        for number in range(1, count + 1):
            values = [
                _value(random, world, entity.fields[n], number, n in entity.key or n == "id")
                for n in [*columns, *generated]
            ]
            target = f"{quote_identifier(schema_name)}.{quote_identifier(table)}"
            out.append(f"INSERT INTO {target} ({shown}){override} VALUES ({', '.join(values)})")
    return out


def _value(random: Random, world: World, f: Field, number: int, in_key: bool) -> str:
    if not (f.not_null or in_key or f.unique or f.generated) and random.random() < 0.3:
        return "NULL"
    n = number
    if f.type in world.enums:
        return quote_literal(spell(world.spelling, random.choice(world.enums[f.type])))
    if f.type in NUMBERS:
        return str(n)
    if f.type in TEXTS:
        return f"'{n}'"
    return {
        "boolean": random.choice(["true", "false"]),
        "date": f"'2024-01-{n:02}'",
        "timestamp": f"'2024-01-{n:02} 00:00:00'",
        "timestamptz": f"'2024-01-{n:02} 00:00:00+00'",
        "uuid": f"'00000000-0000-0000-0000-0000000000{n:02}'",
        "jsonb": f"'{{\"n\": {n}}}'",
        "[]int": f"'{{{n}}}'",
        "[]text": f"'{{a{n}}}'",
        "bytea": f"'\\x{n:02}'",
        "interval": f"'{n} minutes'",
        "time": f"'01:00:{n:02}'",
        "timetz": f"'01:00:{n:02}+00'",
        "inet": f"'10.0.0.{n}'",
        "cidr": f"'10.0.{n}.0/24'",
        "macaddr": f"'08:00:2b:01:02:{n:02}'",
        "bit(4)": f"'{n:04b}'",
        "varbit": f"'{n:b}'",
        "int4range": f"'[{n},{n + 5})'",
        "tstzrange": f"'[2024-01-{n:02} 00:00:00+00,)'",
        "tsvector": f"'word{n}'",
        "point": f"'({n},{n})'",
        "money": f"'{n}'",
        "json": f"'{{\"n\": {n}}}'",
    }[f.type]
