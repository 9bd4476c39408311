"""Random schemas, built as `build` would build them but without regard to whether they make sense."""

from __future__ import annotations

from hypothesis import strategies as st

from atl.schema import model as m
from atl.schema.types import Type, parse_type

NAMES = st.sampled_from(["a", "b", "c", "id", "created_at", "größe", "Order", "x1"])
IDS = st.builds("{}.{}".format, NAMES, NAMES)
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
REFERENCES = st.one_of(IDS, NAMES, st.just(""))
MS = st.integers(1, 10**12)


def _type(text: str) -> Type:
    made = parse_type(text)
    assert made is not None
    return made


TYPES = st.sampled_from(
    ["bigint", "varchar(20)", "char(1)", "numeric(8, 2)", "[]text", "shop.Status", "vector(3)", "varchar(0)", ""]
).map(_type)
VALUES = st.one_of(
    TEXT.map(lambda text: m.Value("string", text)),
    st.integers(-(10**30), 10**30).map(lambda number: m.Value("integer", str(number))),
    st.sampled_from([m.Value("boolean", "true"), m.Value("boolean", "false"), m.Value("now", "")]),
    TEXT.map(lambda text: m.Value("raw", text)),
)


def _maybe(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(""), strategy)


@st.composite
def _fields(draw: st.DrawFn, kind: str) -> dict[str, m.Field]:
    names = draw(st.lists(NAMES, unique=True, max_size=4))
    primary = draw(st.sampled_from(["", *names])) if kind == "entry" else ""
    fields = {}
    for name in names:
        stored = kind == "stored"
        generated = draw(st.sampled_from(["", "", "identity", "serial"])) if stored else ""
        fields[name] = m.Field(
            name,
            draw(TYPES),
            not_null=kind == "input"
            or generated != ""
            or name == primary
            or (kind != "output" and draw(st.booleans())),
            primary=name == primary,
            unique=stored and draw(st.booleans()),
            generated=generated,
            default=None if kind == "output" else draw(st.none() | VALUES),
            reference=draw(st.none() | st.builds(m.Reference, IDS, NAMES, ACTIONS, ACTIONS)) if stored else None,
            check=draw(TEXT) if kind in ("stored", "argument", "entry") else "",
            backfill=draw(TEXT) if stored else "",
            renamed_from=draw(_maybe(NAMES)) if stored else "",
        )
    return fields


ACTIONS = st.sampled_from(["", "cascade", "restrict", "set null"])
INDEXES = st.builds(
    m.Index,
    st.sampled_from(["btree", "gin", "hnsw"]),
    st.lists(
        st.builds(m.IndexColumn, NAMES, st.just(""), st.booleans())
        | st.builds(m.IndexColumn, st.just(""), TEXT.filter(bool), st.booleans()),
        min_size=1,
        max_size=3,
    ).map(tuple),
    st.booleans(),
    TEXT,
    st.sampled_from(["", "l2"]),
)
WRITES = st.just(m.CacheWrite("self")) | st.builds(m.CacheWrite, IDS, _maybe(NAMES), _maybe(NAMES))
CACHES = st.none() | st.builds(
    m.Cache,
    st.none() | MS,
    st.none() | TEXT,
    st.lists(WRITES, unique=True, max_size=3).map(
        lambda writes: tuple(sorted(writes, key=lambda write: (write.entity, write.field, write.own)))
    ),
    st.sampled_from(["", "strict", "eventual"]),
)


