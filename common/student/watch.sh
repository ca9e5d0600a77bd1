#!/bin/bash
# Tests a part of a lab whenever its file is saved, until Ctrl-C: PART=, or else the one that was
# saved last, at first the one at hand. Shows the first failing fact or the first compiler error.
#   watch.sh LAB           --alone: Ctrl-C on the terminal reaches this process and no other
#
# Asks twice a second for the digest of what is in the files: that works on network folders and
# under WSL2, where no message about a save arrives and times may be coarse, and with editors that
# write a new file and rename it.
set -u
. common/student/labs.sh
set -m
if [ "$1" != --alone ] && [ -t 0 ]; then
    # make, which has started this, would end with an error on Ctrl-C. With set -m the terminal is
    # handed to a process group of its own.
    "$0" --alone "$@"
    exit
fi
[ "$1" != --alone ] || shift
lab=$1
chosen=()
while read -r _ part _; do
    [ "${PART:-$part}" != "$part" ] || chosen+=("$part")
done < <(parts "$lab")
[ ${#chosen[@]} -gt 0 ] ||
    say_and_exit 2 "PART=$PART: $lab has no such part; it has $(parts "$lab" | cut -d' ' -f2 | paste -sd' ')."
mkdir -p "$PROGRESS/$lab" || say_and_exit 2 "$PROGRESS/$lab cannot be made; see its permissions."

# The tests run as a process group, so that all that they have started ends with them.
job='' running=''
stop_job() {
    [ -z "$job" ] || {
        kill -TERM -- "-$job"
        wait "$job"
    } 2>/dev/null
    job=''
}
trap 'stop_job; exit 0' INT TERM HUP
trap stop_job EXIT

LOG=$PROGRESS/$lab/watch.log
HELP=${FOLD%/*}
SHOW_WARNINGS='python3 -I -S common/course/compile_help/show_warnings.py'
show_verdict() { # part, exit status of the tests
    local source results=$PROGRESS/$lab/$1.jsonl columns=''
    source=$(source_of "$lab" "$1")
    [ ! -t 1 ] || columns=80
    [ ! -t 1 ] || printf '\033[H\033[2J\033[3J'
    if [ "$2" = 0 ]; then
        echo "$source: all tests pass ($(date +%T))"
        $SHOW_WARNINGS "build/sim/$lab/$1/warnings"
        $HERE/next.sh "$lab" "$1"
    elif grep -qs "\"judged\":\"$digest_of_job\"" "$results"; then
        echo "$source ($(date +%T))"
        $SHOW_WARNINGS "build/sim/$lab/$1/warnings"
        awk -v columns="$columns" -f $HELP/fold.awk -f $HERE/first_failure.awk "$results"
        sed -n '/^FAIL  the tests did not come to their end$/,/^$/p' "$LOG"
    else
        echo "$source ($(date +%T))"
        awk -v columns="$columns" -f $HELP/fold.awk -f $HERE/first_error.awk "$LOG"
    fi
    [ ! -t 1 ] || printf '\nWaiting for the next save; Ctrl-C ends.\n'
}

start_job() { # part
    running=$1
    digest_of_job=$(judged_digest "$lab" "$1")
    [ ! -t 1 ] || printf '\033[H\033[2J\033[3J'
    echo "Testing $(source_of "$lab" "$1") ..."
    test_part "$lab" "$1" >"$LOG" 2>&1 </dev/null &
    job=$!
}

declare -A digest
look() { # sets saved: the part whose file is not as it was at the last look
    local part now
    saved=''
    for part in "${chosen[@]}"; do
        now=$(sha256sum 2>/dev/null <"$(source_of "$lab" "$part")") || continue
        [ "${digest[$part]:-}" = "$now" ] || saved=$part
        digest[$part]=$now
    done
}

look
start_job "$(state "$lab" | awk -F '\t' -v chosen=" ${chosen[*]} " '
    $1 == "part" && index(chosen, " " $3 " ") && (part == "" || (!open && $7 != "done")) {
        part = $3
        open = $7 != "done"
    }
    END { print part }')"
# Nothing ever comes out of it: half a second passes without another process.
exec 9<> <(:)
while :; do
    read -r -t 0.5 -u 9
    look
    if [ -n "$saved" ]; then
        stop_job
        start_job "$saved"
    elif [ -n "$job" ] && ! kill -0 "$job" 2>/dev/null; then
        wait "$job"
        status=$?
        job=''
        show_verdict "$running" $status
    fi
done
