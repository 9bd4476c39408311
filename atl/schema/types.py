"""The builtin types as data, and what can be said of one type: its spelling here and in PostgreSQL, its properties.

Pairs of types are in `conversions`, values of a type in `literals`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from atl.records import NamedTuple
from atl.syntax import nodes

__all__ = [
    "BUILTINS",
    "FOREIGN",
    "UNREAD",
    "Builtin",
    "Family",
    "Type",
    "family",
    "foreign_spelling",
    "has_equality",
    "integer_range",
    "make_type",
    "parameter_form",
    "parameters_fit",
    "parse_type",
    "postgres_type",
    "spelled",
    "type_of",
]


class Type(NamedTuple):
    """A type as far as one declaration alone can tell.

    base: a builtin's name (`varchar`), or "" for an enum or a name that may be one.
    params: of a builtin, as declared: `varchar(20)` has (20,), `numeric(8, 2)` has (8, 2), `char` and `bit` have (1,).
    dims: array dimensions, 0 or 1 (more is reported as ATL202 and kept as 1).
    enum: the id `ns.Name` when base is "".
    known: False when the type is certainly in error (an unknown builtin-like word is still an enum candidate);
    nothing may be concluded from it.
    """

    base: str
    params: tuple[int, ...] = ()
    dims: int = 0
    enum: str = ""
    known: bool = True


UNREAD = Type("", known=False)
"""Stands where a type could not be read."""


class Family(Enum):
    """Types whose literals look alike and which PostgreSQL casts alike."""

    NUMBER = "number"
    TEXT = "text"
    BOOLEAN = "boolean"
    DATETIME = "date or time"
    UUID = "uuid"
    JSON = "json"
    BINARY = "binary"
    NETWORK = "network address"
    BIT = "bit string"
    TEXT_SEARCH = "text search"
    RANGE = "range"
    GEOMETRIC = "geometric"
    MONEY = "money"
    XML = "xml"
    VECTOR = "vector"
    ENUM = "enum"


class Builtin(NamedTuple):
    """One row of the table.

    bounds: (least, most) of each parameter, () when the type takes none. implied: the parameters meant when there are
    no brackets; None when the brackets are required. equality: it has an operator class for btree, so it can be a key,
    indexed and compared. element: it can be an array's element.
    """

    name: str
    postgres: str
    family: Family
    bounds: tuple[tuple[int, int], ...] = ()
    implied: tuple[int, ...] | None = ()
    equality: bool = True
    element: bool = True
    documentation: str = ""


# 10485760: PostgreSQL's MaxAttrSize / 1 byte for character types; bit strings are held to the same bound here.
_LENGTH = ((1, 10_485_760),)
# NUMERIC_MAX_PRECISION; a scale above the precision is allowed since PostgreSQL 15.
_PRECISION = ((1, 1000), (0, 1000))
# VECTOR_MAX_DIM of pgvector.
_DIMENSIONS = ((1, 16_000),)

_N, _T, _D, _R, _G = Family.NUMBER, Family.TEXT, Family.DATETIME, Family.RANGE, Family.GEOMETRIC
_ROWS = (
    Builtin("smallint", "SMALLINT", _N, documentation="whole number, 2 bytes: -32768 to 32767"),
    Builtin("int", "INTEGER", _N, documentation="whole number, 4 bytes: -2147483648 to 2147483647"),
    Builtin("bigint", "BIGINT", _N, documentation="whole number, 8 bytes"),
    Builtin("real", "REAL", _N, documentation="floating point, 4 bytes, about 6 digits"),
    Builtin("double", "DOUBLE PRECISION", _N, documentation="floating point, 8 bytes, about 15 digits"),
    Builtin("numeric", "NUMERIC", _N, _PRECISION, None, documentation="exact number: digits, of them behind the point"),
    Builtin("boolean", "BOOLEAN", Family.BOOLEAN, documentation="true or false"),
    Builtin("varchar", "VARCHAR", _T, _LENGTH, documentation="text of at most n characters"),
    Builtin("char", "CHAR", _T, _LENGTH, (1,), documentation="text of exactly n characters, padded with blanks"),
    Builtin("text", "TEXT", _T, documentation="text of any length"),
    Builtin("citext", "CITEXT", _T, documentation="text compared without regard to case (extension citext)"),
    Builtin("name", "NAME", _T, documentation="an identifier of PostgreSQL, at most 63 bytes"),
    Builtin("uuid", "UUID", Family.UUID, documentation="universally unique identifier, 16 bytes"),
    Builtin("money", "MONEY", Family.MONEY, documentation="amount of money, with the server's currency"),
    Builtin("xml", "XML", Family.XML, equality=False, documentation="XML document or content"),
    Builtin("json", "JSON", Family.JSON, equality=False, documentation="JSON kept as the text it was"),
    Builtin("jsonb", "JSONB", Family.JSON, documentation="JSON decomposed: comparable, can have a gin index"),
    Builtin("bytea", "BYTEA", Family.BINARY, documentation="bytes"),
    Builtin(
        "vector",
        "VECTOR",
        Family.VECTOR,
        _DIMENSIONS,
        None,
        element=False,
        documentation="n numbers (pgvector)",
    ),
    Builtin("timestamptz", "TIMESTAMPTZ", _D, documentation="a moment, stored as UTC"),
    Builtin("timestamp", "TIMESTAMP", _D, documentation="date and time of no zone"),
    Builtin("date", "DATE", _D, documentation="a day"),
    Builtin("time", "TIME", _D, documentation="time of day"),
    Builtin("timetz", "TIMETZ", _D, documentation="time of day with an offset"),
    Builtin("interval", "INTERVAL", _D, documentation="a length of time"),
    Builtin("inet", "INET", Family.NETWORK, element=False, documentation="IPv4 or IPv6 host, with or without its net"),
    Builtin("cidr", "CIDR", Family.NETWORK, element=False, documentation="IPv4 or IPv6 network"),
    Builtin("macaddr", "MACADDR", Family.NETWORK, element=False, documentation="MAC address, 6 bytes"),
    Builtin("macaddr8", "MACADDR8", Family.NETWORK, element=False, documentation="MAC address, 8 bytes"),
    Builtin("bit", "BIT", Family.BIT, _LENGTH, (1,), element=False, documentation="exactly n bits"),
    Builtin("varbit", "BIT VARYING", Family.BIT, _LENGTH, element=False, documentation="at most n bits"),
    Builtin("tsvector", "TSVECTOR", Family.TEXT_SEARCH, element=False, documentation="words of a document to search"),
    Builtin("tsquery", "TSQUERY", Family.TEXT_SEARCH, element=False, documentation="a text search"),
    Builtin("int4range", "INT4RANGE", _R, element=False, documentation="range of int"),
    Builtin("int8range", "INT8RANGE", _R, element=False, documentation="range of bigint"),
    Builtin("numrange", "NUMRANGE", _R, element=False, documentation="range of numeric"),
    Builtin("tsrange", "TSRANGE", _R, element=False, documentation="range of timestamp"),
    Builtin("tstzrange", "TSTZRANGE", _R, element=False, documentation="range of timestamptz"),
    Builtin("daterange", "DATERANGE", _R, element=False, documentation="range of date"),
    *(
        Builtin(name, name.upper(), _G, equality=False, element=False, documentation=text)
        for name, text in (
            ("point", "a point of the plane"),
            ("line", "an infinite line"),
            ("lseg", "a line segment"),
            ("box", "a rectangle along the axes"),
            ("path", "an open or closed path"),
            ("polygon", "a polygon"),
            ("circle", "a circle"),
        )
    ),
)

BUILTINS: dict[str, Builtin] = {row.name: row for row in _ROWS}
"""Every builtin type by its name, in the order in which they are offered."""

FOREIGN: dict[str, str] = {
    word: spelling
    for spelling, words in {
        "text": "string str clob longtext mediumtext tinytext ntext varchar2 nvarchar nvarchar2 character_varying",
        "char(n)": "character nchar bpchar",
        "smallint": "int2 short tinyint int16 uint8 int8_t byte smallserial",
        "int": "integer int4 int32 i32 mediumint uint16",
        "bigint": "int8 int64 i64 long longint uint32 uint64 uint",
        "int serial": "serial serial4 autoincrement auto_increment",
        "bigint serial": "bigserial serial8",
        "real": "float4 float32 f32 single",
        "double": "float float8 float64 f64 double_precision doubleprecision",
        "numeric(p, s)": "decimal number dec bigdecimal",
        "boolean": "bool logical",
        "timestamptz": "datetime datetime2 datetimeoffset instant timestamp_with_time_zone timestamp_tz timestampz",
        "timestamp": "timestamp_without_time_zone localdatetime smalldatetime",
        "time": "time_without_time_zone localtime",
        "timetz": "time_with_time_zone",
        "date": "localdate",
        "interval": "duration timedelta timespan",
        "uuid": "guid uniqueidentifier uuid4",
        "jsonb": "object map dict struct hstore",
        "bytea": "blob bytes binary varbinary longblob",
        "inet": "ip ipaddr ipaddress ip_address ipv4 ipv6",
        "macaddr": "mac mac_address",
        "varbit": "bit_varying",
        "vector(n)": "embedding halfvec",
        "xml": "xmltype",
        "money": "currency smallmoney",
    }.items()
    for word in words.split()
}
"""Spellings of other languages and databases, in lower case, with what is written here."""

_INTEGERS = {name: (-(1 << bits), (1 << bits) - 1) for name, bits in (("smallint", 15), ("int", 31), ("bigint", 63))}
_PLAIN = {row.name: Type(row.name, row.implied) for row in _ROWS if row.implied is not None}
_PLAIN_ARRAY = {name: Type(name, plain.params, 1, "", BUILTINS[name].element) for name, plain in _PLAIN.items()}


def type_of(ref: nodes.TypeRef, own_namespace: str) -> Type:
    """What a type's spelling means in a declaration of that namespace ("" where it cannot be known)."""
    if ref.namespace is None and ref.params is None and ref.postfix == 0:
        plain = _PLAIN if ref.dims == 0 else _PLAIN_ARRAY if ref.dims == 1 else {}
        found = plain.get(ref.name.text)
        if found is not None:
            return found
    params = None if ref.params is None else tuple([p.value if type(p) is nodes.Int else None for p in ref.params])
    namespace = None if ref.namespace is None else ref.namespace.text
    key = (ref.name.text, namespace, own_namespace, params, ref.dims, ref.postfix)
    made = _made.get(key)
    if made is None:
        home = namespace or own_namespace
        made = make_type(ref.name.text, home, params, ref.dims, qualified=namespace is not None)
        if ref.postfix:
            made = made._replace(dims=1, known=False)
        if len(_made) > 10_000:
            _made.clear()
        _made[key] = made
    return made


