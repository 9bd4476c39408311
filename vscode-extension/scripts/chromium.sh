#!/bin/sh
# Prints the path of a Chromium: CHROMIUM, else the first one of the path. Ends with 1 where there is none.
[ -n "${CHROMIUM:-}" ] && exec echo "$CHROMIUM"
command -v chromium || command -v chromium-browser || command -v google-chrome
