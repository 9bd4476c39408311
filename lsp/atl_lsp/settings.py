"""What a user can set, under `atl` in the editor's configuration. A value of the wrong kind counts as not given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from atl.findings import CODES

__all__ = ["Settings", "read_settings"]

_LEVELS = ("error", "warning", "information", "hint", "off")


class Settings(NamedTuple):
    """severities: by code, how a warning or hint is shown: one of error, warning, information, hint, off. Errors are
    what the server refuses, and stay errors. plan_base: what the code lens compares with, a path or git revision; ""
    for the merge base with the default branch."""

    severities: Mapping[str, str] = {}
    inlay_hints: bool = True
    code_lens: bool = True
    plan_base: str = ""


def read_settings(value: Any) -> Settings:
    """From `{"lint": {"severities": {"ATL108": "off"}}, "inlayHints": {"enabled": true}, "codeLens": {"enabled": true},
    "plan": {"base": "main"}}`. Rules are named by code or name."""
    severities = _at(value, "lint", "severities")
    codes = {row.name: row.code for row in CODES.values()}
    read: dict[str, str] = {}
    for rule, level in severities.items() if isinstance(severities, dict) else ():
        code = codes.get(rule, str(rule).upper())
        if code in CODES and level in _LEVELS:
            read[code] = level
    base = _at(value, "plan", "base")
    return Settings(
        read,
        _at(value, "inlayHints", "enabled") is not False,
        _at(value, "codeLens", "enabled") is not False,
        base if isinstance(base, str) else "",
    )


def _at(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
