#!/bin/sh
# The main job on real input: check and format two workspaces, see what is said of a broken file, plan and apply a change.
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

# A change of a workspace: what it costs, and carried out on the embedded database. That one has neither citext nor
# timescaledb, so the copy goes without.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # as root, the server runs under another account
cp -R market "$work"
cd "$work/market"
edit() { sed "$1" "$2" > "$work/edited" && cat "$work/edited" > "$2"; }
edit 's/, telemetry\]/]/' tide.yaml
edit 's/citext     /text       /' orders/orders.atl
atl schema > "$work/before.json"
printf '\n$ atl apply --create-extensions\n'
atl apply --create-extensions | tail -n 2
edit 's/  website text/  phone   varchar(40) not null backfill "'"''"'"/' orders/catalog.atl
edit 's/  weight_grams int            not null default 0/  weight_grams bigint         not null default 0 check "weight_grams >= 0"/' orders/catalog.atl
printf '\n$ atl plan --against before.json\n'
atl plan --against "$work/before.json" && exit 1 || test $? -eq 4
run atl apply --backfill --allow destructive
run atl parked
run atl inspect
run atl history
