"""From a parse tree to what its names are: tables, levels, references, calls. PostgreSQL's own rules of scope.

Names are bound and not yet judged: that needs columns, and is `scopes.Resolver`'s part. Locations are byte offsets as
the tree has them. Long chains (`a or b or ...`, UNION, JOIN) are taken in loops; what nests in depth recurses, and may
raise RecursionError.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from atl.postgres.functions import SET_RETURNING
from atl.postgres.library import Tree
from atl.postgres.names import column_name
from atl.postgres.scopes import (
    Chain,
    Cte,
    Fixed,
    Item,
    Join,
    Level,
    Output,
    Reference,
    Relation,
    Rows,
    Source,
    TableSource,
    extend,
)
from atl.records import NamedTuple

__all__ = ["Binder", "BoundTable", "Call", "Merged", "Target", "Write"]


class BoundTable(NamedTuple):
    schema: str | None
    name: str
    location: int
    written: bool


class Call(NamedTuple):
    """A function call; names as in `pg_catalog.now`."""

    names: tuple[str, ...]
    location: int


class Target(NamedTuple):
    """A column that is written. location: None where the tree has none; then it stands behind `after`."""

    name: str
    location: int | None
    table: TableSource
    after: int = 0


class Merged(NamedTuple):
    """A column of `JOIN ... USING`. all: the whole list; after: a location at or behind the right side's start."""

    name: str
    all: tuple[str, ...]
    left: Relation
    right: Relation
    after: int


class Write(NamedTuple):
    """A statement, at the top or in WITH, that writes. location: of the table that it writes to."""

    kind: str
    location: int


Ctes = tuple[Cte, Any] | None
"""The WITH queries in scope, the last first, as a chain."""


