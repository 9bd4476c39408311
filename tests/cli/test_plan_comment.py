"""The workflow of `docs/plan-comment.yml`: its steps as bash runs them, in what `actions/checkout` leaves, with a `gh`
that keeps comments in a file."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.cli.running import environment
from tests.cli.test_pre_commit import ADDED, BROKEN, DESTROYED, ENV, FILLED, TABLES, git, run

WORKFLOW = yaml.safe_load((Path(__file__).parents[2] / "docs" / "plan-comment.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = WORKFLOW["jobs"]["plan"]["steps"]
FORK = "github.event.pull_request.head.repo.full_name == github.repository"
# One page of comments a page of the answer, each read by the filter alone, as `gh` does.
GH = """#!{python}
import json, os, subprocess, sys
words, file = sys.argv[1:], os.environ["COMMENTS"]
assert words.pop(0) == "api" and os.environ["GH_TOKEN"]
path, comments = words.pop(0), json.load(open(file))
options = dict(zip(words[::2], words[1::2])) if "--paginate" not in words else {{}}
if not options:
    assert path == "repos/shop/service/issues/7/comments"
    for comment in comments:
        page = json.dumps([comment])
        sys.stdout.write(subprocess.run(["jq", "-r", words[words.index("--jq") + 1]], input=page, text=True,
                                        capture_output=True, check=True).stdout)
    sys.exit()
name, _, value = options["--field"].partition("=")
assert (name, value) == ("body", "@comment.md")
body = open("comment.md", encoding="utf-8").read()
if options["--method"] == "POST":
    assert path == "repos/shop/service/issues/7/comments"
    comments.append({{"id": 100 + len(comments), "user": {{"login": "github-actions[bot]"}}, "body": body}})
else:
    assert options["--method"] == "PATCH"
    number = int(path.removeprefix("repos/shop/service/issues/comments/"))
    next(comment for comment in comments if comment["id"] == number)["body"] = body
json.dump(comments, open(file, "w"))
"""


class Job(NamedTuple):
    """passed: whether the job did. comment: ours on the pull request, "" when there is none. said: its log."""

    passed: bool
    comment: str
    said: str


class Forge:
    """A repository with a pull request, and its comments."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.origin = folder, folder / "origin"
        self.comments = folder / "comments.json"
        self.tools = folder / "tools"
        self.runs = 0
        for made in (self.origin, self.tools):
            made.mkdir()
        self._tool("atl", f'#!/bin/sh\nexec "{sys.executable}" -m atl "$@"\n')
        self._tool("gh", GH.format(python=sys.executable))
        copied = {"id": 1, "user": {"login": "someone"}, "body": "<!-- atl plan -->\nnot ours"}
        self.comments.write_text(json.dumps([copied]))
        git(self.origin, "init", "-q", "-b", "main")
        (self.origin / "orders.atl").write_text(TABLES)
        self._commit()
        git(self.origin, "checkout", "-q", "-b", "topic")

    def _tool(self, name: str, text: str) -> None:
        (self.tools / name).write_text(text)
        (self.tools / name).chmod(0o755)

    def _commit(self) -> None:
        git(self.origin, "add", "-A")
        git(self.origin, "commit", "-q", "--allow-empty", "-m", "x")

    def push(self, **files: str | None) -> Job:
        """Push files of these names, `.atl` added, None to take one away; the job that follows."""
        for name, text in files.items():
            file = self.origin / f"{name}.atl"
            file.unlink() if text is None else file.write_text(text)
        self._commit()
        git(self.origin, "checkout", "-q", "--detach", "main")
        git(self.origin, "merge", "-q", "--no-ff", "-m", "merge", "topic")
        git(self.origin, "update-ref", "refs/pull/7/merge", "HEAD")
        git(self.origin, "checkout", "-q", "topic")
        return self._job(self._checkout())

    def _checkout(self) -> Path:
        """What `actions/checkout` leaves: a detached, shallow clone of the merge alone."""
        depth = STEPS[0]["with"]["fetch-depth"]
        self.runs += 1
        clone = self.folder / f"run{self.runs}"
        clone.mkdir()
        git(clone, "init", "-q")
        git(clone, "remote", "add", "origin", self.origin.as_uri())
        ref = "refs/remotes/pull/7/merge"
        git(clone, "fetch", "-q", "--no-tags", f"--depth={depth}", "origin", f"+refs/pull/7/merge:{ref}")
        git(clone, "checkout", "-q", "--force", ref)
        return clone

    def _job(self, clone: Path) -> Job:
        outputs, said = clone / "outputs", ""
        outputs.touch()
        passed = True
        for step in STEPS:
            if "run" not in step or step["run"].startswith("pip install"):
                continue
            of_plan = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
            values = {
                "${{ github.token }}": "secret",
                "${{ github.event.pull_request.number }}": "7",
                "${{ steps.plan.outputs.code }}": of_plan.get("code", ""),
            }
            env = {
                **environment(self.folder),
                **ENV,
                **{name: values[value] for name, value in step.get("env", {}).items()},
                "PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}",
                "COMMENTS": str(self.comments),
                "GITHUB_REPOSITORY": "shop/service",
                "GITHUB_OUTPUT": str(outputs),
                "GITHUB_STEP_SUMMARY": str(clone / "summary"),
            }
            script = clone / "step.sh"
            script.write_text(step["run"])
            done = run("bash", "--noprofile", "--norc", "-eo", "pipefail", str(script), cwd=clone, env=env)
            said += done.stdout + done.stderr
            if done.returncode:
                passed = False
                break
        mine = [c["body"] for c in json.loads(self.comments.read_text()) if c["user"]["login"] != "someone"]
        assert len(mine) <= 1
        assert json.loads(self.comments.read_text())[0]["body"].endswith("not ours")
        if mine:
            assert mine[0] == "<!-- atl plan -->\n" + (clone / "summary").read_text("utf-8")
        return Job(passed, mine[0] if mine else "", said)


