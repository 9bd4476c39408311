"""Findings made by hand for the renderers' tests."""

from __future__ import annotations

from atl.findings import CODES
from atl.findings.resolved import ResolvedEdit, ResolvedFinding, ResolvedFix, ResolvedLabel, ResolvedPlace
from atl.source import LineIndex

REPORTS = """\
job Report in sales {
  args {
    region varchar(20) not null
  }
  schedule "0 3 * * *"
}
"""
TEXTS = {"sales/reports.atl": REPORTS, "shop,50%:a/ö.atl": "entity Order in shop {\n\tid bigint primary\n}\n"}


def place(path: str, text: str, start: int, end: int) -> ResolvedPlace:
    lines = LineIndex(text)
    return ResolvedPlace(path, start, end, *lines.position(start), *lines.position(end))


def at(path: str, words: str, nth: int = 0, texts: dict[str, str] = TEXTS) -> ResolvedPlace:
    """The place of the nth occurrence of some words in one of the texts."""
    text, start = texts[path], -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return place(path, text, start, start + len(words))


def finding(
    code: str,
    where: ResolvedPlace,
    message: str,
    primary: str = "",
    labels: tuple[tuple[ResolvedPlace, str], ...] = (),
    help: str = "",
    fixes: tuple[ResolvedFix, ...] = (),
) -> ResolvedFinding:
    row = CODES[code]
    named = tuple(ResolvedLabel(*label) for label in labels)
    return ResolvedFinding(code, row.name, row.severity.value, where, message, primary, named, help, fixes)


def examples() -> list[ResolvedFinding]:
    """One finding of each severity: labels on other lines and in another file, a fix, text that needs escaping."""
    reports, order = TEXTS
    nullable = ResolvedEdit(at(reports, " not null"), "")
    return [
        finding(
            "ATL408",
            at(reports, "region"),
            "a scheduled job is fired without arguments, but `region` is required",
            "required: `not null` without a default",
            ((at(reports, "schedule"), "fired on this schedule"), (at(reports, "not null"), "refuses null")),
            "give `region` a default, or drop `not null`",
            (ResolvedFix("make the argument nullable", False, (nullable,)),),
        ),
        finding(
            "ATL411",
            at(reports, "Report"),
            "100% of {callers}, <all> & [more](1)::,\r\n\x00\udc80 are refused",
            labels=((at(order, "id"), "\u202e here"), (at(order, "entity Order"), "")),
        ),
        finding(
            "ATL324",
            place(order, TEXTS[order], 0, len(TEXTS[order])),
            "`keyless` has no effect",
            "all of it",
            fixes=(
                ResolvedFix("drop it", True, (ResolvedEdit(at(order, "primary"), "keyless"),)),
                ResolvedFix("keep the bytes", True, (ResolvedEdit(at(order, "primary"), "\udcff"),)),
            ),
        ),
    ]
