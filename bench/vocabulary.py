"""The words that the generated schemas are made of."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["DOMAINS", "FIELDS", "PREFIXES", "QUALIFIERS", "STATUSES", "Column"]

# Two of these make a declaration's name; there are enough of them for the files of one namespace.
DOMAINS = (
    ("billing", ("Invoice", "Payment", "Refund", "Plan", "Voucher", "Ledger")),
    ("directory", ("Contact", "Account", "Mailbox", "Group", "Profile", "Session")),
    ("catalog", ("Product", "Bundle", "Price", "Brand", "Shelf", "Review")),
    ("shipping", ("Parcel", "Route", "Carrier", "Depot", "Label", "Pickup")),
    ("support", ("Ticket", "Reply", "Macro", "Queue", "Escalation", "Survey")),
    ("fleet", ("Vehicle", "Driver", "Trip", "Inspection", "Fuel", "Lease")),
    ("campus", ("Course", "Lecture", "Exam", "Student", "Room", "Grade")),
    ("clinic", ("Patient", "Visit", "Referral", "Ward", "Dose", "Chart")),
    ("media", ("Asset", "Album", "Caption", "Render", "Upload", "Stream")),
    ("grid", ("Meter", "Station", "Outage", "Tariff", "Circuit", "Reading")),
)

QUALIFIERS = ("Open", "Daily", "Regional", "Shared", "Archived", "Partner", "Draft", "Primary", "Seasonal", "Managed")

STATUSES = ("draft", "open", "closed", "waiting", "approved", "rejected", "archived")

PREFIXES = ("billing", "shipping", "home", "work", "former", "next", "last", "first", "local", "remote")


class Column(NamedTuple):
    """A field. type: as in `.atl`; prisma, proto: the same in the peers' languages. rest: its modifiers."""

    name: str
    type: str
    rest: str
    prisma: str
    proto: str


FIELDS = (
    Column("title", "varchar(200)", "not null", "String @db.VarChar(200)", "string"),
    Column("summary", "text", "", "String? @db.Text", "string"),
    Column("email", "varchar(320)", 'not null default ""', 'String @default("") @db.VarChar(320)', "string"),
    Column("phone", "varchar(32)", "", "String? @db.VarChar(32)", "string"),
    Column("country", "char(2)", 'not null default "DE"', 'String @default("DE") @db.Char(2)', "string"),
    Column("locale", "varchar(16)", 'not null default "en"', 'String @default("en") @db.VarChar(16)', "string"),
    Column("priority", "smallint", "not null default 3", "Int @default(3) @db.SmallInt", "int32"),
    Column("quantity", "int", "not null default 1", "Int @default(1)", "int32"),
    Column("attempts", "int", "not null default 0", "Int @default(0)", "int32"),
    Column("amount", "numeric(12, 2)", "not null default 0", "Decimal @default(0) @db.Decimal(12, 2)", "double"),
    Column("discount", "numeric(5, 2)", "", "Decimal? @db.Decimal(5, 2)", "double"),
    Column("weight", "double", "", "Float? @db.DoublePrecision", "double"),
    Column("score", "real", "", "Float? @db.Real", "float"),
    Column("size_bytes", "bigint", "not null default 0", "BigInt @default(0)", "int64"),
    Column("position", "int", "", "Int?", "int32"),
    Column("active", "boolean", "not null default true", "Boolean @default(true)", "bool"),
    Column("verified", "boolean", "not null default false", "Boolean @default(false)", "bool"),
    Column("settings", "jsonb", 'not null default "{}"', 'Json @default("{}")', "bytes"),
    Column("metadata", "jsonb", "", "Json?", "bytes"),
    Column("tags", "[]text", "", "String[]", "repeated string"),
    Column("token", "uuid", "", "String? @db.Uuid", "string"),
    Column("checksum", "bytea", "", "Bytes?", "bytes"),
    Column("address", "text", "", "String? @db.Text", "string"),
    Column("city", "varchar(120)", "", "String? @db.VarChar(120)", "string"),
    Column("postcode", "varchar(12)", "", "String? @db.VarChar(12)", "string"),
    Column("due_on", "date", "", "DateTime? @db.Date", "string"),
    Column("opens_at", "time", "", "DateTime? @db.Time(6)", "string"),
    Column("seen_at", "timestamptz", "", "DateTime? @db.Timestamptz(6)", "int64"),
    Column("sent_at", "timestamptz", "", "DateTime? @db.Timestamptz(6)", "int64"),
    Column("origin", "inet", "", "String? @db.Inet", "string"),
    Column("note", "varchar(2000)", "", "String? @db.VarChar(2000)", "string"),
    Column("colour", "varchar(7)", 'default "#ffffff"', 'String? @default("#ffffff") @db.VarChar(7)', "string"),
)
