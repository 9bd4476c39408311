"""The rules' pages, for a terminal, as JSON, and as the one Markdown document of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from json import dumps

from atl.check.registry import documentation, rows
from atl.findings.codes import CODES, Code, Fixable
from atl.findings.pages import anchor, url
from atl.findings.render_paint import Paint
from atl.records import NamedTuple

__all__ = ["Page", "as_json", "as_markdown", "as_text", "every", "page", "section"]

# The blocks of a hundred codes.
_BLOCKS = {
    "0": "Text and syntax",
    "1": "Names",
    "2": "Types and values",
    "3": "Entities and enums",
    "4": "Jobs and their calls",
    "5": "Workflows",
    "6": "Queries and procedures",
    "7": "SQL fragments",
}
_FIXES = {
    Fixable.NO: "no fix",
    Fixable.SAFE: "mended by --fix",
    Fixable.SUGGESTED: "a fix is suggested",
}


class Page(NamedTuple):
    """row: of the code table. text: the rule's docstring, Markdown whose first paragraph says what is found."""

    row: Code
    text: str

    @property
    def summary(self) -> str:
        return " ".join(self.text.split("\n\n", 1)[0].split())


def page(code: str) -> Page:
    return Page(CODES[code], documentation(code).strip())


def every() -> list[Page]:
    return [page(code) for code in sorted(rows())]


def as_json(pages: Iterable[Page]) -> str:
    """`{"version": 1, "rules": [{"code", "name", "severity", "fix": "no|safe|suggested", "summary", "url",
    "markdown"}]}`."""
    rules = [
        {
            "code": row.code,
            "name": row.name,
            "severity": row.severity.value,
            "fix": row.fixable.value,
            "summary": one.summary,
            "url": url(row.code),
            "markdown": one.text,
        }
        for one in pages
        for row in [one.row]
    ]
    return dumps({"version": 1, "rules": rules}, ensure_ascii=False, indent=2) + "\n"


def as_markdown(pages: Sequence[Page]) -> str:
    """One document with a table of contents; each rule can be linked to by its code."""
    parts = ["<!-- Written by `make generate` from the rules' docstrings. Do not edit. -->\n# Rules\n"]
    parts.append("| code | name | severity | fix | finds |\n|---|---|---|---|---|")
    for one in pages:
        row, summary = one.row, one.summary.replace("|", "\\|")
        parts.append(
            f"| [{row.code}](#{anchor(row.code)}) | {row.name} | {row.severity.value} "
            f"| {'' if row.fixable is Fixable.NO else row.fixable.value} | {summary} |"
        )
    block = ""
    for one in pages:
        if one.row.code[3] != block:
            block = one.row.code[3]
            parts.append(f"\n## {block}xx {_BLOCKS.get(block, '')}".rstrip())
        parts.append(f'\n<a id="{anchor(one.row.code)}"></a>\n\n{section(one)}'.rstrip())
    return "\n".join(parts) + "\n"


def section(page: Page) -> str:
    """A rule's page under a heading of the third level, its own headings below that."""
    row, lines, code = page.row, [], False
    for line in page.text.split("\n"):
        code ^= line.startswith("```")
        lines.append(f"##{line}" if line.startswith("#") and not code else line)
    text = "\n".join(lines)
    return f"### {row.code} {row.name}\n\n*{row.severity.value}, {_FIXES[row.fixable]}*\n\n{text}\n"


def as_text(page: Page, paint: Paint) -> str:
    """A rule's page for a terminal: headings without marks, code indented, `words` coloured where that can be."""
    row = page.row
    rows = [
        f"{paint(row.severity.value, row.code)} {paint('title', row.name)}",
        f"{row.severity.value}, {_FIXES[row.fixable]}",
        "",
    ]
    code = False
    for line in page.text.split("\n"):
        if line.startswith("```"):
            code = not code
        elif code:
            rows.append(f"    {line}".rstrip())
        elif line.startswith("#"):
            rows.append(paint("heading", line.lstrip("# ")))
        else:
            rows.append(re.sub("`([^`]+)`", lambda match: paint("code", match[0]), line))
    return "\n".join(rows) + "\n"
