"""How a new name is written where the old one stands."""

from __future__ import annotations

import re
from typing import NamedTuple

from atl.ide.use_index import UnitUse
from atl.schema.naming import clip, default_physical, snake_case
from atl.schema.targets import Use
from atl.syntax import nodes as n
from atl.syntax.walk import walk

__all__ = ["Unwritable", "quoted_label", "respelled", "written_label"]

_BARE = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Unwritable(NamedTuple):
    """The new name cannot stand in a place. reason: ends a sentence."""

    reason: str


def written_label(label: str) -> str:
    """A label where an enum lists it: bare where it is a word."""
    return label if _BARE.fullmatch(label) else quoted_label(label)


def quoted_label(text: str) -> str:
    for char, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(char, escape)
    return f'"{text}"'


def respelled(each: UnitUse, new: str) -> str | Unwritable:
    """What replaces the text of a use once its target is called `new`."""
    use = each.use
    text = each.unit.chunk.text[use.start : use.end]
    match use.form:
        case "quoted":
            return quoted_label(new)
        case "name" | "parameter" | "string":
            return written_label(new) if use.target.kind == "label" else new
    match use.form:
        case "literal":
            from atl.postgres.scan import quote_literal

            made: str = quote_literal(new)
        case "column":
            made = _identifier(new)
        case "table" | "qualifier":
            made = _table(text, use, new)
        case _:
            made = default_physical(use.target.id.rpartition(".")[0], new)[1]
            made = f'"{made}"' if text.startswith('"') else made
    around = _around(each)
    if around == "predicate" and '"' in made:
        return Unwritable(f"`{new}` cannot be written in the predicate of an index")
    return made.replace("\\", "\\\\").replace('"', '\\"') if around == "string" else made


def _around(each: UnitUse) -> str:
    """What SQL a use stands in: a `block`, a `predicate`, or a `string`."""
    at = each.use.start
    for decl in each.unit.chunk.declarations:
        for node in walk(decl) if decl.start <= at <= decl.end else ():
            if type(node) is n.Sql and node.sql.start <= at <= node.sql.end:
                return "block"
            predicate = node.predicate if type(node) is n.Index else None
            if predicate is not None and predicate.start <= at <= predicate.end:
                return "predicate"
    return "string"


def _identifier(name: str) -> str:
    """A column's or table's name as SQL has to write it, quoted only where it must be."""
    from atl.postgres.expression import expression
    from atl.postgres.scan import quote_identifier

    columns = expression(name).columns if _BARE.fullmatch(name) else ()
    plain = len(columns) == 1 and columns[0].name == name and (columns[0].start, columns[0].end) == (0, len(name))
    return name if plain else quote_identifier(name)


def _table(text: str, use: Use, new: str) -> str:
    """`text` names the table in one of four spellings, which it keeps; the one of a `table` clause stays as it is."""
    from atl.postgres.scan import tokens
    from atl.postgres.text import fold

    names = [token for token in tokens(text) if token.kind in ("word", "quoted")]
    last = names[-1]
    namespace, _, old = use.target.id.rpartition(".")
    written = text[last.start : last.end]
    quoted = last.kind == "quoted"
    name = written[1:-1].replace('""', '"') if quoted else fold(written)
    schema = fold(text[names[0].start : names[0].end].strip('"')) if len(names) > 1 else ""
    by_namespace = schema == namespace.lower() or (use.form == "qualifier" and schema == "")
    if by_namespace and name == clip(snake_case(old)):
        made = clip(snake_case(new))
    elif name.lower() == clip(default_physical(namespace, old)[1].lower()):
        made = default_physical(namespace, new)[1].lower()
    else:
        return text
    if quoted:
        made = f'"{made}"'
    elif len(names) == 1:
        made = _identifier(made)
    return text[: last.start] + made + text[last.end :]
