"""`atl apply` and the commands beside it, on a real server."""

from __future__ import annotations

import pytest

from tests.databases import Subject

PLOT = """entity Plot in farm {{
  id    bigint primary
  name  text not null
{more}}}
"""


def plot(more: str = "") -> str:
    return PLOT.format(more=more)


OLD = plot()
FILLED = plot('  size  int not null backfill "7"\n')


def test_what_is_done_and_what_is_asked(subject: Subject) -> None:
    subject.write(OLD)
    assert subject.atl("inspect").code == 1
    first = subject.atl("apply")
    assert (first.code, "done: plan" in first.said) == (0, True), first.said
    assert subject.atl("apply").said == "the database is what is declared: nothing to do\n"
    assert subject.atl("inspect") == (0, "no difference\n")
    subject.sql("INSERT INTO atlantis.farm_plot VALUES (1, 'a'), (2, 'b')")

    subject.write(FILLED)
    refused = subject.atl("apply")
    assert (refused.code, "add: --backfill" in refused.said) == (1, True), refused.said
    assert subject.atl("apply", "--dry-run").code == 1
    dry = subject.atl("apply", "--dry-run", "--backfill")
    assert (dry.code, dry.said.endswith("nothing was done (--dry-run)\n")) == (0, True)
    assert subject.sql("SELECT * FROM atlantis.farm_plot ORDER BY 1") == [(1, "a"), (2, "b")]
    assert subject.atl("apply", "--backfill").code == 0
    assert subject.sql("SELECT * FROM atlantis.farm_plot ORDER BY 1") == [(1, "a", 7), (2, "b", 7)]

    subject.write(OLD)
    assert subject.atl("apply", "--backfill").code == 4
    assert subject.atl("apply", "--allow", "cross_caller_breaking").code == 4
    assert subject.atl("apply", "--allow", "destructive").code == 0
    assert subject.sql("SELECT id, name FROM atlantis.farm_plot ORDER BY 1") == [(1, "a"), (2, "b")]
    assert subject.atl("inspect").code == 0
    said = subject.atl("history").said
    assert (said.count("begun"), said.count("applied")) == (3, 3)


def test_parked_comes_back_or_is_let_go(subject: Subject) -> None:
    subject.write(FILLED)
    assert subject.atl("apply").code == 0
    subject.sql("INSERT INTO atlantis.farm_plot (id, name, size) VALUES (1, 'a', 3)")
    subject.write(OLD)
    assert subject.atl("apply", "--allow", "destructive").code == 0
    assert "farm.Plot.size" in subject.atl("parked").said
    subject.write(FILLED)
    back = subject.atl("apply", "--backfill")
    assert (back.code, "`farm.Plot.size` was parked" in back.said) == (0, True), back.said
    assert subject.sql("SELECT size FROM atlantis.farm_plot") == [(3,)]
    assert subject.atl("parked").said == "nothing is parked\n"

    subject.write("")
    assert subject.atl("apply", "--allow", "destructive").code == 0
    assert subject.atl("apply", "--reap").said == "nothing that is parked is past its time\n"
    subject.sql("UPDATE atlantis_meta.parked SET parked_at = parked_at - interval '30 days'")
    assert "(past)" in subject.atl("parked").said
    assert subject.atl("apply", "--reap").said.endswith("1 dropped\n")
    assert subject.sql("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace"
                       " WHERE nspname = 'atlantis_parked'") == [(0,)]  # fmt: skip
    subject.write(FILLED)
    assert subject.atl("apply").code == 0
    assert subject.sql("SELECT count(*) FROM atlantis.farm_plot") == [(0,)]


