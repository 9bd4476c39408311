"""The table of commands. A new one is a module beside this one and a row here."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMMANDS", "Command"]


class Command(NamedTuple):
    """module: below `atl.cli`, with `arguments(parser)` and `run(args)`. help: one line for the overview."""

    name: str
    module: str
    help: str


COMMANDS = (
    Command("check", "check", "find what the server or PostgreSQL would refuse, and what is very likely wrong"),
    Command("fmt", "fmt", "lay files out in the one standard form"),
    Command("explain", "explain", "print a rule's page: what, why, an example, the fix"),
    Command("schema", "schema", "print the resolved schema as JSON"),
    Command("version", "version", "print the version"),
    Command("completions", "completions", "print a script that completes commands and options in a shell"),
)
