"""Types and mutability of an expression, as far as the tree, a few tables and the columns' types tell.

Types are PostgreSQL's short names (`int4`, `timestamptz`, `text[]`); `unknown` is a literal that takes its type from
where it stands, `enum` any enum, `other` some type that is certainly not boolean, "" not known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atl.postgres import functions as f
from atl.postgres.library import Tree
from atl.records import NamedTuple

__all__ = ["Finder", "Found"]


class Found(NamedTuple):
    """Something worth knowing in an expression. kind: `column`, `rows` (`t.*`), `subquery`, `aggregate`, `window`,
    `function`, `set_returning`, `parameter`, `default`, `mutable`, `outside`, `operand`. name: as a person would say
    it. location: in bytes; end: that of its last part when it is no function or column."""

    kind: str
    name: str
    location: int
    end: int = -1
    fields: tuple[str, ...] = ()


_TEXT = frozenset({"text", "varchar", "bpchar", "citext", "name"})
_RANGES = frozenset({"int4range", "int8range", "numrange", "tsrange", "tstzrange", "daterange"})
# Their text form, or reading it, depends on settings or on the catalog: to text, from text.
_MUTABLE_OUTPUT = _RANGES | {"row", "date", "timestamp", "timestamptz", "interval", "money", "enum"}
_MUTABLE_INPUT = _RANGES | {"date", "time", "timetz", "timestamp", "timestamptz", "interval", "money", "xml", "enum"}
_MUTABLE_CASTS = frozenset(
    {
        ("date", "timestamptz"),
        ("timestamp", "timestamptz"),
        ("time", "timetz"),
        ("timestamptz", "date"),
        ("timestamptz", "time"),
        ("timestamptz", "timestamp"),
        ("timestamptz", "timetz"),
        ("int4", "money"),
        ("int8", "money"),
        ("numeric", "money"),
        ("money", "numeric"),
    }
)
_ZONED_PAIRS = frozenset({frozenset({"timestamptz", "date"}), frozenset({"timestamptz", "timestamp"})})
_COMPARISONS = frozenset({"=", "<>", "<", ">", "<=", ">="})
# Operators whose every form is boolean; `<<`, `>>`, `&&`, `&<`, `&>` depend on their sides.
_BOOLEAN_OPERATORS = _COMPARISONS | {
    *("~~", "!~~", "~~*", "!~~*", "~*", "!~", "!~*", "@>", "<@", "?", "?|", "?&", "@?", "^@", "-|-", "~=", "|>>"),
    *("<<|", "&<|", "|&>", "<<=", ">>=", "<^", ">^", "?-", "?#", "?||", "?-|"),
}
_OTHER_OPERATORS = frozenset(
    {"+", "-", "*", "/", "%", "^", "||", "->", "->>", "#>", "#>>", "#-", "<->", "<=>", "<#>", "&", "|", "#", "~"}
)
_VAGUE = frozenset({"", "unknown", "other", "record", "row", "enum"})
_INTEGERS = frozenset({"int2", "int4", "int8"})
_TEMPORAL = {
    ("+", "timestamptz", "interval"): "timestamptz",
    ("+", "timestamptz", "unknown"): "timestamptz",
    ("+", "interval", "timestamptz"): "timestamptz",
    ("-", "timestamptz", "interval"): "timestamptz",
    ("+", "timestamp", "interval"): "timestamp",
    ("-", "timestamp", "interval"): "timestamp",
    ("+", "date", "interval"): "timestamp",
    ("-", "date", "interval"): "timestamp",
    ("+", "date", "int4"): "date",
    ("-", "date", "int4"): "date",
}
_SESSION_VALUES = {
    "SVFOP_CURRENT_DATE": ("current_date", "date"),
    "SVFOP_CURRENT_TIME": ("current_time", "timetz"),
    "SVFOP_CURRENT_TIME_N": ("current_time", "timetz"),
    "SVFOP_CURRENT_TIMESTAMP": ("current_timestamp", "timestamptz"),
    "SVFOP_CURRENT_TIMESTAMP_N": ("current_timestamp", "timestamptz"),
    "SVFOP_LOCALTIME": ("localtime", "time"),
    "SVFOP_LOCALTIME_N": ("localtime", "time"),
    "SVFOP_LOCALTIMESTAMP": ("localtimestamp", "timestamp"),
    "SVFOP_LOCALTIMESTAMP_N": ("localtimestamp", "timestamp"),
    "SVFOP_CURRENT_ROLE": ("current_role", "name"),
    "SVFOP_CURRENT_USER": ("current_user", "name"),
    "SVFOP_USER": ("user", "name"),
    "SVFOP_SESSION_USER": ("session_user", "name"),
    "SVFOP_CURRENT_CATALOG": ("current_catalog", "name"),
    "SVFOP_CURRENT_SCHEMA": ("current_schema", "name"),
}
_BOOLEAN_NODES = frozenset({"NullTest", "JsonIsPredicate"})
_COMPARING_KINDS = frozenset(
    {
        *("AEXPR_IN", "AEXPR_BETWEEN", "AEXPR_NOT_BETWEEN", "AEXPR_BETWEEN_SYM", "AEXPR_NOT_BETWEEN_SYM"),
        *("AEXPR_DISTINCT", "AEXPR_NOT_DISTINCT", "AEXPR_OP_ANY", "AEXPR_OP_ALL"),
    }
)


class Finder:
    """Walks one expression. `types`: of the columns. `found` is in no order. compared: the types and the location of
    each comparison with `=`, `<`, ... whose sides' types are known."""

    def __init__(self, types: Mapping[str, str]) -> None:
        self.types = types
        self.found: list[Found] = []
        self.compared: list[tuple[str, str, int]] = []

    def type_of(self, node: Tree) -> str:
        """The type of an expression; everything in it is found on the way."""
        if len(node) != 1:
            self._children(node)
            return ""
        ((kind, body),) = node.items()
        handler = _HANDLERS.get(kind)
        if handler is not None:
            return handler(self, body)
        self._children(body)
        return "bool" if kind in _BOOLEAN_NODES else ""

    def _children(self, body: Any) -> None:
        """What stands in a node that has no handler: its expressions, whatever they are."""
        waiting = [body]
        while waiting:
            part = waiting.pop()
            if isinstance(part, list):
                waiting += part
            elif isinstance(part, dict):
                for key, value in part.items():
                    if key[:1].isupper() and key not in _STRUCTURES:
                        if isinstance(value, dict):
                            self.type_of({key: value})
                    elif key != "typeName":
                        waiting.append(value)

    def note(self, kind: str, name: str, body: Tree, end: int = -1) -> None:
        self.found.append(Found(kind, name, body.get("location", 0), end))

    # ------------------------------------------------------------ one handler for each kind of node

    def _column(self, body: Tree) -> str:
        fields = tuple(part["String"]["sval"] for part in body["fields"] if "String" in part)
        if "A_Star" in body["fields"][-1]:
            self.found.append(Found("rows", "*", body.get("location", 0), -1, (*fields, "*")))
            return "row"
        self.found.append(Found("column", fields[-1], body.get("location", 0), -1, fields))
        return self.types.get(fields[-1], "")

    def _constant(self, body: Tree) -> str:
        if body.get("isnull") or "sval" in body:
            return "unknown"
        if "ival" in body:
            return "int4"
        if "boolval" in body:
            return "bool"
        return "numeric" if "fval" in body else "other"

    def _cast(self, body: Tree) -> str:
        source, target = self.type_of(body["arg"]), type_name(body["typeName"])
        if _mutable_cast(source, target):
            name = f"the cast from {_spoken(source)} to {_spoken(target)}"
            self.note("mutable", name, body, body["typeName"].get("location", 0))
        return target

    def _logic(self, body: Tree) -> str:
        for argument in body.get("args", ()):
            self._condition(argument)
        return "bool"

    def _condition(self, node: Tree) -> None:
        if self.type_of(node) not in ("bool", "unknown", ""):
            location = first_location(node)
            self.found.append(Found("operand", "", location))

    def _boolean_test(self, body: Tree) -> str:
        self._condition(body["arg"])
        return "bool"

    def _operator(self, body: Tree) -> str:
        """`left op right`; a chain of them to the left is taken in a loop."""
        chain = [body]
        while (left := chain[-1].get("lexpr", {}).get("A_Expr")) is not None:
            chain.append(left)
        type_ = self._side(chain[-1].get("lexpr"))
        for link in reversed(chain):
            type_ = self._applied(link, type_)
        return type_

    def _side(self, node: Any) -> str:
        if node is None:
            return ""
        if "List" in node:
            found = {self.type_of(item) for item in node["List"].get("items", ())} - {"unknown"}
            return found.pop() if len(found) == 1 else ""
        return self.type_of(node)

    def _applied(self, body: Tree, left: str) -> str:
        right = self._side(body.get("rexpr"))
        kind, name = body.get("kind", "AEXPR_OP"), body["name"][-1]["String"]["sval"]
        comparing = kind in _COMPARING_KINDS or name in _COMPARISONS
        pair = frozenset({left, right.removesuffix("[]") if kind in ("AEXPR_OP_ANY", "AEXPR_OP_ALL") else right})
        if comparing and pair in _ZONED_PAIRS:
            self.note("mutable", f"comparing {_spoken(left)} with {_spoken(right)}", body)
        if name in _COMPARISONS and left not in _VAGUE and right not in _VAGUE and not kind.startswith("AEXPR_OP_"):
            self.compared.append((left, right, body.get("location", 0)))
        if kind == "AEXPR_NULLIF":
            return left
        if kind != "AEXPR_OP" or name in _BOOLEAN_OPERATORS or (name in ("~", "@@") and "lexpr" in body):
            return "bool"
        if name in ("&&", "<<", ">>", "&<", "&>") and {left, right} & (_RANGES | {"inet", "cidr"}):
            return "bool"
        if name in ("<<", ">>") and left in _INTEGERS:
            return left
        if name == "&&" and (left.endswith("[]") or right.endswith("[]")):
            return "bool"
        if (name, left, right) in _TEMPORAL:
            result = _TEMPORAL[name, left, right]
            if result == "timestamptz":
                self.note("mutable", f"`{name}` on `timestamptz`", body)
            return result
        if name == "||" and {left, right} & _TEXT:
            other = right if left in _TEXT else left
            if other in _MUTABLE_OUTPUT:
                self.note("mutable", f"`||` of text and {_spoken(other)}", body)
            return "text" if not other.endswith("[]") else other
        if name in ("->>", "#>>"):
            return "text"
        if name in ("->", "#>", "||") and left in ("json", "jsonb"):
            return left
        if name in ("+", "-", "*", "/", "%") and left == right == "int4":
            return "int4"
        return "other" if name in _OTHER_OPERATORS else ""

    def _call(self, body: Tree) -> str:
        names = [part["String"]["sval"] for part in body["funcname"]]
        types = [self.type_of(argument) for argument in body.get("args", ())]
        for part in ("agg_order", "agg_filter", "over"):
            self._children(body.get(part))
        name = names[-1]
        self.note("function", name, body)
        if len(names) > 1 and names[:-1] != ["pg_catalog"]:
            return ""
        ordered = body.get("agg_within_group", False)
        if "over" in body or (name in f.WINDOW and not ordered):
            self.note("window", name, body)
        elif (
            name in f.AGGREGATES
            or ordered
            or not {"agg_star", "agg_distinct", "agg_filter", "agg_order"}.isdisjoint(body)
        ):
            self.note("aggregate", name, body)
        elif name in f.SET_RETURNING:
            self.note("set_returning", name, body)
        self._mutability(name, types, body)
        return _result(name, types)

    def _mutability(self, name: str, types: list[str], body: Tree) -> None:
        by_arity = f"{name}/{len(types)}"
        deciding = f.MUTABLE_BY_TYPE.get(by_arity)
        if name in f.VOLATILE or name in f.OUTSIDE or by_arity in f.OUTSIDE:
            self.note("outside", name, body)
            self.note("mutable", name, body)
        elif (
            name in f.STABLE
            or by_arity in f.MUTABLE_BY_ARITY
            or (deciding is not None and types[deciding[0]] in deciding[1])
            or (len(types) == 1 and _mutable_cast(types[0], name))  # `date(x)` is `x::date`
            or (name == "overlaps" and {"timestamptz", "interval"} <= set(types))
        ):
            self.note("mutable", name, body)

    def _session_value(self, body: Tree) -> str:
        name, type_ = _SESSION_VALUES.get(body.get("op", ""), ("current_date", "date"))
        self.note("outside", name, body)
        self.note("mutable", name, body)
        return type_

    def _subquery(self, body: Tree) -> str:
        self.note("subquery", "", body)
        if "testexpr" in body:
            self.type_of(body["testexpr"])
        return "bool" if body.get("subLinkType") in ("EXISTS_SUBLINK", "ANY_SUBLINK", "ALL_SUBLINK") else ""

    def _branches(self, body: Tree) -> str:
        """COALESCE, GREATEST, LEAST."""
        return self._common([self.type_of(argument) for argument in body.get("args", ())], body)

    def _common(self, types: list[str], body: Tree) -> str:
        """The type of branches that must agree."""
        known = set(types) - {"unknown"}
        for other in ("date", "timestamp"):
            if {"timestamptz", other} <= known:
                self.note("mutable", f"taking {_spoken(other)} for `timestamptz`", body)
        if not known:
            return "unknown" if types else ""
        if len(known) == 1:
            return known.pop()
        return "other" if "" not in known and "bool" not in known else ""

    def _case(self, body: Tree) -> str:
        branches = []
        for wrapped in body.get("args", ()):
            when = wrapped["CaseWhen"]
            if "arg" in body:
                self.type_of(when["expr"])
            else:
                self._condition(when["expr"])
            branches.append(self.type_of(when["result"]))
        if "arg" in body:
            self.type_of(body["arg"])
        if "defresult" in body:
            branches.append(self.type_of(body["defresult"]))
        return self._common(branches, body)

    def _array(self, body: Tree) -> str:
        element = self._common([self.type_of(item) for item in body.get("elements", ())], body)
        return f"{element}[]" if element not in ("", "other", "unknown") else "other"

    def _row(self, body: Tree) -> str:
        for item in body.get("args", ()):
            self.type_of(item)
        return "record"

    def _collated(self, body: Tree) -> str:
        return self.type_of(body["arg"])

    def _indirection(self, body: Tree) -> str:
        base = self.type_of(body["arg"])
        parts = body["indirection"]
        self._children(parts)
        if len(parts) == 1 and "A_Indices" in parts[0] and not parts[0]["A_Indices"].get("is_slice"):
            return base if base == "jsonb" else base.removesuffix("[]") if base.endswith("[]") else ""
        return ""

    def _xml(self, body: Tree) -> str:
        self._children({key: value for key, value in body.items() if key != "op"})
        return "bool" if body.get("op") == "IS_DOCUMENT" else "xml"

    def _xml_text(self, body: Tree) -> str:
        self._children(body)
        return type_name(body["typeName"])

    def _json_function(self, body: Tree) -> str:
        self._children(body)
        if "output" in body:  # RETURNING
            return ""
        return {"JSON_EXISTS_OP": "bool", "JSON_QUERY_OP": "jsonb", "JSON_VALUE_OP": "text"}.get(body.get("op", ""), "")

    def _json(self, body: Tree) -> str:
        """JSON_OBJECT, JSON_ARRAY, JSON, JSON_SCALAR."""
        self._children(body)
        return "" if "output" in body else "json"

    def _parameter(self, body: Tree) -> str:
        self.note("parameter", "", body)
        return ""

    def _grouping(self, body: Tree) -> str:
        self.note("aggregate", "grouping", body)
        return "int4"

    def _json_aggregate(self, body: Tree) -> str:
        self.note("aggregate", "json_arrayagg", body.get("constructor", {}))
        self._children(body)
        return "other"

    def _default(self, body: Tree) -> str:
        self.note("default", "", body)
        return ""


