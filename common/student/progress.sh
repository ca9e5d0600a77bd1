#!/bin/bash
# Where am I: the TODOs and questions of each part, done, next or open, a line a part; for one lab
# with the details of the part at hand. Tests again what has changed since its last test.
#   progress.sh [LAB]
set -u
. common/student/labs.sh
mapfile -t labs < <(if [ $# = 0 ]; then all_labs; else echo "$1"; fi)

lines=$(fresh_state "${labs[@]}")
awk -F '\t' -v details=$# -v columns=80 -f $FOLD -f $HERE/progress.awk <<<"$lines"
echo
if [ $# = 0 ]; then advise '' '' <<<"$lines"; else $HERE/next.sh "$1"; fi
