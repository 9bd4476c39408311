"""Findings as data.

Inside the product a finding's places are relative to anchors (`atl.source.Place`); renderers and the editor ask
`place.span` and `place.path` when they show it. Nothing ever matches on message text.
"""

from __future__ import annotations

from atl.findings.codes import CODES, Severity
from atl.records import NamedTuple
from atl.source import Place

__all__ = ["Edit", "Finding", "Fix", "Label"]


class Label(NamedTuple):
    """A second place that helps to understand a finding, and what to see there."""

    place: Place
    message: str


class Edit(NamedTuple):
    """Replace the text at `place` by `new_text`; an empty place inserts."""

    place: Place
    new_text: str


class Fix(NamedTuple):
    """A change that removes the finding.

    `safe` fixes ("F" in the rule table) are applied by `atl check --fix`; the others ("(F)") are suggestions, applied
    one at a time in the editor or by `--unsafe-fixes`. Edits of one fix never overlap.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True


class Finding(NamedTuple):
    """One violation of one rule.

    message: a lower-case sentence without a full stop, names in backquotes, that says what is the case.
    primary: a few words under the carets ("required: `not null` without a default"), or "".
    help: one thing that can be done now, or "".
    severity: the code's, except where the table gives two (ATL101, ATL308, ATL317, ATL401).
    """

    code: str
    place: Place
    message: str
    primary: str = ""
    labels: tuple[Label, ...] = ()
    help: str = ""
    fixes: tuple[Fix, ...] = ()
    weaker: bool = False

    @property
    def severity(self) -> Severity:
        if self.weaker:
            return Severity.WARNING
        return CODES[self.code].severity
