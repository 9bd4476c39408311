"""The tools beside which ours are measured, each over as many lines of its own language.

- `prisma validate`: the command, and what it calls in the end, straight in its WebAssembly module by a script of a few
  lines. The command looks for an engine that validating has no use for; a stand-in keeps it from loading one.
- `prisma migrate diff`: the command, where the engine that it wants is there; and that engine's WebAssembly module.
- `buf build`, `buf lint`: the binary itself, without the script around it.

npm installs them below `bench/.peers`.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

from bench.vocabulary import DOMAINS, FIELDS, PREFIXES, QUALIFIERS, Column
from bench.workspace import LINES

__all__ = ["PRISMA_ENV", "QUIET", "Peers", "install", "prisma_file", "write_prisma", "write_proto"]

_HOME = Path(__file__).parent / ".peers"
_PACKAGES = ("@prisma/prisma-schema-wasm", "@prisma/schema-engine-wasm", "@bufbuild/buf", "prisma")

QUIET = {"CHECKPOINT_DISABLE": "1"}
PRISMA_ENV = {"PRISMA_SCHEMA_ENGINE_BINARY": sys.executable, **QUIET}

_HEAD = 'datasource db {\n  provider = "postgresql"\n}\n'


class Peers:
    """What could be installed: the commands, and why one is missing."""

    def __init__(self) -> None:
        modules = _HOME / "node_modules"
        self.node = shutil.which("node") or ""
        self.versions: dict[str, str] = {}
        self.missing: dict[str, str] = {}
        self.prisma = self._found(modules / "prisma/build/index.js", "prisma")
        self.wasm = self._found(modules / "@prisma/prisma-schema-wasm", "@prisma/prisma-schema-wasm")
        self.engine = self._found(modules / "@prisma/schema-engine-wasm", "@prisma/schema-engine-wasm")
        # Its packages fetch it from elsewhere when it is first wanted, which nothing here asks them to.
        self.has_engine = any((modules / "@prisma/engines").glob("schema-engine-*"))
        machine = {"x86_64": "x64", "AMD64": "x64", "arm64": "arm64", "aarch64": "aarch64"}.get(platform.machine(), "")
        binary = f"@bufbuild/buf-{platform.system().lower()}-{machine}"
        self.buf = self._found(modules / binary / "bin/buf", "@bufbuild/buf")

    def _found(self, path: Path, package: str) -> str:
        said = _HOME / "node_modules" / package / "package.json"
        if not path.exists() or not said.exists() or not self.node:
            self.missing[package] = "not installed" if self.node else "no node on the path"
            return ""
        self.versions[package] = json.loads(said.read_text())["version"]
        return str(path)

    def command(self, schema: str) -> list[str]:
        return [self.node, self.prisma, "validate", "--schema", schema]

    def migrate_diff(self, old: str, new: str) -> list[str]:
        return [self.node, self.prisma, "migrate", "diff", "--from-schema", old, "--to-schema", new, "--script"]

    def engine_diff(self, old: str, new: str) -> list[str]:
        """The same by its engine's WebAssembly module; the number of runs to time is to be added."""
        return [self.node, str(Path(__file__).with_name("engine.cjs")), self.engine, old, new]

    def script(self, call: str) -> list[str]:
        """A command that runs `call` in the WebAssembly module: `validate` or `lint`, over the paths given it."""
        return [self.node, str(Path(__file__).with_name("prisma.cjs")), self.wasm, call]


def install() -> Peers:
    """Install what is not there yet; whatever goes wrong is said in the table."""
    peers = Peers()
    npm = shutil.which("npm")
    if peers.missing and npm:
        _HOME.mkdir(exist_ok=True)
        (_HOME / "package.json").write_text('{"private": true}\n')
        for package in _PACKAGES:
            if package not in peers.missing:
                continue
            command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", package]
            made = subprocess.run(command, cwd=_HOME, capture_output=True, text=True, env={**os.environ, "CI": "1"})
            if made.returncode:
                print(f"{package} cannot be installed: {(made.stderr.strip() or 'npm failed').splitlines()[-1]}")
        peers = Peers()
    return peers


# ------------------------------------------------------------------ what they read