class Binder:
    """Binds one statement after the other and collects what it meets."""

    def __init__(self) -> None:
        self.tables: list[BoundTable] = []
        self.references: list[Reference] = []
        self.targets: list[Target] = []
        self.merged: list[Merged] = []
        self.calls: list[Call] = []
        self.writes: list[Write] = []
        self.into: list[int] = []

    # ------------------------------------------------------------ statements

    def statement(self, node: Tree, outer: Level | None = None, ctes: Ctes = None) -> Output:
        """A statement as the tree wraps it, `{"SelectStmt": {...}}`; what it returns."""
        ((kind, body),) = node.items()
        match kind:
            case "SelectStmt":
                return self.select(body, outer, ctes)
            case "InsertStmt":
                return self._insert(body, ctes)
            case "UpdateStmt" | "DeleteStmt":
                return self._change(kind, body, ctes)
            case "MergeStmt":
                return self._merge(body, ctes)
            case "ExplainStmt":
                self.statement(body["query"])
            case "TruncateStmt" | "LockStmt":
                for relation in body.get("relations", ()):
                    self._table(relation["RangeVar"], written=True)
            case "CallStmt":
                self.expression({"FuncCall": body["funccall"]}, None, None)
            case _:
                pass
        return Output(None)

    def select(self, stmt: Tree, outer: Level | None, ctes: Ctes) -> Output:
        ctes = self._with(stmt, outer, ctes)
        if stmt.get("op", "SETOP_NONE") != "SETOP_NONE":
            output = self._union(stmt, outer, ctes)
            level: Level | None = None
        elif "valuesLists" in stmt:
            level = Level(outer)
            rows = stmt["valuesLists"]
            self.expression(rows, level, ctes)
            width = len(rows[0]["List"].get("items", ()))
            output = Output([Item(f"column{at + 1}", None, 0) for at in range(width)])
        else:
            level = self._from(stmt.get("fromClause", ()), outer, ctes)
            output = self._returned(stmt.get("targetList", ()), level, ctes)
            for part in ("whereClause", "havingClause", "windowClause"):
                self.expression(stmt.get(part), level, ctes)
            self._outputs(stmt.get("groupClause", ()), level, output, False, ctes)
            self._outputs(stmt.get("distinctClause", ()), level, output, True, ctes)
            if "intoClause" in stmt:
                self.into.append(stmt["intoClause"]["rel"].get("location", 0))
        self._outputs(stmt.get("sortClause", ()), level, output, True, ctes)
        for part in ("limitCount", "limitOffset"):
            self.expression(stmt.get(part), level or outer, ctes)
        return output

    def _union(self, stmt: Tree, outer: Level | None, ctes: Ctes) -> Output:
        """The arms of UNION, INTERSECT and EXCEPT, of which the first names the columns."""
        arms = []
        node = stmt
        while True:
            arms.append(node["rarg"])
            node = node["larg"]
            if node.get("op", "SETOP_NONE") == "SETOP_NONE" or any(part in node for part in _OWN_PARTS):
                break
        output = self.select(node, outer, ctes)
        for arm in reversed(arms):
            self.select(arm, outer, ctes)
        return output

    def _insert(self, stmt: Tree, ctes: Ctes) -> Output:
        ctes = self._with(stmt, None, ctes)
        target = self._target("INSERT", stmt["relation"], ctes)
        table = _table_of(target)
        self._columns(stmt.get("cols", ()), table)
        if "selectStmt" in stmt:
            self.statement(stmt["selectStmt"], None, ctes)
        level = Level(None, (target, None))
        conflict = stmt.get("onConflictClause")
        if conflict is not None:
            infer = conflict.get("infer", {})
            for wrapped in infer.get("indexElems", ()):
                element = wrapped["IndexElem"]
                if "name" in element:
                    self.targets.append(Target(element["name"], None, table, infer.get("location", 0)))
                self.expression(element.get("expr"), level, ctes)
            self.expression(infer.get("whereClause"), level, ctes)
            excluded = Relation("excluded", table, aliased=True)
            both = Level(None, (excluded, level.chain), [excluded, target])
            self._sets(conflict.get("targetList", ()), table, both, ctes)
            self.expression(conflict.get("whereClause"), both, ctes)
        return self._returning(stmt, level, [target], target, ctes)

    def _change(self, kind: str, stmt: Tree, ctes: Ctes) -> Output:
        """UPDATE and DELETE."""
        ctes = self._with(stmt, None, ctes)
        target = self._target("UPDATE" if kind == "UpdateStmt" else "DELETE", stmt["relation"], ctes)
        level = self._from(stmt.get("fromClause") or stmt.get("usingClause") or (), None, ctes)
        level.chain = extend(level.chain, [target])
        level.items.insert(0, target)
        self._sets(stmt.get("targetList", ()), _table_of(target), level, ctes)
        self.expression(stmt.get("whereClause"), level, ctes)
        return self._returning(stmt, level, level.items, target, ctes)

    def _merge(self, stmt: Tree, ctes: Ctes) -> Output:
        ctes = self._with(stmt, None, ctes)
        target = self._target("MERGE", stmt["relation"], ctes)
        table = _table_of(target)
        level = self._from([stmt["sourceRelation"]], None, ctes)
        both = Level(None, extend(level.chain, [target]), [*level.items, target])
        self.expression(stmt.get("joinCondition"), both, ctes)
        # Which of the two a clause sees depends on its kind.
        level.chain = both.chain
        level.items = []
        for wrapped in stmt.get("mergeWhenClauses", ()):
            when = wrapped["MergeWhenClause"]
            self.expression(when.get("condition"), level, ctes)
            self._sets(when.get("targetList", ()), table, level, ctes)
            self.expression(when.get("values"), level, ctes)
        return self._returning(stmt, both, both.items, target, ctes)

    def _with(self, stmt: Tree, outer: Level | None, ctes: Ctes) -> Ctes:
        """The scope inside a statement: its WITH queries before those around it. With RECURSIVE each of them sees
        all, itself too; else those that stand before it."""
        clause = stmt.get("withClause")
        if clause is None:
            return ctes
        own = [(_cte(node["CommonTableExpr"]), node["CommonTableExpr"]["ctequery"]) for node in clause["ctes"]]
        recursive = clause.get("recursive", False)
        if recursive:
            for cte, _ in own:
                ctes = (cte, ctes)
        for cte, query in own:
            cte.output = self.statement(query, outer, ctes)
            if not recursive:
                ctes = (cte, ctes)
        return ctes

    # ------------------------------------------------------------ writes

    def _target(self, kind: str, node: Tree, ctes: Ctes) -> Relation:
        """The table that a statement writes to, which is never a WITH query."""
        self.writes.append(Write(kind, node.get("location", 0)))
        source = self._table(node, written=True)
        return _relation(node, source, source.name)

    def _columns(self, nodes: Iterable[Tree], table: TableSource) -> None:
        for node in nodes:
            column = node["ResTarget"]
            self.targets.append(Target(column["name"], column.get("location", 0), table))

    def _sets(self, nodes: Iterable[Tree], table: TableSource, level: Level, ctes: Ctes) -> None:
        """`column = value` of SET; the columns of MERGE's INSERT too, which have no value."""
        for node in nodes:
            column = node["ResTarget"]
            if "name" in column:
                self.targets.append(Target(column["name"], column.get("location", 0), table))
            self.expression(column.get("indirection"), level, ctes)
            value = column.get("val", {})
            if value.get("MultiAssignRef", {}).get("colno", 1) == 1:  # the others repeat the first one's source
                self.expression(value, level, ctes)

    def _returning(self, stmt: Tree, level: Level, items: list[Relation], target: Relation, ctes: Ctes) -> Output:
        clause = stmt.get("returningClause")
        if clause is None:
            return Output([])
        inside = Level(None, level.chain)
        inside.items = items
        names = {"old", "new"} | {o["ReturningOption"]["value"] for o in clause.get("options", ())}
        shadows = [Relation(name, target.source, aliased=True) for name in sorted(names)]
        # Behind the others: a table that happens to be called `new` comes first.
        inside.parent = Level(None, extend(None, shadows))
        return self._returned(clause.get("exprs", ()), inside, ctes)

    # ------------------------------------------------------------ FROM

    def _from(self, nodes: Iterable[Tree], outer: Level | None, ctes: Ctes) -> Level:
        level = Level(outer)
        for node in nodes:
            item, added = self._item(node, level.chain, outer, ctes)
            level.chain = extend(level.chain, added)
            level.items.append(item)
        return level

    def _item(self, node: Tree, before: Chain, outer: Level | None, ctes: Ctes) -> tuple[Relation, list[Relation]]:
        """An item of FROM as a whole, and the relations whose names it makes visible. before: what LATERAL sees."""
        ((kind, body),) = node.items()
        match kind:
            case "RangeVar":
                relation = self._named(body, ctes)
            case "RangeSubselect":
                inside = Level(outer, before) if body.get("lateral") else outer
                source: Source = Rows(self.statement(body["subquery"], inside, ctes))
                relation = _relation(body, source, "")
            case "RangeFunction":
                self.expression(body.get("functions"), Level(outer, before), ctes)
                relation = _function(body)
            case "RangeTableSample":
                relation = self._item(body["relation"], before, outer, ctes)[0]
                self.expression(body.get("args"), Level(outer, before), ctes)
                self.expression(body.get("repeatable"), Level(outer, before), ctes)
            case "JoinExpr":
                return self._join(body, before, outer, ctes)
            case _:  # XMLTABLE, JSON_TABLE
                self.expression(body, Level(outer, before), ctes)
                relation = _relation(body, Fixed(None), "")
        return relation, [relation]

    def _join(self, node: Tree, before: Chain, outer: Level | None, ctes: Ctes) -> tuple[Relation, list[Relation]]:
        spine = [node]
        while (left := spine[-1]["larg"].get("JoinExpr")) is not None and "alias" not in left:
            spine.append(left)
        item, added = self._item(spine[-1]["larg"], before, outer, ctes)
        own = extend(None, added)
        for join in reversed(spine):
            before = extend(before, added)
            right, added = self._item(join["rarg"], before, outer, ctes)
            own = extend(own, added)
            using = tuple(name["String"]["sval"] for name in join.get("usingClause", ()))
            after = _first_location(join["rarg"])
            self.merged += [Merged(name, using, item, right, after) for name in using]
            self.expression(join.get("quals"), Level(outer, own, [item, right]), ctes)
            item = Relation("", Join(item, right, None if join.get("isNatural") else using))
            if "join_using_alias" in join:
                merged = Relation(join["join_using_alias"]["aliasname"], Fixed(using), aliased=True)
                own, added = extend(own, [merged]), [*added, merged]
        if "alias" in node:
            item = _relation(node, item.source, "")
            return item, [item]
        names: list[Relation] = []
        while own is not None:
            names.append(own[0])
            own = own[1]
        return item, names[::-1]

    def _named(self, node: Tree, ctes: Ctes) -> Relation:
        name: str = node["relname"]
        if "schemaname" not in node:
            while ctes is not None:
                if ctes[0].name == name:
                    return _relation(node, ctes[0], name)
                ctes = ctes[1]
        return _relation(node, self._table(node, written=False), name)

    def _table(self, node: Tree, written: bool) -> TableSource:
        source = TableSource(node.get("schemaname"), node["relname"])
        self.tables.append(BoundTable(*source, node.get("location", 0), written))
        return source

    # ------------------------------------------------------------ expressions

    def _returned(self, nodes: Iterable[Tree], level: Level, ctes: Ctes) -> Output:
        """The select list or RETURNING."""
        items: list[Item] = []
        certain = True
        for node in nodes:
            target = node["ResTarget"]
            value = target["val"]
            star = _star(value, level)
            if star is not None:
                self.references.append(star)
                items.append(Item(None, star, star.location))
                continue
            if "A_Star" in value.get("A_Indirection", {}).get("indirection", [{}])[-1]:
                certain = False  # (row).*
            self.expression(value, level, ctes)
            name = target.get("name") or column_name(value)
            certain = certain and name != ""
            items.append(Item(name, None, target.get("location", 0), "name" in target))
        return Output(items if certain else None)

    def _outputs(
        self, nodes: Iterable[Tree], level: Level | None, output: Output, outputs_first: bool, ctes: Ctes
    ) -> None:
        """ORDER BY, GROUP BY and DISTINCT ON, where a name by itself may be that of an output column."""
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            if "SortBy" in node:
                node = node["SortBy"]["node"]
            if "GroupingSet" in node:
                waiting += node["GroupingSet"].get("content", ())
                continue
            fields = _fields(node.get("ColumnRef", {}))
            if len(fields) == 1:
                location = node["ColumnRef"].get("location", 0)
                self.references.append(Reference(fields, False, location, level, output, outputs_first))
            else:
                self.expression(node, level, ctes)

    def expression(self, part: Any, level: Level | None, ctes: Ctes) -> None:
        """Any part of the tree that holds expressions; None for one that is not there."""
        waiting: list[Any] = [part]
        while waiting:
            node = waiting.pop()
            if isinstance(node, list):
                waiting += node
                continue
            if node is None:
                continue
            for kind, body in node.items():
                if type(body) in _SCALARS:
                    continue
                if kind == "ColumnRef":
                    star = "A_Star" in body["fields"][-1]
                    reference = Reference(_fields(body), star, body.get("location", 0), level)
                    if reference.fields:
                        self.references.append(reference)
                elif kind == "SubLink":
                    self.statement(body["subselect"], level, ctes)
                    waiting.append(body.get("testexpr"))
                elif kind == "FuncCall":
                    self.calls.append(Call(_strings(body["funcname"]), body.get("location", 0)))
                    waiting.append(body)
                elif kind != "typeName" and kind != "TypeName":  # whose parameters may look like columns
                    waiting.append(body)


