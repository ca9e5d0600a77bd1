#!/bin/bash
# Checks the hints: three for each TODO of each skeleton, two for each question and none for any
# other, each of at most three lines of 80 columns, and none with a line of the solution or with an
# answer in it. Prints 'ok ...' or 'FAIL ...' for check_all.sh. Run in the repository's root.
set -u
. common/student/bridge.sh
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

# No hint for a question holds the number that is its answer. Words ("yes") are none.
check_answers() { # lab, hints
    local file=solutions/$1/answers.h folder name
    [ -f "$file" ] || return
    folder=$(mktemp -d)
    {
        printf '#include <cstdio>\n#include "%s"\nint main() {\n' "$file"
        while read -r name; do
            printf 'std::printf("%s %%.6g\\n", %s);\n' "${name%%_*}" "$name"
        done < <(sed -n 's/^constexpr Answer \([A-Za-z0-9_]*\) = .*/\1/p' "$file")
        echo '}'
    } >"$folder/answers.cpp"
    "${CXX:-g++}" -std=c++17 -Icommon -I. "$folder/answers.cpp" -o "$folder/answers" ||
        bad "$file does not compile"
    while read -r gives; do
        bad "$2: $gives"
    done < <("$folder/answers" | awk '
        FILENAME == "-" { answer[$1, $2 + 0] = 1; next }
        /^## / { item = substr($0, 4) }
        {
            sub(/^[0-9]+\. /, "")
            n = split($0, words, /[^0-9.,]+/)
            for (i = 1; i <= n; ++i) {
                gsub(/,/, "", words[i])
                sub(/\.$/, "", words[i])
                if (words[i] ~ /^[0-9]/ && (item, words[i] + 0) in answer)
                    print "a hint for " item " holds " words[i] ", its answer"
            }
        }' - "$2")
    rm -r "$folder"
}

all=0
mapfile -t labs < <(all_labs)
while read -r lab part _; do
    source=$(source_of "$lab" "$part")
    file=$(folder_of "$lab" "$part")/hints.md
    if [ ! -f "$file" ]; then
        bad "$file is missing"
        continue
    fi
    # A student has solved some: the tests' names tell, too.
    items=$(items_of "$lab" "$part")
    [ "$part" = answers ] || items=$(printf '%s\n' "$items" \
        "$(grep -o 'TODO([0-9]*)' "$source")" | sort -u)
    for item in $items; do
        lines=$(hint_lines "$item" "$file" | paste -sd' ')
        all=$((all + 1))
        wanted=3
        [ "$part" != answers ] || wanted=2
        [ "$(grep -o '\b1\b' <<<"$lines" | wc -l)" = $wanted ] ||
            bad "$file: $item must have $wanted hints"
        [[ ! $lines =~ [4-9] ]] || bad "$file: a hint for $item has more than three lines"
    done
    while read -r heading; do
        grep -qxF "$heading" <<<"$items" || bad "$file: '$heading' is no TODO of $source"
    done < <(sed -n 's/^## //p' "$file")
    awk 'length > 80 { exit 1 }' "$file" || bad "$file: a line is wider than 80 columns"

    [ "$part" != answers ] || check_answers "$lab" "$file"

    # The whole hint in one line, so that a statement across two of them is found as well.
    hints=$(awk '/^[0-9]+\. |^#|^$/ { print "" } { printf "%s", $0 }' "$file" |
        sed 's/[[:space:];{}`]//g')
    while read -r code; do
        ! grep -qF -- "$code" <<<"$hints" || bad "$file gives away '$code' of the solution"
    done < <(comm -23 <(code_of "solutions/$source") <(code_of "$source"))
done < <(parts "${labs[@]}")
[ $status != 0 ] || echo "ok the hints: $all TODOs and questions have theirs, none with code or an answer of the solution"
