"""From the words of a command line to a command's `run`."""

from __future__ import annotations

import argparse
import gc
from importlib import import_module
from typing import Any, NoReturn

from atl.cli.commands import COMMANDS, Command
from atl.cli.output import UsageError, fail, note

__all__ = ["Parser", "dispatch", "parser_for"]


class Parser(argparse.ArgumentParser):
    """argparse, but a mistake is one line for `main` to print."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see `{self.prog} --help`)")


def parser_for(command: Command) -> tuple[Parser, Any]:
    """A command's parser and its module."""
    module: Any = import_module(f"atl.cli.{command.module}")
    parser = Parser(prog=f"atl {command.name}", description=module.__doc__, allow_abbrev=False)
    # Docstrings are laid out already.
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    module.arguments(parser)
    return parser, module


def dispatch(name: str, rest: list[str]) -> int:
    if name in ("", "-h", "--help", "help"):
        print(overview())
        return 0 if name else 2
    command = next((row for row in COMMANDS if row.name == name), None)
    if command is None:
        raise UsageError(_unknown(name))
    parser, module = parser_for(command)
    # A module may give the class of its arguments, so that they have types.
    args = parser.parse_intermixed_args(rest, namespace=getattr(module, "Arguments", argparse.Namespace)())
    from atl.migrate.errors import MigrateError

    gc.enable()
    try:
        code: int = module.run(args)
    except MigrateError as error:
        code = fail(error.message, command.trouble)
        for line in error.notes:
            note(f"  {line}")
    return code


def overview() -> str:
    width = max(len(command.name) for command in COMMANDS)
    rows = "\n".join(f"  {command.name:<{width}}  {command.help}" for command in COMMANDS)
    return f"""usage: atl COMMAND ...

The toolchain for .atl declarations.

{rows}

`atl COMMAND --help` says more about one."""


def _unknown(name: str) -> str:
    from pathlib import Path

    from atl.findings.suggest import closest

    if name.startswith("-"):
        return f"`{name}` is no option of `atl` itself (see `atl --help`)"
    if name.endswith(".atl") or Path(name).is_dir():
        return f"`{name}` is no command: write `atl check {name}`"
    near = closest(name, (command.name for command in COMMANDS))
    return f"`{name}` is no command" + (f": is it `{near}`?" if near else " (see `atl --help`)")