_SCALARS = frozenset({str, int, bool, float})
_OWN_PARTS = ("withClause", "sortClause", "limitCount", "limitOffset", "lockingClause")


def _cte(node: Tree) -> Cte:
    search, cycle = node.get("search_clause", {}), node.get("cycle_clause", {})
    added = (search.get("search_seq_column"), cycle.get("cycle_mark_column"), cycle.get("cycle_path_column"))
    return Cte(node["ctename"], _strings(node.get("aliascolnames", ())), tuple(name for name in added if name))


def _relation(node: Tree, source: Source, name: str) -> Relation:
    alias = node.get("alias")
    if alias is None:
        return Relation(name, source)
    return Relation(alias["aliasname"], source, True, _strings(alias.get("colnames", ())))


def _function(node: Tree) -> Relation:
    """A function in FROM. Its columns are known from a column definition list, or for functions that we know."""
    items = [item["List"]["items"] for item in node.get("functions", ())]
    call = items[0][0].get("FuncCall", {})
    name = _strings(call.get("funcname", ()))[-1:] or ("",)
    alias = node.get("alias", {}).get("aliasname")
    names: tuple[str, ...] | None = None
    if "coldeflist" in node:
        names = tuple(column["ColumnDef"]["colname"] for column in node["coldeflist"])
    elif len(items) == 1:
        names = SET_RETURNING.get(name[0])
        if names == ():
            names = (alias or name[0],)
    if names is not None and node.get("ordinality"):
        names = (*names, "ordinality")
    return _relation(node, Fixed(names), name[0])


def _table_of(target: Relation) -> TableSource:
    assert type(target.source) is TableSource
    return target.source


def _star(value: Tree, level: Level) -> Reference | None:
    body = value.get("ColumnRef")
    if body is None or "A_Star" not in body["fields"][-1]:
        return None
    return Reference(_fields(body), True, body.get("location", 0), level)


def _fields(column: Tree) -> tuple[str, ...]:
    return tuple(field["String"]["sval"] for field in column.get("fields", ()) if "String" in field)


def _strings(nodes: Iterable[Tree]) -> tuple[str, ...]:
    return tuple(node["String"].get("sval", "") for node in nodes)


def _first_location(item: Tree) -> int:
    """A location in the tree of an item of FROM, close to its start; 0 when it has none."""
    waiting: list[Any] = [item]
    while waiting:
        node = waiting.pop()
        if type(node) is list:
            waiting += reversed(node)
        elif type(node) is dict:
            if "location" in node:
                return int(node["location"])
            waiting += reversed(node.values())
    return 0
