#!/bin/bash
# Runs the translator, a compiler or a linker. Where it fails, its first error is shown and one line
# of help for a common slip (see rules.txt); with EXPLAIN=all, all that it has said. What it says
# where it succeeds goes to the file WARNINGS, where that is set. RULES may name a file of rules that
# come first; else those are, where it is there, in the file of the lab's name. Exit status: the
# command's.
#   explain.sh LAB COMMAND...
set -u
here=${BASH_SOURCE[0]%/*} lab=$1
shift
[ -n "${RULES:-}" ] || [ ! -e "$here/$lab.txt" ] || RULES=$here/$lab.txt
said=$(mktemp) || exec "$@"
trap 'rm -f "$said"' EXIT
# The rules are in English. mktemp's file is no terminal, so that nothing is coloured.
LC_ALL=C "$@" 2>"$said"
status=$?
# Of an option against a warning that it does not know, g++ tells below any other message.
sed -i "/: note: unrecognized command-line option '-Wno-/d" "$said"
if [ $status = 0 ]; then
    if [ -n "${WARNINGS:-}" ]; then cat "$said" >"$WARNINGS"; else cat "$said" >&2; fi
    exit 0
fi
all=''
[ "${EXPLAIN:-}" != all ] || all=1
# Whether this goes to a terminal; course/without_make.py says it where it stands between.
columns=${LAB_COLUMNS:-}
[ ! -t 2 ] || columns=80

# The declaration in the lab's tests, on one line.
declaration() { # function
    find "$lab" \( -name '*.h' -o -name '*.cpp' \) -exec cat {} + | tr '\n' ' ' |
        grep -oE "(__global__ )?(void|int|bool|float|unsigned|const char\*|size_t) $1\([^();]*\);" |
        head -n 1 | tr -s ' '
}
# Functions that the linker misses, whichever it is and whether it demangles their names.
missing() {
    c++filt <"$said" | sed -nE "s/.*undefined (reference to|symbol:) [\`']?([^(']*)\(.*/\2/p" | sort -u
}
explain_missing() {
    local name declared=''
    while read -r name; do
        declared=$(declaration "$name")
        [ -z "$declared" ] || break
    done < <(missing | grep -E '^[A-Za-z_0-9]+$')
    if [ -n "$declared" ]; then
        echo "undefined reference to $name(...)"
        echo 'help: the lab wants a function that the file does not define (name or types):'
        echo "  $declared"
    elif name=$(missing | grep -m 1 -E '^(lab|testing|cusim|device|matrix)::'); then
        echo "undefined reference to $name(...)"
        echo 'help: build/ does not fit the sources; make clean, then try again.'
    else
        [ -n "$all" ] || grep -m 1 -E 'undefined (reference|symbol)' "$said"
        echo 'help: the file uses that name, and nothing defines it.'
    fi
}

{
    [ -z "$all" ] || cat "$said"
    if grep -q 'multiple definition of .main' "$said"; then
        echo 'error: multiple definition of main'
        echo 'help: the tests bring a main of their own; take yours out of the file.'
    elif grep -qE 'undefined (reference|symbol)' "$said"; then
        explain_missing
    elif grep -q '^help: ' "$said"; then
        [ -n "$all" ] || awk -v columns="$columns" -f "$here/fold.awk" -f "$here/folded.awk" "$said"
    else
        awk -v columns="$columns" -v all=$all -f "$here/fold.awk" -f "$here/said.awk" \
            -f "$here/first_error.awk" <(cat ${RULES:+"$RULES"} "$here/rules.txt") "$said" || { [ -n "$all" ] || cat "$said"; }
    fi
} >&2
exit $status