_HANDLERS: dict[str, Callable[[Finder, Tree], str]] = {
    "A_ArrayExpr": Finder._array,
    "A_Const": Finder._constant,
    "A_Expr": Finder._operator,
    "A_Indirection": Finder._indirection,
    "BoolExpr": Finder._logic,
    "BooleanTest": Finder._boolean_test,
    "CaseExpr": Finder._case,
    "CoalesceExpr": Finder._branches,
    "CollateClause": Finder._collated,
    "ColumnRef": Finder._column,
    "FuncCall": Finder._call,
    "GroupingFunc": Finder._grouping,
    "JsonArrayAgg": Finder._json_aggregate,
    "JsonArrayConstructor": Finder._json,
    "JsonFuncExpr": Finder._json_function,
    "JsonObjectAgg": Finder._json_aggregate,
    "JsonObjectConstructor": Finder._json,
    "JsonParseExpr": Finder._json,
    "JsonScalarExpr": Finder._json,
    "MinMaxExpr": Finder._branches,
    "ParamRef": Finder._parameter,
    "RowExpr": Finder._row,
    "SQLValueFunction": Finder._session_value,
    "SetToDefault": Finder._default,
    "SubLink": Finder._subquery,
    "TypeCast": Finder._cast,
    "XmlExpr": Finder._xml,
    "XmlSerialize": Finder._xml_text,
}
# Wrapped like expressions, but only holding some.
_STRUCTURES = frozenset({"List", "SortBy", "WindowDef", "A_Indices", "ResTarget", "NamedArgExpr", "String", "A_Star"})


