#!/bin/sh
# The main job on real input: check and format two workspaces, then see what is said of a broken file.
set -eu
cd "$(dirname "$0")"

run() {
  printf '\n$ %s\n' "$*"
  "$@"
}

run atl check contacts market
run atl fmt --check contacts market
printf '\n$ atl check broken.atl\n'
atl check broken.atl && exit 1 || test $? -eq 1
