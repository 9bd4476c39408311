"""Over standard input and output: findings of all files, whatever is done to them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.lsp.client import Client, everything, running
from tests.lsp.inside import Inside

A = "entity A in x {\n  id bigint primary\n  b bigint references x.B.id\n}\n"
B = "entity B in x { id bigint primary }\n"


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.atl").write_text(text)


def push() -> dict[str, object]:
    return everything(pull=False)


def shown(client: Client, uri: str) -> list[str]:
    return [item["code"] for item in client.shown.get(uri, []) if item["severity"] < 4]


def test_unsaved_texts_count_for_all_files_and_undoing_them_too(tmp_path: Path) -> None:
    write(tmp_path, a=A)
    a, b = ((tmp_path / name).as_uri() for name in ("a.atl", "b.atl"))
    with running("--stdio") as client:
        client.start(tmp_path)
        assert client.codes(a) == ["ATL103"]
        client.open(b, B)
        assert client.codes(a) == []
        client.change(b, (0, 7, 0, 8, "C"))
        assert client.codes(a) == ["ATL103"]
        client.change(b, (0, 7, 0, 8, "B"))
        assert client.codes(a) == []
        client.close(b)
        assert client.codes(a) == ["ATL103"]
        assert client.stop() == 0


def test_unchanged_answers(tmp_path: Path) -> None:
    write(tmp_path, a=A, b=B)
    a, b = ((tmp_path / name).as_uri() for name in ("a.atl", "b.atl"))
    with running() as client:
        client.start(tmp_path)
        first = client.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert [row["kind"] for row in first] == ["full", "full"]
        ids = [{"uri": row["uri"], "value": row["resultId"]} for row in first]
        again = client.ask("workspace/diagnostic", {"previousResultIds": ids})["items"]
        assert [row["kind"] for row in again] == ["unchanged", "unchanged"]
        client.open(b, "")
        third = client.ask("workspace/diagnostic", {"previousResultIds": ids})["items"]
        assert {row["uri"]: row["kind"] for row in third} == {a: "full", b: "unchanged"}
        document = {"textDocument": {"uri": a}, "previousResultId": third[0]["resultId"]}
        assert client.ask("textDocument/diagnostic", document)["kind"] == "unchanged"
        (tmp_path / "a.atl").unlink()
        client.watched(tmp_path / "a.atl")
        gone = client.ask("workspace/diagnostic", {"previousResultIds": ids})["items"]
        assert {row["uri"]: row.get("items") for row in gone} == {a: [], b: None}


def test_a_file_that_went_with_its_tab_has_no_findings(tmp_path: Path) -> None:
    # Of a closed tab VS Code shows the findings on and forgets their id, so that it names no file that went.
    write(tmp_path, a=A, b=B)
    a = (tmp_path / "a.atl").as_uri()
    with running() as client:
        client.start(tmp_path)
        client.open(a, A.replace("x.B", "x.C"))
        assert client.codes(a) == ["ATL103"]
        (tmp_path / "a.atl").unlink()
        client.watched(tmp_path / "a.atl")
        client.close(a)
        client.wait(lambda: "workspace/diagnostic/refresh" in client.asked)
        assert client.codes(a) == [], "the last pull for the tab, whose answer is dropped"
        answers = [client.ask("workspace/diagnostic", {"previousResultIds": []})["items"] for _ in range(8)]
        emptied = [[row["uri"] for row in rows if row["uri"] == a and row["items"] == []] for rows in answers]
        assert emptied[:2] == [[a], [a]] and emptied[-1] == []


def test_pushed_to_a_client_that_does_not_pull(tmp_path: Path) -> None:
    write(tmp_path, a=A)
    a, b = ((tmp_path / name).as_uri() for name in ("a.atl", "b.atl"))
    with running() as client:
        client.start(tmp_path, capabilities=push())
        client.wait(lambda: shown(client, a) == ["ATL103"])
        client.open(b, B)
        client.wait(lambda: shown(client, a) == [])
        client.close(b)
        client.wait(lambda: shown(client, a) == ["ATL103"])
        (tmp_path / "a.atl").rename(tmp_path / "c.atl")
        client.watched(tmp_path / "a.atl", tmp_path / "c.atl")
        c = (tmp_path / "c.atl").as_uri()
        client.wait(lambda: shown(client, a) == [] and shown(client, c) == ["ATL103"])


def test_a_folder_that_goes_is_one_event(tmp_path: Path) -> None:
    """And what goes beside the declarations is none that counts."""
    (tmp_path / "x" / "y").mkdir(parents=True)
    (tmp_path / "build").mkdir()
    write(tmp_path, a=A)
    write(tmp_path / "x" / "y", b=B)
    a = (tmp_path / "a.atl").as_uri()
    with running() as client:
        client.start(tmp_path, capabilities=push())
        client.wait(lambda: "client/registerCapability" in client.asked)
        client.wait(lambda: client.codes(a) == [])
        shutil.rmtree(tmp_path / "x")
        client.gone(tmp_path / "build", tmp_path / "other.txt")
        assert client.codes(a) == [], "not looked at again"
        client.gone(tmp_path / "x")
        assert client.codes(a) == ["ATL103"]


def test_a_client_without_watching_is_looked_after(tmp_path: Path) -> None:
    write(tmp_path, a=A)
    a = (tmp_path / "a.atl").as_uri()
    capabilities = everything(pull=False)
    del capabilities["workspace"]["didChangeWatchedFiles"]
    with running() as client:
        client.start(tmp_path, capabilities=capabilities)
        client.wait(lambda: shown(client, a) == ["ATL103"])
        write(tmp_path, b=B)
        client.wait(lambda: shown(client, a) == [])


def test_configuration_comes_goes_and_is_wrong(tmp_path: Path) -> None:
    write(tmp_path, a=A)
    (tmp_path / "other").mkdir()
    write(tmp_path / "other", b=B)
    a = (tmp_path / "a.atl").as_uri()
    tide = tmp_path / "tide.yaml"
    with running() as client:
        client.start(tmp_path)
        assert client.codes(a) == []
        tide.write_text("caller: x\nschema_paths: other\n")
        client.watched(tide)
        client.wait(lambda: client.shown.get(tide.as_uri()))
        assert client.shown[tide.as_uri()][0]["range"]["start"]["line"] == 1
        assert client.codes(a) == [], "as it was"
        tide.write_text("schema_paths: [a.atl]\n")
        client.watched(tide)
        client.wait(lambda: client.shown.get(tide.as_uri()) == [])
        assert client.codes(a) == ["ATL103"]
        tide.unlink()
        client.watched(tide)
        assert client.codes(a) == []


def test_a_bad_configuration_at_the_start_leaves_open_texts_checked(tmp_path: Path) -> None:
    (tmp_path / "tide.yaml").write_text("schema_paths: other\n")
    uri = (tmp_path / "a.atl").as_uri()
    with running() as client:
        client.start(tmp_path)
        client.open(uri, A)
        assert client.codes(uri) == ["ATL103"]
        (tmp_path / "tide.yaml").write_text("caller: x\n")
        write(tmp_path, b=B)
        client.watched(tmp_path / "tide.yaml")
        assert client.codes(uri) == []


def test_several_roots_and_nested_workspaces(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    nested = one / "nested"
    for folder in (one, two, nested):
        folder.mkdir(parents=True)
    (nested / "tide.yaml").write_text("caller: n\n")
    write(one, a=A)
    write(two, b=B)
    write(nested, a=A, b=B)
    with running() as client:
        client.start(one, two)
        assert client.codes((one / "a.atl").as_uri()) == ["ATL103"], "each root has its own schema"
        assert client.codes((nested / "a.atl").as_uri()) == []
        found = client.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert sorted(row["uri"] for row in found) == sorted(
            path.as_uri() for path in (one / "a.atl", two / "b.atl", nested / "a.atl", nested / "b.atl")
        )
        folder = {"uri": one.as_uri(), "name": "one"}
        event = {"added": [], "removed": [folder]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        found = client.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert [row["uri"] for row in found if row["resultId"]] == [(two / "b.atl").as_uri()]
        assert not any(row["items"] for row in found if not row["resultId"]), "what went is emptied"


def test_texts_of_no_workspace(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir(), outside.mkdir()
    write(outside, a=A, b=B)
    with running() as client:
        client.start(inside)
        client.open("untitled:Untitled-1", A)
        assert client.codes("untitled:Untitled-1") == ["ATL103"]
        client.open((outside / "a.atl").as_uri(), A)
        assert client.codes((outside / "a.atl").as_uri()) == [], "with the files beside it, as the command line"
        for name, text in (("empty", ""), ("mark", "\ufeff")):
            uri = (inside / f"{name}.atl").as_uri()
            client.open(uri, text)
            assert client.codes(uri) == []
            assert client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}}) == []
        uri = (inside / "mark.atl").as_uri()
        client.change(uri, (0, 1, 0, 1, "entity A in x { id int }"))
        assert client.diagnostics(uri)[0]["range"]["start"]["character"] == 8, "behind the mark"


@pytest.mark.parametrize("spelled", ["file:///C:/x/a%20b.atl", "file:///c%3A/x/a%20b.atl", "file:///c:/x/a b.atl"])
def test_one_document_however_it_is_spelled(spelled: str) -> None:
    with running() as client:
        client.start()
        client.open("file:///c%3A/x/a%20b.atl", "entity A in x { id int }")
        assert client.codes(spelled) == ["ATL301"]
        client.close(spelled)
        assert client.codes(spelled) == []


def test_names_with_special_characters(tmp_path: Path) -> None:
    folder = tmp_path / "ä #1 %20?"
    folder.mkdir()
    write(folder, a=A)
    uri = (folder / "a.atl").as_uri()
    with running() as client:
        client.start(folder)
        client.open(uri, A)
        assert client.codes(uri) == ["ATL103"]
        found = client.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert [row["uri"] for row in found] == [uri]
        assert client.codes(uri.replace("%23", "#").replace("%C3%A4", "ä").replace("%3F", "?")) == ["ATL103"]


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights there")
def test_a_link_is_reported_under_the_name_it_was_opened_by(tmp_path: Path) -> None:
    write(tmp_path, a=A)
    (tmp_path / "link.atl").symlink_to(tmp_path / "a.atl")
    uri = (tmp_path / "link.atl").as_uri()
    with running() as client:
        client.start(tmp_path)
        client.open(uri, A + A)
        found = client.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert [row["uri"] for row in found] == [uri]
        assert "ATL101" in client.codes(uri)


def test_settings(tmp_path: Path) -> None:
    text = "entity A in x {\n  id bigint primary\n  badName text\n}\n"
    write(tmp_path, a=text)
    uri = (tmp_path / "a.atl").as_uri()
    with running() as client:
        client.settings = {"lint": {"severities": {"naming-style": "error"}}}
        client.start(tmp_path)
        client.wait(lambda: "workspace/configuration" in client.asked)
        client.wait(lambda: client.asked.count("workspace/diagnostic/refresh") == 1)
        assert [item["severity"] for item in client.diagnostics(uri)] == [1]
        client.settings = {"lint": {"severities": {"ATL108": "off", "ATL301": "off"}}}
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.wait(lambda: client.asked.count("workspace/diagnostic/refresh") == 2)
        assert client.diagnostics(uri) == []
        client.open(uri, "entity A in x { a int }")
        assert client.codes(uri) == ["ATL301"], "errors stay"


def test_a_long_load_is_told(tmp_path: Path) -> None:
    program = """if True:
        import sys, time
        import atl.workspace.live as live
        begin = live.Workspace._begin
        def slow(self, *args):
            if self.root: time.sleep(1.5)
            begin(self, *args)
        live.Workspace._begin = slow
        from atl.cli import main
        sys.exit(main(["lsp"]))
    """
    write(tmp_path, a=A)
    with running(command=("-c", program)) as client:
        client.start(tmp_path)
        assert client.codes((tmp_path / "a.atl").as_uri()) == ["ATL103"]
        assert "window/workDoneProgress/create" in client.asked
        kinds = [each["params"]["value"]["kind"] for each in client.told if each["method"] == "$/progress"]
        assert kinds == ["begin", "end"]


def test_a_large_answer_comes_in_parts(tmp_path: Path) -> None:
    for number in range(60):
        write(tmp_path, **{f"f{number}": f"entity E{number} in x {{ id int }}\n" * 20})
    with running() as client:
        client.start(tmp_path)
        params = {"previousResultIds": [], "partialResultToken": "p"}
        rest = client.ask("workspace/diagnostic", params)["items"]
        parts = [each["params"]["value"]["items"] for each in client.told if each["method"] == "$/progress"]
        assert parts != []
        assert sorted(row["uri"] for part in (*parts, rest) for row in part) == sorted(
            path.as_uri() for path in tmp_path.iterdir()
        )


def test_what_is_watched(tmp_path: Path) -> None:
    asked = [each["params"] for each in Inside(tmp_path).sent() if each.get("method") == "client/registerCapability"]
    (files,) = [row for params in asked for row in params["registrations"] if "Watched" in row["method"]]
    watched = {each["globPattern"]: each.get("kind", 7) for each in files["registerOptions"]["watchers"]}
    assert watched == {"**/*.atl": 7, "**/tide.yaml": 7, "**/atl.toml": 7, "**": 4}, "of folders only that they go"
