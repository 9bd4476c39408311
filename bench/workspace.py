"""A workspace of declarations as services have them, of any number of files, without findings.

A file is about one subject: an entity or two with keys, indexes, checks and references into other files, what is done
with them (queries and procedures with SQL, jobs, a workflow), and sometimes an enum, an ephemeral or a hypertable.
The same number of files always gives the same texts: a file's follows from its number alone. Of 1,000 files the
lines are 99,000 and the entities and jobs 2,098.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from bench.vocabulary import DOMAINS, FIELDS, PREFIXES, QUALIFIERS, STATUSES

__all__ = ["LINES", "declarations", "one_file", "write_workspace"]

LINES = 99  # of a file, on average

_A_NAMESPACE = 20  # files
_KEYS = ("uuid", "bigint", "varchar(64)")
_KEY_REST = {
    "uuid": 'primary default raw "gen_random_uuid()"',
    "bigint": "primary identity",
    "varchar(64)": "primary",
}


def declarations(files: int) -> dict[str, str]:
    """Texts by path, `tide.yaml` among them."""
    texts = {"tide.yaml": "caller: bench\nschema_paths: [internal]\n"}
    for number in range(files):
        subject = _Subject(number, files)
        texts[f"internal/{subject.namespace}/{_snake(subject.name)}.atl"] = subject.text()
    return texts


def one_file(lines: int, sql: bool = True) -> str:
    """Declarations that need no other file. lines: exactly so many; without SQL there is none in any form."""
    made: list[str] = []
    for number in range(lines):
        subject = _Subject(number, number + 1, alone=True, sql=sql)
        rest = lines - sum(text.count("\n") for text in made)
        made.append(subject.text(rest if rest < 2 * LINES else LINES))
        if rest < 2 * LINES:
            return "".join(made)
    raise AssertionError("unreachable")


def write_workspace(folder: Path, texts: Mapping[str, str]) -> None:
    for path, text in texts.items():
        full = folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text)


class _Subject:
    """What one file is about. alone: refers to nothing outside of itself."""

    def __init__(self, number: int, files: int, alone: bool = False, sql: bool = True) -> None:
        domain, nouns = DOMAINS[number // _A_NAMESPACE % len(DOMAINS)]
        block, within = divmod(number // _A_NAMESPACE, len(DOMAINS))
        place = number % _A_NAMESPACE
        self.number = number
        self.files = files
        self.alone = alone
        self.sql = sql
        self.namespace = domain if block == 0 else f"{domain}_{block + 1}"
        self.noun = nouns[place % len(nouns)]
        self.name = QUALIFIERS[(place + within) % len(QUALIFIERS)] + self.noun
        self.table = _snake(self.name)
        self.key = _KEYS[number % len(_KEYS)]
        self.random = Random(number)
        self.has_item = number % 3 != 0
        self.has_enum = number % 4 == 1
        self.has_job = not self.has_item or (number % 30 in (1, 7, 13) and number % 1000 < 970)

    def text(self, lines: int = 0) -> str:
        """lines: 0 for a number around the average."""
        lines = lines or LINES + (-6, 14, -4, 8, -12)[self.number % 5] * (1 if self.number // 5 % 2 else -1)
        parts = [*self._head(), *self._methods(), *self._extras()]
        spare = lines - sum(part.count("\n") for part in parts)
        least = [self._root(0)]
        if self.has_item:
            least.append(self._item(0))
        spare -= sum(body.count("\n") for body in least)
        bodies = [self._root(spare // len(least))]
        if self.has_item:
            bodies.append(self._item(spare - spare // 2))
        return "".join([parts[0], *bodies, *parts[1:]])

    # -------------------------------------------------------- entities

    def _head(self) -> Iterator[str]:
        yield f"// {self.name}: what {self.namespace} keeps of every {self.noun.lower()}, and what is done with it.\n"
        if self.has_enum:
            labels = ", ".join(STATUSES[: 3 + self.number % 4])
            yield f"\nenum {self.name}Status in {self.namespace} {{ {labels} }}\n"

    def _root(self, more: int) -> str:
        """more: how many fields besides those that all have."""
        status = f"{self.name}Status" if self.has_enum else "varchar(16)"
        fixed = [
            ("id", self.key, _KEY_REST[self.key] if self.sql else "primary"),
            ("tenant_id", "uuid", "not null"),
            ("status", status, 'not null default "open"'),
        ]
        partner = self._partner()
        if partner is not None:
            target = f"{partner.namespace}.{partner.name}.id"
            fixed.append((f"{partner.table}_id", partner.key, f"references {target} on delete set null"))
        last = [
            ("created_at", "timestamptz", "not null default now()"),
            ("updated_at", "timestamptz", "not null default now()"),
            ("deleted_at", "timestamptz", ""),
        ]
        clauses = ["index by tenant_id, created_at desc", "touch_on_update by updated_at", "soft_delete by deleted_at"]
        if partner is not None:
            clauses.insert(1, f"index by {partner.table}_id")
        if self.sql and self.number % 3 == 1:
            clauses.insert(1, "index partial by status where deleted_at is null")
        if self.number % 5 == 2:
            clauses.append("query_timeout = 5s")
        if self.number % 4 == 2:
            clauses.append(f'cache {{\n    read_through ttl = 5m tag = "{self.table}:{{id}}"\n  }}')
        if self.sql and self.number % 6 == 0:
            clauses.append(f'check "updated_at >= created_at" as {self.table}_in_order')
        about = f"// One {self.noun.lower()}; tenants see their own.\n"
        head = f"\n{about}entity {self.name} in {self.namespace} {{\n"
        return _entity(head, [*fixed, *self._columns(more), *last], clauses)

    def _item(self, more: int) -> str:
        owner = f"{self.table}_id"
        fixed = [
            ("id", "bigint", "primary identity"),
            (owner, self.key, f"not null references {self.namespace}.{self.name}.id on delete cascade"),
            ("number", "int", "not null" + (' check "number > 0"' if self.sql and self.number % 7 == 0 else "")),
        ]
        clauses = [f"unique by {owner}, number"]
        head = f"\n// A line of it.\nentity {self.name}Item in {self.namespace} {{\n"
        return _entity(head, [*fixed, *self._columns(more)], clauses)

    def _columns(self, count: int) -> list[tuple[str, str, str]]:
        names = [(column.name, column) for column in FIELDS]
        names += [(f"{prefix}_{column.name}", column) for prefix in PREFIXES for column in FIELDS]
        chosen = sorted(self.random.sample(range(len(names) if count > 20 else len(FIELDS)), count))
        return [(names[i][0], names[i][1].type, names[i][1].rest) for i in chosen]

    def _partner(self) -> _Subject | None:
        """The subject of another file, that this one's entity refers to."""
        if self.alone or self.number % 5 == 4:
            return None
        other = (self.number * 7 + 13) % self.files
        return _Subject(other, self.files) if other != self.number else None

    # -------------------------------------------------------- what is done with them

    def _methods(self) -> Iterator[str]:
        if self.has_job:
            yield self._job()
        if self.sql and self.number % 5 < 3:
            yield self._list_query()
        if self.sql and self.has_item and self.number % 5 > 2:
            yield self._sum_query()
        if self.number % 3 != 2:
            yield self._procedure()

    def _job(self) -> str:
        schedule = '  schedule  "15 3 * * *"\n' if self.number % 8 == 5 else ""
        required = "" if schedule else " not null"
        return f"""
job Sync{self.name} in {self.namespace} {{
  args {{
    {self.table}_id {self.key}{required}
    mode {_spaces(self.table)} varchar(20) not null default "full"
  }}
  retries   {1 + self.number % 5}
  timeout   {10 + self.number % 50}m
  heartbeat 2m
  queue     "{self.namespace}"
{schedule}}}
"""

    def _list_query(self) -> str:
        return f"""
query List{self.name} for {self.namespace}.{self.name} {{
  input {{
    tenant: uuid
    since: timestamptz
    most: int default 50
  }}
  output as {self.name}
  sql touches({self.name}) {{
    SELECT *
      FROM {self.namespace}.{self.table}
     WHERE tenant_id = $tenant AND created_at >= $since AND deleted_at IS NULL
     ORDER BY created_at DESC
     LIMIT $most
  }}
}}
"""

    def _sum_query(self) -> str:
        return f"""
query Count{self.name}Items for {self.namespace}.{self.name} {{
  input {{ tenant: uuid }}
  output {{ id: {self.key}, items: bigint, highest: int }}
  sql touches({self.name}, {self.name}Item) {{
    SELECT o.id, count(i.id) AS items, max(i.number) AS highest
      FROM {self.namespace}.{self.table} o
      LEFT JOIN {self.namespace}.{self.table}_item i ON i.{self.table}_id = o.id
     WHERE o.tenant_id = $tenant
     GROUP BY o.id
  }}
}}
"""

    def _procedure(self) -> str:
        if self.has_job and self.sql:
            step = f'enqueue Sync{self.name}({self.table}_id: $id, mode: "changes")'
        else:
            step = f"delete {self.name}Item where {self.table}_id = $id" if self.has_item else ""
        raw = ""
        if self.sql and self.number % 5 == 3:
            raw = f"""    sql touches({self.name}) {{
      UPDATE {self.namespace}.{self.table} SET deleted_at = NULL WHERE id = $id AND deleted_at > now()
    }}
"""
        return f"""
procedure Close{self.name} for {self.namespace}.{self.name} {{
  input {{ id: {self.key} }}
  steps {{
    update {self.name} set status = "closed", updated_at = now() where id = $id
{f"    {step}" + chr(10) if step else ""}{raw}  }}
  invalidate: tag("{self.table}")
}}
"""

    def _extras(self) -> Iterator[str]:
        if self.has_job and self.number % 5 == 3:
            yield f"""
workflow Move{self.name} in {self.namespace} {{
  state {{
    subject_id {self.key} not null
  }}
  step copy {{
    job Sync{self.name}
    args {{ {self.table}_id: $subject_id, mode: "copy" }}
  }}
  step settle {{
    job Sync{self.name}
    args {{ {self.table}_id: $subject_id }}
  }}
  compensate copy {{
    job Sync{self.name}
    args {{ {self.table}_id: $subject_id, mode: "undo" }}
  }}
}}
"""
        if self.number % 10 == 4:
            yield f"""
ephemeral {self.name}Seen in {self.namespace} {{
  viewer uuid primary
  at     timestamptz not null
  ttl = 12h
}}
"""


def _entity(head: str, fields: Sequence[tuple[str, str, str]], clauses: Sequence[str]) -> str:
    wide = max(len(name) for name, _, _ in fields)
    types = max(len(type_) for _, type_, _ in fields)
    body = "".join(f"  {name:{wide}} {f'{type_:{types}} {rest}'.rstrip()}\n" for name, type_, rest in fields)
    return f"{head}{body}\n{''.join(f'  {clause}{chr(10)}' for clause in clauses)}}}\n"


def _spaces(table: str) -> str:
    return " " * (len(table) + 3 - len("mode") - 1)


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and at else c.lower() for at, c in enumerate(name))
