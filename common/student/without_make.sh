#!/bin/bash
# Runs make for a student: without the lines in which each make that another has called says that a
# recipe failed, of which the report has said more. Its exit status is kept. What the tests write to
# stderr goes past this filter, at LAB_STDERR, so that it stays in its place among their lines.
#   without_make.sh MAKE ARGUMENTS...
set -u
if [ -z "${LAB_STDERR:-}" ]; then
    exec 9>&2
    export LAB_STDERR=9
fi
[ ! -t 2 ] || export LAB_COLUMNS=80
exec 8> >(exec sed -uE '/^make\[[0-9]+\]: \*\*\* (\[.*\] [^ ]+ [0-9]+|[^[]*\.\.\.\.)$/d' >&2)
filter=$!
"$@" 2>&8 8>&-
status=$?
exec 8>&-
# All of it is there before whoever has called this goes on; but what a test leaves running may hold
# the filter open.
for _ in {1..20}; do
    kill -0 $filter 2>/dev/null || break
    sleep 0.05
done
exit $status
