"""Print the version of atl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atl import __version__
from atl.cli.output import write

if TYPE_CHECKING:
    import argparse

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace | None = None) -> int:
    write(f"atl {__version__}\n")
    return 0
