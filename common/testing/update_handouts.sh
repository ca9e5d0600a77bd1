#!/bin/bash
# Writes the tables of the handouts that come from runs of the solutions, between their markers.
# CHECK=1: changes nothing and fails where one is stale; the counts are the same on every machine.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

section() { common/testing/section.sh "$@" || status=1; }

# A trace of a lab's solution on whole numbers, n x n with tiles of 2 x 2.
trace() { # lab, n
    build/generate --out "$scratch" --shape "$2,$2,$2" --pattern integers >/dev/null 2>&1
    make --no-print-directory -s -f common/lab_rules.mk LAB="$1" SOLUTION=1 TILE_WIDTH=2 \
        TRACE="$scratch/$1.csv" ARGS="--sets $scratch" run >/dev/null
    rm -r "$scratch"/square-*
}
phases() { # lab, n, arguments...
    local lab=$1 n=$2
    shift 2
    python3 common/plots/phases_table.py "$scratch/$lab.csv" --columns "d_M=$n" "d_N=$n" "d_P=$n" "$@"
}
table() { # lab, part
    make --no-print-directory -s -f common/lab_rules.mk LAB="$1" PART="$2" SOLUTION=1 tests_program \
        >/dev/null
    local tests=$2-solution
    "build/sim/$1/$tests/tests" '[.table]' | grep '^|'
}

trace lab2_tiled 4
phases lab2_tiled 4 --block 0,0 --products | section lab2_tiled/README.md trace
trace lab3_boundary 3
phases lab3_boundary 3 --block 0,0 --block 1,1 | section lab3_boundary/README.md trace
table lab3_boundary kernel | section lab3_boundary/README.md divergence
table lab3_boundary padding | section lab3_boundary/README.md padding
solutions/lab4_memtypes/ladder/roofs.sh | section lab4_memtypes/README.md roofs
awk -F, 'BEGIN { print "| kernel | GFLOP/s | of cuBLAS |"; print "|---|---:|---:|" }
    $5 == 4096 && $6 == 4096 && $7 == 4096 {
        printf "| %s | %.0f | %.1f %% |\n", $4, $9, 100 * $10
    }' solutions/lab4_memtypes/ladder/results/h200.csv | section README.md ladder
exit $status