def test_manual_is_refused_and_adopted(subject: Subject) -> None:
    moved = OLD.replace("  id ", '  table "farms.plots"\n  id ')
    subject.write(OLD)
    assert subject.atl("apply").code == 0
    subject.write(moved)
    refused = subject.atl("apply", "--allow", "cross_caller_breaking")
    assert (refused.code, "--adopt" in refused.said) == (2, True)
    assert subject.atl("apply", "--adopt").code == 3
    subject.sql("CREATE SCHEMA farms", "ALTER TABLE atlantis.farm_plot SET SCHEMA farms")
    early = subject.atl("apply", "--adopt")
    assert (early.code, "farms.plots: there is no table" in early.said) == (3, True)
    subject.sql("ALTER TABLE farms.farm_plot RENAME TO plots", "ALTER INDEX farms.farm_plot_pkey RENAME TO plots_pkey")
    adopted = subject.atl("apply", "--adopt")
    assert adopted.code == 0, adopted.said
    assert subject.atl("apply").said == "the database is what is declared: nothing to do\n"


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("ALTER TABLE atlantis.farm_plot ADD COLUMN extra int", "column `extra` is not declared"),
        ("ALTER TABLE atlantis.farm_plot DROP COLUMN name", "there is no column `name`"),
        (
            "ALTER TABLE atlantis.farm_plot ALTER name TYPE varchar(9)",
            "is character varying(9) not null, expected text",
        ),
        ("ALTER TABLE atlantis.farm_plot ADD CONSTRAINT c CHECK (id > 0)", "check `c` is not declared"),
        ("CREATE UNIQUE INDEX u ON atlantis.farm_plot (name)", "unique index `u` is not declared"),
        ("DROP TABLE atlantis.farm_plot", "there is no table"),
    ],
)
def test_drift_is_named(sql: str, said: str, subject: Subject) -> None:
    subject.write(OLD)
    assert subject.atl("apply").code == 0
    subject.sql(sql)
    subject.write(plot("  size int\n"))
    ran = subject.atl("apply")
    assert ran.code == 3
    assert "(drift); nothing was done" in ran.said
    assert said in ran.said
    assert subject.atl("inspect", "--checkpoint").code == 1


def test_what_does_not_matter_is_no_drift(subject: Subject) -> None:
    subject.write(OLD)
    assert subject.atl("apply").code == 0
    subject.sql(
        "CREATE INDEX i ON atlantis.farm_plot (name)",
        "ALTER TABLE atlantis.farm_plot ADD COLUMN parked_0a1b2c_x int",
        "CREATE TABLE atlantis.other ()",
    )
    subject.write(plot("  size int\n"))
    assert subject.atl("apply").code == 0


def test_a_plan_by_its_id(subject: Subject) -> None:
    subject.write(OLD)
    assert subject.atl("apply", "--plan", "0123").code == 3
    assert subject.sql("SELECT to_regclass('atlantis.farm_plot')") == [(None,)]
    shown = subject.atl("plan")
    assert shown.code == 0, shown.said
    id = shown.said.split()[1].rstrip(":")
    for _ in range(2):  # the job that applies may be run again
        assert subject.atl("apply", "--plan", id).code == 0
    assert subject.atl("plan").said.endswith(": no change\n")


def test_a_tampered_checkpoint_is_refused(subject: Subject) -> None:
    subject.write(OLD)
    assert subject.atl("apply").code == 0
    for change in (
        "schema = replace(schema, 'name', 'nome')",
        "digest = repeat('0', 64)",
        "schema = '{'",
        "pending = '{}'",
    ):
        was = subject.sql("SELECT schema, digest FROM atlantis_meta.checkpoint")[0]
        subject.sql(f"UPDATE atlantis_meta.checkpoint SET {change}")
        ran = subject.atl("apply")
        assert (ran.code, "was changed by someone else" in ran.said) == (3, True), ran.said
        # What is there can be looked at all the same.
        for command, last in (("history", "applied"), ("inspect", "no difference")):
            ran = subject.atl(command)
            assert (ran.code, last in ran.said) == (0, True), ran.said
            assert "was changed by someone else" in ran.said
        subject.sql(f"UPDATE atlantis_meta.checkpoint SET schema = $a${was[0]}$a$, digest = '{was[1]}', pending = NULL")
    assert subject.atl("apply").code == 0


def test_the_history_is_only_added_to(subject: Subject) -> None:
    import psycopg

    subject.write(OLD)
    assert subject.atl("apply").code == 0
    for change in ("UPDATE %s SET note = 'x'", "DELETE FROM %s", "TRUNCATE %s"):
        with pytest.raises(psycopg.errors.RaiseException, match="only added to"):
            subject.sql(change % "atlantis_meta.history")


def test_a_database_that_has_the_tables_is_not_taken_over(subject: Subject) -> None:
    subject.write(OLD)
    subject.sql("CREATE SCHEMA atlantis", "CREATE TABLE atlantis.farm_plot (id bigint)")
    ran = subject.atl("apply")
    assert (ran.code, "already exists" in ran.said) == (3, True), ran.said


def test_a_missing_extension_is_said_before_anything_runs(subject: Subject) -> None:
    subject.write(plot("  mail citext\n"))
    ran = subject.atl("apply")
    assert ran.code == 3
    assert "`citext`" in ran.said
    assert subject.sql("SELECT to_regclass('atlantis.farm_plot')") == [(None,)]


def test_a_role_that_may_not(subject: Subject) -> None:
    subject.sql("DROP ROLE IF EXISTS atl_nobody", "CREATE ROLE atl_nobody LOGIN")
    subject.write(OLD)
    owner, subject.address = subject.address, subject.address.replace("user=postgres", "user=atl_nobody")
    ran = subject.atl("apply")
    assert (ran.code, "`atl_nobody` may not create" in ran.said) == (3, True), ran.said
    subject.address = owner
    subject.sql("DROP ROLE atl_nobody")


