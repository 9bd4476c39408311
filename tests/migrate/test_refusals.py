"""What a change of type refuses is counted before anything changes: no value too many, none too few."""

from __future__ import annotations

import psycopg
import pytest

from tests.diff.reading import schema
from tests.migrate.executing import Database

# old, new, values that are taken, values that are not; `_` stands for a blank, `~` for nothing.
ROWS = """
bigint          | int            | 2147483647 -2147483648            | 2147483648 -9223372036854775808
bigint          | numeric(4, 2)  | 99 -99                            | 100 -9223372036854775808
int             | varchar(2)     | 12                                | 123 -12
int             | char(2)        | 12                                | 123
numeric(8, 2)   | numeric(5, 2)  | 999.99 NaN                        | 1000 -1000
numeric(8, 4)   | numeric(4, 2)  | 99.9949 NaN                       | 99.995 -99.995
numeric(20, 2)  | smallint       | 32767.49 -32768.49                | 32767.5 -32768.5 NaN
double          | smallint       | 32767.4 -32768.5                  | 32767.5 NaN Infinity 1e300
double          | bigint         | -9223372036854775808              | 9223372036854775807 -Infinity
real            | int            | 2147483520 -2147483648            | 2147483648 NaN
double          | numeric(4, 2)  | 99.99 NaN                         | 99.995 Infinity -Infinity 1e300
double          | real           | 0.1 NaN Infinity 3.4028235e38     | 1e300 1e-300 -3.5e38
varchar(9)      | varchar(3)     | abc ab_ äöü ''                    | abc_ abcd
varchar(9)      | char(3)        | abc abc__                         | abcd
char(9)         | varchar(3)     | abc                               | abcd
text            | Size           | small o'k                         | Small ~ small_
char(9)         | Size           | small                             | large
Other           | Size           | small                             | large
text            | int            | 12 _-12_                          | 1.5 x ~ 99999999999
text            | numeric(4, 2)  | 1.5 1.500 -99.99_ NaN             | 1.505 1.001_ 100 x
text            | uuid           | 00000000-0000-0000-0000-000000000001 | x
text            | boolean        | yes f                             | maybe
text            | timestamptz    | 2024-01-01 infinity               | 2024-13-01 x
text            | jsonb          | 1 {"a":[]}                        | {a} ~
text            | bit(3)         | 101                               | 10 1010 x
text            | varbit(3)      | 10 ~                              | 1010 2
[]varchar(9)    | []varchar(2)   | {} {ab,NULL}                      | {abc} {ab,"ab_"}
[]text          | []int          | {} {1,NULL}                       | {x}
[]text          | []numeric(4,2) | {1.5,NULL}                        | {1,1.555}
"""
ENUMS = 'enum Size in s {{ small, "o\'k" }}\nenum Other in s {{ large, small }}\n'
OLD = ENUMS + "entity T in s {{ id int primary\n  c {} }}"
RENAMED = ENUMS + "entity T in s {{ id int primary\n  // atl: renamed-from c\n  d {} }}"


def _values(part: str) -> list[str | None]:
    return ["" if word in ("~", "''") else word.replace("_", " ") for word in part.split()]


@pytest.mark.parametrize("row", ROWS.strip().splitlines(), ids=lambda row: " ".join(row.split("|")[0:2]).strip())
def test_counted(database: Database, row: str) -> None:
    old, new, good, bad = (part.strip() for part in row.split("|"))
    taken, refused = [*_values(good), None], _values(bad)
    after = schema(OLD.format(new))
    database.apply(schema(OLD.format(old)))
    for at, value in enumerate([*taken, *refused]):
        database.connection.execute("INSERT INTO atlantis.s_t VALUES (%s, %s)", (at, value))
    asked = database.guards(database.plan(schema(RENAMED.format(new))))
    if asked and len(asked) == len(database.plan(after).guards):
        assert sum(database.one(guard.sql) for guard in asked) == len(refused)
        shown = sorted(int(key.removeprefix("id = ")) for guard in asked for (key,) in database.rows(guard.some))
        assert shown == list(range(len(taken), len(taken) + len(refused)))
    database.run(f"DELETE FROM atlantis.s_t WHERE id >= {len(taken)}")
    for value in refused:
        database.connection.execute("INSERT INTO atlantis.s_t VALUES (99, %s)", (value,))
        with pytest.raises((psycopg.DataError, psycopg.NotSupportedError)):
            database.apply(after, guarded=False)
        database.run("DELETE FROM atlantis.s_t WHERE id = 99")
    database.apply(after)
    assert database.one("SELECT count(*) FROM atlantis.s_t") == len(taken)
