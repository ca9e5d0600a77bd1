#!/bin/bash
# Runs a compiler or linker as it is, with its messages whole and first; where it fails, one line of
# help for a common slip follows (see rules.txt). Exit status: the compiler's.
#   explain.sh LAB COMMAND...
set -u
here=${BASH_SOURCE[0]%/*} lab=$1
shift
said=$(mktemp) || exec "$@"
trap 'rm -f "$said"' EXIT
# A compiler colours what goes to a terminal, which a file is not.
colour=()
[ ! -t 2 ] || [ -n "${NO_COLOR:-}" ] || [ "${TERM:-dumb}" = dumb ] ||
    colour=(-fdiagnostics-color=always)
"$@" "${colour[@]}" 2>"$said"
status=$?
cat "$said" >&2
[ $status != 0 ] || exit 0

# The declaration in the lab's tests, on one line.
declaration() { # function
    find "$lab" \( -name '*.h' -o -name '*.cpp' \) -exec cat {} + | tr '\n' ' ' |
        grep -oE "(__global__ )?(void|int|bool|float|unsigned|const char\*|size_t) $1\([^();]*\);" |
        head -n 1 | tr -s ' '
}
if grep -q 'multiple definition of .main' "$said"; then
    echo 'help: the tests bring a main of their own; take yours out of the file.'
elif name=$(grep -om 1 "undefined reference to .[A-Za-z_0-9]*(" "$said"); then
    name=${name##*[\`\'‘]} name=${name%(}
    echo "help: the lab wants a function that the file does not define (name or types):"
    echo "  $(declaration "$name")" | sed "s/^  \$/  $name(...)/"
else
    awk -f "$here/help.awk" "$here/rules.txt" "$said"
fi >&2
exit $status
