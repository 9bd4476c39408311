"""The hooks under pre-commit itself: it builds the project from this checkout and guards a repository with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

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


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_a_bad_commit_is_stopped_and_a_messy_one_mended(tmp_path: Path) -> None:
    product, repository = tmp_path / "product", tmp_path / "repository"
    product.mkdir()
    repository.mkdir()
    snapshot_of_the_checkout(product)
    revision = run("git", "rev-parse", "HEAD", cwd=product).stdout.strip()
    git(repository, "init", "-q")
    hooks = "".join(f"      - id: {hook}\n" for hook in ("atl-fmt", "atl-check"))
    (repository / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {product}\n    rev: {revision}\n    hooks:\n{hooks}"
    )
    env = {**ENV, "PRE_COMMIT_HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def commit(text: str) -> subprocess.CompletedProcess[str]:
        (repository / "jobs.atl").write_text(text)
        git(repository, "add", "-A")
        return run("git", "commit", "-m", "jobs", cwd=repository, env=env)

    installed = run(sys.executable, "-m", "pre_commit", "install", "--install-hooks", cwd=repository, env=env)
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
