"""What the formats for programs have in common: their text is well-formed Unicode, whatever the file's bytes were."""

from __future__ import annotations

from collections.abc import Sequence

from atl.findings.resolved import ResolvedFinding, ResolvedFix
from atl.source import encoded

__all__ = ["fingerprints", "fixes", "uri", "well_formed"]


def well_formed(text: str) -> str:
    """The text with U+FFFD for lone surrogates, which no encoding of a document can hold. Those that stand for the
    bytes of a character (a file name, where the locale is not UTF-8) become that character."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # a lone surrogate that stands for no byte
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def fixes(finding: ResolvedFinding) -> list[ResolvedFix]:
    """The finding's fixes whose new text can be written in a document: one that puts back a byte that is not UTF-8
    would do damage if another program applied it."""
    return [fix for fix in finding.fixes if all(well_formed(e.new_text) == e.new_text for e in fix.edits)]


def fingerprints(findings: Sequence[ResolvedFinding]) -> list[str]:
    """A name in 64 hexadecimal digits for each finding, all different, in their order. It is made of what stays when
    lines move: path, code, message, and which of several equal ones it is."""
    from hashlib import sha256

    seen: dict[str, int] = {}
    found = []
    for finding in findings:
        key = "\0".join((finding.place.path, finding.code, finding.message))
        number = seen[key] = seen.get(key, -1) + 1
        found.append(sha256(f"{key}\0{number}".encode("utf-8", "surrogatepass")).hexdigest())
    return found


def uri(path: str) -> str:
    """A path with `/` as a URI reference; an absolute one as a `file:` URI."""
    from urllib.parse import quote

    quoted = quote(encoded(path), safe="/~")
    if path.startswith("/"):
        return f"file://{quoted}"
    if path[1:3] == ":/":
        return f"file:///{path[0]}:{quoted[4:]}"
    return quoted
