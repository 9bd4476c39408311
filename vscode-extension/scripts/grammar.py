"""Writes `syntaxes/atl.tmLanguage.json` from the words of the grammar and the table of types.

    python vscode-extension/scripts/grammar.py            write it
    python vscode-extension/scripts/grammar.py --check    write nothing, fail when it is stale

A declaration is a begin/while rule: whatever its body has left open (a brace, a string in SQL) ends before the next
line that heads a declaration, so that a half-written one never colours the rest of the file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from atl.schema.types import BUILTINS

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "vscode-extension" / "syntaxes" / "atl.tmLanguage.json"
WORDS: dict[str, Any] = json.loads((ROOT / "grammar" / "words.json").read_text("utf-8"))

Rule = dict[str, Any]

NAME = r"[\p{L}_][\p{L}\p{M}\p{N}_]*"
STRING_BODY = r'((?:[^"\\\n]|\\.)*)'


def any_of(words: Iterable[str]) -> str:
    """A whole word that is one of these."""
    return rf"\b(?:{'|'.join(sorted(words))})\b"


HEADS = any_of(WORDS["declarations"])
BUILTIN = any_of(BUILTINS)
RESERVED = any_of(WORDS["reserved"])
NO_FIELD = any_of(set(WORDS["reserved"]) | set(WORDS["column"]))
MODIFIERS = any_of(WORDS["modifiers"])
MEMBERS: dict[str, list[str]] = WORDS["members"]
REF = rf"(?:({NAME})\s*(\.)\s*)?({NAME})"
# A column word before a type of PostgreSQL's is a field of that name; before anything else it modifies.
FIELD = (
    rf"(?:(?!{NO_FIELD})({NAME})|({any_of(WORDS['column'])})(?=\s+(?:\[\s*\])*{BUILTIN}))"
    rf"\s+((?:\[\s*\])*)\s*(?:({BUILTIN})|(?!{NO_FIELD})(?:({NAME})(\.))?({NAME}))"
)


def include(*names: str) -> list[Rule]:
    return [{"include": f"#{name}"} for name in names]


def scopes(*names: str | None) -> Rule:
    """Captures 1, 2, ... by their scopes; None leaves one out."""
    return {str(i): {"name": f"{name}.atl"} for i, name in enumerate(names, 1) if name is not None}


def word(words: str, scope: str) -> Rule:
    return {"match": words, "name": f"{scope}.atl"}


def block(before: str, captures: Rule, *inside: str, scope: str | None = None) -> Rule:
    """What stands before a `{`, and what stands between it and its `}`."""
    count = len(captures) + 1
    rule: Rule = {
        "begin": rf"{before}\s*(\{{)",
        "beginCaptures": {**captures, str(count): {"name": "punctuation.section.block.begin.atl"}},
        "end": r"\}",
        "endCaptures": {"0": {"name": "punctuation.section.block.end.atl"}},
        "patterns": include(*inside),
    }
    return {"name": f"{scope}.atl", **rule} if scope is not None else rule


def declaration(kind: str, head: str, captures: Rule, *inside: str) -> Rule:
    return {
        "name": f"meta.declaration.{kind}.atl",
        "begin": rf"^\s*(?={kind}\s+{NAME}\s+(?:in|for)\b)",
        "while": rf"^(?!\s*{HEADS}\s+{NAME}\s+(?:in|for)\b)",
        "patterns": [
            {"include": "#comments"},
            {"match": rf"({kind})\s+({NAME})\s+{head}", "captures": captures},
            block("", {}, *inside, "stray"),
        ],
    }


def in_namespace(kind: str, scope: str, *inside: str) -> Rule:
    captures = scopes(f"storage.type.{kind}", scope, "keyword.control", "entity.name.namespace")
    return declaration(kind, rf"(in)\s+({NAME})", captures, *inside)


def for_entity(kind: str, *inside: str) -> Rule:
    captures = scopes(
        f"storage.type.{kind}",
        "entity.name.function",
        "keyword.control",
        "entity.name.namespace",
        "punctuation.accessor",
        "entity.name.type",
    )
    return declaration(kind, rf"(for)\s+{REF}", captures, *inside)


def sql_string(before: str) -> Rule:
    """A string that holds an expression of SQL. By captures: what is left open in it ends with the string."""
    return {
        "match": rf'\b({before})\s+(")({STRING_BODY})(")',
        "captures": {
            **scopes("storage.modifier", "punctuation.definition.string.begin"),
            "3": {"name": "meta.embedded.inline.sql", "patterns": [*include("escapes", "parameter"), SQL]},
            "5": {"name": "punctuation.definition.string.end.atl"},
        },
    }


SQL: Rule = {"include": "source.sql"}

DECLARATIONS = [
    in_namespace("entity", "entity.name.type.entity", "entity"),
    declaration(
        "hypertable",
        rf"(in)\s+({NAME})(?:\s+(on)\s+({NAME}))?",
        scopes(
            "storage.type.hypertable",
            "entity.name.type.entity",
            "keyword.control",
            "entity.name.namespace",
            "keyword.control",
            "variable.other.property",
        ),
        "entity",
    ),
    in_namespace("enum", "entity.name.type.enum", "enum"),
    for_entity("query", "query"),
    for_entity("procedure", "procedure"),
    in_namespace("job", "entity.name.function.job", "job"),
    in_namespace("workflow", "entity.name.function.workflow", "workflow"),
    in_namespace("ephemeral", "entity.name.type.ephemeral", "ephemeral"),
]


def patterns(*rules: Rule | str) -> Rule:
    return {"patterns": [{"include": f"#{r}"} if isinstance(r, str) else r for r in rules]}


REPOSITORY: dict[str, Rule] = {
    # ------------------------------------------------------------ tokens
    "comments": patterns(
        {
            "name": "comment.line.double-slash.atl",
            "begin": "//",
            "end": "$",
            "beginCaptures": {"0": {"name": "punctuation.definition.comment.atl"}},
            "patterns": [
                {
                    "match": r"(?<=//)\s*(atl:)\s*(ignore-file|ignore|renamed-from)\b",
                    "captures": scopes("keyword.other.directive", "keyword.other.directive"),
                }
            ],
        },
        {"name": "comment.block.atl", "begin": r"/\*", "end": r"\*/"},
    ),
    "escapes": patterns(
        {"match": r'\\["\\nt]', "name": "constant.character.escape.atl"},
        {"match": r"\\.", "name": "invalid.illegal.escape.atl"},
    ),
    "string": patterns(
        {
            "name": "string.quoted.double.atl",
            "match": rf'(")({STRING_BODY})(")',
            "captures": {
                "1": {"name": "punctuation.definition.string.begin.atl"},
                "2": {
                    "patterns": [
                        *include("escapes"),
                        {"match": rf"\{{({NAME})\}}", "captures": scopes("variable.other.property")},
                    ]
                },
                "4": {"name": "punctuation.definition.string.end.atl"},
            },
        },
        {"name": "string.quoted.double.unterminated.atl", "match": r'"[^"\n]*$'},
        {"name": "invalid.illegal.single-quoted.atl", "match": r"'[^'\n]*'?"},
    ),
    "sql-strings": patterns(sql_string("check|backfill|expr|raw")),
    "parameter": patterns(
        {
            "match": rf"(\$)({NAME})(?!\$)",
            "name": "variable.parameter.atl",
            "captures": scopes("punctuation.definition.variable"),
        }
    ),
    "values": patterns(
        "string",
        "parameter",
        {"match": r"(?<![\w.])\d+(?:\.\d+)?(ns|us|ms|s|m|h|d)\b", "name": "constant.numeric.duration.atl"}
        | {"captures": scopes("keyword.other.unit")},
        {"match": r"(?<![\w.])-?\d+(?:\.\d+)?\b", "name": "constant.numeric.atl"},
        word(any_of(("true", "false", "null")), "constant.language"),
        {"match": r"\b(now)\b", "captures": scopes("support.function")},
        {"match": r"!=|<=|>=|[=<>]", "name": "keyword.operator.atl"},
        {"match": r"[,:]", "name": "punctuation.separator.atl"},
    ),
    "stray": patterns("comments", "values", word(RESERVED, "keyword.control")),
    # ------------------------------------------------------------ SQL
    "sql": patterns(
        {
            "begin": r"\b(sql)\s+(touches)\s*(\()",
            "beginCaptures": scopes("keyword.control", "keyword.control", "punctuation.section.parens.begin"),
            "end": r"\)",
            "endCaptures": {"0": {"name": "punctuation.section.parens.end.atl"}},
            "patterns": include("comments", "reference", "values"),
        },
        # The keyword again, where the list is still missing.
        word(r"\b(?:sql|touches)\b", "keyword.control"),
        {
            "begin": r"(?<=\))\s*(\{)",
            "beginCaptures": {"1": {"name": "punctuation.section.block.begin.atl"}},
            "end": r"\}",
            "endCaptures": {"0": {"name": "punctuation.section.block.end.atl"}},
            "contentName": "meta.embedded.block.sql",
            "patterns": include("sql-inside"),
        },
    ),
    "sql-inside": patterns(
        {"begin": r"\{", "end": r"\}", "patterns": include("sql-inside")},
        {"begin": r"/\*", "end": r"\*/", "name": "comment.block.sql", "patterns": include("sql-comment")},
        # PostgreSQL's own quotes: they settle which braces count.
        *(
            {"begin": begin, "end": end, "name": f"{name}.sql"}
            for begin, end, name in (
                ("--", "$", "comment.line.double-dash"),
                (r"(\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$)", r"\1", "string.quoted.dollar"),
                ("'", "'", "string.quoted.single"),
                ('"', '"', "variable.other.quoted"),
            )
        ),
        {"begin": r"\b[eE]'", "end": "'", "name": "string.quoted.single.sql"}
        | {"patterns": [{"match": r"\\.", "name": "constant.character.escape.sql"}]},
        "parameter",
        SQL,
    ),
    "sql-comment": patterns(
        {"begin": r"/\*", "end": r"\*/", "name": "comment.block.sql", "patterns": include("sql-comment")}
    ),
    # ------------------------------------------------------------ parts
    "reference": patterns(
        {
            "match": rf"(?!{RESERVED}){REF}",
            "captures": scopes("entity.name.namespace", "punctuation.accessor", "entity.name.type"),
        }
    ),
    "field": patterns(
        {
            "match": FIELD,
            "captures": scopes(
                "variable.other.property.field",
                "variable.other.property.field",
                "punctuation.definition.array",
                "support.type",
                "entity.name.namespace",
                "punctuation.accessor",
                "entity.name.type",
            ),
        }
    ),
    "modifiers": patterns(
        "sql-strings",
        {
            "match": rf"\b(references)\s+({NAME})(?:(\.)({NAME}))?(?:(\.)({NAME}))?",
            "captures": scopes(
                "storage.modifier",
                "entity.name.namespace",
                "punctuation.accessor",
                "entity.name.type",
                "punctuation.accessor",
                "variable.other.property",
            ),
        },
        {
            "match": r"\b(on)\s+(delete|update)\b(?:\s+(cascade|restrict|set\s+null)\b)?",
            "captures": scopes("storage.modifier", "storage.modifier", "storage.modifier"),
        },
        {"match": r"\b(default)\s+(true|false)\b", "captures": scopes("storage.modifier", "constant.language")},
    ),
    "field-or-modifier": patterns("field", word(MODIFIERS, "storage.modifier")),
    "fields": patterns(
        "comments", "modifiers", "field-or-modifier", "values", word(NAME, "variable.other.property.field")
    ),
    "parameters": patterns(
        "comments",
        {
            "match": (rf"({NAME})\s*(:)\s*((?:\[\s*\])*)\s*(?:({BUILTIN})|(?:({NAME})(\.))?({NAME}))"),
            "captures": scopes(
                "variable.parameter",
                "punctuation.separator",
                "punctuation.definition.array",
                "support.type",
                "entity.name.namespace",
                "punctuation.accessor",
                "entity.name.type",
            ),
        },
        word(r"\bdefault\b", "storage.modifier"),
        "values",
        word(NAME, "variable.parameter"),
    ),
    "arguments": patterns(
        "comments",
        "values",
        {"match": rf"({NAME})(?=\s*:)", "captures": scopes("variable.parameter.argument")},
        word(NAME, "variable.other.property"),
    ),
    "args": patterns(block(r"\b(args)", scopes("keyword.control"), "arguments")),
    "cache": patterns(block(r"\b(cache)", scopes("keyword.control"), "cache-body", scope="meta.cache")),
    "cache-body": patterns(
        "comments",
        word(any_of({*MEMBERS["cache"], "ttl", "tag", "write", "where"}), "keyword.control"),
        word(any_of(("strict", "eventual")), "constant.language"),
        word(r"\bself\b", "variable.language"),
        {"match": rf"(?<=write\()\s*({NAME})", "captures": scopes("entity.name.type")},
        "values",
        word(NAME, "variable.other.property"),
    ),
    # ------------------------------------------------------------ bodies
    "entity": patterns(
        "comments",
        "cache",
        {
            # To the end of the line, `//` or `}`; in it "..." is a string.
            "match": r'\b(where)\s+((?:"[^"\n]*"|[^"}/\n]|/(?!/))+)',
            "captures": {
                "1": {"name": "keyword.control.atl"},
                "2": {
                    "name": "meta.embedded.inline.sql",
                    "patterns": [{"match": r'"[^"]*"', "name": "string.quoted.double.atl"}, SQL],
                },
            },
        },
        {
            # A clause with names: to the line's end, or the next one's after a comma.
            "begin": (
                rf"(?:(?<=^)|(?<=[\s{{]))(?={any_of(MEMBERS['hyper'])})"
                r"(?=(?:primary|unique|soft_delete|touch_on_update|partition)\s+by\b|(?:unique\s+)?index\b"
                r"|has_many\b|has_one\b|ttl_field\b)"
            ),
            "end": r"(?<![,\s])(?=\s*(?:$|//|\}|\bwhere\b))",
            "name": "meta.clause.atl",
            "patterns": [
                *include("sql-strings"),
                word(any_of(("hnsw", "gin", "cosine", "l2", "ip", "asc", "desc")), "constant.language"),
                {
                    "match": rf"\b(has_many|has_one)\s+({NAME})\s*(:)\s*({NAME})",
                    "captures": scopes(
                        "keyword.control", "variable.other.property", "punctuation.separator", "entity.name.type"
                    ),
                },
                word(RESERVED, "keyword.control"),
                *include("values"),
                word(NAME, "variable.other.property"),
            ],
        },
        {
            "match": rf'\b(check)\s+(")({STRING_BODY})(")\s+(as)\s+({NAME})',
            "captures": {
                **scopes("storage.modifier", "punctuation.definition.string.begin"),
                "3": {"name": "meta.embedded.inline.sql", "patterns": [*include("escapes"), SQL]},
                "5": {"name": "punctuation.definition.string.end.atl"},
                "6": {"name": "keyword.control.atl"},
                "7": {"name": "entity.name.constraint.atl"},
            },
        },
        "modifiers",
        "field",
        word(any_of(set(MEMBERS["hyper"]) - set(WORDS["modifiers"])), "keyword.control"),
        "field-or-modifier",
        "values",
        word(RESERVED, "keyword.control"),
        word(NAME, "variable.other.property.field"),
    ),
    "ephemeral": patterns(
        {"match": r"\b(ttl)(?=\s*=)", "captures": scopes("keyword.control")},
        "fields",
    ),
    "enum": patterns("comments", "string", word(NAME, "variable.other.enummember"), "values"),
    "query": patterns("comments", "input", "output", "cache", "sql", word(any_of(MEMBERS["query"]), "keyword.control")),
    "input": patterns(block(r"\b(input)", scopes("keyword.control"), "parameters")),
    "output": patterns(
        block(r"\b(output)", scopes("keyword.control"), "parameters"),
        {
            "match": rf"\b(output)\s+(as)\s+{REF}",
            "captures": scopes(
                "keyword.control",
                "keyword.control",
                "entity.name.namespace",
                "punctuation.accessor",
                "entity.name.type",
            ),
        },
    ),
    "procedure": patterns(
        "comments",
        "input",
        block(r"\b(steps)", scopes("keyword.control"), "steps"),
        word(any_of({*MEMBERS["procedure"], "tag"}), "keyword.control"),
        "values",
    ),
    "steps": patterns(
        "comments",
        "sql",
        {
            "begin": rf"\b(enqueue)\s+{REF}\s*(\()",
            "beginCaptures": scopes(
                "keyword.control",
                "entity.name.namespace",
                "punctuation.accessor",
                "entity.name.function",
                "punctuation.section.parens.begin",
            ),
            "end": r"\)",
            "endCaptures": {"0": {"name": "punctuation.section.parens.end.atl"}},
            "patterns": include("arguments"),
        },
        {
            "match": rf"\b(update|delete|insert)\s+{REF}",
            "captures": scopes("keyword.control", "entity.name.namespace", "punctuation.accessor", "entity.name.type"),
        },
        word(any_of({*MEMBERS["steps"], "set", "where", "and"}), "keyword.control"),
        block("", {}, "arguments"),
        "values",
        word(NAME, "variable.other.property"),
    ),
    "job": patterns(
        "comments",
        block(r"\b(args)", scopes("keyword.control"), "fields"),
        {"match": r"\b(timeout)\s+(none)\b", "captures": scopes("keyword.control", "constant.language")},
        word(any_of(MEMBERS["job"]), "keyword.control"),
        "values",
    ),
    "workflow": patterns(
        "comments",
        block(r"\b(state)", scopes("keyword.control"), "fields"),
        block(
            rf"\b(step|compensate)\s+({NAME})",
            scopes("keyword.control", "entity.name.label"),
            "step",
            scope="meta.step",
        ),
        word(any_of(MEMBERS["workflow"]), "keyword.control"),
        "values",
    ),
    "step": patterns(
        "comments",
        "args",
        {
            "match": rf"\b(job)\s+(?!args\b){REF}",
            "captures": scopes(
                "keyword.control", "entity.name.namespace", "punctuation.accessor", "entity.name.function"
            ),
        },
        word(any_of(MEMBERS["step"]), "keyword.control"),
        "values",
    ),
}


def source() -> str:
    grammar = {
        "comment": "Generated by vscode-extension/scripts/grammar.py from grammar/words.json. Do not edit.",
        "name": "atl",
        "scopeName": "source.atl",
        "fileTypes": ["atl"],
        "patterns": [*include("comments"), *DECLARATIONS, word(HEADS, "storage.type"), *include("stray")],
        "repository": REPOSITORY,
    }
    return json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    text = source()
    if TARGET.exists() and TARGET.read_text("utf-8") == text:
        return 0
    if "--check" in arguments:
        print(f"stale: {TARGET.name}; run python vscode-extension/scripts/grammar.py", file=sys.stderr)
        return 1
    TARGET.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
