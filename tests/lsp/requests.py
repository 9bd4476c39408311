"""Every request that an editor makes about a document, with parameters for a place in it."""

from __future__ import annotations

from typing import Any

__all__ = ["EVERYWHERE", "HERE", "at"]

HERE = (
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/linkedEditingRange",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/codeAction",
    "textDocument/onTypeFormatting",
    "textDocument/selectionRange",
    "textDocument/prepareCallHierarchy",
    "textDocument/rangeFormatting",
)
EVERYWHERE = (
    "textDocument/diagnostic",
    "textDocument/formatting",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/semanticTokens/range",
)


def at(uri: str, line: int, character: int) -> dict[str, Any]:
    """Parameters that each of these requests finds its own in."""
    position = {"line": line, "character": character}
    return {
        "textDocument": {"uri": uri},
        "position": position,
        "positions": [position],
        "range": {"start": {"line": 0, "character": 0}, "end": position},
        "context": {"includeDeclaration": True, "diagnostics": [], "triggerKind": 1, "isRetrigger": False},
        "newName": "renamed_1",
        "ch": "}",
        "options": {"tabSize": 2, "insertSpaces": True},
        "previousResultId": "1",
    }
