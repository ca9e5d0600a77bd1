#!/bin/bash
# Checks each lab's sections.txt (see section_to_read.h): every rule names a part of the lab, a
# TODO or question of that part or a finding that some test or the simulator can give, and a section
# and step that stand in the handout; every part has a rule for whatever is left, and one for each
# of its TODOs and questions or for none. Prints 'ok ...' or 'FAIL ...' for check_all.sh.
#   check_sections.sh LAB...
set -u

bad() {
    status=1
    echo "FAIL $1"
}

# Whether the list under a heading has a step of that number.
has_step() { # file, heading, number
    awk -v heading="$2" -v step="$3." '
        /^```/ { code = !code }
        !code && /^#+ / { here = $0; sub(/^#+ /, "", here); inside = here == heading }
        inside && $1 == step { found = 1 }
        END { exit !found }' "$1"
}

can_be_found() { # finding
    grep -rqsF "\"$1\"" --include='*.cpp' --include='*.h' lab*/ common/simulator common/testing ||
        grep -qF "\"${1//-/ }\"" common/matrix/compare.cpp
}

for lab; do
    status=0 count=0
    table=$lab/sections.txt
    while IFS= read -r line; do
        case $line in '#'* | '') continue ;; esac
        count=$((count + 1))
        if [[ ! $line =~ ^([^\ ]+)\ ([^\ ]+):\ (.+)$ ]]; then
            bad "$table: '$line' has not the form 'PART KEY: FILE / HEADING / step N'"
            continue
        fi
        part=${BASH_REMATCH[1]} key=${BASH_REMATCH[2]}
        IFS=$'\t' read -r file heading step <<<"${BASH_REMATCH[3]// \/ /$'\t'}"
        [ -e "$lab/$part.cu" ] || [ -e "$lab/$part.h" ] ||
            bad "$table: $lab has no part $part"
        case $key in
            '*') ;;
            Q[1-9]*) grep -qs "^// $key\." "$lab/$part.h" || bad "$table: $part.h has no $key" ;;
            'TODO('*) grep -qsF "$key" "$lab/$part.cu" || bad "$table: $part.cu has no $key" ;;
            *) can_be_found "$key" || bad "$table: no test finds '$key'" ;;
        esac
        sed -n 's/^##* //p' "$lab/$file" 2>/dev/null | grep -qxF -- "$heading" ||
            bad "$table: $lab/$file has no section '$heading'"
        [ -z "$step" ] || has_step "$lab/$file" "$heading" "${step#step }" ||
            bad "$table: section '$heading' of $lab/$file has no $step"
    done <"$table"

    for source in "$lab"/*.cu "$lab"/answers.h; do
        [ -e "$source" ] || continue
        part=$(basename "${source%.*}")
        keys=$(sed -n "s/^$part \([^ ]*\): .*/\1/p" "$table")
        grep -qxF '*' <<<"$keys" || bad "$table: no rule '$part *: ...'"
        grep -qE 'TODO|^Q' <<<"$keys" || continue
        while read -r item; do
            grep -qxF "$item" <<<"$keys" || bad "$table: no rule '$part $item: ...'"
        done < <(grep -oE 'TODO\([0-9]+\)|^// Q[0-9]+\.' "$source" | tr -d '/ .' | sort -u)
    done
    [ $status != 0 ] ||
        echo "ok $lab: the sections that a report tells to read stand in the handout ($count rules)"
done
