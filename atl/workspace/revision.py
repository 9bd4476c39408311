"""The files of a workspace as they stood at a git revision, read by plumbing alone.

Neither the work tree nor the index is looked at or changed. The repository is not trusted: no shell, no hook, pager,
filter or transport of its configuration runs, and no entry of a tree leads outside of the folder that it is written to.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from atl.records import NamedTuple
from atl.workspace.errors import WorkspaceError

__all__ = ["Repository", "checked_out", "default_revision", "find_repository", "resolve"]

_OPTIONS = (
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "protocol.allow=never",
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "",
    "LC_ALL": "C",
}
_DEFAULT_BRANCHES = ("refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master")
_NO_REPOSITORY = ("not a git repository", "must be run in a work tree", "git is not installed")
_PARTIAL = "this partial clone does not hold what stood there: clone without `--filter`"
_WAYS_OUT = (
    ("dubious ownership", "when you trust it, `git config --global --add safe.directory` with its path"),
    ("promisor remote", _PARTIAL),
)
_LINK, _SUBMODULE = "120000", "160000"
_NAMES = ("tide.yaml", "atl.toml")
# Longer than any file of declarations; what is longer is left out, and its name kept by no one.
_SIZE_LIMIT = 1 << 28


class Repository(NamedTuple):
    """top: absolute folder of the work tree. prefix: the workspace's root in it, with `/`, "" or ending in `/`."""

    top: str
    prefix: str


def find_repository(root: str) -> Repository | None:
    """The repository that a folder is in; None when in none, or without git. Raises WorkspaceError."""
    try:
        found = _git(root, "rev-parse", "--show-toplevel", "--show-prefix")
    except WorkspaceError as problem:
        # Everything else, such as a repository that belongs to someone else, must not pass for "no repository".
        if any(why in problem.message for why in _NO_REPOSITORY):
            return None
        raise
    lines = found.decode("utf-8", "surrogateescape").split("\n")
    return Repository(lines[0], lines[1]) if len(lines) > 2 and lines[0] else None


