"""Creating what a name that means nothing yet could mean: a job from its call, an entity, an enum."""

from __future__ import annotations

import re
from collections.abc import Iterator

from atl.check.context import Context
from atl.check.entity_uses import USERS, entity_uses
from atl.ide.actions.fixes import at
from atl.ide.actions.model import Action, Spot
from atl.ide.rename import TextEdit
from atl.schema.naming import SCHEMA, snake_case
from atl.schema.symbols import fields_of, params_of
from atl.schema.types import BUILTINS, foreign_spelling, spelled
from atl.source import Span
from atl.syntax import nodes as n
from atl.syntax.walk import walk

__all__ = ["created"]

_TABLE = re.compile(r"\b([a-z_][a-z0-9_]*)\.([a-z][a-z0-9_]*)\b")


def created(spot: Spot) -> Iterator[Action]:
    findings = [finding for finding in at(spot) if finding.code in ("ATL103", "ATL105", "ATL107", "ATL614")]
    if spot.decl is None or spot.unit is None or not findings:
        return
    ctx = spot.context()
    if ctx is None:
        return
    for code, node, name, text in _missing(spot, ctx):
        place = ctx.at(*node).span if isinstance(node, Span) else ctx.place(node).span
        told = (each for each in findings if each.code == code and _meet(each.place.span, place))
        finding = next(told, None)
        if finding is None:
            continue
        offset = spot.insertion_after(spot.unit, spot.decl)
        new = spot.newline * 2 + text.replace("\n", spot.newline)
        edits = {spot.path: [TextEdit(Span(offset, offset), new)]}
        yield Action(f"create the {name}", "quickfix", edits, (finding,))


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _missing(spot: Spot, ctx: Context) -> Iterator[tuple[str, n.Node | Span, str, str]]:
    """(code of the finding, the name or where it stands in the declaration's unit, what it is called, its text) of each
    declaration that the cursor's names lack."""
    own = ctx.scope.namespace
    line = spot.tree.file.lines
    first = line.line(spot.span.start)
    assert spot.unit is not None and spot.decl is not None
    base = spot.unit.anchor.start

    def here(node: n.Node) -> bool:
        return line.line(base + node.start) <= first <= line.line(base + node.end)

    for node in walk(spot.decl):
        if isinstance(node, n.TypeRef) and here(node):
            namespace = node.namespace.text if node.namespace is not None else own
            name = node.name.text
            known = node.namespace is None and (name in BUILTINS or foreign_spelling(name) is not None)
            if namespace and name[:1].isupper() and not known and ctx.scope.enum(f"{namespace}.{name}") is None:
                label = _default_label(spot.decl, node)
                yield (
                    "ATL107",
                    node,
                    f"enum `{namespace}.{name}`",
                    f"enum {name} in {namespace} {{ {label} }}\n".rstrip("\n"),
                )
        elif isinstance(node, n.Enqueue | n.JobUse):
            ref = node.job
            namespace = ref.namespace.text if ref.namespace is not None else own
            if namespace and here(ref) and ctx.scope.job(namespace, ref.name.text) is None:
                args = node.args if isinstance(node, n.Enqueue) else _step_args(spot.decl, node)
                text = _job(ref.name.text, namespace, args, ctx)
                yield "ATL105", ref, f"job `{namespace}.{ref.name.text}`", text
        elif isinstance(node, n.Sql) and here(node):
            for span, namespace, name in _tables(node):
                text = f"entity {name} in {namespace} {{\n  id bigint identity primary\n}}"
                yield "ATL614", span, f"entity `{namespace}.{name}`", text
        if isinstance(node, USERS):
            for use in entity_uses(node, ctx):
                namespace = use.namespace.text if use.namespace is not None else own or _first_namespace(spot)
                name = use.name.text
                if namespace and here(use.name) and not ctx.scope.entity_candidates(namespace, name):
                    key = node.path[2].text if isinstance(node, n.References) and len(node.path) == 3 else "id"
                    type_ = _column_type(spot.decl, node) if isinstance(node, n.References) else "bigint identity"
                    text = f"entity {name} in {namespace} {{\n  {key} {type_} primary\n}}"
                    yield "ATL103", use.name, f"entity `{namespace}.{name}`", text


def _first_namespace(spot: Spot) -> str:
    """The file's, else the workspace's."""
    index = spot.workspace.index
    found = (each.symbol.namespace for each in (*index.in_file(spot.path), *index))
    return next((namespace for namespace in found if namespace), "")


def _tables(sql: n.Sql) -> Iterator[tuple[Span, str, str]]:
    """Where `namespace.snake_name` stands in SQL, with the namespace and what the entity would be called."""
    for found in _TABLE.finditer(sql.sql.text):
        start = sql.sql.start + found.start()
        name = "".join(part[:1].upper() + part[1:] for part in found[2].split("_"))
        if found[1] != SCHEMA and snake_case(name) == found[2]:
            yield Span(start, sql.sql.start + found.end()), found[1], name


def _default_label(decl: n.Declaration, ref: n.TypeRef) -> str:
    for node in walk(decl):
        if isinstance(node, n.Field | n.Param) and node.type is ref and node.default is not None:
            value = node.default.value
            if isinstance(value, n.Str) and value.value.isidentifier():
                return value.value
    return "first"


def _column_type(decl: n.Declaration, reference: n.References) -> str:
    from atl.schema.types import type_of

    for node in walk(decl):
        if isinstance(node, n.Field) and reference in node.modifiers and node.type is not None:
            type_ = type_of(node.type, "")
            if type_.known and type_.base:
                return spelled(type_)
    return "bigint identity"


def _step_args(decl: n.Declaration, use: n.JobUse) -> list[n.Arg]:
    for node in walk(decl):
        if isinstance(node, n.Step | n.Compensate) and use in node.parts:
            return [arg for part in node.parts if isinstance(part, n.StepArgs) for arg in part.args]
    return []


def _job(name: str, namespace: str, args: list[n.Arg], ctx: Context) -> str:
    """The job that the call calls: an argument for each that it gives, of the type of what it gives."""
    known = {}
    for part in getattr(ctx.decl, "parts", ()):
        if isinstance(part, n.Input):
            known.update({p.name: p for p in params_of(part.params, ctx.scope.namespace)})
        elif isinstance(part, n.State):
            known.update({f.name: f for f in fields_of(part.fields, ctx.scope.namespace)})
    lines = []
    for arg in {arg.name.text: arg for arg in reversed(args)}.values():
        not_null = " not null"
        match arg.value:
            case n.Parameter() if arg.value.name in known:
                field = known[arg.value.name]
                type_ = spelled(field.type) if field.type.known else "text"
                not_null = " not null" if field.not_null else ""
            case n.Int():
                type_ = "int" if -(2**31) <= arg.value.value < 2**31 else "bigint"
            case n.Decimal():
                type_ = "double"
            case n.Bool():
                type_ = "boolean"
            case n.Now():
                type_ = "timestamptz"
            case n.Duration():
                type_ = "interval"
            case _:
                type_ = "text"
        lines.append(f"    {arg.name.text} {type_}{not_null}\n")
    body = f"\n  args {{\n{''.join(reversed(lines))}  }}\n" if lines else "\n"
    return f"job {name} in {namespace} {{{body}}}"
