"""Diagnostics pulled for a document or all, or pushed to clients that do not pull."""

from __future__ import annotations

import gc
import time
from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from lsprotocol import types as t

from atl.findings import Finding
from atl.source import SourceFile
from atl_lsp.project import Project
from atl_lsp.reports import NOTHING, Report, Reports
from atl_lsp.server import Job
from atl_lsp.session import Session
from atl_lsp.uris import key_of, uri_of

__all__ = ["Diagnostics"]

_Place: TypeAlias = "tuple[Project, str]"

_STEP = 0.01
"""Seconds of work between two looks at what else has arrived."""


_TIMES = 5
"""How often it is said that a file has no findings because it is gone: what arrives while its tab closes is dropped."""


class _Known(NamedTuple):
    """What was looked at to publish a closed file's diagnostics. source: None where more than its text counts."""

    found: list[Finding]
    source: SourceFile | None
    uri: str

    def stands(self, project: Project, path: str) -> bool:
        return (
            self.source is not None
            and project.workspace.source(path) is self.source
            and path not in project.open
            and project.workspace.findings(path) is self.found
        )


class Diagnostics:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._reports = Reports(session)
        self._stale = False
        self._shown: dict[str, str] = {}
        self._known: dict[_Place, _Known] = {}
        # Due: to be looked at. Unsettled: at every change, for more than the file's own text counts.
        self._due: set[_Place] = set()
        self._unsettled: set[_Place] = set()
        self._projects: set[Project] = set()
        self._settled = False
        self._pulled: dict[str, str] = {}
        self._pending: dict[str, tuple[str, int]] = {}
        self._configured: dict[str, str] = {}
        self._pass: Iterator[None] | None = None
        session.on_change.append(self._changed)

    # ------------------------------------------------------------ pull

    def document(self, params: t.DocumentDiagnosticParams) -> t.DocumentDiagnosticReport:
        here = self._session.here(params.text_document.uri)
        report = self._reports.of(here.project, here.path) if here is not None else NOTHING
        self._pulled[params.text_document.uri] = report.id
        self._sent(params.text_document.uri, report)
        if params.previous_result_id == report.id:
            return t.RelatedUnchangedDocumentDiagnosticReport(report.id)
        return t.RelatedFullDocumentDiagnosticReport(report.items, result_id=report.id)

    def workspace(self, params: t.WorkspaceDiagnosticParams) -> Job:
        """In steps; sent bit by bit to a client that gave a token for it."""
        before = {key_of(entry.uri): (entry.uri, entry.value) for entry in params.previous_result_ids}
        rows: list[t.WorkspaceDocumentDiagnosticReport] = []
        seen: set[str] = set()
        until = time.perf_counter() + _STEP
        for project, path in self._session.everywhere():
            if path not in project.open and project.workspace.tree(path) is None:
                continue  # gone between two steps
            uri = project.uri(path)
            key = key_of(uri)
            if key in seen:
                continue
            seen.add(key)
            report = self._reports.of(project, path)
            version = project.version(path)
            self._sent(uri, report)
            known = before.get(key)
            if known is not None and known[1] == report.id:
                rows.append(t.WorkspaceUnchangedDocumentDiagnosticReport(known[0], report.id, version))
            else:
                rows.append(t.WorkspaceFullDocumentDiagnosticReport(uri, report.items, version, result_id=report.id))
            if time.perf_counter() > until:
                if params.partial_result_token is not None and rows:
                    self._partial(params.partial_result_token, rows)
                    rows = []
                yield
                until = time.perf_counter() + _STEP
        if not self._settled:
            self._settled = True
            gc.freeze()
        rows += [
            t.WorkspaceFullDocumentDiagnosticReport(uri, [], None, result_id="") for uri in self._gone(before, seen)
        ]
        return t.WorkspaceDiagnosticReport(rows)

    def _sent(self, uri: str, report: Report) -> None:
        """Remember of which files the client may show findings. Those of a closed tab VS Code shows on, but forgets
        their id, and drops what a last pull for it answers."""
        if report.items:
            self._pending[key_of(uri)] = (uri, _TIMES)

    def _gone(self, before: Mapping[str, tuple[str, str]], seen: Container[str]) -> list[str]:
        """The URIs of which the client may show findings, and that are no file's any more."""
        gone = {key: uri for key, (uri, id) in before.items() if key not in seen and id}
        for key, (uri, times) in tuple(self._pending.items()):
            if key not in seen:
                gone.setdefault(key, uri)
                if times > 1:
                    self._pending[key] = (uri, times - 1)
                else:
                    del self._pending[key]
        return [*gone.values()]

    def _partial(self, token: t.ProgressToken, rows: list[t.WorkspaceDocumentDiagnosticReport]) -> None:
        part = t.WorkspaceDiagnosticReportPartialResult(rows)
        self._session.server.protocol.notify(t.PROGRESS, t.ProgressParams(token, part))

    # ------------------------------------------------------------ push

    def _changed(self) -> None:
        self._stale = True
        self._pass = None

    def idle(self) -> bool:
        """Do a step of what has to be told unasked; whether there is more to do."""
        if self._stale:
            self._stale = False
            self._pass = self._passing()
        if self._pass is None:
            return False
        if next(self._pass, self) is self:
            self._pass = None
        return self._pass is not None

    def _passing(self) -> Iterator[None]:
        session = self._session
        session.settle()
        self._tell_configuration()
        if session.can("text_document.diagnostic"):
            yield from self._watch_pulled()
            return
        self._collect()
        until = time.perf_counter() + _STEP
        # Open files first: they are looked at. What has gone comes last, for it may have got another place.
        for place in sorted(self._due, key=self._order):
            self._look(*place)
            self._due.discard(place)
            if time.perf_counter() > until:
                yield
                until = time.perf_counter() + _STEP
        if not self._settled:
            # What was found stays, mostly: no collection has to look through it again.
            self._settled = True
            gc.freeze()

    def _collect(self) -> None:
        """Note down what has to be looked at: a change of one file costs what it has a bearing on."""
        projects = set(self._session.projects.values())
        for project in projects:
            outdated = project.workspace.outdated()
            paths = project.paths() if outdated is None or project not in self._projects else outdated
            self._due.update((project, path) for path in paths)
            self._due.update((project, path) for path in project.open)
        if projects != self._projects:
            self._due.update(self._known)
            self._projects = projects
        self._due |= self._unsettled

    def _order(self, place: _Place) -> tuple[bool, bool, str]:
        project, path = place
        return not self._session.reported(project, path), path not in project.open, path

    def _look(self, project: Project, path: str) -> None:
        place = (project, path)
        known = self._known.get(place)
        if project not in self._projects or not self._session.reported(project, path):
            if known is not None:
                del self._known[place]
                self._unsettled.discard(place)
                if not any(other.uri == known.uri for other in self._known.values()):
                    self._clear(known.uri)
        elif known is None or not known.stands(project, path):
            new = self._known[place] = self._publish(project, path, known)
            (self._unsettled.add if new.source is None else self._unsettled.discard)(place)

    def _publish(self, project: Project, path: str, before: _Known | None) -> _Known:
        uri = project.uri(path)
        if before is not None and before.uri != uri:
            self._clear(before.uri)
        report = self._reports.of(project, path)
        if self._shown.get(uri, None if report.items else report.id) != report.id:
            self._shown[uri] = report.id
            self._session.server.text_document_publish_diagnostics(
                t.PublishDiagnosticsParams(uri, report.items, project.version(path))
            )
        crossing = any(name != path for name, _ in report.texts)
        fixed = path not in project.open and not crossing
        return _Known(report.found, project.workspace.source(path) if fixed else None, uri)

    def _clear(self, uri: str) -> None:
        if self._shown.pop(uri, None) is not None:
            self._session.server.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, []))

    def _watch_pulled(self) -> Iterator[None]:
        """A client pulls again for the text that it edits; of what that did to other open files it has to be told."""
        session = self._session
        if not session.can("workspace.diagnostics.refresh_support"):
            return
        for uri, id in tuple(self._pulled.items()):
            here = session.here(uri) if session.document(uri) is not None else None
            if here is None:
                del self._pulled[uri]
            elif self._reports.of(here.project, here.path).id != id:
                self._pulled.clear()
                session.server.workspace_diagnostic_refresh(None)
                return
            yield

    def _tell_configuration(self) -> None:
        """What is wrong with `tide.yaml` and `atl.toml` is pushed to every client: they are no documents of ours."""
        said: dict[str, tuple[int, str]] = {}
        for project in self._session.projects.values():
            if project.error is not None and project.error.path:
                said[uri_of(project.error.path)] = (max(project.error.line - 1, 0), str(project.error.message))
        for uri in {*said, *self._configured}:
            now = repr(said.get(uri))
            if self._configured.get(uri, "None") == now:
                continue
            self._configured[uri] = now
            items = []
            if uri in said:
                line, message = said[uri]
                range = t.Range(t.Position(line, 0), t.Position(line + 1, 0))
                items.append(t.Diagnostic(range, message, t.DiagnosticSeverity.Error, source="atl"))
            document = self._session.document(uri)
            self._session.server.text_document_publish_diagnostics(
                t.PublishDiagnosticsParams(document.uri if document is not None else uri, items)
            )

    def forget(self) -> None:
        """All reports were made under other settings."""
        self._reports.forget()
        self._known = {place: known._replace(source=None) for place, known in self._known.items()}
        self._due.update(self._known)
        self._session.changed()
