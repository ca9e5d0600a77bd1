#!/bin/bash
# Writes what `make demo` and `make bench` print into README.md, between their markers, so that no
# figure there is typed in.
set -euo pipefail

# Replaces the lines between <!-- NAME:begin --> and <!-- NAME:end --> by standard input.
replace() { # name
    local block new
    block=$(mktemp)
    new=$(mktemp)
    cat >"$block"
    awk -v name="$1" -v block="$block" '
        $0 == "<!-- " name ":end -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- " name ":begin -->" {
            inside = 1
            while ((getline line < block) > 0) print line
        }' README.md >"$new"
    cat "$new" >README.md
    rm -f "$block" "$new"
}

make --no-print-directory -s libraries bench_programs
{
    echo '```'
    common/testing/demo.sh lab1_naive 2>/dev/null | grep -vE '^  (compile|link|archive)|sets in build'
    echo '```'
} | replace demo
common/simulator/bench/bench.sh | replace bench
