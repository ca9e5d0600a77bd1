#!/bin/bash
# Checks the hidden tests of solutions/hidden: that solutions and right kernels in other styles pass
# them with several seeds, and that a known mistake does not. Prints lines as check_all.sh reads them. usage: check_hidden.sh LAB...
set -u
logs=${BUILD:-build}/check hidden=solutions/hidden
mkdir -p "$logs"

# The results come into $log.results.
judge() { # lab, part, seed, variables...
    local lab=$1 part=$2 seed=$3
    shift 3
    rm -f "$log.results"
    LAB_RESULTS=$PWD/$log.results LAB_SEED=$seed make --no-print-directory -f common/lab_rules.mk \
        LAB="$lab" PART="$part" HIDDEN=$hidden "$@" test >"$log" 2>&1
}
fails_hidden() { grep -q '"test":"hidden: [^"]*","status":"failed"' "$log.results"; }

check_right() { # lab, part, text, seeds, variables...
    local lab=$1 part=$2 text=$3 seeds=$4 seed
    shift 4
    for seed in $seeds; do
        judge "$lab" "$part" "$seed" "$@" ||
            { echo "FAIL $lab, $part: $text fails with HIDDEN and LAB_SEED=$seed ($log)" && return; }
    done
    echo "ok $lab, $part: $text passes the hidden tests (seeds $seeds)"
}

check_part() { # folder of hidden tests
    local lab part style mistake inner=${1#"$hidden/"}
    lab=${inner%%/*} part=${inner#"$lab"}
    part=${part#/}
    inner=$lab${part:+/$part} part=${part:-kernel}
    log=$logs/hidden-$lab-$part.log
    check_right "$lab" "$part" 'the solution' '1 secret 2026-11-21' SOLUTION=1
    # The first of each kind; all of them run with the public tests.
    for style in solutions/styles/"$inner"/*.cu; do
        [ ! -f "$style" ] || check_right "$lab" "$part" "$style" a KERNEL="$style"
        break
    done
    mistakes=build/mistakes/$lab/$part
    for mistake in "$mistakes"/{result_transposed,index_swapped,phases_from_j}.cu \
        "$mistakes"/phases_rounded_down.cu; do
        [ -f "$mistake" ] || continue
        judge "$lab" "$part" secret KERNEL="$mistake"
        if fails_hidden; then
            echo "ok $lab, $part: $(basename "$mistake" .cu) fails a hidden test"
        else
            echo "FAIL $mistake passes the hidden tests ($log)"
        fi
        return
    done
    echo "FAIL $lab, $part: no known mistake is tried with the hidden tests"
}

for lab; do
    for folder in "$hidden/$lab" "$hidden/$lab"/*/; do
        ! compgen -G "$folder/test_*.cpp" >/dev/null || check_part "${folder%/}"
    done
done
