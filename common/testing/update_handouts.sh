#!/bin/bash
# Writes the tables of the handouts that come from runs of the solutions, between their markers.
# CHECK=1: changes nothing and fails where one is stale; the counts are the same on every machine.
set -euo pipefail
scratch=$(mktemp -d build/tables.XXXXXX) # ARGS and TRACE take no path with a blank
trap 'rm -rf "$scratch"' EXIT
status=0

section() { python3 common/checks/handout_sections.py "$@" || status=1; }

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
# What `make run` says of a lab's solution at Width 256, counters alone.
run_256() { # lab, variables of make...
    local lab=$1
    shift
    [ -d "$scratch/256" ] ||
        build/generate --out "$scratch/256" --shape 256,256,256 --pattern integers >/dev/null 2>&1
    make --no-print-directory -s -f common/lab_rules.mk LAB="$lab" SOLUTION=1 CHECKS=counters \
        ARGS="--sets $scratch/256" "$@" run
}
# For awk: 1,024.
plain='function plain(n,  text) {
    for (text = ""; n >= 1000; n = int(n / 1000)) text = sprintf(",%03d%s", n % 1000, text)
    return n text
}'
gains() {
    echo '| kernel | global loads | FLOP a load | of a block, in a phase |'
    echo '|---|---|---|---|'
    run_256 lab1_naive | gain naive 0
    for tile in 16 32; do run_256 lab2_tiled TILE_WIDTH=$tile | gain "tiled, \`TILE_WIDTH\` $tile" $tile; done
}
gain() { # name, tile width or 0
    awk -v name="$1" -v tile="$2" "$plain"'
        /^  grid / { gsub(",", ""); blocks = $2 * $4 }
        $1 == "total" && $2 == "global" { shown = $3; gsub(",", "", $3); loads = $3 }
        /multiplications and additions/ { gsub(",", "", $NF); flop = $NF }
        END {
            printf "| %s | %s | %.1f |", name, shown, flop / loads
            phases = tile ? blocks * 256 / tile : 0
            if (tile) printf " %s loads, %s FLOP", plain(loads / phases), plain(flop / phases)
            print " |"
        }'
}
# The tile that lab 4 chooses, which is its block's x.
profiles() {
    local profile properties
    echo '| PROFILE | a block has at most | tileWidth | threads | global loads |'
    echo '|---|---|---|---|---|'
    for profile in 8800gtx device-d turing v100 h200; do
        properties=$(make --no-print-directory -s -f common/lab_rules.mk LAB=lab4_memtypes \
            PROFILE=$profile properties)
        run_256 lab4_memtypes PROFILE=$profile | awk -v profile=$profile -v properties="$properties" "$plain"'
            function property(name,  parts) {
                split(substr(properties, index(properties, name) + length(name)), parts, " ")
                return parts[1]
            }
            /^  grid / { gsub("[:,]", ""); width = $6; threads = $6 * $8 }
            $1 == "total" && $2 == "global" { loads = $3 }
            END {
                printf "| `%s` | %s threads, %d KB | %d | %s | %s |\n", profile,
                    plain(property("most threads, a block")), property("a block that asks for more") / 1024,
                    width, plain(threads), loads
            }'
    done
}
# The lines in the report of a part's solution that a pattern fits, as a code block.
reported() { # lab, part, pattern
    echo '```'
    make --no-print-directory -s -f common/lab_rules.mk LAB="$1" PART="$2" SOLUTION=1 test |
        sed -nE "s/^ *($3)/\1/p"
    echo '```'
}

trace lab2_tiled 4
phases lab2_tiled 4 --block 0,0 --products | section lab2_tiled/README.md trace
trace lab3_boundary 3
phases lab3_boundary 3 --block 0,0 --block 1,1 | section lab3_boundary/README.md trace
table lab3_boundary kernel | section lab3_boundary/README.md divergence
table lab3_boundary padding | section lab3_boundary/padding/README.md padding
gains | section lab2_tiled/README.md gains
profiles | section lab4_memtypes/README.md profiles
table lab4_memtypes registers | section lab4_memtypes/registers/README.md words
reported lab2_tiled hazards '(right|forward|reverse|random:1) +[0-9].*' |
    section lab2_tiled/hazards/README.md orders
reported lab4_memtypes qualifiers '.* threads draw from .*' |
    section lab4_memtypes/qualifiers/README.md copies
solutions/lab4_memtypes/ladder/roofs.py | section lab4_memtypes/README.md roofs
awk -F, 'BEGIN { print "| kernel | GFLOP/s | of cuBLAS |"; print "|---|---:|---:|" }
    $5 == 4096 && $6 == 4096 && $7 == 4096 {
        printf "| %s | %.0f | %.1f %% |\n", $4, $9, 100 * $10
    }' solutions/lab4_memtypes/ladder/results/h200.csv | section README.md ladder
exit $status
