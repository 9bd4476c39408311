"""Who applies: a role that is no superuser, one that may only read, one whose name has to be quoted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

from tests.databases import Subject

PLOT = """entity Plot in farm {{
  id    bigint primary
  name  text not null
{more}}}
"""
OLD, NEW = PLOT.format(more=""), PLOT.format(more='  size  int not null backfill "7"\n  index by name\n')


class Role:
    """A role, and the subject as it."""

    def __init__(self, subject: Subject, name: str) -> None:
        self.quoted = '"' + name.replace('"', '""') + '"'
        literal = "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"
        self.superuser = subject
        self.subject = Subject(subject.folder, subject.address.replace("user=postgres", f"user={literal}"))


@pytest.fixture(params=["teller", "Tell \"er's; --", "größe\\", "x" * 63])
def role(subject: Subject, request: pytest.FixtureRequest) -> Iterator[Role]:
    made = Role(subject, f"{request.param[:50]}{os.getpid()}")
    subject.sql(f"CREATE ROLE {made.quoted} LOGIN")
    yield made
    subject.sql(
        f"REASSIGN OWNED BY {made.quoted} TO CURRENT_USER", f"DROP OWNED BY {made.quoted}", f"DROP ROLE {made.quoted}"
    )


def owned(role: Role) -> None:
    (name,) = role.superuser.sql("SELECT quote_ident(current_database())")[0]
    role.superuser.sql(f"ALTER DATABASE {name} OWNER TO {role.quoted}")


def test_the_owner_of_the_database_is_enough(role: Role) -> None:
    owned(role)
    subject = role.subject
    subject.write(OLD)
    ran = subject.atl("apply")
    assert ran.code == 0, ran.said
    subject.sql("INSERT INTO atlantis.farm_plot VALUES (1, 'a'), (2, 'b')")
    subject.write(NEW)
    ran = subject.atl("apply", "--backfill")
    assert ran.code == 0, ran.said
    assert subject.atl("inspect") == (0, "no difference\n")
    subject.write("")
    assert subject.atl("apply", "--allow", "destructive").code == 0
    subject.write(NEW)
    ran = subject.atl("apply", "--allow", "destructive", "--backfill")
    assert ran.code == 0, ran.said
    assert subject.sql("SELECT * FROM atlantis.farm_plot ORDER BY id") == [(1, "a", 7), (2, "b", 7)]
    subject.write(OLD)
    assert subject.atl("apply", "--allow", "destructive").code == 0
    subject.sql("UPDATE atlantis_meta.parked SET parked_at = parked_at - interval '31 days'")
    assert subject.atl("apply", "--reap").said.endswith("1 dropped\n")
    assert subject.atl("history").code == 0


def test_a_role_that_may_only_read(role: Role) -> None:
    owner, reader = role.superuser, role.subject
    owner.write(OLD)
    assert owner.atl("apply").code == 0
    for command in ("plan", "history", "parked", "apply"):
        ran = reader.atl(command)
        assert (ran.code, "USAGE on the schema atlantis_meta" in ran.said) == (3, True), ran.said
    for what in ("USAGE ON SCHEMA", "SELECT ON ALL TABLES IN SCHEMA"):
        owner.sql(f"GRANT {what} atlantis, atlantis_meta TO {role.quoted}")
    for command in ("plan", "history", "parked"):
        ran = reader.atl(command)
        assert ran.code == 0, ran.said
    ran = reader.atl("inspect")
    assert (ran.code, "has to be able to create schemas" in ran.said) == (3, True), ran.said
    owner.write(NEW)
    assert reader.atl("plan").code == 1
    assert reader.atl("apply", "--dry-run", "--backfill").code == 0
    assert reader.atl("apply", "--backfill").code == 3
    assert owner.sql("SELECT pending FROM atlantis_meta.checkpoint") == [(None,)]


def test_a_role_that_does_not_own_the_tables(role: Role) -> None:
    owner, other = role.superuser, role.subject
    owner.write(OLD)
    assert owner.atl("apply").code == 0
    owner.sql("INSERT INTO atlantis.farm_plot VALUES (1, 'a')")
    owned(role)
    owner.sql(f"GRANT USAGE ON SCHEMA atlantis, atlantis_meta TO {role.quoted}")
    owner.sql(f"GRANT ALL ON ALL TABLES IN SCHEMA atlantis, atlantis_meta TO {role.quoted}")
    owner.write(NEW)
    ran = other.atl("apply", "--backfill")
    assert (ran.code, "must be owner of table farm_plot" in ran.said) == (3, True), ran.said
    assert "apply as the owner of the table, or as a superuser" in ran.said
    assert owner.atl("apply", "--backfill").code == 0
    assert owner.sql("SELECT * FROM atlantis.farm_plot") == [(1, "a", 7)]


def test_what_a_role_would_have_to_be_granted(role: Role) -> None:
    role.subject.write(OLD)
    ran = role.subject.atl("apply")
    granted = re.search("GRANT CREATE ON DATABASE .*", ran.said)
    assert granted is not None, ran.said
    role.superuser.sql(granted[0])
    ran = role.subject.atl("apply")
    assert ran.code == 0, ran.said