@pytest.fixture
def forge(tmp_path: Path) -> Forge:
    for tool in ("git", "bash", "jq"):
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")
    return Forge(tmp_path)


def test_no_text_of_a_pull_request_becomes_part_of_a_script() -> None:
    assert WORKFLOW["defaults"]["run"]["shell"] == "bash"
    assert not any("${{" in step.get("run", "") for step in STEPS)
    assert [step["if"] for step in STEPS if "if" in step] == [FORK]
    # The one step that has a token runs nothing of the pull request's.
    assert [step["env"] for step in STEPS if "GH_TOKEN" in step.get("env", {})] == [STEPS[4]["env"]]
    assert "atl" not in STEPS[4]["run"].replace("<!-- atl plan -->", "")


def test_one_comment_follows_the_pull_request(forge: Forge) -> None:
    nothing = forge.push()
    assert nothing == (True, "", "")
    for text, sign, passed in (
        (ADDED, "🟢 additive", True),
        (FILLED, "🟡 backfill_required", True),
        (BROKEN, "🟠 cross_caller_breaking", True),
        (DESTROYED, "🔴 destructive", False),
    ):
        job = forge.push(orders=text)
        assert job.comment.startswith(f"<!-- atl plan -->\n### Schema plan: {sign}\n"), job
        assert job.passed == passed, job.said
    assert "this change is destructive" in job.said
    back = forge.push(orders=TABLES)
    assert (back.passed, "### Schema plan: no change" in back.comment) == (True, True)
    gone = forge.push(orders=None)
    assert (gone.passed, "(`atl parked`):** `shop.Order`\n" in gone.comment) == (False, True)


def test_what_cannot_be_planned_is_said_and_stops(forge: Forge) -> None:
    assert forge.push(orders=ADDED).passed
    hostile = "```\n<img src=x> @someone"
    job = forge.push(orders=TABLES.replace("amount int", "amount in"), **{f"a{hostile.replace('/', '')}": "entity"})
    assert not job.passed
    head, _, rest = job.comment.partition("could not be made\n\n")
    assert head == "<!-- atl plan -->\n### Schema plan: "
    assert rest
    assert all(line.startswith("    ") for line in rest.splitlines())
    assert "the plan could not be made: see above" in job.said


def test_text_of_the_author_stays_text(forge: Forge) -> None:
    evil = "`@team` @all #12 <b>|x|</b> ``` https://evil.example\\n::error::x\\n```\\n@later"
    job = forge.push(
        orders=TABLES.replace("amount int", f"amount int check \"amount > 0 or '{evil}' is null\""),
        kinds=f'enum Kind in shop {{ "{evil[:40]}", "b" }}\n',
    )
    assert job.passed, job.said
    comment, script = job.comment.split("<details>")
    for line in comment.splitlines()[1:]:
        assert "::error" not in line.split("<code>")[0]
        outside = "".join(part for at, part in enumerate(_without_code(line).split("`")) if at % 2 == 0)
        assert not any(word in outside for word in ("@team", "@all", "#12", "<b>", "https://evil")), line
    fence = script.split("\n")[2].removesuffix("sql")
    assert set(fence) == {"`"}
    assert script.count(fence) == 2
    assert "::error" not in job.said


def _without_code(line: str) -> str:
    """The line without its `<code>`, in which every mark is an entity."""
    parts = line.replace("</code>", "<code>").split("<code>")
    assert not any(mark in part for part in parts[1::2] for mark in "`|<@")
    return "".join(parts[::2])
