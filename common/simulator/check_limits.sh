#!/bin/bash
# Checks that what a machine withholds is no verdict on a kernel: lab 1's solution, run where the
# system starts no further thread, or has no address space left. Prints 'ok ...', 'left out: ...'
# or 'FAIL ...' for check_all.sh.
set -u
make --no-print-directory -s -f common/lab_rules.mk LAB=lab1_naive SOLUTION=1 PART=kernel \
    tests_program >/dev/null || exit
# Another user may not look into this checkout.
folder=$(mktemp -d -p /tmp)
trap 'rm -rf "$folder"' EXIT
cp build/sim/lab1_naive/kernel-solution/tests "$folder/tests"
chmod 755 "$folder" "$folder/tests"

ends() { # what, status, words of its last line, command...
    local what=$1 wanted=$2 words=$3 status
    shift 3
    timeout 60 "$@" >"$folder/log" 2>&1
    status=$?
    if [ $status = "$wanted" ] && tail -n 1 "$folder/log" | grep -q "$words"; then
        echo "ok $what"
    else
        echo "FAIL $what: status $status: $(tail -n 1 "$folder/log")"
    fi
}

cd / || exit
# shellcheck disable=SC2016 # the inner shell expands $0
ends 'without address space: one sentence and status 2' 2 'raise the limit (ulimit -v)' \
    bash -c 'ulimit -v 300000; exec "$0"' "$folder/tests"

# No limit of processes holds for root; and it is a user's, whatever else of theirs runs.
user=(bash -c 'exec "$@"' _)
[ "$(id -u)" != 0 ] || user=(setpriv --reuid 64321 --regid 64321 --clear-groups)
if ! "${user[@]}" true 2>/dev/null; then
    echo 'left out: limits on threads (root cannot become another user here)'
    exit
fi
ends 'without a thread: one sentence and status 2' 2 'raise the limit on processes (ulimit -u)' \
    "${user[@]}" prlimit --nproc=1 "$folder/tests"
[ "$(id -u)" != 0 ] ||
    ends 'with one thread for the blocks and one for the watchdog, the solution passes' 0 \
        ' passed, 0 failed' "${user[@]}" prlimit --nproc=2 "$folder/tests"
exit 0
