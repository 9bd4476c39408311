"""Only the server pays for the protocol's library."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("words", [["check", "-h"], ["version"], ["lsp", "--help"]])
def test_no_other_command_imports_it(words: list[str]) -> None:
    program = f"import sys; from atl.cli import main\ntry: main({words!r})\nfinally: assert 'pygls' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False).returncode == 0


def test_a_machine_without_it_is_told_what_to_install() -> None:
    program = "import sys; sys.modules['pygls'] = None; from atl.cli import main; sys.exit(main(['lsp']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2 and "atl-lang[lsp]" in done.stderr
