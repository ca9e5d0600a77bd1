#!/bin/bash
# What the tests on a card and compute-sanitizer's four tools find in .cu files, beside what the
# simulated device finds: a line each. Called by a lab's `make sanitize`, from the root.
#   sanitize.sh LAB PART FILE...
# COMPILE_ONLY=1 builds the tests for the card and runs nothing.
# Exit status: 1 where a tool finds something in a single file; among several, which are the known
# mistakes, that is no surprise. 2 where a tool did not run.
set -u
. common/setup/own_make.sh
lab=$1 part=$2
shift 2

only=${COMPILE_ONLY:-} only=${only#0}
sanitizer=$(common/setup/cuda.sh sanitizer) || [ -n "$only" ] || {
    echo 'make sanitize: there is no compute-sanitizer; install the CUDA toolkit with its tools.' >&2
    exit 2
}

make_tests() { # target, file, variables...
    local target=$1 file=$2
    shift 2
    make --no-print-directory -f common/lab_rules.mk LAB="$lab" PART="$part" SOLUTION= \
        KERNEL="$file" "$@" "$target" 2>&1
}
line() { printf '  %-9s  %s\n' "$1" "$2" | cut -c 1-80; }

# The report of a run of the tests, in a few words.
verdict() { # log
    local findings
    findings=$(sed -n 's/^Findings: //p' "$1")
    if [ -n "$findings" ]; then
        echo "$findings"
    elif grep -q '^[0-9]* passed, 0 failed$' "$1"; then
        echo 'all tests pass'
    elif grep -q '^[0-9]* passed, ' "$1"; then
        grep '^[0-9]* passed, ' "$1"
    else
        echo "the tests end early: $(tail -n 1 "$1")"
    fi
}

# make test holds the simulated device to what a known mistake says of itself.
simulator() { # file
    local log=$logs/simulator
    if grep -q '^// Finding: ' "$1"; then
        sed -n '1s|^// Finding: ||p' "$1"
    elif common/setup/boost_context.sh >/dev/null; then
        make_tests test "$1" DEVICE=sim >"$log"
        verdict "$log"
    else
        echo 'not there (make doctor)'
    fi
}

# "3: Invalid __global__ read of size 4 bytes, line 26"
found_by() { # log of a tool
    local count what where
    count=$(sed -n 's/^========= \(ERROR\|RACECHECK\) SUMMARY: \([0-9]*\) .*/\2/p' "$1" |
        head -n 1)
    if [ -z "$count" ]; then
        echo "did not run: $(grep . "$1" | tail -n 1)"
        return 2
    fi
    [ "$count" != 0 ] || { echo nothing && return; }
    what=$(grep -m 1 -E '^========= [A-Z]' <(grep -v 'COMPUTE-SANITIZER' "$1") | sed -e 's/^========= //' \
        -e 's/^Program hit \(cuda[A-Za-z]*\) .* call to \(cuda[A-Za-z0-9_]*\)\.*$/\1 from \2/' \
        -e 's/ at .*//' -e 's/^[EW][a-z]*: Race reported between/race,/')
    where=$(grep -m 1 -o '\.cu:[0-9]*' "$1")
    echo "$count: $what${where:+, line ${where#.cu:}}"
    return 1
}

examine() { # file; status as the script's
    local file=$1 program tool words status=0
    logs=$(mktemp -d)
    echo "$file"
    [ -n "$only" ] || line simulator "$(simulator "$file")"
    if ! make_tests tests_program "$file" DEVICE=gpu >"$logs/build"; then
        sed 's/^/  /' "$logs/build"
        return 2
    fi
    if [ -n "$only" ]; then
        rm -rf "$logs"
        line 'the card' 'compiled, not run (COMPILE_ONLY=1)'
        return
    fi
    program=$(tail -n 1 "$logs/build")
    make_tests test "$file" DEVICE=gpu >"$logs/tests"
    line 'the card' "$(verdict "$logs/tests")"
    for tool in memcheck racecheck initcheck synccheck; do
        # Each tool would wait for two minutes more; why a known mistake hangs is known.
        if [ -n "$several" ] && grep -q 'has not come back' "$logs/tests"; then
            line "$tool" 'left out: the kernel hangs'
            continue
        fi
        local options=(--tool "$tool" --destroy-on-device-error kernel)
        [ "$tool" != memcheck ] || options+=(--leak-check full)
        timeout 300 "$sanitizer" "${options[@]}" "$program" >"$logs/$tool" 2>&1
        words=$(found_by "$logs/$tool")
        case $? in
            0) ;;
            1) [ $status != 0 ] || status=1 ;;
            *) status=2 ;;
        esac
        line "$tool" "$words"
    done
    rm -rf "$logs"
    return $status
}

several=''
if [ $# = 1 ]; then
    examine "$1"
else
    # What all of them share is built once, before they build at the same time.
    make_tests tests_program "$1" DEVICE=gpu >/dev/null
    export -f examine make_tests line verdict simulator found_by
    texts=$(mktemp -d) several=yes
    trap 'rm -rf "$texts"' EXIT
    export lab part sanitizer only several texts
    # shellcheck disable=SC2016 # the inner shell's file
    printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} bash -c \
        'examine "$1" >"$texts/$(basename "$1")"; [ $? -lt 2 ]' _ {}
    status=$?
    # In the order of their names, whichever was done first.
    cat "$texts"/*
    [ $status = 0 ] || exit 2
fi
