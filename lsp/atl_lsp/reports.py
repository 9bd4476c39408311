"""A file's findings as diagnostics."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types as t

import atl
from atl.findings import Finding, Severity
from atl.findings.pages import PAGE, anchor
from atl.source import SourceFile
from atl_lsp.project import Project
from atl_lsp.session import Session
from atl_lsp.uris import uri_of

__all__ = ["NOTHING", "Report", "Reports"]

_SEVERITY = {
    Severity.ERROR: t.DiagnosticSeverity.Error,
    Severity.WARNING: t.DiagnosticSeverity.Warning,
    Severity.HINT: t.DiagnosticSeverity.Hint,
}
_LEVELS = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "information": t.DiagnosticSeverity.Information,
    "hint": t.DiagnosticSeverity.Hint,
}

# What could go without loss is faded, what is written in a way to be given up is struck through.
_TAGS = {
    "ATL009": t.DiagnosticTag.Deprecated,
    "ATL014": t.DiagnosticTag.Unnecessary,
    "ATL111": t.DiagnosticTag.Unnecessary,
    "ATL324": t.DiagnosticTag.Unnecessary,
    "ATL326": t.DiagnosticTag.Unnecessary,
    "ATL329": t.DiagnosticTag.Unnecessary,
    "ATL509": t.DiagnosticTag.Unnecessary,
    "ATL512": t.DiagnosticTag.Unnecessary,
    "ATL616": t.DiagnosticTag.Unnecessary,
}


class Report(NamedTuple):
    """found: what it was made from. texts: of the files that it names, as they were."""

    found: list[Finding]
    texts: tuple[tuple[str, object], ...]
    id: str
    items: list[t.Diagnostic]


NOTHING = Report([], (), "none", [])
"""Of what is no file of a workspace."""


class Reports:
    """Those that were made, until they are forgotten."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._made: dict[str, Report] = {}
        self._count = 0

    def forget(self) -> None:
        self._made.clear()

    def of(self, project: Project, path: str) -> Report:
        """A file's, made anew only when its findings or the texts that they point into have changed."""
        key = f"{project.root}\0{path}" if project.root else path
        found = project.workspace.findings(path)
        before = self._made.get(key)
        if before is not None and before.found is found and all(_text(project, p) is was for p, was in before.texts):
            return before
        named = {path, *(label.place.path for finding in found for label in finding.labels)}
        texts = tuple((name, _text(project, name)) for name in named)
        own = _text(project, path)
        items = [item for finding in found if (item := self._diagnostic(project, finding)) is not None]
        # An editor moves what it underlines along with an edit, so equal items of another text are sent again.
        if before is not None and before.items == items and (not items or dict(before.texts).get(path) is own):
            id = before.id
        else:
            self._count += 1
            id = str(self._count)
        report = self._made[key] = Report(found, texts, id, items)
        return report

    def _diagnostic(self, project: Project, finding: Finding) -> t.Diagnostic | None:
        session = self._session
        severity = _SEVERITY[finding.severity]
        if finding.severity is not Severity.ERROR:
            level = session.settings.severities.get(finding.code)
            if level == "off":
                return None
            severity = _LEVELS.get(level or "", severity)
        related = None
        if session.can("text_document.publish_diagnostics.related_information") or session.can(
            "text_document.diagnostic.related_information"
        ):
            related = [
                t.DiagnosticRelatedInformation(
                    t.Location(project.uri(label.place.path), project.range(label.place.path, label.place.span)),
                    label.message,
                )
                for label in finding.labels
            ] or None
        page = _page()
        tag = _TAGS.get(finding.code)
        return t.Diagnostic(
            project.range(finding.place.path, finding.place.span),
            f"{finding.message}\nhelp: {finding.help}" if finding.help else finding.message,
            severity,
            finding.code,
            t.CodeDescription(f"{page}#{anchor(finding.code)}") if page else None,
            "atl",
            [tag] if tag is not None else None,
            related,
        )


def _text(project: Project, path: str) -> object:
    document = project.open.get(path)
    if document is not None:
        return document.positions
    source: SourceFile | None = project.workspace.source(path)
    return source


@lru_cache(maxsize=1)
def _page() -> str:
    """The URI of the rules' documentation: in the installed package, else in the checkout."""
    package = Path(atl.__file__).parent
    for page in (package / PAGE, package.parent / PAGE):
        if page.is_file():
            return uri_of(str(page))
    return ""
