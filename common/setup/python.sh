#!/bin/sh
# Path of the first Python 3 that can import these modules; a status where there is none. Often the
# one on the PATH is not the one that the system's packages extend.
# usage: python.sh MODULE...
set -eu
modules=$(echo "$*" | tr ' ' ',')
for python in $(command -v python3 || true) /usr/bin/python3 /usr/local/bin/python3; do
    [ -x "$python" ] || continue
    if "$python" -c "import $modules" 2>/dev/null; then
        echo "$python"
        exit
    fi
done
exit 1
