"""Scripts under the lock rules of squawk, which knows what blocks whom in PostgreSQL. What it reports and we keep is
listed here, each with its reason."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from atl.diff import diff
from atl.migrate.plan import make_plan
from atl.migrate.script import down_script, up_script
from tests.migrate.pairs import pair
from tests.plan_cases.reading import CASES, case_diff

# The rules about locks. The others are about style (`prefer-text-field`) or about clients of a renamed or dropped
# thing, which is what the class of a change says.
RULES = {
    "adding-field-with-default",
    "adding-foreign-key-constraint",
    "adding-not-nullable-field",
    "adding-required-field",
    "adding-serial-primary-key-field",
    "ban-concurrent-index-creation-in-transaction",
    "changing-column-type",
    "constraint-missing-not-valid",
    "disallowed-unique-constraint",
    "require-concurrent-index-creation",
    "require-concurrent-index-deletion",
    "require-lock-timeout",
    "require-statement-timeout",
    "transaction-nesting",
}

# rule -> (what the statement looks like, why it stays).
UP = {
    "changing-column-type": (r"TYPE ", "the plan says `rewrites-table`, and the table has the transaction to itself"),
    "adding-field-with-default": (
        r"ADD COLUMN .*DEFAULT",
        "each row gets its own value; the plan says `rewrites-table`",
    ),
    "require-lock-timeout": (r"CONCURRENTLY", "a build that is given up leaves an invalid index behind"),
    "require-concurrent-index-deletion": (r"DROP INDEX", "its table is parked, or rewritten, in the same transaction"),
    "require-concurrent-index-creation": (r"CREATE UNIQUE INDEX", "uniqueness holds all the time while a type changes"),
    "adding-required-field": (r"ADD COLUMN .*NOT NULL$", "a guard has found the table empty"),
}
# The way back of a stage is one transaction, so that it is taken back whole: what a plan takes away in steps that let
# others work comes back in one that does not.
DOWN = dict.fromkeys(
    RULES - {"ban-concurrent-index-creation-in-transaction", "transaction-nesting"}, (r"", "see above")
)

SQUAWK = shutil.which("squawk", path=str(Path(sys.executable).parent))


def reported(folder: Path, scripts: dict[str, str]) -> list[tuple[str, str]]:
    """(rule, the reported line) of every report about locks."""
    assert SQUAWK is not None
    for name, text in scripts.items():
        (folder / f"{name}.sql").write_text(text)
    files = sorted(map(str, folder.glob("*.sql")))
    done = subprocess.run([SQUAWK, "--reporter", "json", *files], capture_output=True, text=True, check=False)
    found = []
    for each in json.loads(done.stdout):
        rule, line = each["rule_name"], Path(each["file"]).read_text().split("\n")[each["line"]]
        assert rule != "syntax-error", f"{line}: {each['message']}"
        if rule in RULES:
            found.append((rule, line))
    return found


@pytest.mark.skipif(SQUAWK is None, reason="squawk is not installed")
@pytest.mark.parametrize("way", ["up", "down"])
def test_scripts(tmp_path: Path, way: str) -> None:
    diffs = {case.name: case_diff(case) for case in CASES}
    for seed in range(40):
        first, second, _, _ = pair(seed)
        diffs[f"pair-{seed}"] = diff(first.schema, second.schema)
    write, kept = (up_script, UP) if way == "up" else (down_script, DOWN)
    found = reported(tmp_path, {name: write(make_plan(each)) for name, each in diffs.items()})
    unlisted = [(rule, line) for rule, line in found if rule not in kept or not re.search(kept[rule][0], line)]
    assert unlisted == []
