"""What is said about a completion when it is looked at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from atl.ide.snippets import plain, template
from atl.schema.symbols import EntitySymbol, EnumSymbol, FieldSymbol, JobSymbol
from atl.schema.types import BUILTINS, parameter_form, spelled
from atl.schema.words import meaning

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["signature", "told"]

_MOST = 30


def told(workspace: Workspace, about: tuple[str, ...]) -> str:
    match about:
        case ("word", owner, word):
            row = meaning(owner, word)
            if row is None:
                return ""
            usual = f"\n\nLeft out, it is `{row.usual}`." if row.usual else ""
            return f"{_code(plain(template(row.form)).rstrip())}\n\n{row.documentation}{usual}"
        case ("type", name):
            builtin = BUILTINS.get(name)
            if builtin is None:
                return "A one-dimensional array of the type behind it."
            return f"{_code(parameter_form(builtin))}\n\n{builtin.documentation}; `{builtin.postgres}` in PostgreSQL"
        case ("entity" | "job" | "enum" as kind, id):
            found = workspace.index.at((kind, id))
            return _declared(found[0].symbol) if found else ""
        case ("field" | "argument" as kind, id, name):
            for declared in workspace.index.at(("entity" if kind == "field" else "job", id)):
                symbol = declared.symbol
                members = symbol.fields if isinstance(symbol, EntitySymbol) else ()
                members = symbol.args if isinstance(symbol, JobSymbol) else members
                for member in members:
                    if member.name == name:
                        return f"{_code(_line(member))}\n\nof `{id}`"
            return ""
        case ("code", code):
            from atl.findings import CODES

            known = CODES.get(code)
            if known is None:
                return ""
            from atl.check.registry import documentation

            page = re.sub(r"^## ", "#### ", documentation(code).strip(), flags=re.MULTILINE)
            return f"`{known.name}`, a {known.severity.value}\n\n{page}"
        case _:
            return ""


def _declared(symbol: object) -> str:
    match symbol:
        case EntitySymbol():
            lines = [f"entity {symbol.name} in {symbol.namespace} {{", *_members(symbol.fields), "}"]
            table = ".".join(symbol.table)
            return _code("\n".join(lines)) + (f"\n\ntable `{table}`" if symbol.table[1] else "")
        case JobSymbol():
            return _code("job " + signature(symbol))
        case EnumSymbol():
            return _code(f"enum {symbol.name} in {symbol.namespace} {{ {', '.join(symbol.labels[:_MOST])} }}")
        case _:
            return ""


def _members(fields: tuple[FieldSymbol, ...]) -> list[str]:
    lines = [f"  {_line(field)}" for field in fields[:_MOST]]
    return lines if len(fields) <= _MOST else [*lines, f"  // {len(fields) - _MOST} more"]


def _line(field: FieldSymbol) -> str:
    parts = [field.name, spelled(field.type)]
    parts += [field.generated] if field.generated else []
    parts += ["primary"] if field.primary else ["not null"] if field.not_null and not field.generated else []
    parts += ["unique"] if field.unique else []
    return " ".join(parts)


def argument(arg: FieldSymbol) -> str:
    """`name: type`, with `?` where it can be left out."""
    return f"{arg.name}: {spelled(arg.type)}{'' if arg.not_null and not arg.filled else '?'}"


def signature(job: JobSymbol) -> str:
    """`ns.Name(a: text, b: int?)`."""
    return f"{job.namespace}.{job.name}({', '.join(map(argument, job.args))})"


def _code(text: str) -> str:
    return f"```atl\n{text}\n```"
