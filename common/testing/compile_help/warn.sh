#!/bin/bash
# What a kernel's file is warned of, which fails no build.
#   warn.sh collect FILE SOURCE TRANSLATED COMPILER AND FLAGS...   adds to FILE what else is found
#   warn.sh show FILE...                                           with a line of help for each
set -u
here=${BASH_SOURCE[0]%/*}

# Variables that may be read before they are set: g++ sees that only when it optimises, so it
# compiles once more; not where no variable is declared without a value, which costs no time then.
# clang++ has said so already.
unset_variables() { # translated, compiler and flags...
    local translated=$1
    shift
    local type='((unsigned|int|long|short|float|double|size_t|char|bool|float[234]) +)+'
    local name='[A-Za-z_0-9]+( *\[[^];]*\])*'
    grep -qE "(^|[;{}]) *$type([^;()]*, *)?$name *(,[^;()]*)?;" "$translated" || return
    ! "$1" --version 2>/dev/null | grep -q clang || return
    LC_ALL=C "$@" -O1 -Wuninitialized -Wmaybe-uninitialized -S "$translated" -o /dev/null
}

case $1 in
    collect)
        {
            awk -v name="$3" -f "$here/empty_bodies.awk" "$3"
            unset_variables "${@:4}"
        } >>"$2" 2>&1
        ;;
    show)
        columns=''
        [ ! -t 1 ] || columns=80
        shift
        for file; do
            [ ! -s "$file" ] || awk -v columns="$columns" -f "$here/fold.awk" -f "$here/said.awk" \
                -f "$here/warnings.awk" "$here/warnings.txt" "$file"
        done
        ;;
esac
exit 0
