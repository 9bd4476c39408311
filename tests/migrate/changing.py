"""Changes of a random world: members come, go, change their names, types and settings."""

from __future__ import annotations

import re
from random import Random

from tests.migrate.worlds import (
    ACTIONS,
    KEYS,
    NAMES,
    NEXT,
    NUMBERS,
    TEXTS,
    Entity,
    World,
    add_field,
    decorate,
    default,
    new_entity,
    quoted,
)

__all__ = ["change"]


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
                world.entities[free[0]] = new_entity(random, world)
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
                add_field(random, world, entity, new)
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
                f.default = "" if f.default else default(random, world, f.type)
        case 14 if entity is not None:
            decorate(random, entity)
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
        f.on_update = random.choice(["", "cascade", "restrict"])
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
        g.ref == f"{name}.{old}" and f"lower({quoted(n)})" in " ".join(e.indexes)
        for e in world.entities.values()
        for n, g in e.fields.items()
    )
    after = NEXT.get(f.type, [])
    if f.generated:
        after = [t for t in after if t in ("int", "bigint")]
    if followers or old in entity.key or f.unique or any(old in names for names in entity.uniques):
        after = [t for t in after if t in KEYS]
    if lowered or f"lower({quoted(old)})" in " ".join(entity.indexes):
        after = [t for t in after if t in TEXTS]
    if f.check or old in " ".join(entity.checks.values()):
        after = [t for t in after if t in NUMBERS]
    if old == entity.touch or f"index gin on {old}" in entity.indexes:
        after = []
    if after:
        f.type = random.choice(after)
        f.default = default(random, world, f.type) if f.default else ""
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
