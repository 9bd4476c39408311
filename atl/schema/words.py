"""What the words of the language mean, as data: declarations, clauses, modifiers, values.

Hovers, completion and the published pages read the same rows. Types are in `schema.types.BUILTINS`.
"""

from __future__ import annotations

from atl.records import NamedTuple

__all__ = ["OWNERS", "WORDS", "Word", "meaning", "words_of"]


class Word(NamedTuple):
    """One row.

    owner: one of OWNERS: where the word stands. word: the first word of the clause, or all of them where one alone says
    too little (`index hnsw`). form: how it is written, with `<name>` for what is filled in, `<a|b>` for one of these
    words, and `<>` where the cursor ends. usual: what holds where it is left out, as it would be written; "" when
    nothing does. once: at most one in its body.
    """

    owner: str
    word: str
    form: str
    documentation: str
    usual: str = ""
    once: bool = False


OWNERS = (
    "file",
    "entity",
    "hyper",
    "cache",
    "modifier",
    "job",
    "workflow",
    "step",
    "ephemeral",
    "query",
    "procedure",
    "steps",
    "value",
)
"""`hyper` has what only a hypertable has beside the clauses of an entity; `step` is a step or compensation of a
workflow, `steps` a procedure's."""

_ROWS = (
    Word(
        "file",
        "entity",
        "entity <Name> in <namespace> {\n  id bigint identity primary\n  <>\n}",
        "A table: its fields, its key, its indexes and constraints.",
    ),
    Word(
        "file",
        "hypertable",
        "hypertable <Name> in <namespace> on <at> {\n  id bigint not null\n  at timestamptz not null\n"
        "  primary by id, at\n  <>\n}",
        "An entity that TimescaleDB cuts into chunks by a `timestamptz` field, which is part of the key and of every "
        "unique constraint.",
    ),
    Word(
        "file",
        "query",
        "query <Name> for <Entity> {\n  input { <id>: <bigint> }\n  output as <Entity>\n"
        "  sql touches(<Entity>) {\n    <>\n  }\n}",
        "Reads: one SQL statement with declared inputs and outputs. It belongs to an entity.",
    ),
    Word(
        "file",
        "procedure",
        "procedure <Name> for <Entity> {\n  input { <id>: <bigint> }\n  steps {\n    <>\n  }\n}",
        "Writes: steps that run in order in one transaction. It belongs to an entity and returns nothing.",
    ),
    Word("file", "job", "job <Name> in <namespace> {\n  args {\n    <>\n  }\n}", "Work that runs in the background."),
    Word(
        "file",
        "workflow",
        "workflow <Name> in <namespace> {\n  state {\n    <id> <bigint> not null\n  }\n"
        "  step <first> {\n    job <Job>\n  }\n}",
        "Jobs that run one after the other over a common state; compensations undo the steps that were done.",
    ),
    Word("file", "ephemeral", "ephemeral <Name> in <namespace> {\n  <>\n  ttl = <24h>\n}", "A store that expires."),
    Word(
        "file", "enum", "enum <Name> in <namespace> { <first>, <second> }", "A PostgreSQL enum: a closed set of labels."
    ),
    # ---------------------------------------------------------------- entities
    Word(
        "entity", "primary by", "primary by <field>", "The key, of one field or several; each is `not null`.", once=True
    ),
    Word("entity", "unique by", "unique by <field>", "No two rows have the same values in these fields."),
    Word("entity", "index by", "index by <field>", 'A btree index. A column may be `expr "..."`, and `asc` or `desc`.'),
    Word(
        "entity",
        "index partial",
        "index partial by <field> where <predicate>",
        'An index of the rows for which the predicate holds, which reaches to the end of the line. In it `"..."` is a '
        "string.",
    ),
    Word(
        "entity",
        "unique index partial",
        "unique index partial by <field> where <predicate>",
        "Unique among the rows for which the predicate holds. The only unique index there is.",
    ),
    Word(
        "entity",
        "index hnsw",
        "index hnsw on <field> ops <cosine|l2|ip>",
        "An index for nearest neighbours (pgvector), on a `vector(n)` with n up to 2000.",
    ),
    Word("entity", "index gin", "index gin on <field>", "An index into `jsonb` or an array."),
    Word(
        "entity",
        "has_many",
        "has_many <name>: <Entity> via <field>",
        "Says that many rows there point here. It has no effect.",
    ),
    Word(
        "entity",
        "has_one",
        "has_one <name>: <Entity> via <field>",
        "Says that one row there points here. It has no effect.",
    ),
    Word(
        "entity",
        "soft_delete",
        "soft_delete by <field>",
        "A deleted row stays, with the moment of its deletion in this field, a nullable `timestamptz`.",
        once=True,
    ),
    Word(
        "entity",
        "touch_on_update",
        "touch_on_update by <field>",
        "Every update sets this `timestamptz` field to the moment it happens.",
        once=True,
    ),
    Word(
        "entity",
        "partition",
        "partition by <field>",
        "Rows belong to the tenant that this `not null` field names.",
        once=True,
    ),
    Word(
        "entity",
        "ttl_field",
        "ttl_field <field>",
        "A row expires at the moment in this `timestamptz` field.",
        once=True,
    ),
    Word(
        "entity",
        "table",
        'table "<name>"',
        "The table in PostgreSQL, `[schema.]table`; a bare name is in `public`. Left out, it is "
        "`atlantis.<namespace>_<name>`.",
        once=True,
    ),
    Word(
        "entity",
        "query_timeout",
        "query_timeout = <5s>",
        "The longest that a statement may take: 50ms to 30s.",
        once=True,
    ),
    Word("entity", "keyless", "keyless", "The table has no key.", once=True),
    Word("entity", "check", 'check "<condition>"', "What holds for every row. `as name` names the constraint."),
    Word(
        "entity",
        "cache",
        "cache {\n  read_through ttl = <5m>\n  <>\n}",
        "Reads are answered from a cache until they expire or a write invalidates them.",
        once=True,
    ),
    Word("hyper", "chunk_time_interval", "chunk_time_interval <7d>", "How much time one chunk holds.", once=True),
    # ---------------------------------------------------------------- caches
    Word(
        "cache",
        "read_through",
        "read_through ttl = <5m>",
        "A miss reads from the table and keeps the answer for this long; `tag` says what it can be invalidated by.",
        once=True,
    ),
    Word("cache", "invalidate_on", "invalidate_on: write(<Entity>)", "Writes that drop what is cached.", once=True),
    Word("cache", "consistency", "consistency = <strict|eventual>", "It has no effect.", once=True),
    # ---------------------------------------------------------------- modifiers
    Word("modifier", "primary", "primary", "The field is the key. Implies `not null`."),
    Word(
        "modifier",
        "identity",
        "identity",
        "Numbered by PostgreSQL (`GENERATED ALWAYS AS IDENTITY`). Implies `not null`.",
    ),
    Word("modifier", "serial", "serial", "Numbered by a sequence of its own. Implies `not null`."),
    Word("modifier", "not null", "not null", "There is always a value."),
    Word("modifier", "unique", "unique", "No two rows have the same value."),
    Word(
        "modifier", "default", "default <value>", 'The value where none is given; `raw "..."` takes any SQL expression.'
    ),
    Word(
        "modifier",
        "references",
        "references <namespace>.<Entity>.<field>",
        "A foreign key to a field that is `primary` or `unique`. `on delete` and `on update` say what follows.",
    ),
    Word("modifier", "check", 'check "<condition>"', "What holds for every value."),
    Word(
        "modifier",
        "backfill",
        'backfill "<expression>"',
        "What fills the rows that are there when the column becomes `not null`.",
    ),
    # ---------------------------------------------------------------- jobs
    Word("job", "args", "args {\n  <>\n}", "What a handler receives. Without it, nothing.", once=True),
    Word("job", "retries", "retries <3>", "Attempts before the dead-letter queue.", "0", True),
    Word("job", "timeout", "timeout <30m>", "The deadline of one attempt; `none` removes it.", "30m", True),
    Word(
        "job",
        "heartbeat",
        "heartbeat <5m>",
        "How long a claim lives without a sign of life; the worker's client signals at a third of it.",
        "5m",
        True,
    ),
    Word("job", "queue", 'queue "<default>"', "Which pool of workers runs it.", '"default"', True),
    Word(
        "job",
        "schedule",
        'schedule "<0 * * * *>"',
        "When it is fired, without arguments: minute, hour, day, month, weekday. Skipped while an earlier run is "
        "pending.",
        "",
        True,
    ),
    Word("job", "visible_to", 'visible_to "<*>"', "Which caller may submit it and claim it.", '"*"', True),
    # ---------------------------------------------------------------- workflows and ephemerals
    Word("workflow", "state", "state {\n  <>\n}", "What the steps share.", once=True),
    Word("workflow", "step", "step <name> {\n  job <Job>\n}", "A job to run, after the step before it."),
    Word(
        "workflow",
        "compensate",
        "compensate <step> {\n  job <Job>\n}",
        "The job that undoes a step when a later one fails.",
    ),
    Word("step", "job", "job <Job>", "The job that is run.", once=True),
    Word("step", "args", "args { <> }", "What the job is given: literals, `now()` and `$state` fields.", once=True),
    Word("ephemeral", "ttl", "ttl = <24h>", "How long an entry lives.", "24h", True),
    # ---------------------------------------------------------------- queries and procedures
    Word("query", "input", "input { <name>: <type> }", "The parameters, `$name` in the SQL.", once=True),
    Word(
        "query",
        "output",
        "output as <Entity>",
        "What is selected: every column of an entity, or `{ name: type }`.",
        once=True,
    ),
    Word(
        "query",
        "sql",
        "sql touches(<Entity>) {\n  <>\n}",
        "The statement, and the entities whose tables it names.",
        once=True,
    ),
    Word(
        "query",
        "cache",
        "cache {\n  read_through ttl = <5m>\n  <>\n}",
        "Answers are kept until they expire or a write invalidates them.",
        once=True,
    ),
    Word("procedure", "input", "input { <name>: <type> }", "The parameters, `$name` in the steps.", once=True),
    Word("procedure", "steps", "steps {\n  <>\n}", "What is done, in order, in one transaction.", once=True),
    Word(
        "procedure",
        "invalidate",
        'invalidate: tag("<tag>")',
        "What is cached under this tag is dropped; `{name}` stands for an input.",
        once=True,
    ),
    Word("steps", "update", "update <Entity> set <field> = <value> where <condition>", "Change rows."),
    Word("steps", "insert", "insert <Entity> { <field> = <value> }", "Add a row."),
    Word("steps", "delete", "delete <Entity> where <condition>", "Remove rows."),
    Word("steps", "enqueue", "enqueue <Job>(<>)", "Queue a job if and only if the transaction commits."),
    Word(
        "steps",
        "sql",
        "sql touches(<Entity>) {\n  <>\n}",
        "A statement of SQL, and the entities whose tables it names.",
    ),
    # ---------------------------------------------------------------- values and small words
    Word("value", "now", "now()", "The moment at which the transaction began."),
    Word("value", "true", "true", "The boolean value."),
    Word("value", "false", "false", "The boolean value."),
    Word("value", "none", "none", "No deadline."),
    Word("value", "raw", 'raw "<expression>"', "Any SQL expression without columns, as it is."),
    Word("value", "self", "self", "The entity, or row, whose cache this is."),
    Word("value", "cascade", "cascade", "Rows that point to it follow: they are deleted, or updated."),
    Word("value", "restrict", "restrict", "Refused while rows point to it."),
    Word("value", "set null", "set null", "Rows that point to it lose the reference."),
    Word("value", "cosine", "cosine", "Cosine distance."),
    Word("value", "l2", "l2", "Euclidean distance."),
    Word("value", "ip", "ip", "Inner product."),
    Word("value", "strict", "strict", "It has no effect."),
    Word("value", "eventual", "eventual", "It has no effect."),
    Word("value", "asc", "asc", "Smallest first, as without it."),
    Word("value", "desc", "desc", "Largest first."),
    Word("value", "expr", 'expr "<expression>"', "An index over what an SQL expression gives for each row."),
    Word("value", "deferrable", "deferrable", "It has no effect."),
)

WORDS: dict[tuple[str, str], Word] = {(row.owner, row.word): row for row in _ROWS}
"""By owner and word, in the order in which they are offered."""


def words_of(owner: str) -> list[Word]:
    """The rows of an owner; a hypertable has an entity's too."""
    return [row for row in _ROWS if row.owner == owner or (owner == "hyper" and row.owner == "entity")]


def meaning(owner: str, word: str) -> Word | None:
    """The row of a word where it stands in `owner`; of one word alone the first row that begins with it."""
    found = WORDS.get((owner, word)) or (WORDS.get(("entity", word)) if owner == "hyper" else None)
    return found or next((row for row in words_of(owner) if row.word.split()[0] == word), None)
