#!/bin/bash
# Checks the hints: three for each TODO of each skeleton and none for any other, each of at most
# three lines of 80 columns, and none with a line of the solution in it. Prints 'ok ...' or
# 'FAIL ...' for check_all.sh. Run in the repository's root.
set -u
. common/student/labs.sh
status=0
bad() {
    status=1
    echo "FAIL $1"
}

# Lines of code without what only looks different: one a line, spaces and semicolons gone. What the
# skeleton holds, too, gives nothing away.
code_of() { # file
    [ ! -f "$1" ] || sed 's|//.*||; s/[[:space:];{}`]//g' "$1" | grep -E '.{8,}' | sort -u
}

all=0
mapfile -t labs < <(all_labs)
lines_of_state=$(state "${labs[@]}")
while read -r lab part _; do
    source=$(source_of "$lab" "$part")
    file=$(folder_of "$lab" "$part")/hints.md
    if [ ! -f "$file" ]; then
        [ "$part" = answers ] || bad "$file is missing"
        continue
    fi
    # A student has solved some: the tests' names tell, too.
    items=$(awk -F '\t' -v lab="$lab" -v part="$part" \
        '$1 == "item" && $2 == lab && $3 == part { print $4 }' <<<"$lines_of_state")
    [ "$part" = answers ] || items=$(printf '%s\n' "$items" \
        "$(grep -o 'TODO([0-9]*)' "$source")" | sort -u)
    for item in $items; do
        lines=$(awk -v item="$item" -f $HERE/hints.awk "$file" | cut -d' ' -f1 | paste -sd' ')
        all=$((all + 1))
        [ "$(grep -o '\b1\b' <<<"$lines" | wc -l)" = 3 ] ||
            bad "$file: $item must have three hints"
        [[ ! $lines =~ [4-9] ]] || bad "$file: a hint for $item has more than three lines"
    done
    while read -r heading; do
        grep -qxF "$heading" <<<"$items" || bad "$file: '$heading' is no TODO of $source"
    done < <(sed -n 's/^## //p' "$file")
    awk 'length > 80 { exit 1 }' "$file" || bad "$file: a line is wider than 80 columns"

    # The whole hint in one line, so that a statement across two of them is found as well.
    hints=$(awk '/^[0-9]+\. |^#|^$/ { print "" } { printf "%s", $0 }' "$file" |
        sed 's/[[:space:];{}`]//g')
    while read -r code; do
        ! grep -qF -- "$code" <<<"$hints" || bad "$file gives away '$code' of the solution"
    done < <(comm -23 <(code_of "solutions/$source") <(code_of "$source"))
done < <(parts "${labs[@]}")
[ $status != 0 ] || echo "ok the hints: three for each of $all TODOs and questions, none with code of the solution"
