#!/bin/sh
# Prints the path of the first Python 3 that can import these modules; a status if there is none.
# The system's comes first: its packages extend it, and one on the PATH may be a slow wrapper.
# usage: python.sh MODULE...
set -eu
modules=$(echo "$*" | tr ' ' ',')
for python in /usr/bin/python3 $(command -v python3 || true) /usr/local/bin/python3; do
    [ -x "$python" ] || continue
    if "$python" -c "import $modules" 2>/dev/null; then
        echo "$python"
        exit
    fi
done
exit 1
