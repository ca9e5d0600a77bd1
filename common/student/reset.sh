#!/bin/bash
# Puts skeletons back, as they ship, in the place of a lab's edited files, or of PART= alone. Asks
# first, or takes YES=1; keeps what was there in build/kept/.
#   reset.sh LAB
set -u
. common/student/labs.sh
. common/student/skeleton.sh
lab=$1
KEPT=build/kept
skeleton=''
trap '[ -z "$skeleton" ] || rm -f "$skeleton"' EXIT

agreed() { # file
    local answer
    [ "${YES:-}" != 1 ] || return 0
    [ -t 0 ] || say_and_exit 2 "make reset asks before it replaces $1.
There is no terminal to answer on; YES=1 answers."
    read -r -p "Put the skeleton in the place of $1? Yours is kept. [y/N] " answer
    [[ $answer == [yY] || $answer == [yY]es ]]
}

keep() { # file: a copy in build/kept/, on the disk; says where
    local base copy n
    base=$KEPT/${1%.*}-$(date +%Y%m%d-%H%M%S) && copy=$base.${1##*.}
    for ((n = 2; ; ++n)); do
        [ -e "$copy" ] || break
        copy=$base-$n.${1##*.}
    done
    mkdir -p "${copy%/*}" && cp -p "$1" "$copy.new" && sync "$copy.new" && cmp -s "$1" "$copy.new" &&
        mv -n "$copy.new" "$copy" && printf 'Your %s is kept, until make clean, as\n%s\n' "$1" "$copy"
}

reset() { # file
    local file=$1
    if [ -e "$file" ] && [ "$(digest_of "$file")" = "$(shipped_digest "$file")" ]; then
        [ -z "${PART:-}" ] || echo "$file is the skeleton already; nothing is changed."
        return 0
    fi
    skeleton=$file.skeleton
    find_skeleton "$file" "$skeleton" ||
        say_and_exit 2 "The skeleton of $file is neither in git's history
nor in $HERE/skeletons/; take the file from where you have the course from."
    if [ ! -e "$file" ] || agreed "$file"; then
        [ ! -e "$file" ] || keep "$file" ||
            say_and_exit 2 "No copy of $file can be kept in $KEPT/, so it is
left as it is; see the permissions there and whether the disk is full."
        mv -T "$skeleton" "$file" || say_and_exit 2 "$file cannot be replaced.
See the permissions of its folder."
        echo "$file is the skeleton again."
    else
        echo "$file is left as it is."
    fi
}

if [ -n "${PART:-}" ]; then
    parts "$lab" | grep -q " $PART " ||
        say_and_exit 2 "PART=$PART: $lab has no such part; it has $(parts "$lab" | cut -d' ' -f2 | paste -sd' ')."
    reset "$(source_of "$lab" "$PART")"
else
    edited=0
    while read -r -u 3 _ part _; do
        file=$(source_of "$lab" "$part")
        [ "$(digest_of "$file")" != "$(shipped_digest "$file")" ] || continue
        edited=1
        reset "$file"
    done 3< <(parts "$lab")
    [ $edited = 1 ] || echo "Every file of $lab is its skeleton; nothing is changed."
fi