@st.composite
def _entity(draw: st.DrawFn, id: str) -> m.Entity:
    fields = draw(_fields("stored"))
    key = tuple(draw(st.lists(NAMES, unique=True, max_size=2)))
    for name in key:
        if name in fields:
            field = fields[name]
            alone = key == (name,)
            fields[name] = m.Field(
                name,
                field.type,
                True,
                alone,
                field.unique and not alone,
                field.generated,
                field.default,
                field.reference,
                field.check,
                field.backfill,
                field.renamed_from,
            )
    sets = draw(st.lists(st.lists(NAMES, unique=True, min_size=2, max_size=3).map(lambda each: tuple(sorted(each)))))
    hyper = draw(st.booleans())
    return m.Entity(
        id,
        fields,
        key,
        draw(st.tuples(NAMES, NAMES)),
        keyless=not key and draw(st.booleans()),
        hyper=hyper,
        time_field=draw(_maybe(NAMES)) if hyper else "",
        chunk_interval_ms=draw(st.none() | MS) if hyper else None,
        unique_by=tuple(sorted(set(sets))),
        indexes=tuple(sorted(draw(st.lists(INDEXES, max_size=3)), key=m.index_order)),
        checks=tuple(
            sorted(
                draw(st.lists(st.builds(m.Check, _maybe(NAMES), TEXT), max_size=2)),
                key=lambda check: (check.name, check.expression),
            )
        ),
        relations=tuple(
            draw(st.lists(st.builds(m.Relation, st.just("has_one"), NAMES, REFERENCES, NAMES), max_size=1))
        ),
        soft_delete=draw(_maybe(NAMES)),
        touch_on_update=draw(_maybe(NAMES)),
        ttl_field=draw(_maybe(NAMES)),
        partition=draw(_maybe(NAMES)),
        query_timeout_ms=draw(st.none() | MS),
        cache=draw(CACHES),
        renamed_from=draw(_maybe(NAMES)),
        where=("file.atl", draw(st.integers(1, 9))),
    )


ARGUMENTS = st.dictionaries(NAMES, st.none() | VALUES | NAMES, max_size=3).map(
    lambda given: tuple(
        m.Argument(name, value, None) if isinstance(value, str) else m.Argument(name, "", value)
        for name, value in sorted(given.items())
    )
)
SQL = st.builds(m.SqlStep, st.lists(REFERENCES, unique=True, max_size=2).map(lambda ids: tuple(sorted(ids))), TEXT)
STEPS = st.one_of(
    SQL,
    st.builds(
        m.WriteStep,
        st.sampled_from(["update", "insert", "delete"]),
        REFERENCES,
        st.lists(st.tuples(TEXT, TEXT), max_size=2).map(lambda pairs: tuple(sorted(pairs))),
        st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=2).map(tuple),
    ),
    st.builds(m.EnqueueStep, REFERENCES, ARGUMENTS),
)


def _runs(names: list[str]) -> st.SearchStrategy[tuple[m.WorkflowStep, ...]]:
    return st.tuples(*(st.builds(m.WorkflowStep, st.just(name), REFERENCES, ARGUMENTS) for name in names))


RUNS = st.lists(NAMES, unique=True, max_size=3).flatmap(_runs)


@st.composite
def schemas(draw: st.DrawFn) -> m.Schema:
    ids = {kind: draw(st.lists(IDS, unique=True, max_size=2)) for kind in m.Schema.__dataclass_fields__}
    return m.Schema(
        entities={id: draw(_entity(id)) for id in ids["entities"]},
        enums={
            id: m.Enum(
                id,
                tuple(labels := draw(st.lists(TEXT, unique=True, max_size=3))),
                draw(st.tuples(NAMES, NAMES)),
                {label: draw(TEXT.filter(bool)) for label in labels if draw(st.booleans())},
                draw(_maybe(NAMES)),
            )
            for id in ids["enums"]
        },
        queries={
            id: m.Query(
                id,
                draw(REFERENCES),
                draw(_fields("input")),
                draw(REFERENCES),
                tuple(draw(_fields("output")).values()),
                draw(SQL),
                draw(CACHES),
            )
            for id in ids["queries"]
        },
        procedures={
            id: m.Procedure(
                id, draw(REFERENCES), draw(_fields("input")), tuple(draw(st.lists(STEPS, max_size=3))), draw(TEXT)
            )
            for id in ids["procedures"]
        },
        jobs={
            id: m.Job(
                id,
                draw(_fields("argument")),
                draw(st.integers(-1, 1 << 63)),
                draw(st.none() | MS),
                draw(MS),
                draw(TEXT),
                draw(TEXT),
                draw(TEXT),
                draw(_maybe(NAMES)),
            )
            for id in ids["jobs"]
        },
        workflows={
            id: m.Workflow(id, draw(_fields("argument")), draw(RUNS), {run.name: run for run in draw(RUNS)})
            for id in ids["workflows"]
        },
        ephemerals={
            id: m.Ephemeral(
                id, fields := draw(_fields("entry")), next((n for n, f in fields.items() if f.primary), ""), draw(MS)
            )
            for id in ids["ephemerals"]
        },
    )
