#!/bin/sh
# The main job of the course, shown: each lab on all of its data sets, one table a lab. With SOLUTION=1
# its solution; otherwise the student's own kernel, and where one fails the next lab's is still run.
set -eu
. common/setup/own_make.sh
status=0
[ -n "${SOLUTION:-}" ] ||
    echo 'Your own kernels, as there are no solutions here; a lab that is not finished fails.'
build/generate --out build/datasets
for lab; do
    [ "$lab" = "$1" ] || echo
    echo "$lab"
    make --no-print-directory -f common/lab_rules.mk LAB="$lab" SOLUTION="${SOLUTION:-}" run \
        ARGS='--sets build/datasets --sets datasets/libwb --table' || status=1
done
exit $status
