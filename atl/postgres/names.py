"""The name that PostgreSQL gives to a selected column without `AS`."""

from __future__ import annotations

from atl.postgres.library import Tree

__all__ = ["column_name"]

_FIXED = {
    "A_ArrayExpr": "array",
    "CoalesceExpr": "coalesce",
    "GroupingFunc": "grouping",
    "JsonArrayAgg": "json_arrayagg",
    "JsonArrayConstructor": "json_array",
    "JsonArrayQueryConstructor": "json_array",
    "JsonObjectAgg": "json_objectagg",
    "JsonObjectConstructor": "json_object",
    "JsonParseExpr": "json",
    "JsonScalarExpr": "json_scalar",
    "JsonSerializeExpr": "json_serialize",
    "MergeSupportFunc": "merge_action",
    "RowExpr": "row",
    "XmlSerialize": "xmlserialize",
}
_BY_FIELD = {
    "JsonFuncExpr": "op",
    "MinMaxExpr": "op",
    "SQLValueFunction": "op",
    "XmlExpr": "op",
}
_OPERATIONS = {
    "IS_GREATEST": "greatest",
    "IS_LEAST": "least",
    "IS_XMLCONCAT": "xmlconcat",
    "IS_XMLELEMENT": "xmlelement",
    "IS_XMLFOREST": "xmlforest",
    "IS_XMLPARSE": "xmlparse",
    "IS_XMLPI": "xmlpi",
    "IS_XMLROOT": "xmlroot",
    "JSON_EXISTS_OP": "json_exists",
    "JSON_QUERY_OP": "json_query",
    "JSON_VALUE_OP": "json_value",
    "SVFOP_CURRENT_CATALOG": "current_catalog",
    "SVFOP_CURRENT_DATE": "current_date",
    "SVFOP_CURRENT_ROLE": "current_role",
    "SVFOP_CURRENT_SCHEMA": "current_schema",
    "SVFOP_CURRENT_TIME": "current_time",
    "SVFOP_CURRENT_TIMESTAMP": "current_timestamp",
    "SVFOP_CURRENT_TIMESTAMP_N": "current_timestamp",
    "SVFOP_CURRENT_TIME_N": "current_time",
    "SVFOP_CURRENT_USER": "current_user",
    "SVFOP_LOCALTIME": "localtime",
    "SVFOP_LOCALTIMESTAMP": "localtimestamp",
    "SVFOP_LOCALTIMESTAMP_N": "localtimestamp",
    "SVFOP_LOCALTIME_N": "localtime",
    "SVFOP_SESSION_USER": "session_user",
    "SVFOP_USER": "user",
}


def column_name(value: Tree) -> str | None:
    """The name, None for `?column?`, "" when the tree alone does not tell."""
    return _name(value)[0]


def _name(value: Tree) -> tuple[str | None, bool]:
    """The name, and whether it is weak: a cast's or CASE's own, which one from inside replaces."""
    weak: str | None = None
    while True:
        ((kind, body),) = value.items()
        if kind == "ColumnRef":
            names = [field["String"]["sval"] for field in body["fields"] if "String" in field]
            return (names[-1] if names else None), False
        if kind == "FuncCall":
            return body["funcname"][-1]["String"]["sval"], False
        if kind == "A_Indirection":
            names = [part["String"]["sval"] for part in body["indirection"] if "String" in part]
            if names:
                return names[-1], False
            value = body["arg"]
        elif kind == "TypeCast":
            weak = weak or body["typeName"]["names"][-1]["String"]["sval"]
            value = body["arg"]
        elif kind == "CollateClause":
            value = body["arg"]
        elif kind == "CaseExpr":
            weak = weak or "case"
            if "defresult" not in body:
                return weak, True
            value = body["defresult"]
        elif kind == "SubLink":
            match body.get("subLinkType", "EXISTS_SUBLINK"):
                case "EXISTS_SUBLINK":
                    return "exists", False
                case "ARRAY_SUBLINK":
                    return "array", False
                case "EXPR_SUBLINK":
                    return _subquery(body["subselect"]), False
                case _:
                    return weak, True
        elif kind == "A_Expr" and body.get("kind") == "AEXPR_NULLIF":
            return "nullif", False
        else:
            name = _FIXED.get(kind) or _OPERATIONS.get(body.get(_BY_FIELD.get(kind, ""), ""))
            return (name, False) if name else (weak, True)


def _subquery(node: Tree) -> str | None:
    """The name of a scalar subquery: that of its only column, `?column?` also under a cast."""
    select = node.get("SelectStmt", {})
    while select.get("op", "SETOP_NONE") != "SETOP_NONE":
        select = select["larg"]
    if "valuesLists" in select:
        return "column1"
    targets = select.get("targetList", ())
    if len(targets) != 1:
        return ""
    target = targets[0]["ResTarget"]
    if "A_Star" in target["val"].get("ColumnRef", {}).get("fields", [{}])[-1]:
        return ""
    return target.get("name") or column_name(target["val"])
