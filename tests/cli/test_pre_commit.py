"""The hooks under pre-commit itself: it builds the project from this checkout and guards a repository with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.running import CLEAN, WRONG

CHECKOUT = Path(__file__).parents[2]
ENV = {
    **os.environ,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def run(*words: str, cwd: Path, env: dict[str, str] = ENV) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, timeout=600)


def git(cwd: Path, *words: str) -> None:
    done = run("git", *words, cwd=cwd)
    assert done.returncode == 0, done.stderr


def snapshot_of_the_checkout(to: Path) -> None:
    """A repository of the files as they are now, committed or not."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=CHECKOUT).stdout
    for name in filter(None, listed.split("\0")):
        source = CHECKOUT / name
        if source.is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, to / name)
    git(to, "init", "-q")
    git(to, "add", "-A")
    git(to, "commit", "-qm", "as it is")


class Hooks(NamedTuple):
    """Where pre-commit finds the product, and the environment in which it keeps what it builds of it."""

    product: Path
    revision: str
    env: dict[str, str]

    def guard(self, repository: Path, hooks: str) -> None:
        """A new repository with these lines below `hooks:`."""
        repository.mkdir()
        git(repository, "init", "-q", "-b", "main")
        (repository / ".pre-commit-config.yaml").write_text(
            f"repos:\n  - repo: {self.product}\n    rev: {self.revision}\n    hooks:\n{hooks}"
        )

    def run(self, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return run(sys.executable, "-m", "pre_commit", *words, cwd=cwd, env=self.env)


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Hooks:
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    base = tmp_path_factory.mktemp("hooks")
    product = base / "product"
    product.mkdir()
    snapshot_of_the_checkout(product)
    revision = run("git", "rev-parse", "HEAD", cwd=product).stdout.strip()
    env = {**ENV, "PRE_COMMIT_HOME": str(base / "home"), "XDG_CACHE_HOME": str(base / "cache")}
    return Hooks(product, revision, env)


@pytest.mark.slow
def test_a_bad_commit_is_stopped_and_a_messy_one_mended(hooks: Hooks, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    hooks.guard(repository, "".join(f"      - id: {hook}\n" for hook in ("atl-fmt", "atl-check")))

    def commit(text: str) -> subprocess.CompletedProcess[str]:
        (repository / "jobs.atl").write_text(text)
        git(repository, "add", "-A")
        return run("git", "commit", "-m", "jobs", cwd=repository, env=hooks.env)

    installed = hooks.run("install", "--install-hooks", cwd=repository)
    assert installed.returncode == 0, installed.stdout + installed.stderr

    bad = commit(WRONG)
    assert bad.returncode == 1
    assert "error[ATL408]: a scheduled job is fired without arguments" in bad.stdout + bad.stderr

    messy = commit(CLEAN.replace("  ", "        "))
    assert messy.returncode == 1
    assert "formatted jobs.atl" in messy.stdout + messy.stderr
    assert (repository / "jobs.atl").read_text() == CLEAN

    good = commit(CLEAN)
    assert good.returncode == 0, good.stdout + good.stderr


TABLES = """entity Order in shop {
  id     bigint primary
  amount int
}

job Settle in shop {
  args { order bigint not null }
}
"""
ADDED = TABLES.replace("  amount int\n", "  amount int\n  note   text\n")
FILLED = TABLES.replace("  amount int\n", "  amount int not null\n")
BROKEN = TABLES.replace("order bigint not null", "order bigint not null\n    force boolean not null")
DESTROYED = TABLES.replace("  amount int\n", "")
CLASSES = ("additive", "backfill_required", "cross_caller_breaking", "destructive")
Guarded = Callable[[str], Path]


@pytest.fixture
def guarded(hooks: Hooks, tmp_path: Path) -> Guarded:
    """Makes a repository with `TABLES` committed on `main`, and the hook with this line of options."""

    def make(options: str = "") -> Path:
        repository = tmp_path / "repository"
        hooks.guard(repository, "      - id: atl-plan\n" + (f"        args: [{options}]\n" if options else ""))
        (repository / "orders.atl").write_text(TABLES)
        git(repository, "add", "-A")
        git(repository, "commit", "-qm", "tables")
        return repository

    return make


def said(hooks: Hooks, repository: Path, *words: str) -> tuple[int, str]:
    """(the hook's exit code, what it said) over what is staged."""
    git(repository, "add", *words or ("-A",))
    ran = hooks.run("run", "--verbose", "atl-plan", cwd=repository)
    said = ran.stdout + ran.stderr
    assert ("Passed" in said) == (ran.returncode == 0), said
    return (int(said.partition("- exit code: ")[2].split()[0]) if ran.returncode else 0), said


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["", *CLASSES])
def test_a_change_at_or_above_the_class_is_stopped(limit: str, hooks: Hooks, guarded: Guarded) -> None:
    repository = guarded(f"--fail-at, {limit}" if limit else "")
    least = CLASSES.index(limit or "destructive")
    for at, text in enumerate((ADDED, FILLED, BROKEN, DESTROYED)):
        (repository / "orders.atl").write_text(text)
        code, text = said(hooks, repository)
        assert code == ((0, 1, 2, 4)[at] if at >= least else 0), text
        assert f"\n{CLASSES[at]}: 1 {CLASSES[at]}" in text
    (repository / "orders.atl").write_text(TABLES.replace("{", ""))
    code, text = said(hooks, repository)
    assert code == 3
    assert "the workspace cannot be planned: orders.atl:2" in text


@pytest.mark.slow
def test_a_file_taken_away_or_renamed_is_seen(hooks: Hooks, guarded: Guarded) -> None:
    repository = guarded()
    (repository / "more.atl").write_text("entity Line in shop {\n  id bigint primary\n}\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "two files")
    git(repository, "mv", "orders.atl", "sales.atl")
    code, text = said(hooks, repository)
    assert (code, "no change" in text) == (0, True), text
    git(repository, "mv", "sales.atl", "sales.txt")
    assert said(hooks, repository)[0] == 4
    git(repository, "rm", "-qf", "sales.txt")
    assert said(hooks, repository)[0] == 4


@pytest.mark.slow
def test_what_is_staged_counts_and_what_is_not_does_not(hooks: Hooks, guarded: Guarded) -> None:
    repository = guarded()
    (repository / "orders.atl").write_text(ADDED)
    git(repository, "add", "-A")
    (repository / "orders.atl").write_text(DESTROYED)
    code, text = said(hooks, repository, ".pre-commit-config.yaml")
    assert code == 0, text
    assert (repository / "orders.atl").read_text() == DESTROYED
    git(repository, "add", "-A")
    (repository / "orders.atl").write_text(ADDED)
    assert said(hooks, repository, ".pre-commit-config.yaml")[0] == 4


@pytest.mark.slow
def test_where_the_repository_stands(hooks: Hooks, guarded: Guarded, tmp_path: Path) -> None:
    """A branch is compared with where it left `main`, `main` with its last commit, and a clone with its origin."""
    repository = guarded()
    git(repository, "checkout", "-q", "-b", "feature")
    (repository / "orders.atl").write_text(DESTROYED)
    git(repository, "commit", "-qam", "destroys")
    (repository / "notes.txt").write_text("later")
    assert said(hooks, repository)[0] == 4  # the branch as a whole
    git(repository, "commit", "-qm", "notes")
    git(repository, "checkout", "-q", "--detach")
    assert said(hooks, repository)[0] == 4
    git(repository, "checkout", "-q", "-B", "main")
    code, text = said(hooks, repository)
    assert (code, "no change" in text) == (0, True), text

    def clone(name: str, *options: str) -> Path:
        git(tmp_path, "clone", "-q", *options, repository.as_uri(), name)
        return tmp_path / name

    whole = clone("whole")
    git(whole, "checkout", "-q", "-b", "other")  # without an upstream
    (whole / "orders.atl").write_text(DESTROYED.replace("  id ", "  note text\n  id "))
    code, text = said(hooks, whole)
    assert (code, "(merge base with origin/main)" in text) == (0, True), text
    git(repository, "branch", "topic")
    assert said(hooks, clone("tip", "--depth", "1"))[0] == 0
    code, text = said(hooks, clone("cut", "--depth", "1", "--branch", "topic"))
    assert code == 3
    assert "fetch all of it (`fetch-depth: 0`), or say what to compare with (`--against`)" in text


@pytest.mark.slow
def test_the_hook_compares_with_what_it_is_told(hooks: Hooks, guarded: Guarded) -> None:
    repository = guarded("--against, HEAD, --fail-at, destructive")
    git(repository, "checkout", "-q", "-b", "feature")
    (repository / "orders.atl").write_text(DESTROYED)
    assert said(hooks, repository)[0] == 4
    git(repository, "commit", "-qm", "destroys")
    (repository / "notes.txt").write_text("later")
    assert said(hooks, repository)[0] == 0
