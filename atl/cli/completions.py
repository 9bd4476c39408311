"""Print a script that completes commands, options and their values in a shell.

bash: atl completions bash > ~/.local/share/bash-completion/completions/atl
zsh:  atl completions zsh > "${fpath[1]}/_atl"
fish: atl completions fish > ~/.config/fish/completions/atl.fish
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from atl.cli.commands import COMMANDS
from atl.cli.output import write_document
from atl.cli.parsing import parser_for
from atl.records import NamedTuple

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(_SHELLS), metavar="SHELL", help="bash, zsh or fish")


def run(args: argparse.Namespace) -> int:
    write_document(_SHELLS[args.shell](list(_commands())))
    return 0


class _Option(NamedTuple):
    """flags: `--format`, or two of them. values: what it takes, () for anything. takes: whether it takes a value.
    file: whether that is a path."""

    flags: tuple[str, ...]
    help: str
    takes: bool
    values: tuple[str, ...]
    file: bool


class _Command(NamedTuple):
    """words: what its positional arguments can be, () for anything; files: they are paths."""

    name: str
    help: str
    options: list[_Option]
    words: tuple[str, ...]
    files: bool


def _commands() -> Iterator[_Command]:
    """The commands as their parsers have them. A path is told by its metavar."""
    for command in COMMANDS:
        parser, module = parser_for(command)
        options: list[_Option] = []
        words: tuple[str, ...] = ()
        files = False
        for action in parser._actions:
            values = tuple(str(choice) for choice in action.choices or ())
            path = action.metavar == "PATH"
            if action.option_strings:
                help = (action.help or "").replace("%%", "%")
                options.append(_Option(tuple(action.option_strings), help, action.nargs != 0, values, path))
            else:
                words += values
                files |= path
        words += tuple(module.completions()) if hasattr(module, "completions") else ()
        yield _Command(command.name, command.help, options, words, files)


def _bash(commands: list[_Command]) -> str:
    rows = [
        "# Completes `atl` in bash.",
        "_atl() {",
        '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} values="" files=""',
        "  COMPREPLY=()",
        "  if [[ $COMP_CWORD -eq 1 ]]; then",
        f'    COMPREPLY=($(compgen -W "{" ".join(c.name for c in commands)} --help --version" -- "$cur"))',
        "    return",
        "  fi",
        "  # `--format=x` comes as three words.",
        '  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi',
        '  case "${COMP_WORDS[1]} $prev" in',
    ]
    for command in commands:
        for option in command.options:
            if option.takes:
                patterns = " | ".join(f'"{command.name} {flag}"' for flag in option.flags)
                files = "1" if option.file else ""
                rows.append(f'    {patterns}) values="{" ".join(option.values)} " files="{files}" ;;')
    rows += ["  esac", "  if [[ -z $values ]]; then", '    case "${COMP_WORDS[1]}" in']
    for command in commands:
        flags = " ".join(flag for option in command.options for flag in option.flags)
        words, files = " ".join(command.words), "1" if command.files else ""
        rows.append(
            f'      {command.name}) if [[ $cur == -* ]]; then values="{flags}"; '
            f'else values="{words}" files="{files}"; fi ;;'
        )
    rows += [
        "    esac",
        "  fi",
        '  COMPREPLY=($(compgen -W "$values" -- "$cur"))',
        '  if [[ -n $files ]]; then compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")); fi',
        "}",
        "complete -F _atl atl",
    ]
    return "\n".join(rows) + "\n"


def _zsh(commands: list[_Command]) -> str:
    rows = [
        "#compdef atl",
        "# Completes `atl` in zsh.",
        "_atl() {",
        "  local -a commands",
        "  commands=(",
        *(f"    {_quoted(f'{c.name}:{c.help}')}" for c in commands),
        "  )",
        "  if (( CURRENT == 2 )); then",
        "    _describe command commands",
        "    return",
        "  fi",
        "  local command=$words[2]",
        "  shift words",
        "  (( CURRENT-- ))",
        "  case $command in",
    ]
    for command in commands:
        rows.append(f"    {command.name})")
        rows.append("      _arguments -s \\")
        for option in command.options:
            help = option.help.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
            value = ""
            if option.takes:
                action = "_files" if option.file else f"({' '.join(option.values)})" if option.values else ""
                value = f":value:{action}"
            for flag in option.flags:
                repeated = "*" if option.takes and not option.values else ""
                rows.append(f"        {_quoted(f'{repeated}{flag}[{help}]{value}')} \\")
        action = f"({' '.join(command.words)})" if command.words else "_files" if command.files else ""
        rows.append(f"        {_quoted(f'*:word:{action}')}")
        rows.append("      ;;")
    rows += ["  esac", "}", '_atl "$@"']
    return "\n".join(rows) + "\n"


def _fish(commands: list[_Command]) -> str:
    rows = ["# Completes `atl` in fish."]
    for command in commands:
        rows.append(f"complete -c atl -n __fish_use_subcommand -f -a {command.name} -d {_quoted(command.help)}")
    for command in commands:
        when = f"-n {_quoted(f'__fish_seen_subcommand_from {command.name}')}"
        if not command.files:
            rows.append(f"complete -c atl {when} -f")
        if command.words:
            rows.append(f"complete -c atl {when} -f -a {_quoted(' '.join(command.words))}")
        for option in command.options:
            flags = " ".join(f"-l {f[2:]}" if f.startswith("--") else f"-s {f[1:]}" for f in option.flags)
            row = f"complete -c atl {when} {flags} -d {_quoted(option.help)}"
            if option.takes:
                row += " -r" if option.file else f" -x -a {_quoted(' '.join(option.values))}"
            rows.append(row)
    return "\n".join(rows) + "\n"


def _quoted(text: str) -> str:
    """In single quotes, as all three shells read them alike."""
    return "'" + text.replace("'", "'\\''") + "'"


_SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
