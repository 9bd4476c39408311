"""Programs for property tests: every construct of the language, in every layout that does not change what it means.

They are right as far as the grammar goes; names need not resolve and values need not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

__all__ = ["Writer", "programs"]

_FREE = """
args compensate enqueue enum ephemeral job queue read_through retries schedule state step tag timeout ttl visible_to
workflow none and
"""
_TYPES = "text int bigint date name line path timestamptz jsonb uuid boolean real"
FREE = _FREE.split()
COLUMN = ["identity", "serial", "default", "references", "backfill"]
TYPE_NAMES = _TYPES.split()
NAMES = ["text", "int", "bigint", "date", "name", "line", "path", "timestamptz", "jsonb", "uuid", "boolean", "real"]
NAMES = ["id", "a", "b1", "_c", "owner_id", "größe", "x" * 30, *TYPE_NAMES[:5], *FREE]
TYPES = [*TYPE_NAMES, "Colour", "shop.Size", "varchar(20)", "numeric(8, 2)", "[]text", "[]varchar(4)", "vector(3)"]
ENTITIES = ["Order", "shop.Order", "state.Job", "Item"]
STRINGS = ['""', '"a b"', '"x > 0"', '"a \\"q\\" \\\\ \\n"', '"ñ {id} // }"']
DURATIONS = ["5m", "30s", "250ms", "1d"]
PREDICATES = ["a > 1", 'status = "open // } x"', "a is null and b in ('x', 'y')", "a % 2 = 0"]
SQL = [
    "SELECT 1",
    " SELECT '} {' || $a /* } /* { */ */ -- }\n ",
    "$$ } $$ $t$ } $t$ {1} E'\\'}' \"}\"",
    "\nentity",
    "",
]


class Writer:
    """Writes tokens with white space and comments between them, and knows the column of the field being written."""

    def __init__(self, draw: Callable[[st.SearchStrategy[object]], object], calm: bool) -> None:
        self._draw = draw
        self.calm = calm
        self.out: list[str] = []
        self.field: int | None = None
        self.broken = False

    def one_of(self, choices: Sequence[str]) -> str:
        found = self._draw(st.sampled_from(list(choices)))
        assert isinstance(found, str)
        return found

    def number(self, most: int) -> int:
        found = self._draw(st.integers(0, most))
        assert isinstance(found, int)
        return found

    def maybe(self, part: Callable[[], None]) -> None:
        if self.number(2) == 0:
            part()

    def column(self) -> int:
        """The byte column at which the next token begins."""
        column = 0
        for piece in reversed(self.out):
            column += len(piece.rpartition("\n")[2].encode())
            if "\n" in piece:
                break
        return column

    def gap(self, least: int = 0, most: int = 9) -> None:
        """White space before a token; when it breaks the line, the token's column is from `least` to `most`."""
        kind = self.number(12 if self.calm else 6)
        if kind == 0:
            indent = least + self.number(most - least)
            self.out.append(self.one_of(["\n", " // note }\n", "\r\n", "\n\n  // more {\n"]) + " " * indent)
            self.broken = True
        elif kind == 1 and not self.calm:
            self.out.append(self.one_of(["\t", "   ", " /* c */ "]))
        else:
            self.out.append(" ")

    def put(self, *tokens: str) -> None:
        for token in tokens:
            self.gap()
            self.out.append(token)

    def signs(self, *tokens: str) -> None:
        """Tokens with no white space where none is needed."""
        for token in tokens:
            if self.number(1):
                self.gap()
            self.out.append(token)

    def new_line(self, least: int = 0, most: int = 9) -> None:
        self.out.append("\n" + " " * (least + self.number(most - least)))
        self.broken = True

    def listed(self, item: Callable[[], None], least: int = 1, trailing: bool = False) -> None:
        count = least + self.number(2)
        for i in range(count):
            if i:
                self.signs(",")
            item()
        if trailing and count and self.number(1):
            self.signs(",")

    def block(self, item: Callable[[], None], least: int = 0) -> None:
        self.put("{")
        for _ in range(least + self.number(3)):
            item()
        self.field = None
        self.put("}")

    # ------------------------------------------------------------------ fields

    def begin_field(self, names: Sequence[str] = NAMES) -> None:
        """A field's name. One that may be a modifier must not be read as the one of the field before."""
        name = self.one_of([*names, *COLUMN])
        if name in COLUMN and self.field is not None:
            self.new_line(0, self.field)
        else:
            self.gap()
        self.field = self.column()
        self.broken = False
        self.out.append(name)

    def modifier_word(self, word: str) -> None:
        """A word that is a modifier because of its column."""
        assert self.field is not None
        if self.broken:
            self.new_line(self.field + 1, self.field + 4)
        else:
            self.gap(self.field + 1, self.field + 4)
        self.out.append(word)

    def entity_field(self) -> None:
        self.begin_field()
        self.put(self.one_of(TYPES))
        for _ in range(self.number(2)):
            self.modifier()
        if self.number(3) == 0:
            self.new_line()

    def modifier(self) -> None:
        match self.number(8):
            case 0:
                self.put("not", "null")
            case 1:
                self.put("primary")
            case 2:
                self.put("unique")
            case 3:
                self.modifier_word(self.one_of(["identity", "serial"]))
            case 4 | 5:
                self.modifier_word("default")
                self.default()
            case 6:
                self.modifier_word("references")
                self.signs(" shop", ".", "Order", ".", "id")
                for _ in range(self.number(1)):
                    self.put(
                        "on",
                        self.one_of(["delete", "update"]),
                        *self.one_of(["cascade", "restrict", "set null"]).split(),
                    )
            case _:
                self.modifier_word(self.one_of(["check", "backfill"]))
                self.put(self.one_of(STRINGS))

    def default(self) -> None:
        match self.number(4):
            case 0:
                self.put(self.one_of(STRINGS))
            case 1:
                self.put(self.one_of(["0", "-7", "true", "false", "1.5", "99999999999"]))
            case 2:
                self.put("now")
                self.signs("(", ")")
            case 3:
                self.put("raw", self.one_of(STRINGS))
            case _:
                self.out.append(self.one_of([" pending", " null", " f()", " f(1, g(x))"]))

    # ------------------------------------------------------------------ entities

    def names(self) -> None:
        self.listed(lambda: self.put(self.one_of(NAMES)))

    def columns(self) -> None:
        def column() -> None:
            if self.number(3) == 0:
                self.put("expr", self.one_of(STRINGS))
            else:
                self.put(self.one_of(NAMES))
            self.maybe(lambda: self.put(self.one_of(["asc", "desc"])))

        self.listed(column)

    def entity_clause(self) -> None:
        field, self.field = self.field, None
        match self.number(13):
            case 0:
                self.put("primary", "by")
                self.names()
            case 1:
                self.put("unique", "by")
                self.names()
                self.maybe(lambda: self.put("deferrable"))
            case 2:
                self.put("index", "by")
                self.columns()
            case 3:
                self.put("index", "partial", "by")
                self.columns()
                self.put("where")
                self.out.append(" " + self.one_of(PREDICATES) + self.one_of(["\n", "// x\n", " \r\n"]))
            case 4:
                if field is not None:
                    self.new_line(0, field)
                self.out.append(" unique" if field is None else "unique")
                self.put("index", "partial", "by")
                self.columns()
                self.put("where")
                self.out.append(f" {self.one_of(PREDICATES)}\n")
            case 5:
                self.put("index", "hnsw", "on", self.one_of(NAMES), "ops", self.one_of(["cosine", "l2", "ip"]))
            case 6:
                self.put("index", "gin", "on", self.one_of(NAMES))
            case 7:
                self.put(self.one_of(["has_many", "has_one"]), self.one_of(NAMES))
                self.signs(":")
                self.put("Item", "via", self.one_of(NAMES))
            case 8:
                self.put(self.one_of(["soft_delete", "touch_on_update", "partition"]), "by", self.one_of(NAMES))
            case 9:
                self.put("ttl_field", self.one_of(NAMES))
            case 10:
                self.put("table", self.one_of(STRINGS))
            case 11:
                self.put("query_timeout")
                self.signs("=", self.one_of(DURATIONS))
            case 12:
                if field is not None:
                    self.new_line(0, field)
                    self.out.append("check")
                else:
                    self.put("check")
                self.put(self.one_of(STRINGS))
                self.maybe(lambda: self.put("as", self.one_of(NAMES)))
            case _:
                self.put("keyless") if self.number(1) else self.cache()
        self.field = None

    def cache(self) -> None:
        def write() -> None:
            self.put("write")
            if self.number(1):
                self.signs("(", "self", ")")
            else:
                self.signs("(", "Item", ")")

        def part() -> None:
            match self.number(3):
                case 0:
                    self.put("read_through", "ttl")
                    self.signs("=", self.one_of(DURATIONS))
                    self.maybe(lambda: self.put("tag", "=", self.one_of(STRINGS)))
                case 1:
                    self.put("invalidate_on")
                    self.signs(":")
                    self.listed(write)
                case 2:
                    self.put("invalidate_on", ":", "write", "(", "Item", "where", self.one_of(NAMES), "=", "self")
                    self.signs(".", self.one_of(NAMES), ")")
                case _:
                    self.put("consistency", "=", self.one_of(["strict", "eventual"]))

        self.put("cache")
        self.block(part)

    def member(self) -> None:
        self.entity_field() if self.number(2) else self.entity_clause()

    def entity(self) -> None:
        self.put("entity", self.one_of(["Order", "job", "X1"]), "in", self.one_of(["shop", "queue"]))
        self.block(self.member)

    def hypertable(self) -> None:
        def member() -> None:
            if self.number(4):
                self.member()
            else:
                self.field = None
                self.put("chunk_time_interval", self.one_of(DURATIONS))

        self.put("hypertable", "Tick", "in", "shop", "on", self.one_of(NAMES))
        self.block(member)

    def enumeration(self) -> None:
        def label() -> None:
            self.put(self.one_of([*NAMES, *COLUMN, *STRINGS, "primary", "unique", "check", "sql", "where", "entity"]))

        self.put("enum", "Colour", "in", "shop", "{")
        self.listed(label, least=self.number(1), trailing=True)
        self.put("}")

    # ------------------------------------------------------------------ queries and procedures

    def params(self, default: bool) -> None:
        count = 1 + self.number(2)
        for i in range(count):
            if i:
                if self.number(1):
                    self.signs(",")
                else:
                    self.new_line()
            self.put(self.one_of(NAMES))
            self.signs(":")
            self.put(self.one_of(TYPES))
            if default and self.number(2) == 0:
                self.put("default", self.one_of([*STRINGS, "7", "-7", "true", "now()"]))
        self.maybe(lambda: self.signs(","))

    def input(self) -> None:
        self.put("input", "{")
        self.maybe(lambda: self.params(True))
        self.put("}")

    def output(self) -> None:
        if self.number(1):
            self.put("output", "as", self.one_of(ENTITIES))
        else:
            self.put("output", "{")
            self.params(False)
            self.put("}")

    def sql(self) -> None:
        self.put("sql", "touches")
        self.signs("(")
        self.listed(lambda: self.put(self.one_of(ENTITIES)), least=self.number(1))
        self.signs(")")
        self.put("{" + self.one_of(SQL) + "}")

    def query(self) -> None:
        self.put("query", "Find", "for", self.one_of(ENTITIES))
        self.block(lambda: [self.input, self.output, self.sql, self.cache][self.number(3)]())

    def value(self) -> None:
        self.put(self.one_of([*STRINGS, *NAMES, "$a", "$state", "-3", "12", "true", "false", "now", "now()", "1.5"]))

    def expression(self) -> None:
        for i in range(1 + self.number(2)):
            if i:
                self.put("and")
            self.value()
            if self.number(3):
                self.put(self.one_of(["=", "!=", "<", "<=", ">", ">="]))
                self.value()

    def set(self) -> None:
        self.put(self.one_of(NAMES))
        self.signs("=")
        self.value()

    def call(self, opening: str, closing: str) -> None:
        def argument() -> None:
            self.put(self.one_of(NAMES))
            self.signs(":")
            self.expression()

        self.signs(opening)
        if self.number(2):
            self.listed(argument, trailing=True)
        self.signs(closing)

    def step(self) -> None:
        match self.number(4):
            case 0:
                self.put("update", self.one_of(ENTITIES), "set")
                self.listed(self.set)
                self.put("where")
                self.expression()
            case 1:
                self.put("delete", self.one_of(ENTITIES), "where")
                self.expression()
            case 2:
                self.put("insert", self.one_of(ENTITIES), "{")
                self.listed(self.set, trailing=True)
                self.put("}")
            case 3:
                self.put("enqueue", self.one_of(ENTITIES))
                self.call("(", ")")
            case _:
                self.sql()

    def procedure(self) -> None:
        def part() -> None:
            match self.number(2):
                case 0:
                    self.input()
                case 1:
                    self.put("steps")
                    self.block(self.step)
                case _:
                    self.put("invalidate", ":", "tag", "(", self.one_of(STRINGS), ")")

        self.put("procedure", "Do", "for", self.one_of(ENTITIES))
        self.block(part)

    # ------------------------------------------------------------------ jobs, workflows, ephemerals

    def job(self) -> None:
        def clause() -> None:
            match self.number(6):
                case 0:
                    self.put("args")
                    self.block(self.entity_field)
                case 1:
                    self.put("retries", self.one_of(["3", "-1", "0", "1.5", '"x"', "true"]))
                case 2:
                    self.put("timeout", self.one_of([*DURATIONS, "none", "30", '"5m"']))
                case 3:
                    self.put("heartbeat", self.one_of([*DURATIONS, "30"]))
                case _:
                    self.put(self.one_of(["queue", "schedule", "visible_to"]), self.one_of(STRINGS))

        self.put("job", self.one_of(["Ship", "state"]), "in", "shop")
        self.block(clause)

    def workflow(self) -> None:
        def inner() -> None:
            if self.number(1):
                self.put("job", self.one_of(ENTITIES))
            else:
                self.put("args")
                self.call(" {", "}")

        def part() -> None:
            if self.number(2) == 0:
                self.put("state")
                self.block(self.entity_field)
            else:
                self.put(self.one_of(["step", "compensate"]), self.one_of(NAMES))
                self.block(inner)

        self.put("workflow", "Flow", "in", "shop")
        self.block(part)

    def ephemeral(self) -> None:
        def member() -> None:
            if self.number(3):
                self.entity_field()
            else:
                self.field = None
                self.put("ttl", "=", self.one_of(DURATIONS))

        self.put("ephemeral", "Token", "in", "shop")
        self.block(member)

    def declaration(self) -> None:
        self.field = None
        kinds = [
            self.entity,
            self.hypertable,
            self.enumeration,
            self.query,
            self.procedure,
            self.job,
            self.workflow,
            self.ephemeral,
        ]
        kinds[self.number(len(kinds) - 1)]()
        self.out.append(self.one_of(["\n", "\n\n", "\n// between\n", "  // behind\n", " ", "\r\n"]))


@st.composite
def programs(draw: st.DrawFn, most: int = 4) -> str:
    """A program of up to `most` declarations. Half of them are laid out calmly, the others wildly."""
    writer = Writer(draw, draw(st.booleans()))
    for _ in range(draw(st.integers(0, most))):
        writer.declaration()
    return "".join(writer.out)