def write_prisma(folder: Path, files: int) -> list[Path]:
    """A schema of so many files, each of LINES lines, two models in each."""
    folder.mkdir(parents=True, exist_ok=True)
    url = "postgresql://localhost/bench"
    (folder.parent / "prisma.config.mjs").write_text(f"export default {{ datasource: {{ url: '{url}' }} }}\n")
    made = []
    partners = {number: (number * 7 + 13) % files for number in range(files) if number % 5 != 4}
    inverse = {other: number for number, other in partners.items() if number != other}
    for number in range(files):
        path = folder / f"{_name(number).lower()}.prisma"
        head = _HEAD if number == 0 else ""
        models = _models(number, LINES - head.count("\n"), inverse.get(number), partners.get(number))
        path.write_text(head + models)
        made.append(path)
    return made


def prisma_file(lines: int) -> str:
    """One file of exactly so many lines."""
    made = [_HEAD]
    number = 0
    while (rest := lines - sum(text.count("\n") for text in made)) > 0:
        made.append(_models(number, rest if rest < 2 * LINES else LINES))
        number += 1
    return "".join(made)


def write_proto(folder: Path, files: int) -> None:
    """A module of so many files, each of LINES lines; every third imports another."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "buf.yaml").write_text("version: v2\nlint:\n  use:\n    - STANDARD\n")
    for number in range(files):
        package = _package(number)
        path = folder / package.replace(".", "/") / f"{_name(number).lower()}.proto"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_messages(number, files))


def _models(number: int, lines: int, source: int | None = None, target: int | None = None) -> str:
    """source, target: the subjects that refer to this one, and that it refers to."""
    name = _name(number)
    first = lines // 2
    item = f"{name}Item"
    root = [
        "  id        String   @id @default(uuid()) @db.Uuid",
        "  tenantId  String   @db.Uuid",
        f"  items     {item}[]",
        "  createdAt DateTime @default(now())",
        "  updatedAt DateTime @updatedAt",
    ]
    ends = ["", "  @@index([tenantId, createdAt])"], ["", "  @@unique([ownerId, number])"]
    if source is not None:
        root.append(f'  sources {_name(source)}[] @relation("{_name(source)}")')
    if target is not None:
        root.append("  partnerId String? @db.Uuid")
        root.append(
            f'  partner {_name(target)}? @relation("{name}", fields: [partnerId], references: [id], onDelete: SetNull)'
        )
        ends[0].append("  @@index([partnerId])")
    line = [
        "  id      BigInt @id @default(autoincrement())",
        "  ownerId String @db.Uuid",
        f"  owner   {name} @relation(fields: [ownerId], references: [id], onDelete: Cascade)",
        "  number  Int",
    ]
    made = []
    for model, fixed, end, count in ((name, root, ends[0], first), (item, line, ends[1], lines - first)):
        fields = _columns(number, count - len(fixed) - len(end) - 4)
        body = [*fixed, *(f"  {_camel(name)} {c.prisma}" for name, c in fields), *end]
        made.append("\n".join(["", f"// What is kept of one {model}.", f"model {model} {{", *body, "}", ""]))
    return "".join(made)


def _messages(number: int, files: int) -> str:
    name = _name(number)
    other = number - 1
    imports = number % 3 == 2 and other < files
    head = ['syntax = "proto3";', "", f"package {_package(number)};", ""]
    if imports:
        head += [f'import "{_package(other).replace(".", "/")}/{_name(other).lower()}.proto";', ""]
    service = [
        f"// What is done with a {name}.",
        f"service {name}Service {{",
        f"  // Lists them.\n  rpc List{name}(List{name}Request) returns (List{name}Response);",
        "}",
        "",
        f"// Which ones.\nmessage List{name}Request {{\n  string tenant_id = 1;\n}}\n",
        f"// They.\nmessage List{name}Response {{\n  repeated {name} found = 1;\n}}\n",
        f"// One.\nmessage {name} {{",
    ]
    if imports:
        service.append(f"  {_package(other)}.{_name(other)} partner = 1000;")
    text = "\n".join([*head, *service, ""])
    fields = _columns(number, LINES - text.count("\n") - 1)
    body = "".join(f"  {c.proto} {name} = {at};\n" for at, (name, c) in enumerate(fields, 1))
    return f"{text}{body}}}\n"


def _columns(number: int, count: int) -> list[tuple[str, Column]]:
    names = [(f"{prefix}_{column.name}", column) for prefix in PREFIXES for column in FIELDS]
    return [names[i] for i in sorted(Random(number).sample(range(len(names)), count))]


def _name(number: int) -> str:
    domain, nouns = DOMAINS[number % len(DOMAINS)]
    return f"{QUALIFIERS[number // 10 % 10]}{domain.title()}{nouns[number % len(nouns)]}{number}"


def _package(number: int) -> str:
    return f"{DOMAINS[number // 20 % len(DOMAINS)][0]}{number // 200}.v1"


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
