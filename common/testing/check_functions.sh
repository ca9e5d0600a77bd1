#!/bin/bash
# What check_all.sh and check_copy.sh share; both source this file. They set $BUILD and $UNIT_TESTS.
# shellcheck disable=SC2034 # left_out is read by those who source this file
. common/setup/own_make.sh
passed=0 failed=0 left_out=0
logs=$BUILD/check
mkdir -p "$logs"
export logs BUILD
# Where the folder for temporary files has less than 500 MB of room, or is not there.
room=$(df --output=avail -BM "${TMPDIR:-/tmp}" 2>/dev/null | tr -dc 0-9)
if [ "${room:-0}" -lt 500 ]; then
    export TMPDIR=$PWD/$logs/tmp
    mkdir -p "$TMPDIR"
fi
# How many at a time. nproc, which other scripts ask, heeds this variable.
OMP_NUM_THREADS=$(common/setup/jobs.sh)
export OMP_NUM_THREADS

# What failed, for the end of the report, where readers of CI look first.
failures=$logs/failures.txt
: >"$failures"
# The names of what passed, which would hide the rest on a screen.
passes=$logs/passed.txt
: >"$passes"
# Processor seconds, user and system, and those that passed, of each check.
seconds=$logs/seconds.txt
: >"$seconds"

# How far the run is: on a terminal a line that the next text is written over; elsewhere a line for
# each twentieth.
count() { # done, all, what
    local line
    printf -v line '[%*d/%d] %s' ${#2} "$1" "$2" "$3"
    if [ -t 1 ]; then
        printf '\r%-79.79s\r' "$line"
    elif [ $(($1 * 20 / $2)) != $((($1 - 1) * 20 / $2)) ]; then
        echo "$line"
    fi
}
clear_count() { [ ! -t 1 ] || printf '%79s\r' ''; }

good() {
    passed=$((passed + 1))
    printf '  ok  %s\n' "$1" >>"$passes"
}
# With a log, or one named at the end of the sentence, in parentheses: what it says.
bad() { # sentence, log
    local log=${2:-}
    failed=$((failed + 1))
    printf 'FAIL  %s\n' "$1"
    [ -n "$log" ] || ! [[ $1 =~ \(([^ ]+)\)$ ]] || log=${BASH_REMATCH[1]}
    if [ -f "$log" ]; then grep -v '^  ok  ' "$log" | sed 's|^|       |' >"$failures.why"; else : >"$failures.why"; fi
    head -n 40 "$failures.why"
    { printf 'FAIL  %s\n' "$1" && head -n 8 "$failures.why"; } >>"$failures"
}
leave_out() {
    left_out=$((left_out + 1))
    printf 'left out: %s\n' "$1"
}

# Reads lines 'ok ...' or 'quiet ...', 'note ...', 'left out: ...' and 'FAIL ...'.
tally() {
    local verdict text
    while read -r verdict text; do
        case $verdict in
            ok | quiet) good "$text" ;;
            note) printf '  --  %s\n' "$text" >>"$passes" ;;
            left) leave_out "${text#out: }" ;;
            FAIL) bad "$text" ;;
            *) bad "$verdict $text" ;;
        esac
    done
}

