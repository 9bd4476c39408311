"""Print a rule's page: what it finds, why that matters, an example, and how to mend it.

RULE is a code (ATL408) or a name (scheduled-job-needs-arguments).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from atl.cli.output import UsageError, colour_option, paint_for, write, write_document

__all__ = ["arguments", "completions", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rules", nargs="*", metavar="RULE", help="a code or a name")
    parser.add_argument("--all", action="store_true", help="every rule, by code")
    parser.add_argument("--language", action="store_true", help="the language in one page (Markdown)")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="(default: text)")
    colour_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.language:
        if args.all or args.rules:
            raise UsageError("--language goes alone")
        from atl.cli.language_page import as_markdown

        write_document(as_markdown())
        return 0
    from atl.cli import pages

    if args.all == bool(args.rules):
        raise UsageError("name a rule, or write --all or --language")
    found = pages.every() if args.all else [pages.page(_code(word)) for word in args.rules]
    if args.format == "json":
        write_document(pages.as_json(found))
    elif args.format == "markdown":
        write_document(pages.as_markdown(found) if args.all else "\n".join(map(pages.section, found)))
    else:
        paint = paint_for(args.color)
        write("\n".join(pages.as_text(page, paint) for page in found))
    return 0


def _code(word: str) -> str:
    from atl.check.registry import rows
    from atl.findings import CODES
    from atl.findings.suggest import closest

    documented: Iterable[str] = rows()
    names = {CODES[code].name: code for code in documented}
    code = word.upper() if word.upper() in rows() else names.get(word.lower())
    if code is None:
        # Another number is another rule: only what cannot be a code is a slip of the finger.
        coded, number = word[:3].upper() == "ATL", len(word) == 6 and word[3:].isdecimal()
        near = "" if coded and number else closest(word.upper(), documented) if coded else closest(word, names)
        raise UsageError(
            f"there is no rule `{word}`" + (f": is it `{near}`?" if near else " (see `atl explain --all`)")
        )
    return code


def completions() -> list[str]:
    """What RULE can be, for a shell's completion."""
    from atl.check.registry import rows
    from atl.findings import CODES

    return [word for code in sorted(rows()) for word in (code, CODES[code].name)]
