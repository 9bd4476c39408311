"""What `atl check` was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atl.workspace.checking import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FORMATS", "Arguments", "options_of"]

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")


class Arguments:
    """What was asked for, with the defaults at first."""

    def __init__(self) -> None:
        self.paths: Sequence[str] = ()
        self.format = "text"
        self.hints = False
        self.fix = False
        self.unsafe_fixes = False
        self.diff = False
        self.select: list[str] = []
        self.ignore: list[str] = []
        self.statistics = False
        self.watch = False
        self.stdin_filename: str | None = None
        self.exit_zero = False
        self.no_cache = False
        self.color = "auto"


def options_of(args: Arguments) -> Options:
    return Options(_codes(args.select), _codes(args.ignore), hints=args.hints, cache=not args.no_cache)


def _codes(words: list[str]) -> tuple[str, ...]:
    return tuple(code.strip() for word in words for code in word.split(",") if code.strip())