def test_a_password_is_never_shown(subject: Subject) -> None:
    subject.write(OLD)
    for address in (
        "postgresql://me:hush@127.0.0.1:1/x",
        "postgresql://me:hush@[bad/x",
        "host=/none password=hush zzz",
    ):
        subject.address = address
        for command in ("apply", "plan", "history"):
            ran = subject.atl(command)
            assert (ran.code, "hush" in ran.said) == (3, False), ran.said


@pytest.mark.parametrize(
    ("more", "change", "said"),
    [
        ('  check "name <> \'b\'" as no_b\n', "", ["1 rows of `farm.Plot` do not pass the check `no_b`", "id = 2\n"]),
        ("  unique by name\n", "UPDATE atlantis.farm_plot SET name = 'x'", ["2 rows of", "name = x (2 times)"]),
        ("  size int not null\n", "", ["2 rows of `farm.Plot` have no value for `size`"]),
        ("  size int not null backfill \"nullif(id, 1)\"\n", "", ["get null for `size`", "id = 1\n"]),
        ("  size bigint default 5 references farm.Plot.id\n", "", ["2 rows of", "id = 1; id = 2\n"]),
    ],
)  # fmt: skip
def test_rows_that_stand_against_a_plan(more: str, change: str, said: list[str], subject: Subject) -> None:
    subject.write(OLD)
    assert subject.atl("apply").code == 0
    subject.sql("INSERT INTO atlantis.farm_plot VALUES (1, 'a'), (2, 'b')", change or "SELECT 1")
    subject.write(plot(more))
    ran = subject.atl("apply", "--backfill")
    assert (ran.code, "stand against the plan; nothing was done" in ran.said) == (3, True), ran.said
    assert all(word in ran.said for word in said), ran.said
    assert "pending" not in subject.atl("history").said


def test_rows_that_the_role_cannot_see(subject: Subject) -> None:
    tenant = plot("  tenant  text not null\n  partition by tenant\n")
    subject.sql("DROP ROLE IF EXISTS atl_owner", "CREATE ROLE atl_owner LOGIN")
    subject.sql("DO $$BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO atl_owner', current_database()); END$$")
    superuser, subject.address = subject.address, subject.address.replace("user=postgres", "user=atl_owner")
    subject.write(tenant)
    first = subject.atl("apply")
    assert first.code == 0, first.said
    assert subject.atl("inspect").code == 0
    subject.write(tenant.replace("  partition", '  check "id > 0"\n  partition'))
    ran = subject.atl("apply", "--backfill")
    assert (ran.code, "a role with BYPASSRLS" in ran.said, "nothing was done" in ran.said) == (3, True, True), ran.said
    subject.address = superuser
    subject.sql("DROP OWNED BY atl_owner CASCADE", "DROP ROLE atl_owner")


def test_words_of_any_script(subject: Subject) -> None:
    subject.write(plot('  note  text default "Größe 😀 \\"\'"\n') + 'enum Kind in farm { "größer", "👍" }\n')
    first = subject.atl("apply")
    assert first.code == 0, first.said
    assert subject.atl("inspect").code == 0
    assert subject.atl("apply").said == "the database is what is declared: nothing to do\n"
    assert subject.sql("SELECT schema ~ '^[[:ascii:]]*$' FROM atlantis_meta.checkpoint") == [(True,)]


def test_what_has_no_sql_is_recorded_too(subject: Subject) -> None:
    subject.write("job Count in farm {\n}\n")
    assert subject.atl("apply", fault="kill:1").code == -9
    ran = subject.atl("apply")
    assert (ran.code, "it is finished first" in ran.said) == (0, True), ran.said
    assert subject.atl("plan").said.endswith("no change\n")


def test_a_check_may_name_its_enum_with_the_schema(subject: Subject) -> None:
    """Also when it is compared with what PostgreSQL has, which is asked before each later apply."""
    kinds = "enum Kind in farm {{ {} }}\n"
    named = kinds.format("field, lawn") + plot("  kind  Kind check \"kind <> 'lawn'::atlantis.farm_kind\"\n")
    subject.write(named)
    first = subject.atl("apply")
    assert first.code == 0, first.said
    assert subject.atl("inspect") == (0, "no difference\n")
    subject.write(named.replace("lawn }", "lawn, wood }").replace("primary", "primary\n  size  int"))
    second = subject.atl("apply")
    assert second.code == 0, second.said
    assert subject.atl("inspect") == (0, "no difference\n")
