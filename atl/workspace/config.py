"""`tide.yaml`: where a workspace begins, who it is, and where its declarations stand.

PyYAML is loaded only for a file that is more than flat `key: word` and `key: [word, word]` lines: its import costs more
than a check of unchanged files. What the plain reader takes it reads as PyYAML does (a test compares them).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from atl.records import NamedTuple
from atl.workspace.errors import WorkspaceError

if TYPE_CHECKING:
    import yaml

__all__ = ["CACHED", "Config", "find_root", "read_config"]

NAME = "tide.yaml"
CACHED = ".tide-cache/schema"

# A longer one is no configuration; the limit keeps a wrong file from being read at all.
_LIMIT = 1 << 20


class Config(NamedTuple):
    """root: absolute folder, as it was reached (symbolic links are kept). caller: None when not said.
    schema_paths: as written, relative to root; None when not said: then root itself.
    path: of `tide.yaml`, "" without one. lines: of each schema path in it, from 1."""

    root: str
    caller: str | None = None
    schema_paths: tuple[str, ...] | None = None
    path: str = ""
    lines: tuple[int, ...] = ()


def find_root(folder: str) -> str | None:
    """The nearest folder with a `tide.yaml`, from an absolute `folder` upwards."""
    while True:
        if os.path.isfile(os.path.join(folder, NAME)):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def read_config(root: str) -> Config:
    """The configuration of a root. Raises WorkspaceError when `tide.yaml` is there and cannot be understood."""
    path = os.path.join(root, NAME)
    try:
        with open(path, "rb") as file:
            data = file.read(_LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return Config(root)
    except OSError as error:
        raise WorkspaceError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None
    if len(data) > _LIMIT:
        raise WorkspaceError("is too large for a configuration", path)
    values = _plain(data)
    if values is None:
        values = _yaml(data, path)
    caller = values.get("caller")
    schema_paths = values.get("schema_paths")
    if caller is not None and caller.word is None:
        raise WorkspaceError("`caller` is a name, not a list", path, caller.line)
    if schema_paths is not None and schema_paths.word is not None:
        raise WorkspaceError(
            f"`schema_paths` is a list of folders: write `[{schema_paths.word}]`", path, schema_paths.line
        )
    return Config(
        root,
        caller.word if caller is not None else None,
        tuple(folder for folder, _ in schema_paths.items) if schema_paths is not None else None,
        path,
        tuple(line for _, line in schema_paths.items) if schema_paths is not None else (),
    )


class _Value(NamedTuple):
    """A word, or a list of (word, line)."""

    line: int
    word: str | None = None
    items: tuple[tuple[str, int], ...] = ()


# ------------------------------------------------------------------ the plain reader

_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\n"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_IN_WORDS = _LETTERS + "0123456789_./-"
# Words that YAML 1.1 reads as something else than a string.
_SPECIAL = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))


def _plain(data: bytes) -> dict[str, _Value] | None:
    """The keys of a flat file of printable ASCII, without patterns, whose compilation would cost more than the rest;
    None for everything else."""
    data = data.replace(b"\r\n", b"\n")
    if data.translate(None, _PRINTABLE):
        return None
    found: dict[str, _Value] = {}
    open_list = indent = ""
    for number, line in enumerate(data.decode("ascii").split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        line = line.partition(" #")[0].rstrip()
        bullet = line[: len(line) - len(line.lstrip(" -"))]
        if open_list and bullet.count("-") == 1 and bullet[-1] == " ":
            item = _word(line[len(bullet) :])
            if item is None or (indent and bullet != indent):
                return None
            indent = bullet
            found[open_list] = found[open_list]._replace(items=(*found[open_list].items, (item, number)))
            continue
        key, colon, rest = line.partition(":")
        name = _word(key)
        if name is None or key[0] == '"' or not colon or name in found or (open_list and not indent):
            return None
        open_list = indent = ""
        value = rest.strip(" ")
        if not value:
            open_list = name
            found[name] = _Value(number)
        elif rest[0] != " ":
            return None
        elif value[0] == "[" and value[-1] == "]":
            inner = value[1:-1].strip(" ")
            items = [_word(item.strip(" ")) for item in inner.split(",")] if inner else []
            if None in items:
                return None
            found[name] = _Value(number, None, tuple([(item, number) for item in items if item is not None]))
        else:
            word = _word(value)
            if word is None:
                return None
            found[name] = _Value(number, word)
    return None if open_list and not indent else found


def _word(text: str) -> str | None:
    """A word that is a string in YAML and nothing else, bare or in double quotes; None for any other text."""
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    word = text[1:-1] if quoted else text
    if quoted:
        return word if _made_of(word, _IN_WORDS + " ") else None
    plain = word != "" and word[0] in _LETTERS and _made_of(word, _IN_WORDS)
    return word if plain and word.lower() not in _SPECIAL else None


def _made_of(text: str, letters: str) -> bool:
    return all(char in letters for char in text)


# ------------------------------------------------------------------ PyYAML


def _yaml(data: bytes, path: str) -> dict[str, _Value]:
    """`caller` and `schema_paths`; other keys are other tools'."""
    import yaml

    try:
        document = yaml.compose(data, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise WorkspaceError(f"is no YAML: {error.problem}", path, mark.line + 1 if mark is not None else 0) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise WorkspaceError(f"is no YAML: {str(error).splitlines()[0]}", path) from None
    except RecursionError:
        raise WorkspaceError("is nested too deeply", path) from None
    if document is None or _is_null(document):
        return {}
    if not isinstance(document, yaml.MappingNode):
        raise WorkspaceError("holds no keys", path, 1)
    found: dict[str, _Value] = {}
    for key, node in document.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else ""
        line = key.start_mark.line + 1
        if name not in ("caller", "schema_paths"):
            continue
        if name in found:
            raise WorkspaceError(f"`{name}` stands here a second time", path, line)
        if _is_null(node):
            continue
        if isinstance(node, yaml.ScalarNode):
            found[name] = _Value(line, node.value)
        elif isinstance(node, yaml.SequenceNode) and all(isinstance(item, yaml.ScalarNode) for item in node.value):
            found[name] = _Value(line, None, tuple((item.value, item.start_mark.line + 1) for item in node.value))
        else:
            wanted = "a name" if name == "caller" else "a list of folders"
            raise WorkspaceError(f"`{name}` is not {wanted}", path, line)
    return found


def _is_null(node: yaml.Node) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")