def type_name(node: Tree) -> str:
    """A type's name as it is written, `pg_catalog.` left out; "" for one in another schema."""
    names = [part["String"]["sval"] for part in node.get("names", ())]
    if not names or (len(names) > 1 and names[0] != "pg_catalog"):
        return ""
    name: str = names[-1]
    return name + "[]" if node.get("arrayBounds") else name


def first_location(node: Tree) -> int:
    """Where an expression begins: the least location in it."""
    least, waiting = None, [node]
    while waiting:
        part: Any = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            found = part.get("location")
            if type(found) is int and found >= 0 and (least is None or found < least):
                least = found
            waiting += part.values()
    return least or 0


def _mutable_cast(source: str, target: str) -> bool:
    if source.endswith("[]") and target.endswith("[]"):
        return _mutable_cast(source[:-2], target[:-2])
    if source in _TEXT:
        return target in _MUTABLE_INPUT or target.endswith("[]")
    if target in _TEXT:
        return source in _MUTABLE_OUTPUT or source.endswith("[]")
    return (source, target) in _MUTABLE_CASTS


def _result(name: str, types: list[str]) -> str:
    if name in f.BOOLEAN:
        return "bool"
    if name == "date_trunc" and len(types) > 1:
        return {"timestamptz": "timestamptz", "date": "timestamptz", "timestamp": "timestamp"}.get(types[1], "other")
    if name == "timezone" and len(types) == 2:
        return {"timestamptz": "timestamp", "timestamp": "timestamptz"}.get(types[1], "other")
    return (f.RESULTS[name] or "other") if name in f.RESULTS else ""


_SPOKEN = {"bpchar": "char", "int4": "int", "int8": "bigint", "int2": "smallint", "float8": "double", "float4": "real"}
_KINDS = {"enum": "an enum", "row": "a row"}


def _spoken(type_: str) -> str:
    return _KINDS.get(type_) or f"`{_SPOKEN.get(type_, type_)}`"
