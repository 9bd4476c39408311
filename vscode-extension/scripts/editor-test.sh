#!/bin/sh
# The extension in a real VS Code: its own tests inside of the extension host, then the packaged one as a user has it.
#   scripts/editor-test.sh [--pictures]    with it, images/ is written anew
set -eu
cd "$(dirname "$0")/.."
: "${ATL_PYTHON:=$(cd .. && pwd)/.venv/bin/python}"
export ATL_PYTHON

npx esbuild test/host/index.ts --bundle --platform=node --format=cjs --external:vscode --outfile=dist/test/index.js --log-level=warning
node test/drive/host.mjs
node test/drive/host.mjs untrusted
node test/drive/installed.mjs "atl-$(cat python/.target).vsix" "$@"
