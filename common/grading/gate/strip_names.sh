#!/bin/bash
# Takes all names out of a recording program but those of the student's code and of what belongs to
# it: findings name kernels, shared arrays and lines of theirs, and nothing else is to be found.
# Usage: strip_names.sh PROGRAM REST OBJECT...; REST is the program without the student's code.
set -euo pipefail
program=$1 rest=$2
shift 2

names() { nm --format=posix "$@" | awk '$2 ~ /^[A-Za-z]$/ {print $2, $1}'; }
export LC_ALL=C
{
    # What the student's code defines, unless the rest has it, too; the tests' names for the
    # student's functions are undefined there.
    comm -23 <(names "$@" | sed -n 's/^[^Uw] //p' | sort -u) \
        <(names "$rest" | sed -n 's/^[TDBRACWVu] //p' | sort -u)
    echo cusimDynamicShared
} | sort -u >"$program.kept"
names "$program" | cut -d' ' -f2 | sort -u | comm -23 - "$program.kept" >"$program.names"
objcopy --strip-symbols="$program.names" "$program"
rm "$program.kept" "$program.names"
