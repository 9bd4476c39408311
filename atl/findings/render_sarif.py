"""SARIF 2.1.0, for code scanning services."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from json import dumps
from typing import Any

from atl import __version__
from atl.findings.codes import CODES, Fixable
from atl.findings.render_machine import fingerprints, fixes, uri, well_formed
from atl.findings.resolved import ResolvedFinding, ResolvedFix, ResolvedPlace

__all__ = ["render"]

_LEVELS = {"error": "error", "warning": "warning", "hint": "note"}


def render(findings: Sequence[ResolvedFinding], page: Callable[[str], str]) -> str:
    """A SARIF log of one run. page: a rule's documentation in Markdown by code; asked for the codes that occur."""
    codes = sorted({finding.code for finding in findings})
    run = {
        "tool": {
            "driver": {
                "name": "atl",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(code, page(code)) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": [
            _result(finding, codes.index(finding.code), fingerprint)
            for finding, fingerprint in zip(findings, fingerprints(findings), strict=True)
        ],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(code: str, page: str) -> dict[str, Any]:
    row = CODES[code]
    first = page.strip().split("\n", 1)[0] or row.name
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in row.name.split("-")),
        "shortDescription": {"text": first},
        "help": {"text": page.strip() or first, "markdown": page.strip() or first},
        "defaultConfiguration": {"level": _LEVELS[row.severity.value]},
        "properties": {"tags": [row.name], "fixable": row.fixable is not Fixable.NO},
    }


def _result(finding: ResolvedFinding, rule: int, fingerprint: str) -> dict[str, Any]:
    text = f"{finding.message}\nhelp: {finding.help}" if finding.help else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": _message(text),
        "locations": [{"physicalLocation": _location(finding.place)}],
        "partialFingerprints": {"atl/v1": fingerprint},
    }
    if finding.labels:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(place), **({"message": _message(words)} if words else {})}
            for number, (place, words) in enumerate(finding.labels, 1)
        ]
    if changes := fixes(finding):
        result["fixes"] = [_fix(fix) for fix in changes]
    return result


def _fix(fix: ResolvedFix) -> dict[str, Any]:
    files: dict[str, list[dict[str, Any]]] = {}
    for place, new_text in fix.edits:
        replacement: dict[str, Any] = {"deletedRegion": _region(place)}
        if new_text:
            replacement["insertedContent"] = {"text": new_text}
        files.setdefault(place.path, []).append(replacement)
    return {
        "description": _message(fix.title),
        "artifactChanges": [
            {"artifactLocation": {"uri": uri(path)}, "replacements": replacements}
            for path, replacements in files.items()
        ],
    }


def _location(place: ResolvedPlace) -> dict[str, Any]:
    return {"artifactLocation": {"uri": uri(place.path)}, "region": _region(place)}


def _region(place: ResolvedPlace) -> dict[str, int]:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _message(text: str) -> dict[str, str]:
    """A message string: literal braces are doubled, and what looks like an embedded link is escaped."""
    text = well_formed(text).replace("{", "{{").replace("}", "}}")
    if "](" in text:
        text = text.replace("[", "\\[").replace("]", "\\]")
    return {"text": text}
