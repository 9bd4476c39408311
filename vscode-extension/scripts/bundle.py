"""Puts a server into `python/libs`: atl of this checkout and what it needs, as files of wheels, for one platform.

    python vscode-extension/scripts/bundle.py [linux-x64 | linux-arm64 | darwin-arm64 | win32-x64]

The one native part is PostgreSQL's parser, a plain shared library that any Python loads; so the copy serves every
Python from 3.10 on. Left out: protobuf, which only a package that atl never imports would need, and PyYAML's
accelerator, which is for one version of Python.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBS = ROOT / "vscode-extension" / "python" / "libs"

# What `vsce package --target` calls a platform, and the tags of the wheels for it: those that PostgreSQL's parser is
# published for.
PLATFORMS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "linux-arm64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "darwin-arm64": ("macosx_15_0_arm64", "macosx_14_0_arm64", "macosx_11_0_arm64"),
    "win32-x64": ("win_amd64",),
}
LOWEST = "3.10"
NOT_NEEDED = ("bin", "google", "protobuf-*", "_yaml", "yaml/_yaml*", "**/__pycache__", "**/*.pyi", "**/RECORD")


def this_platform() -> str:
    system = {"linux": "linux", "darwin": "darwin", "win32": "win32"}[sys.platform]
    return f"{system}-{'arm64' if platform.machine().lower() in ('arm64', 'aarch64') else 'x64'}"


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True)


def bundle(target: str) -> None:
    shutil.rmtree(LIBS, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        pip("wheel", "--no-deps", "--wheel-dir", folder, str(ROOT))
        wheel = next(Path(folder).glob("atl_lang-*.whl"))
        tags = [f"--platform={tag}" for tag in PLATFORMS[target]]
        where = ["--target", str(LIBS), "--only-binary=:all:", f"--python-version={LOWEST}", "--implementation=cp"]
        pip("install", *where, *tags, "--no-compile", f"{wheel}[lsp]")
    for pattern in NOT_NEEDED:
        for path in [*LIBS.glob(pattern)]:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def main(arguments: list[str]) -> int:
    target = arguments[0] if arguments else this_platform()
    if target not in PLATFORMS:
        print(f"`{target}` is none of {', '.join(PLATFORMS)}", file=sys.stderr)
        return 2
    bundle(target)
    print(target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
