#!/bin/bash
# Replaces the lines of a file between <!-- NAME:begin --> and <!-- NAME:end --> by standard input.
# With CHECK=1 it changes nothing and fails where they differ. usage: section.sh FILE NAME
set -euo pipefail
file=$1 name=$2
block=$(mktemp) new=$(mktemp)
trap 'rm -f "$block" "$new"' EXIT
cat >"$block"
if [ ! -s "$block" ]; then
    echo "$file: nothing came for the section '$name'" >&2
    exit 1
fi
if ! grep -qx "<!-- $name:begin -->" "$file" || ! grep -qx "<!-- $name:end -->" "$file"; then
    echo "$file: no section '$name'; it needs <!-- $name:begin --> and <!-- $name:end -->" >&2
    exit 1
fi
awk -v name="$name" -v block="$block" '
    $0 == "<!-- " name ":end -->" { inside = 0 }
    !inside { print }
    $0 == "<!-- " name ":begin -->" {
        inside = 1
        while ((getline line < block) > 0) print line
    }' "$file" >"$new"
if [ -n "${CHECK:-}" ]; then
    cmp -s "$file" "$new" || {
        echo "$file: the section '$name' is stale; run common/testing/update_handouts.sh" >&2
        exit 1
    }
else
    cat "$new" >"$file"
fi