def resolve(repository: Repository, revision: str) -> str | None:
    """The commit that a revision names, or None."""
    try:
        found = _git(repository.top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except WorkspaceError:
        return None
    return found.decode("ascii").strip() or None


def default_revision(repository: Repository) -> tuple[str, str] | None:
    """(how it is called, commit) of the merge base of HEAD with the default branch, HEAD where there is none; None
    without a commit. Raises WorkspaceError where it cannot be told."""
    try:
        named = _git(repository.top, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD").decode().strip()
    except WorkspaceError:
        named = ""
    for ref in (named, *_DEFAULT_BRANCHES):
        if not ref or (commit := resolve(repository, ref)) is None:
            continue
        try:
            bases = _git(repository.top, "merge-base", "--end-of-options", "HEAD", commit).decode("ascii").split()
        except WorkspaceError:
            continue
        if bases:
            short = ref.removeprefix("refs/remotes/").removeprefix("refs/heads/")
            return f"merge base with {short}", bases[0]
    if _git(repository.top, "rev-parse", "--is-shallow-repository").strip() == b"true":
        # HEAD would be no change at all: worse than no answer.
        raise WorkspaceError(
            "the history of this clone is cut off before the merge base with the default branch: fetch all of it"
            " (`fetch-depth: 0`), or say what to compare with (`--against`)"
        )
    head = resolve(repository, "HEAD")
    return ("HEAD", head) if head is not None else None


@contextmanager
def checked_out(repository: Repository, commit: str) -> Iterator[tuple[str, str]]:
    """A temporary folder with the declarations and configuration of a commit, and in it the workspace's root."""
    # Real, so that paths below it compare equal to what links in it lead to.
    with TemporaryDirectory(prefix="atl-") as made:
        base = os.path.realpath(made)
        _fill(base, repository.top, commit, "")
        root = os.path.join(base, *repository.prefix.rstrip("/").split("/")) if repository.prefix else base
        os.makedirs(root, exist_ok=True)
        yield base, root


def _fill(base: str, top: str, commit: str, below: str) -> None:
    """Write what counts of a commit of the repository in `top` into a folder of `base`, "" or ending in `/`; with it
    its submodules, as far as they are checked out: the work tree that is compared with it has their files too."""
    wanted = list(_wanted(_git(top, "ls-tree", "-r", "-z", "--full-tree", commit)))
    files = [entry for entry in wanted if entry.mode != _SUBMODULE]
    for entry, data in zip(files, _blobs(top, [(entry.object, entry.path) for entry in files]), strict=True):
        if data is not None:
            _write(base, below + entry.path, data, entry.mode == _LINK)
    for entry in wanted:
        folder = os.path.normpath(os.path.join(top, entry.path))
        if entry.mode != _SUBMODULE or os.path.realpath(folder) != folder or not _is_repository(folder):
            continue
        if resolve(Repository(folder, ""), entry.object) is not None:
            _fill(base, folder, entry.object, f"{below}{entry.path}/")
        elif any(name.endswith(b".atl") for name in _git(folder, "ls-files", "-z").split(b"\0")):
            raise WorkspaceError(
                f"the submodule has no commit {entry.object[:12]}: fetch all of it (`git fetch` in it)", folder
            )


def _is_repository(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, ".git"))


class _Entry(NamedTuple):
    """An entry of a tree; object: its hash, of a submodule that of its commit."""

    mode: str
    object: str
    path: str


def _wanted(listing: bytes) -> Iterator[_Entry]:
    """The entries that count."""
    for entry in listing.split(b"\0"):
        about, _, raw = entry.partition(b"\t")
        fields = about.decode("ascii", "replace").split()
        if len(fields) != 3:
            continue
        path = raw.decode("utf-8", "surrogateescape")
        parts = path.split("/")
        # git itself makes no such entries, but a tree can be written by hand.
        if any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
            continue
        if os.sep != "/" and any(char in path for char in '\\:*?"<>|'):
            continue
        if path.endswith(".atl") or parts[-1] in _NAMES or fields[0] in (_LINK, _SUBMODULE):
            yield _Entry(fields[0], fields[2], path)


def _blobs(top: str, objects: Sequence[tuple[str, str]]) -> Iterator[bytes | None]:
    """The contents of objects, each with its path; None of one that is too large. Raises WorkspaceError when one is
    missing: to leave it out would make a change of it."""
    if not objects:
        return
    out = _git(top, "cat-file", "--batch", input="".join(f"{object}\n" for object, _ in objects).encode())
    at = 0
    for _, path in objects:
        end = out.index(b"\n", at)
        header = out[at:end].split()
        at = end + 1
        if len(header) != 3:  # `... missing`
            raise WorkspaceError(_PARTIAL, os.path.join(top, path))
        size = int(header[2])
        yield out[at : at + size] if size <= _SIZE_LIMIT else None
        at += size + 1


def _write(base: str, path: str, data: bytes, link: bool) -> None:
    full = os.path.join(base, *path.split("/"))
    if link:
        target = data.decode("utf-8", "surrogateescape")
        led = os.path.normpath(os.path.join(os.path.dirname(full), target))
        # A link out of the tree leads to what is on this machine now, not to what stood there.
        if os.path.isabs(target) or not led.startswith(base + os.sep):
            return
    folder = os.path.dirname(full)
    try:
        os.makedirs(folder, exist_ok=True)
        if os.path.realpath(folder) != folder:  # an entry below a link
            return
        if link:
            os.symlink(target, full)
        else:
            with open(full, "xb") as file:
                file.write(data)
    except (OSError, ValueError):
        # Names that differ only in case, or that this file system cannot hold.
        return


def _git(folder: str, *words: str, input: bytes = b"") -> bytes:
    """Run git. Raises WorkspaceError with the last line that it said."""
    # Within a hook they name another repository's parts; the user's own configuration stays.
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith("GIT_CONFIG")
    }
    try:
        done = subprocess.run(
            ("git", *_OPTIONS, *words), cwd=folder, input=input, capture_output=True, env=environment | _ENVIRONMENT
        )
    except FileNotFoundError:
        raise WorkspaceError("git is not installed") from None
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().split("\n")
        said = next((line for line in lines if line.startswith("fatal: ")), lines[0]).removeprefix("fatal: ")
        way = next((f": {way}" for why, way in _WAYS_OUT if why in said), "")
        raise WorkspaceError(f"git: {said or f'{words[0]} failed'}{way}")
    return done.stdout
