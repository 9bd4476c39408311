"""Random schemas that make sense, changes of them, and rows that fit: all from one seed.

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

__all__ = ["Entity", "World", "change", "make", "rows"]

TYPES = [
    *("smallint", "int", "bigint", "text", "varchar(8)", "varchar(20)", "varchar", "char(6)", "numeric(8, 2)"),
    *("numeric(12, 4)", "real", "double", "boolean", "date", "timestamp", "timestamptz", "uuid", "jsonb"),
    *("[]int", "[]text", "bytea", "interval"),
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
    "interval": ["text"],
}
NUMBERS = ("smallint", "int", "bigint", "numeric(8, 2)", "numeric(12, 4)", "real", "double")
TEXTS = ("text", "varchar(8)", "varchar(20)", "varchar", "char(6)")
ACTIONS = ("", "cascade", "restrict", "set null")
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
        words += [f'check "{f.check}"'] if f.check else []
        words += [f'backfill "{f.backfill}"'] if f.backfill else []
        lines.append(" ".join(words))
    if len(entity.key) > 1:
        lines.append(f"  primary by {', '.join(entity.key)}")
    elif not entity.key:
        lines.append("  keyless")
    lines += [f"  unique by {', '.join(names)}" for names in entity.uniques]
    lines += [f"  {index}" for index in entity.indexes]
    lines += [f'  check "{sql}" as {check}' for check, sql in entity.checks.items()]
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
        world.entities[name] = _new_entity(random, world)
        if random.random() < 0.15:
            world.entities[name].table = f"{random.choice(['public', 'own'])}.{name.lower()}"
    return world


def _new_entity(random: Random, world: World) -> Entity:
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
        _add_field(random, world, entity, name)
    for _ in range(random.randint(0, 6)):
        _decorate(random, entity)
    return entity


def _add_field(random: Random, world: World, entity: Entity, name: str) -> None:
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
        f.not_null = False
    elif random.random() < 0.4:
        f.default = _default(random, world, f.type)
    if f.type in NUMBERS and not f.ref and random.random() < 0.2:
        f.check = f"{_quoted(name)} >= 0"
    entity.fields[name] = f


def _quoted(name: str) -> str:
    return f'\\"{name}\\"'


def _default(random: Random, world: World, type_: str) -> str:
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


def _decorate(random: Random, entity: Entity) -> None:
    """An index, a set of unique fields, a check, a setting."""
    plain = [n for n, f in entity.fields.items() if f.type in KEYS or f.type in NUMBERS]
    numbers = [n for n, f in entity.fields.items() if f.type in NUMBERS]
    texts = [n for n, f in entity.fields.items() if f.type in TEXTS]
    match random.randrange(8):
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
            index = f'index by expr "lower({_quoted(random.choice(texts))})"'
            if index not in entity.indexes:
                entity.indexes.append(index)
        case 4 if len(plain) > 1:
            names = sorted({*random.sample(plain, 2), "id"})
            if names not in entity.uniques and names != sorted(entity.key):
                entity.uniques.append(names)
        case 5 if numbers:
            number = _quoted(random.choice(numbers))
            entity.checks[random.choice(["sane", "sound"])] = f"{number} < 1000000 or {number} is null"
        case 6 if entity.fields.get("made_at", Field("")).type == "timestamptz":
            entity.touch = "made_at"
        case 7 if "code" in entity.fields and entity.fields["code"].not_null:
            entity.partition = "code"
        case _:
            pass


# ---------------------------------------------------------------- changing


def change(random: Random, world: World, steps: int = 6) -> World:
    """A world some steps on, whose hints say what its members were called in `world`."""
    out = world.settled()
    for _ in range(random.randint(1, steps)):
        _step(random, out)
    return out


def _step(random: Random, world: World) -> None:
    entities = [*world.entities]
    name = random.choice(entities) if entities else ""
    entity = world.entities.get(name)
    match random.randrange(26):
        case 0:
            free = [n for n in ("Extra", "More", "Wall") if n not in world.entities]
            if free:
                world.entities[free[0]] = _new_entity(random, world)
        case 1 if len(entities) > 1:
            del world.entities[name]
            for other in world.entities.values():
                for f in other.fields.values():
                    if f.ref.startswith(f"{name}."):
                        f.ref = ""
        case 2 if entity is not None and not entity.table:
            _rename_entity(world, name, f"{name}New")
        case 3 | 4 if entity is not None:
            free = [n for n in NAMES if n not in entity.fields]
            if free:
                new = random.choice(free)
                _add_field(random, world, entity, new)
                f = entity.fields[new]
                if f.not_null and not f.default:
                    f.backfill = _backfill(world, f.type)
                    f.not_null = f.backfill != ""
        case 5 | 6 if entity is not None:
            free = [n for n in entity.fields if n not in entity.key and not _used(world, name, n)]
            if free and len(entity.fields) > 1:
                _drop_field(entity, random.choice(free))
        case 7 | 8 if entity is not None:
            old = random.choice([*entity.fields])
            if not entity.fields[old].was:
                _rename_field(world, name, old, f"{old}_2" if f"{old}_2" not in entity.fields else f"{old}_3")
        case 9 | 10 | 11 if entity is not None:
            _retype(random, world, name, entity)
        case 12 if entity is not None:
            f = random.choice([*entity.fields.values()])
            if f.not_null:
                f.not_null = False
            else:
                f.backfill = _backfill(world, f.type)
                f.not_null = f.backfill != "" and not f.ref
            if not f.not_null and any(entity.fields.get(n) is f for n in (entity.partition,)):
                f.not_null = True
        case 13 if entity is not None:
            f = random.choice([*entity.fields.values()])
            if not f.generated:
                f.default = "" if f.default else _default(random, world, f.type)
        case 14 if entity is not None:
            _decorate(random, entity)
        case 15 if entity is not None:
            kept = [*entity.indexes, *entity.uniques]
            if kept:
                gone = random.choice(kept)
                (entity.indexes if isinstance(gone, str) else entity.uniques).remove(gone)  # type: ignore[arg-type]
            entity.checks.pop("sane", None)
            entity.touch = entity.partition = ""
        case 16 if entity is not None:
            f = entity.fields[entity.key[0]] if len(entity.key) == 1 else None
            if f is not None and f.type in ("int", "bigint") and not f.ref:
                f.generated = random.choice([g for g in ("", "serial", "identity") if g != f.generated])
                f.default = ""
        case 17 if entity is not None and not any(
            f.ref.startswith(f"{name}.") for e in world.entities.values() for f in e.fields.values()
        ):
            _rekey(random, entity)
        case 18 if world.enums:
            enum = random.choice([*world.enums])
            if random.random() < 0.5:
                world.enums[enum].insert(random.randint(0, 2), random.choice(["extra", "fresh", "later"]))
                world.enums[enum] = [*dict.fromkeys(world.enums[enum])]
            elif enum not in world.enum_was and enum != "MoodNew" and enum != "PhaseNew":
                _rename_enum(world, enum)
        case 20 if entity is not None:
            _swap(random, world, name, entity)
        case 21 if entity is not None:
            f_name = random.choice([*entity.fields])
            f = entity.fields[f_name]
            targeted = any(g.ref == f"{name}.{f_name}" for e in world.entities.values() for g in e.fields.values())
            if f.type in KEYS and [f_name] != entity.key and not targeted:
                f.unique = not f.unique
        case 22 | 23 if entity is not None:
            _redirect(random, world, entity)
        case 24 if entity is not None and entity.indexes:
            at = random.randrange(len(entity.indexes))
            index = entity.indexes[at]
            index = index.replace(" is not null", " is null") if "partial" in index else index.removesuffix(" desc")
            if index not in entity.indexes:
                entity.indexes[at] = index
        case 25:
            free = [n for n in ("Mood", "Phase", "Tone") if n not in world.enums and f"{n}New" not in world.enums]
            if free and random.random() < 0.5:
                world.enums[free[0]] = random.sample(["low", "mid", "high", "none", "on"], 3)
            elif entity is not None and entity.checks:
                check = random.choice([*entity.checks])
                entity.checks[check] = entity.checks[check].replace("1000000", "2000000")
        case 19 if world.enums:
            enum = random.choice([*world.enums])
            used = [f for e in world.entities.values() for f in e.fields.values() if f.type == enum]
            if used and random.random() < 0.5:
                for f in used:
                    f.type, f.default = "text", ""
                    f.backfill = ""
                del world.enums[enum]
                world.enum_was.pop(enum, None)
                world.label_was.pop(enum, None)
        case _:
            pass


def _used(world: World, entity: str, name: str) -> bool:
    """Whether something would be left hanging when a field goes."""
    own = world.entities[entity]
    text = " ".join([*own.indexes, *own.checks.values(), *(f.check + f.backfill for f in own.fields.values())])
    return (
        name in text
        or any(name in names for names in own.uniques)
        or name in (own.touch, own.partition)
        or any(f.ref == f"{entity}.{name}" for e in world.entities.values() for f in e.fields.values())
    )


def _drop_field(entity: Entity, name: str) -> None:
    del entity.fields[name]


def _rename_entity(world: World, old: str, new: str) -> None:
    entity = world.entities.pop(old)
    entity.was = entity.was or old
    world.entities[new] = entity
    for other in world.entities.values():
        for f in other.fields.values():
            if f.ref.startswith(f"{old}."):
                f.ref = f"{new}.{f.ref.partition('.')[2]}"


def _rename_field(world: World, entity_name: str, old: str, new: str) -> None:
    import re

    entity = world.entities[entity_name]

    def renamed(text: str) -> str:
        return re.sub(rf"(?<![\w]){old}(?![\w])", new, text)

    entity.fields = {(new if n == old else n): f for n, f in entity.fields.items()}
    entity.fields[new].was = entity.fields[new].was or old
    entity.key = [new if n == old else n for n in entity.key]
    entity.uniques = [sorted(new if n == old else n for n in names) for names in entity.uniques]
    entity.indexes = [renamed(index) for index in entity.indexes]
    entity.checks = {n: renamed(sql) for n, sql in entity.checks.items()}
    for f in entity.fields.values():
        f.check, f.backfill = renamed(f.check), renamed(f.backfill)
    entity.touch = new if entity.touch == old else entity.touch
    entity.partition = new if entity.partition == old else entity.partition
    for other in world.entities.values():
        for f in other.fields.values():
            if f.ref == f"{entity_name}.{old}":
                f.ref = f"{entity_name}.{new}"


def _rename_enum(world: World, old: str) -> None:
    new = f"{old}New"
    world.enums[new] = world.enums.pop(old)
    world.enum_was[new] = old
    for entity in world.entities.values():
        for f in entity.fields.values():
            f.type = new if f.type == old else f.type
    label = world.enums[new][0]
    if label not in ("extra", "fresh", "later"):
        world.enums[new][0] = f"{label}_x"
        world.label_was[new] = {f"{label}_x": label}
        for entity in world.entities.values():
            for f in entity.fields.values():
                if f.type == new:
                    f.default = f'"{label}_x"' if f.default == f'"{label}"' else f.default
                    f.backfill = f.backfill.replace(f"'{label}'", f"'{label}_x'")


def _swap(random: Random, world: World, name: str, entity: Entity) -> None:
    """Two fields change their names, and everything that names them goes along."""
    free = [n for n, f in entity.fields.items() if not f.was and n in NAMES]
    if len(free) > 1:
        a, b = random.sample(free, 2)
        _rename_field(world, name, a, "aside")
        _rename_field(world, name, b, a)
        _rename_field(world, name, "aside", b)


def _redirect(random: Random, world: World, entity: Entity) -> None:
    """A foreign key comes, goes, points elsewhere or acts otherwise."""
    name = random.choice([*entity.fields])
    f = entity.fields[name]
    targets = [
        f"{n}.{k}"
        for n, e in world.entities.items()
        for k, g in e.fields.items()
        if e.key == [k] and k == "id" and g.type == f.type and g is not f
    ]
    if f.ref and random.random() < 0.5:
        f.ref = random.choice(["", *targets])
    elif f.ref:
        f.action = random.choice(ACTIONS)
    elif targets and not f.generated and f.type in KEYS:
        f.ref, f.action = random.choice(targets), random.choice(["", "cascade", "restrict"])
    if f.action == "set null" and f.not_null:
        f.action = "restrict"


def _retype(random: Random, world: World, name: str, entity: Entity) -> None:
    """A column and what references it get another type; what is bound to the type has to stay right."""
    old = random.choice([*entity.fields])
    f = entity.fields[old]
    if f.ref or (f.generated == "identity" and random.random() < 0.5):
        return
    followers = [g for e in world.entities.values() for g in e.fields.values() if g.ref == f"{name}.{old}"]
    lowered = any(
        g.ref == f"{name}.{old}" and f"lower({_quoted(n)})" in " ".join(e.indexes)
        for e in world.entities.values()
        for n, g in e.fields.items()
    )
    after = NEXT.get(f.type, [])
    if f.generated:
        after = [t for t in after if t in ("int", "bigint")]
    if followers or old in entity.key or f.unique or any(old in names for names in entity.uniques):
        after = [t for t in after if t in KEYS]
    if lowered or f"lower({_quoted(old)})" in " ".join(entity.indexes):
        after = [t for t in after if t in TEXTS]
    if f.check or old in " ".join(entity.checks.values()):
        after = [t for t in after if t in NUMBERS]
    if old == entity.touch:
        after = []
    if after:
        f.type = random.choice(after)
        f.default = _default(random, world, f.type) if f.default else ""
        f.backfill = ""
        for g in followers:
            g.type, g.default, g.backfill = f.type, "", ""


def _rekey(random: Random, entity: Entity) -> None:
    if "id" not in entity.fields:
        return
    others = [n for n, f in entity.fields.items() if n != "id" and f.not_null and f.type in KEYS and not f.unique]
    choices = [["id"], [], *([[o, "id"]] if (o := random.choice(others) if others else "") else [])]
    new = random.choice([c for c in choices if c != entity.key])
    if sorted(new) in entity.uniques:
        return
    for name in entity.key:
        entity.fields[name].not_null = True
    entity.key = new
    for name in new:
        entity.fields[name].not_null = True
        entity.fields[name].backfill = ""


def _backfill(world: World, type_: str) -> str:
    if type_ in world.enums:
        return f"'{world.enums[type_][0]}'"
    return {
        **dict.fromkeys(NUMBERS, "5"),
        **dict.fromkeys(TEXTS, "'5'"),
        "boolean": "false",
        "date": "'2001-02-03'",
        "timestamp": "'2001-02-03 04:05:06'",
        "timestamptz": "'2001-02-03 04:05:06+00'",
        "uuid": "'00000000-0000-0000-0000-000000000001'",
        "jsonb": "'{}'",
        "[]int": "'{1}'",
        "[]text": "'{a}'",
        "bytea": "''",
        "interval": "'1 day'",
    }.get(type_, "")


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
        "interval": f"'{n} days'",
    }[f.type]
