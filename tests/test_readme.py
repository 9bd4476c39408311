"""What the README shows is what is printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_finding_is_what_is_printed(tmp_path: Path) -> None:
    shown = re.search(r"```\n\$ atl check reports\.atl\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert shown
    (tmp_path / "reports.atl").write_text(
        'job Report in sales {\n  args {\n    region varchar(20) not null\n    format text default "pdf"\n  }\n'
        '  schedule "0 3 * * *"\n}\n'
    )
    command = [sys.executable, "-m", "atl", "check", "--no-cache", "--color", "never", "reports.atl"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout == shown[1]
    assert done.returncode == 1


def test_the_plan_is_what_is_printed(tmp_path: Path) -> None:
    shown = re.search(
        r"```\n\$ atl diff old\.atl new\.atl\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
    )
    assert shown
    (tmp_path / "old.atl").write_text(
        "entity Order in shop {\n  id     bigint primary\n  amount numeric(10, 4) not null\n  note   text\n}\n"
        "job Settle in shop {\n  args { order bigint not null }\n}\n"
    )
    (tmp_path / "new.atl").write_text(
        "entity Order in shop {\n  id       bigint primary\n  amount   numeric(10, 2) not null\n"
        "  currency char(3) not null backfill \"'EUR'\"\n  note     text\n  index by currency\n}\n"
        "job Settle in shop {\n  args {\n    order bigint not null\n    force boolean not null\n  }\n}\n"
    )
    command = [sys.executable, "-m", "atl", "diff", "--color", "never", "old.atl", "new.atl"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout == shown[1]
    assert done.returncode == 4
