"""The table of commands. A new one is a module beside this one and a row here."""

from __future__ import annotations

from atl.records import NamedTuple

__all__ = ["COMMANDS", "Command"]


class Command(NamedTuple):
    """module: below `atl.cli`, with `arguments(parser)` and `run(args)`. help: one line for the overview. trouble: the
    exit code of "could not run"; of the commands whose 2 is the class of a plan it is 3."""

    name: str
    module: str
    help: str
    trouble: int = 2


COMMANDS = (
    Command("check", "check", "find what the server or PostgreSQL would refuse, and what is very likely wrong"),
    Command("fmt", "fmt", "lay files out in the one standard form"),
    Command("explain", "explain", "print a rule's page: what, why, an example, the fix"),
    Command("schema", "schema", "print the resolved schema as JSON"),
    Command("plan", "plan", "say what changed, what it costs, and the SQL that makes it", 3),
    Command("diff", "diff", "the same between any two schemas", 3),
    Command("apply", "apply", "bring a database to what is declared", 3),
    Command("inspect", "inspect", "compare what a database holds with what is declared", 3),
    Command("history", "history", "list what was done to a database", 3),
    Command("parked", "parked", "list what was taken out of the schema and is kept for a while", 3),
    Command("lsp", "lsp", "serve an editor by the language server protocol"),
    Command("version", "version", "print the version"),
    Command("completions", "completions", "print a script that completes commands and options in a shell"),
)
