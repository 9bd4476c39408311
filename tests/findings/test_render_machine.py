"""The formats for programs: their exact shape, and that any text gives a well-formed document."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from atl.findings import (
    render_concise,
    render_github,
    render_gitlab,
    render_json,
    render_junit,
    render_sarif,
)
from atl.findings.render_machine import fingerprints, uri, well_formed
from atl.findings.resolved import ResolvedEdit, ResolvedFinding, ResolvedFix
from tests.findings.making import TEXTS, at, examples, finding, place

Render = Callable[[list[ResolvedFinding]], str]

FORMATS: dict[str, Render] = {
    "concise": lambda findings: "".join(render_concise.render(findings)),
    "json": lambda findings: render_json.render(findings, 12),
    "sarif": lambda findings: render_sarif.render(findings, lambda code: f"Page of {code}.\n\n## Why\n\nBecause.\n"),
    "github": lambda findings: "".join(render_github.render(findings)),
    "gitlab": render_gitlab.render,
    "junit": render_junit.render,
}


@pytest.mark.parametrize("name", FORMATS)
def test_examples(name: str, snapshot: SnapshotAssertion) -> None:
    # The tool's version stands in a SARIF log.
    assert re.sub(r'ersion": "0\.\d+\.\d+"', 'ersion": "0.0.0"', FORMATS[name](examples())) == snapshot


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_found(name: str, snapshot: SnapshotAssertion) -> None:
    assert re.sub(r'ersion": "0\.\d+\.\d+"', 'ersion": "0.0.0"', FORMATS[name]([])) == snapshot


def test_columns_count_characters_and_ends_are_exclusive() -> None:
    text = "// 日本👍\nx 👍y\n"
    one = finding("ATL001", place("a.atl", text, 10, 11), "m")
    (found,) = json.loads(render_json.render([one], 1))["findings"]
    assert [found[key] for key in ("line", "column", "end_line", "end_column")] == [2, 4, 2, 5]


def test_a_fix_that_puts_back_raw_bytes_is_not_offered_to_programs() -> None:
    titles = [fix["title"] for fix in json.loads(render_json.render(examples(), 1))["findings"][2]["fixes"]]
    assert titles == ["drop it"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b c.atl", "a/b%20c.atl"),
        ("../ö#?.atl", "../%C3%B6%23%3F.atl"),
        ("/x/y.atl", "file:///x/y.atl"),
        ("C:/x/y.atl", "file:///C:/x/y.atl"),
        ("bad\udcff.atl", "bad%FF.atl"),
        ("a:b.atl", "a%3Ab.atl"),
    ],
)
def test_uri(path: str, expected: str) -> None:
    assert uri(path) == expected


def test_a_fingerprint_stays_when_lines_move() -> None:
    text = "x\nx\n"
    before = [finding("ATL001", place("a.atl", text, n, n + 1), "m") for n in (0, 2)]
    after = [finding("ATL001", place("a.atl", "\n\n" + text, n, n + 1), "m") for n in (2, 4)]
    assert fingerprints(before) == fingerprints(after)
    assert len(set(fingerprints(before))) == 2
    other = [before[0]._replace(message="n"), before[0]._replace(code="ATL002")]
    assert not set(fingerprints(before)) & set(fingerprints(other))


def unescaped(text: str) -> str:
    for code, char in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, char)
    return text


CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-zA-Z]+=[^:,\r\n]*,?)+)::([^\r\n]*)\n")


def well_formed_everywhere(findings: list[ResolvedFinding]) -> None:
    messages = [well_formed(f.message) for f in findings]
    for name, render in FORMATS.items():
        shown = render(findings)
        shown.encode("utf-8")
        if name == "concise":
            assert shown.count("\n") == len(findings)
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown)
        elif name == "json":
            assert [f["message"] for f in json.loads(shown)["findings"]] == messages
        elif name == "sarif":
            check_sarif(json.loads(shown))
        elif name == "github":
            commands = COMMAND.findall(shown)
            assert "".join(f"::{c} {p}::{m}\n" for c, p, m in commands) == shown
            assert [unescaped(m) for _, _, m in commands] == [
                CONTROLS.sub("\ufffd", f"{m}\nhelp: {well_formed(f.help)}" if f.help else m)
                for f, m in zip(findings, messages, strict=True)
            ]
        elif name == "gitlab":
            assert [e["description"] for e in json.loads(shown)] == [
                f"{f.code}: {m}" for f, m in zip(findings, messages, strict=True)
            ]
        else:
            root = ElementTree.fromstring(shown)
            assert len(root.findall(".//failure")) == len(findings) == int(root.attrib["failures"])


TEXT = st.text(st.characters(exclude_categories=()) | st.sampled_from("\x00\t\r\n%:,]<>&\"'{}[]()\ufffe\ud800\udc80"))


@given(st.lists(st.tuples(TEXT, TEXT, TEXT, TEXT), max_size=4))
def test_any_text_is_well_formed(texts: list[tuple[str, str, str, str]]) -> None:
    where = place("", "some text", 2, 4)
    well_formed_everywhere(
        [
            finding(
                "ATL105",
                where._replace(path=path),
                message,
                message,
                ((where._replace(path=path), message),),
                help,
                (ResolvedFix(message, True, (ResolvedEdit(where, new_text),)),),
            )
            for path, message, help, new_text in texts
        ]
    )


def check_sarif(log: dict[str, Any]) -> None:
    """The parts of SARIF 2.1.0 that the logs use, closed to anything else."""

    def only(thing: dict[str, Any], needed: str, optional: str = "") -> None:
        assert set(needed.split()) <= set(thing) <= set(f"{needed} {optional}".split())

    def message(thing: dict[str, Any]) -> None:
        only(thing, "text")
        assert not re.search(r"(?<!\{)\{(\{\{)*(?!\{)", thing["text"])

    def region(thing: dict[str, Any]) -> None:
        only(thing, "startLine startColumn endLine endColumn")
        assert all(type(value) is int and value >= 1 for value in thing.values())

    def location(thing: dict[str, Any]) -> None:
        only(thing, "artifactLocation region")
        only(thing["artifactLocation"], "uri")
        assert re.fullmatch(
            r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2}|(?<=^file):|(?<=^file:///[A-Za-z]):)*", thing["artifactLocation"]["uri"]
        )
        region(thing["region"])

    only(log, "$schema version runs")
    (run,) = log["runs"]
    only(run, "tool columnKind invocations results")
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        only(rule, "id name shortDescription help defaultConfiguration properties")
    for result in run["results"]:
        only(result, "ruleId ruleIndex level message locations partialFingerprints", "relatedLocations fixes")
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        message(result["message"])
        for where in result["locations"]:
            only(where, "physicalLocation")
            location(where["physicalLocation"])
        for where in result.get("relatedLocations", ()):
            only(where, "id physicalLocation", "message")
            location(where["physicalLocation"])
        for fix in result.get("fixes", ()):
            only(fix, "description artifactChanges")
            message(fix["description"])
            for change in fix["artifactChanges"]:
                only(change, "artifactLocation replacements")
                for replacement in change["replacements"]:
                    only(replacement, "deletedRegion", "insertedContent")
                    region(replacement["deletedRegion"])


@pytest.fixture(scope="module")
def sarif_schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The standard's own schema, as an npm package ships it."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("sarif")
    package = "@microsoft/jest-sarif@1.0.0-beta.0"
    packed = subprocess.run([npm, "pack", "--silent", package], cwd=folder, capture_output=True, timeout=120)
    archives = list(folder.glob("*.tgz"))
    if packed.returncode or not archives:
        pytest.skip("the npm registry cannot be reached")
    with tarfile.open(archives[0]) as archive:
        member = archive.extractfile("package/lib/schemas/sarif-2.1.0-rtm.5.json")
        assert member is not None
        schema: dict[str, Any] = json.load(member)
    return schema


def test_sarif_validates_against_the_standard(sarif_schema: dict[str, Any]) -> None:
    validator = jsonschema.Draft4Validator(sarif_schema)
    for findings in ([], examples(), [finding("ATL001", at(path, "e"), "") for path in TEXTS]):
        log = json.loads(FORMATS["sarif"](findings))
        assert [error.message for error in validator.iter_errors(log)] == []
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not validator.is_valid(log)
    assert Path(log["$schema"]).name == "sarif-2.1.0.json"
