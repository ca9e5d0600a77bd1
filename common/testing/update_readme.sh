#!/bin/bash
# Writes what `make demo` prints into README.md, and what `make bench` prints beside the benchmark,
# between their markers, so that no figure there is typed in.
set -euo pipefail

make --no-print-directory -s libraries bench_programs
{
    echo '```'
    SOLUTION=1 common/testing/demo.sh lab2_tiled 2>/dev/null | grep -vE '^  (compile|link|archive)|sets in build'
    echo '```'
} | python3 common/checks/handout_sections.py README.md demo
common/simulator/bench/bench.py | python3 common/checks/handout_sections.py common/simulator/bench/README.md bench
