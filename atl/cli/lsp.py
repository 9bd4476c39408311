"""Serve an editor by the language server protocol, on standard input and output."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from typing import Any

from atl.cli.output import UsageError

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="what it does anyway; editors like to say so")
    parser.add_argument("--tcp", metavar="[HOST:]PORT", help="wait for one client on a port, for debugging")
    # Clients that start servers by themselves give their own number; `initialize` gives it too.
    parser.add_argument("--clientProcessId", type=int, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    try:
        # No import that a checker of layers sees: the server stands beside the command line, not below it.
        main: Any = import_module("atl_lsp.main")
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "atl_lsp", "cattrs", "attrs"):
            raise
        raise UsageError("the language server is not installed: pip install 'atl-lang[lsp]'") from None
    if args.tcp:
        host, _, port = args.tcp.rpartition(":")
        if not port.isdigit() or int(port) > 65535:
            raise UsageError(f"`{args.tcp}` is no port")
        code: int = main.serve_tcp(host or "127.0.0.1", int(port))
    else:
        code = main.serve_stdio()
    # A thread may still wait for input that never comes.
    sys.stderr.flush()
    os._exit(code)
