"""A plan as a script for `psql`, forwards and backwards.

The script does what `atl apply` does, but keeps no record: a database that has a checkpoint still says that it is what
it was before.
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.migrate.model import SESSION, Lock, Plan, Stage, Statement
from atl.migrate.sqltext import quote_literal

__all__ = ["down_script", "up_script", "up_stages"]

LOCK_TIMEOUT = "3s"
"""How long a statement of the script waits for a lock; who comes behind it in the queue waits as long."""


def up_script(plan: Plan) -> str:
    """The statements of a plan, stage by stage."""
    return _text(_head(plan, "carries it out"), [_up(stage) for stage in plan.stages])


def up_stages(plan: Plan) -> str:
    """The same without the head: what is done, for a reader."""
    return _text([], [_up(stage) for stage in plan.stages]).lstrip("\n")


def down_script(plan: Plan) -> str:
    """What undoes a plan that was carried out whole: the reverses, the last one first."""
    stages = [_down(stage) for stage in reversed(plan.stages)]
    return _text(_head(plan, "undoes it"), [lines for lines in stages if lines])


def _text(head: list[str], stages: list[list[str]]) -> str:
    parts = [head]
    for number, lines in enumerate(stages, 1):
        parts.append([f"-- stage {number} of {len(stages)}", *lines])
    return "\n".join("\n".join(lines) + "\n" for lines in parts)


def _head(plan: Plan, what: str) -> list[str]:
    lines = [f"-- plan {plan.id}: {plan.cls.value}. This {what}.", "-- psql -v ON_ERROR_STOP=1 -f FILE"]
    for extension in plan.extensions:
        lines.append(f"-- needs the extension {extension}")
    for change in plan.by_hand:
        lines.append(
            f"-- by hand: {_one_line(f'{change.id}.{change.member}'.rstrip('.'))}: {_one_line(change.message)}"
        )
    lines.append("SET statement_timeout = '0';")
    return [*lines, *(f"SET {name} = {quote_literal(value)};" for name, value in SESSION.items())]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _said(statement: Statement) -> str:
    lock = "" if statement.lock is Lock.NONE else f" ({statement.lock.value})"
    return f"-- {_one_line(statement.comment)}{lock}"


def _up(stage: Stage) -> list[str]:
    lines: list[str] = []
    for statement in stage.statements:
        lines.append(_said(statement))
        if statement.clear:
            lines.append(f"{statement.clear};")
        lines.append(f"{statement.sql};")
    return _within(lines) if stage.transactional else lines


def _down(stage: Stage) -> list[str]:
    lines = list(_reverses(stage))
    undone = any(not line.startswith("--") for line in lines)
    return _within(lines) if stage.transactional and undone else lines


def _reverses(stage: Stage) -> Iterator[str]:
    for statement in reversed(stage.statements):
        if statement.reverse is None:
            yield f"-- not undone: {_one_line(statement.comment)}: {_one_line(statement.no_reverse)}"
        else:
            yield f"-- undo: {_one_line(statement.comment)}"
            yield f"{statement.reverse};"


def _within(lines: list[str]) -> list[str]:
    return ["BEGIN;", f"SET LOCAL lock_timeout = {quote_literal(LOCK_TIMEOUT)};", *lines, "COMMIT;"]
