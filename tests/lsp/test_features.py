"""Each family of requests, as the client sees its answers."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any, get_args

import pytest
from atl_lsp.features import completion

from atl.ide.completing.item import Kind
from tests.lsp.client import everything
from tests.lsp.inside import Inside

A = """\
entity Post in blog {
  id bigint primary
  kind PostKind not null default "draft"
}

enum PostKind in blog { draft, published }

job Send in blog { args { to text not null } timeout 2m }
"""
B = """\
// 😀 漢字
entity Comment in blog {
  id bigint primary
  post_id bigint not null references blog.Post.id
}

procedure Publish for blog.Post {
  input { id: bigint }
  steps {
    update Post set kind = "published" where id = $id
    enqueue Send(to: "x")
  }
}
"""


class Editor(Inside):
    def __init__(self, folder: Path, capabilities: Any = None, options: Any = None) -> None:
        (folder / "a.atl").write_text(A)
        (folder / "b.atl").write_text(B, encoding="utf-8")
        super().__init__(folder, capabilities=capabilities, options=options)
        self.folder = folder
        self.a = (folder / "a.atl").as_uri()
        self.b = (folder / "b.atl").as_uri()

    def get(self, method: str, uri: str, at: str = "", **more: Any) -> Any:
        """The result at the first place of a text, in the file on disk. `|` in it is the cursor."""
        text = A if uri == self.a else B
        before, _, after = at.partition("|")
        offset = text.index(before + after) + len(before)
        line = text.count("\n", 0, offset)
        column = len(text[text.rfind("\n", 0, offset) + 1 : offset].encode("utf-16-le")) // 2
        params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}, **more}
        answer = self.ask(method, params)
        return answer.get("error") or answer["result"]


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path)


def test_rename_carries_versions_of_open_documents(editor: Editor) -> None:
    editor.open(editor.b, B)
    edit = editor.get("textDocument/rename", editor.a, "entity P|ost", newName="Article")
    versions = {each["textDocument"]["uri"]: each["textDocument"]["version"] for each in edit["documentChanges"]}
    assert versions == {editor.a: None, editor.b: 1}
    lines = {
        each["textDocument"]["uri"]: [row["range"]["start"]["line"] for row in each["edits"]]
        for each in edit["documentChanges"]
    }
    assert lines[editor.a][:1] == [0] and lines[editor.b] == [3, 6, 9]


def test_rename_from_a_use_and_its_refusals(editor: Editor) -> None:
    prepared = editor.get("textDocument/prepareRename", editor.b, "references blog.Po|st.id")
    assert prepared["placeholder"] == "Post"
    edit = editor.get("textDocument/rename", editor.b, "references blog.Po|st.id", newName="Article")
    assert {each["textDocument"]["uri"] for each in edit["documentChanges"]} == {editor.a, editor.b}
    assert editor.get("textDocument/rename", editor.a, "entity P|ost", newName="Comment")["code"] == -32803
    assert editor.get("textDocument/prepareRename", editor.a, "entity| ")["code"] == -32803


def test_a_client_without_versions_or_questions(tmp_path: Path) -> None:
    capabilities = everything()
    del capabilities["workspace"]["workspaceEdit"]
    editor = Editor(tmp_path, capabilities)
    edit = editor.get("textDocument/rename", editor.a, "entity P|ost", newName="Article")
    assert set(edit) == {"changes"} and set(edit["changes"]) == {editor.a, editor.b}


def test_the_hint_for_the_planner_is_offered(tmp_path: Path) -> None:
    capabilities = everything()
    capabilities["workspace"]["workspaceEdit"]["changeAnnotationSupport"] = {}
    editor = Editor(tmp_path, capabilities)
    edit = editor.get("textDocument/rename", editor.a, "entity P|ost", newName="Article")
    (name, annotation), *_ = edit["changeAnnotations"].items()
    asked = [row for each in edit["documentChanges"] for row in each["edits"] if row.get("annotationId") == name]
    assert annotation["needsConfirmation"] and "renamed-from Post" in asked[0]["newText"]


def test_navigation(editor: Editor) -> None:
    (link,) = editor.get("textDocument/definition", editor.b, "references blog.Po|st.id")
    assert link["targetUri"] == editor.a and link["targetSelectionRange"]["start"] == {"line": 0, "character": 7}
    found = editor.get("textDocument/references", editor.a, "entity P|ost", context={"includeDeclaration": False})
    assert [(each["uri"], each["range"]["start"]["line"]) for each in found] == [
        (editor.b, 3),
        (editor.b, 6),
        (editor.b, 9),
    ]
    assert [each["kind"] for each in editor.get("textDocument/documentHighlight", editor.b, "post_i|d bigint")] == [3]
    (link,) = editor.get("textDocument/typeDefinition", editor.b, "set ki|nd")
    assert link["range"]["start"]["line"] == 5, "without links, places"


def test_every_kind_of_completion_has_one_of_the_protocol(editor: Editor) -> None:
    assert set(completion.KINDS) == set(get_args(Kind))
    found = editor.get("textDocument/completion", editor.b, "where id| = $id")["items"]
    assert {each["label"]: each["kind"] for each in found}["id"] == completion.KINDS["field"]


def test_hover_and_signature(editor: Editor) -> None:
    assert "Post" in editor.get("textDocument/hover", editor.b, "references blog.Po|st.id")["contents"]["value"]
    found = editor.get("textDocument/signatureHelp", editor.b, "Send(|to")
    assert found["activeParameter"] == 0 and "to" in found["signatures"][0]["label"]


def test_completion(editor: Editor) -> None:
    found = editor.get("textDocument/completion", editor.b, "references blog.Po|st.id")
    (item,) = [each for each in found["items"] if each["label"] == "Post"]
    line = B.splitlines()[3]
    start = line.index("Post.id")
    assert item["textEdit"]["newText"] == "Post"
    assert item["textEdit"]["range"] == {
        "start": {"line": 3, "character": start},
        "end": {"line": 3, "character": start + 4},
    }
    resolved = editor.ask("completionItem/resolve", item)["result"]
    assert "documentation" in resolved
    editor.open(editor.a, "")
    found = editor.ask("textDocument/completion", {"textDocument": {"uri": editor.a}, "position": _position(0, 0)})
    entity = [each for each in found["result"]["items"] if each["label"].startswith("entity")]
    assert any(each.get("insertTextFormat") == 2 and "${1" in each["textEdit"]["newText"] for each in entity)


def test_the_list_opens_again_where_the_client_can_do_that(tmp_path: Path) -> None:
    for commands in ([], ["editor.action.triggerSuggest"]):
        editor = Editor(tmp_path, options={"commands": commands})
        editor.open(editor.a, "entity A in blog {\n  id bigint primary\n  k \n}\n")
        params = {"textDocument": {"uri": editor.a}, "position": _position(2, 4)}
        found = editor.ask("textDocument/completion", params)["result"]
        assert {each["command"]["command"] for each in found["items"] if "command" in each} == set(commands)


def test_completion_without_snippets(tmp_path: Path) -> None:
    editor = Editor(tmp_path, {})
    editor.open(editor.a, "")
    found = editor.ask("textDocument/completion", {"textDocument": {"uri": editor.a}, "position": _position(0, 0)})
    assert found["result"]["items"] != []
    assert not any("$" in each["textEdit"]["newText"] for each in found["result"]["items"])


def test_actions(editor: Editor) -> None:
    editor.open(editor.a, A.replace("primary\n", "primary\n  /* old */\n"))
    whole = {"start": _position(0, 0), "end": _position(20, 0)}
    items = editor.ask("textDocument/diagnostic", {"textDocument": {"uri": editor.a}})["result"]["items"]
    comment = next(item for item in items if item["code"] == "ATL009")
    assert comment["tags"] == [2]
    params = {"textDocument": {"uri": editor.a}, "range": comment["range"], "context": {"diagnostics": items}}
    found = editor.ask("textDocument/codeAction", params)["result"]
    fix = next(each for each in found if each["kind"] == "quickfix" and each.get("isPreferred"))
    assert [each["code"] for each in fix["diagnostics"]] == ["ATL009"]
    assert fix["edit"]["documentChanges"][0]["textDocument"]["version"] == 1
    params = {**params, "range": whole, "context": {"diagnostics": [], "only": ["source.fixAll"]}}
    (all_,) = editor.ask("textDocument/codeAction", params)["result"]
    assert all_["kind"] == "source.fixAll" and "//" in str(all_["edit"])
    params["context"]["only"] = ["source.fixAll.atl"]
    (own,) = editor.ask("textDocument/codeAction", params)["result"]
    assert own["kind"] == "source.fixAll.atl" and own["edit"] == all_["edit"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_formatting_keeps_line_ends(editor: Editor, end: str) -> None:
    text = end.join(["// 😀", "entity   A in x {", "\tid bigint primary", "}"])
    editor.open(editor.a, text)
    options = {"tabSize": 2, "insertSpaces": True}
    params = {"textDocument": {"uri": editor.a}, "options": options}
    lines = text.split(end)
    for edit in reversed(editor.ask("textDocument/formatting", params)["result"]):
        start, stop = edit["range"]["start"], edit["range"]["end"]
        assert "\r" not in edit["newText"].replace("\r\n", "") or end == "\r\n"
        text = _applied(text, end, start, stop, edit["newText"])
    assert text == end.join(["// 😀", "entity A in x {", "  id bigint primary", "}", ""]), lines


def _applied(text: str, end: str, start: Any, stop: Any, new: str) -> str:
    lines = text.split(end)

    def offset(position: Any) -> int:
        before = sum(len(line) + len(end) for line in lines[: position["line"]])
        return before + len(
            lines[position["line"]].encode("utf-16-le")[: position["character"] * 2].decode("utf-16-le")
        )

    return text[: offset(start)] + new + text[offset(stop) :]


def test_outline(editor: Editor) -> None:
    symbols = editor.get("textDocument/documentSymbol", editor.a)
    assert [each["name"] for each in symbols] == ["Post", "PostKind", "Send"]
    assert [each["name"] for each in symbols[0]["children"]][:2] == ["id", "kind"]
    found = editor.ask("workspace/symbol", {"query": "pst"})["result"]
    assert {"Post"} <= {each["name"] for each in found}
    assert editor.get("textDocument/foldingRange", editor.a) != []
    params = {"textDocument": {"uri": editor.a}, "positions": [_position(1, 3), _position(99, 0)]}
    assert len(editor.ask("textDocument/selectionRange", params)["result"]) == 2


def test_folds_leave_the_closing_brace_where_whole_lines_are_hidden(tmp_path: Path) -> None:
    text = "// one\n// two\njob J in x {\n  args {\n    a int\n  }\n}\njob K in x {\n}\n"
    capabilities = everything()
    for only, expected in ((True, [(0, 1), (2, 5), (3, 4)]), (False, [(0, 1), (2, 6), (3, 5), (7, 8)])):
        capabilities["textDocument"]["foldingRange"] = {"lineFoldingOnly": only}
        editor = Editor(tmp_path, capabilities)
        editor.open(editor.a, text)
        found = editor.get("textDocument/foldingRange", editor.a)
        assert [(each["startLine"], each["endLine"]) for each in found] == expected
        assert [each.get("kind") for each in found] == ["comment"] + [None] * (len(expected) - 1)


def test_signature_help_of_a_plain_client(tmp_path: Path) -> None:
    editor = Editor(tmp_path, {})
    found = editor.get("textDocument/signatureHelp", editor.b, "Send(|to")
    (signature,) = found["signatures"]
    assert found["activeParameter"] == signature["activeParameter"] == 0
    assert signature["parameters"][0]["label"] in signature["label"]


def test_symbols_of_a_client_that_takes_no_tree(tmp_path: Path) -> None:
    editor = Editor(tmp_path, {})
    symbols = editor.get("textDocument/documentSymbol", editor.a)
    assert [each["name"] for each in symbols][:3] == ["Post", "id", "kind"]
    assert symbols[1]["containerName"] == "Post" and symbols[1]["location"]["uri"] == editor.a


def test_links_of_the_configuration(editor: Editor) -> None:
    (editor.folder / "schema").mkdir()
    tide = (editor.folder / "tide.yaml").as_uri()
    editor.open(tide, "schema_paths: [schema, none]\n")
    (link,) = editor.ask("textDocument/documentLink", {"textDocument": {"uri": tide}})["result"]
    assert link["target"] == (editor.folder / "schema").as_uri() and link["range"]["start"]["character"] == 15


def test_token_changes_make_the_new_tokens(editor: Editor) -> None:
    editor.open(editor.b, B)
    document = {"textDocument": {"uri": editor.b}}
    first = editor.ask("textDocument/semanticTokens/full", document)["result"]
    assert len(first["data"]) % 5 == 0 and first["data"] != []
    editor.change(editor.b, "  note text\n", {"start": _position(3, 0), "end": _position(3, 0)})
    params = {**document, "previousResultId": first["resultId"]}
    delta = editor.ask("textDocument/semanticTokens/full/delta", params)["result"]
    data = list(first["data"])
    for edit in reversed(delta["edits"]):
        data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
    assert data == editor.ask("textDocument/semanticTokens/full", document)["result"]["data"]
    params["previousResultId"] = "unknown"
    assert editor.ask("textDocument/semanticTokens/full/delta", params)["result"]["data"] == data


def test_calls(editor: Editor) -> None:
    (item,) = editor.get("textDocument/prepareCallHierarchy", editor.a, "job Se|nd")
    (call,) = editor.ask("callHierarchy/incomingCalls", {"item": item})["result"]
    assert call["from"]["uri"] == editor.b and call["fromRanges"][0]["start"]["line"] == 10
    (back,) = editor.ask("callHierarchy/outgoingCalls", {"item": call["from"]})["result"]
    assert back["to"]["name"] == item["name"]


def test_hints_and_lenses_and_that_they_can_be_off(editor: Editor) -> None:
    whole = {"range": {"start": _position(0, 0), "end": _position(99, 0)}}
    assert editor.get("textDocument/inlayHint", editor.a, **whole) != []
    assert any("use" in each["command"]["title"] for each in editor.get("textDocument/codeLens", editor.a))
    off = {"inlayHints": {"enabled": False}, "codeLens": {"enabled": False}}
    editor.server.protocol.fm.features["workspace/didChangeConfiguration"].__self__._set(off)
    assert editor.get("textDocument/inlayHint", editor.a, **whole) is None
    assert editor.get("textDocument/codeLens", editor.a) is None


def test_related_places_and_links_to_the_rule(editor: Editor) -> None:
    editor.open(editor.b, "entity Post in blog { id bigint primary }")
    items = editor.ask("textDocument/diagnostic", {"textDocument": {"uri": editor.b}})["result"]["items"]
    (item,) = [each for each in items if each["code"] == "ATL101"]
    (related,) = item["relatedInformation"]
    assert related["location"]["uri"] == editor.a and related["location"]["range"]["start"]["line"] == 0
    assert item["codeDescription"]["href"].endswith("rules.md#atl101") and item["source"] == "atl"


def _position(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def test_the_lens_tells_what_a_change_against_git_costs(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    editor.open(editor.a, A.replace("  id bigint primary\n", "  id bigint primary\n  note text not null\n"))
    titles: list[str] = []
    for _ in range(200):
        titles = [each["command"]["title"] for each in editor.get("textDocument/codeLens", editor.a)]
        if any(title.startswith("plan:") for title in titles):
            break
        time.sleep(0.05)
    assert [title for title in titles if title.startswith("plan:")] == ["plan: backfill_required"]


def git(folder: Path, *words: str) -> None:
    options = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *options, *words], cwd=folder, check=True)
