"""Runs atl for the editor: `launch.py environment ...` the one that is installed for this Python, `launch.py bundled
...` the copy beside this file. Started as a script, so that modules of the folder that is edited are never imported."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    which = sys.argv.pop(1)
    sys.path[:] = [entry for entry in sys.path if entry and Path(entry).resolve() != HERE]
    if which == "bundled":
        sys.path.insert(0, str(HERE / "libs"))
        sys.dont_write_bytecode = True
    sys.argv[0] = "atl"
    from atl.cli import program

    return program()


if __name__ == "__main__":
    raise SystemExit(main())