# What `type_of` made: a workspace has many fields of few types.
_made: dict[tuple[object, ...], Type] = {}


def make_type(
    name: str, namespace: str, params: Sequence[int | None] | None, dims: int = 0, *, qualified: bool = False
) -> Type:
    """The type of `[]` * dims `name(params)`; a parameter that is no whole number is None. A qualified name, and one
    that is no builtin's, is an enum's, looked up in `namespace` alone."""
    row = None if qualified else BUILTINS.get(name)
    if row is None:
        known = dims == 0 and params is None and namespace != ""
        return Type("", (), min(dims, 1), f"{namespace}.{name}" if namespace else "", known)
    known = dims == 0 or (dims == 1 and row.element)
    if params is None:
        return Type(row.name, row.implied or (), min(dims, 1), "", known and row.implied is not None)
    if parameters_fit(row, params):
        return Type(row.name, tuple([param for param in params if param is not None]), min(dims, 1), "", known)
    # Kept within what prints and reads back quickly; whoever reports them reads the tree.
    numbers = tuple([max(-1, min(param, 10**9)) for param in params if param is not None])
    return Type(row.name, numbers if len(numbers) == len(params) else row.implied or (), min(dims, 1), "", False)


def parameters_fit(row: Builtin, params: Sequence[int | None]) -> bool:
    """Whether a builtin takes these parameters, as they stand in its brackets."""
    return len(params) == len(row.bounds) > 0 and all(
        param is not None and low <= param <= high for param, (low, high) in zip(params, row.bounds, strict=True)
    )


