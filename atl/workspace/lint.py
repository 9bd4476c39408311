"""`atl.toml`: which findings are shown, and which files are left out.

```toml
select = ["ATL"]               # what is shown of warnings and hints; left out: everything
ignore = ["ATL108", "no-effect"]
exclude = ["generated/"]       # files that do not count at all

[per-file-ignores]
"legacy/**" = ["ATL326"]
```

The nearest file counts, from a declaration's folder upwards, alone; its patterns are relative to its folder. Errors are
what the server refuses: no configuration hides them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from atl.records import NamedTuple
from atl.workspace.errors import WorkspaceError

if TYPE_CHECKING:
    from atl.findings.codes import Code

__all__ = ["DEFAULT", "Lint", "Nearest", "matches", "pattern", "selected"]

NAME = "atl.toml"
_KEYS = ("select", "ignore", "exclude", "per-file-ignores")


class Lint(NamedTuple):
    """folder: absolute, that the patterns are relative to; "" for the defaults. Codes are written out."""

    folder: str = ""
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    exclude: tuple[re.Pattern[str], ...] = ()
    per_file: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = ()

    def excludes(self, full: str) -> bool:
        """Whether a file (by its absolute path) is left out."""
        return bool(self.exclude) and matches(self.exclude, self.relative(full))

    def hidden(self, full: str) -> frozenset[str]:
        """Codes whose warnings and hints are not shown for a file; `select` stands beside it."""
        if not self.per_file:
            return self.ignore
        relative = self.relative(full)
        return self.ignore.union(*(codes for glob, codes in self.per_file if glob.match(relative)))

    def relative(self, full: str) -> str:
        return full[len(self.folder) :].lstrip("/\\").replace(os.sep, "/")


DEFAULT = Lint()


class Nearest:
    """Finds and keeps the `atl.toml` that counts for a folder."""

    def __init__(self) -> None:
        self._by_folder: dict[str, Lint] = {}
        self.files: list[str] = []

    def of(self, folder: str, known_absent: bool = False) -> Lint:
        """Raises WorkspaceError when the nearest file is bad. known_absent: there is none in the folder itself."""
        missed: list[str] = []
        while True:
            found = self._by_folder.get(folder)
            if found is None and not known_absent and os.path.isfile(os.path.join(folder, NAME)):
                path = os.path.join(folder, NAME)
                self.files.append(path)
                found = _read(path)
            if found is not None:
                break
            known_absent = False
            missed.append(folder)
            above = os.path.dirname(folder)
            if above == folder:
                found = DEFAULT
                break
            folder = above
        for name in (folder, *missed):
            self._by_folder[name] = found
        return found


def selected(selectors: Iterable[str], where: str, errors: bool, path: str = "", line: int = 0) -> frozenset[str]:
    """The codes that are meant: a code, the beginning of codes (`ATL`, `ATL3`) or a name. where: what the selectors
    stand in, for the message. errors: whether codes that are always errors may be named one by one."""
    from atl.findings.codes import CODES, Severity

    codes: set[str] = set()
    for selector in selectors:
        found = [row for row in CODES.values() if row.name == selector or row.code == selector.upper()]
        if found and not errors and found[0].severity is Severity.ERROR and found[0].code not in _SOMETIMES_WEAKER:
            raise WorkspaceError(f"`{selector}` is an error, and no configuration hides errors", path, line)
        if not found and re.fullmatch(r"ATL\d{0,2}", selector, re.IGNORECASE):
            found = [row for row in CODES.values() if row.code.startswith(selector.upper())]
        if not found:
            raise WorkspaceError(f"`{where}` names no rule: `{selector}`{_meant(selector, CODES)}", path, line)
        codes.update(row.code for row in found)
    return frozenset(codes)


# Errors by the table that can be warnings (`Finding.weaker`).
_SOMETIMES_WEAKER = frozenset({"ATL101", "ATL308", "ATL317", "ATL401"})


def _meant(selector: str, codes: dict[str, Code]) -> str:
    from atl.findings.suggest import closest

    near = closest(selector, [*codes, *(row.name for row in codes.values())])
    return f"; did you mean `{near}`?" if near else ""


# ------------------------------------------------------------------ reading


def _read(path: str) -> Lint:
    tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        with open(path, "rb") as file:
            text = file.read(1 << 20).decode("utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise WorkspaceError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None
    except UnicodeDecodeError:
        raise WorkspaceError("is not UTF-8", path) from None
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"\(at line (\d+), column \d+\)", str(error))
        said = re.sub(r" \(at .*\)$", "", str(error))
        raise WorkspaceError(f"is no TOML: {said[:1].lower()}{said[1:]}", path, int(at[1]) if at else 0) from None
    except RecursionError:
        raise WorkspaceError("is nested too deeply", path) from None
    return _lint(data, text, path)


def _lint(data: dict[str, Any], text: str, path: str) -> Lint:
    def line(key: str) -> int:
        found = re.search(rf"^[ \t]*\[?[ \t]*[\"']?{re.escape(key)}\b", text, re.MULTILINE)
        return text.count("\n", 0, found.start()) + 1 if found else 0

    def strings(key: str, value: object) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise WorkspaceError(f"`{key}` is a list of strings", path, line(key))
        return value

    for key in data:
        if key not in _KEYS:
            from atl.findings.suggest import closest

            near = closest(key, _KEYS)
            raise WorkspaceError(
                f"unknown key `{key}`" + (f"; did you mean `{near}`?" if near else ""), path, line(key)
            )
    per_file = data.get("per-file-ignores", {})
    if not isinstance(per_file, dict):
        raise WorkspaceError("`per-file-ignores` is a table of patterns", path, line("per-file-ignores"))
    select = data.get("select")
    return Lint(
        os.path.dirname(path),
        selected(strings("select", select), "select", True, path, line("select")) if select is not None else None,
        selected(strings("ignore", data.get("ignore", [])), "ignore", False, path, line("ignore")),
        tuple(pattern(glob) for glob in strings("exclude", data.get("exclude", []))),
        tuple(
            (pattern(glob), selected(strings(glob, codes), glob, False, path, line(glob)))
            for glob, codes in per_file.items()
        ),
    )


# ------------------------------------------------------------------ patterns


def pattern(glob: str) -> re.Pattern[str]:
    """A pattern over relative paths with `/`, as `.gitignore` reads it: `*` and `?` stay within a folder's name, `**`
    does not; without a `/` before its end it matches at any depth; a folder means all that is in it."""
    folder_only = glob.endswith("/")
    parts = glob.strip("/").split("/")
    anchored = "/" in glob.rstrip("/")
    pieces: list[str] = [] if anchored else ["(?:.*/)?"]
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            pieces.append(".*" if last else "(?:.*/)?")
        else:
            pieces.append(_name(part) + ("" if last else "/"))
    return re.compile("".join(pieces) + ("/.*" if folder_only else "(?:/.*)?") + r"\Z", re.DOTALL)


def _name(part: str) -> str:
    made: list[str] = []
    at = 0
    while at < len(part):
        char = part[at]
        at += 1
        if char == "*":
            made.append("[^/]*")
        elif char == "?":
            made.append("[^/]")
        elif char == "[" and (close := part.find("]", at + 1)) > 0:
            inside = part[at:close].replace("\\", r"\\").replace("[", r"\[")
            made.append(f"[{'^' + inside[1:] if inside[0] in '!^' else inside}]")
            at = close + 1
        else:
            made.append(re.escape(char))
    return "".join(made)


def matches(globs: Iterable[re.Pattern[str]], relative: str) -> bool:
    return any(glob.match(relative) for glob in globs)