# Runs commands that print such lines, a command a line of a file, in this order, and as many at a
# time as there are cores; tells of each when it has ended. One that ends early, or has nothing to
# say, has failed. What one of them builds, no other one at the same time may build as well.
run_checks() { # file
    local commands number told=0
    mkdir -p "$logs/jobs"
    mapfile -t commands <"$1"
    for number in "${!commands[@]}"; do echo "$number ${commands[number]}"; done >"$logs/jobs/list"
    # shellcheck disable=SC2016 # the inner shell expands it
    while read -r number; do
        clear_count
        tell "$number" "${commands[number]}"
        told=$((told + 1))
        count $told ${#commands[@]} "${commands[number]}"
    done < <(exec xargs -P "$(nproc)" -L 1 bash -c 'run_job "$@"; echo "$1"' _ <"$logs/jobs/list")
    clear_count
    [ $told = ${#commands[@]} ] || bad "$((${#commands[@]} - told)) checks have not been made"
}
run_job() { # number, command...: what it says, its log, its seconds, its status
    local job=$logs/jobs/$1 TIMEFORMAT='%U %S %R'
    shift
    # A function that is killed ends a shell of its own. One core is a job's share: some checks
    # measure time.
    { time { (OMP_NUM_THREADS=1 && "$@") >"$job.said" 2>"$job.log" </dev/null; }; } 2>"$job.seconds"
    echo $? >"$job.status"
}
export -f run_job
tell() { # number, command
    local job=$logs/jobs/$1 all=$((passed + failed + left_out)) before=$failed status=
    echo "$(tail -n 1 "$job.seconds") $2" >>"$seconds"
    tally <"$job.said"
    read -r status <"$job.status"
    if [ $failed != "$before" ]; then
        [ ! -s "$job.log" ] || sed 's|^|       |' "$job.log" | tail -n 20 | tee -a "$failures"
    elif [ "$status" != 0 ]; then
        bad "$2 ended with status $status" "$job.log"
    elif [ $((passed + failed + left_out)) = $all ]; then
        bad "$2 checked nothing" "$job.log"
    fi
}

# Runs the tests of one file in the place of a part's; its report goes to a log of its own, its
# results to a file beside it.
judge() { # lab, part, log, variables...
    local lab=$1 part=$2 log=$3
    shift 3
    rm -f "${log%.log}.results"
    LAB_RESULTS="$PWD/${log%.log}.results" timeout 300 make --no-print-directory \
        -f common/lab_rules.mk LAB="$lab" PART="$part" "$@" test </dev/null >"$log" 2>&1
}
export -f judge

check_unit() { # name
    local log=$logs/unit-$1.log
    if "$BUILD/test_$1" >"$log" 2>&1; then
        echo "ok common/$1: $(tail -n 1 "$log")"
    else
        echo "FAIL common/$1 ($log)"
    fi
}

# A student's edited skeleton says nothing about what ships. In CI nobody is a student: there an
# edited skeleton is one whose checksum was forgotten. A copy without solutions is a student's
# wherever it lies.
check_skeleton() { # lab, part
    local lab=$1 part=$2 skeleton=$1/$2.cu log silent todo
    log=$logs/$lab-$part-skeleton.log
    if ! "$(common/setup/python.sh hashlib)" common/course/skeleton.py "$skeleton" >/dev/null; then
        if [ -n "${CI:-}" ] && [ -d solutions ]; then
            echo "FAIL $skeleton has changed; commit it together with its solution or lab.toml"
        else
            echo "left out: $lab, $part: the skeleton must fail ($skeleton has been edited)"
        fi
    elif judge "$lab" "$part" "$log" EXPLAIN=all; then
        echo "FAIL $lab, $part: the untouched skeleton passes"
    else
        silent=''
        while read -r todo; do
            grep -q "^ .*$todo: " "$log" || silent="$silent $todo"
        done < <(grep -o 'TODO([0-9]*)' "$skeleton" | sort -u)
        if [ -n "$silent" ]; then
            echo "FAIL $lab, $part: the skeleton's report has no sentence for$silent ($log)"
        else
            echo "ok $lab, $part: the skeleton fails with a sentence for every TODO"
        fi
    fi
}
export -f check_unit check_skeleton

# The end of a run: what failed, and the last line; its status is the run's.
summary() {
    echo "What passed is listed in $passes"
    [ "$left_out" = 0 ] || echo "$left_out checks left out, as said above"
    if [ "$failed" != 0 ]; then
        printf '\nWhat failed:\n'
        head -n 100 "$failures"
    fi
    echo
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}
# A run that is cut off, as by CI's limit on time, says so.
trap 'kill ${!:-} 2>/dev/null; clear_count; bad "stopped by a signal after $SECONDS seconds"; summary; exit 1' HUP INT TERM