def parameter_form(row: Builtin) -> str:
    """How the type is written with its parameters: `numeric(p, s)`, `varchar(n)`, `text`."""
    match len(row.bounds):
        case 0:
            return row.name
        case 1:
            return f"{row.name}(n)"
        case _:
            return f"{row.name}(p, s)"


def foreign_spelling(name: str) -> str | None:
    """What to write for a type's name of another language or in another case (`TEXT`); None when it is not one."""
    lowered = name.lower()
    if lowered != name and lowered in BUILTINS:
        return parameter_form(BUILTINS[lowered]) if BUILTINS[lowered].implied is None else lowered
    return FOREIGN.get(lowered)


def spelled(type_: Type) -> str:
    """The type as it is written in a declaration, an enum with its namespace."""
    name = type_.base or type_.enum
    if type_.params:
        name = f"{name}({', '.join(map(str, type_.params))})"
    return "[]" + name if type_.dims else name


def parse_type(text: str) -> Type | None:
    """The type that `text` spells as `spelled` does; None when it is no such spelling."""
    rest = text.removeprefix("[]")
    dims = 0 if rest == text else 1
    name, bracket, inner = rest.partition("(")
    params: list[int | None] | None = None
    if bracket:
        if not inner.endswith(")"):
            return None
        numbers = inner[:-1].split(", ")
        if not all(number.isascii() and number.removeprefix("-").isdigit() and len(number) < 12 for number in numbers):
            return None
        params = [int(number) for number in numbers]
    namespace, dot, last = name.rpartition(".")
    made = make_type(last, namespace, params, dims, qualified=bool(dot))
    # `char` and `bit` are spelled with their implied length.
    return made if spelled(made) == text or (params is None and spelled(made._replace(params=())) == text) else None


def postgres_type(type_: Type, enum_type: tuple[str, str] | None = None) -> str:
    """The type in SQL: `NUMERIC(8,2)`, `TEXT[]`, or the quoted (schema, name) of an enum's type."""
    if type_.base:
        name = BUILTINS[type_.base].postgres
        if type_.params:
            name = f"{name}({','.join(map(str, type_.params))})"
    else:
        from atl.postgres.scan import quote_identifier

        if enum_type is None:
            raise ValueError(f"the type of the enum `{type_.enum}` is not given")
        name = ".".join(map(quote_identifier, enum_type))
    return name + "[]" if type_.dims else name


def family(type_: Type) -> Family:
    """The family of a type's elements (arrays are not told apart: see `dims`)."""
    return BUILTINS[type_.base].family if type_.base else Family.ENUM


def has_equality(type_: Type) -> bool:
    """Whether it can be a key, be indexed by btree, be unique and be compared (ATL210); true where it is not known."""
    return not type_.known or not type_.base or BUILTINS[type_.base].equality


def integer_range(type_: Type) -> tuple[int, int] | None:
    """Least and greatest value of a whole-number type; None for every other."""
    return _INTEGERS.get(type_.base) if type_.dims == 0 else None
