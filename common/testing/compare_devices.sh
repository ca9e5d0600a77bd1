#!/bin/bash
# The verdicts of the simulated device and of a real card, side by side: for each known mistake of
# the labs what it is held to on the simulated device (its first comment) and what the tests of
# values find on the card. Solutions, and kernels in other right styles, must pass there, too; they
# are said where they do not. Needs a card. A kernel that hangs there takes two minutes.
#   compare_devices.sh LAB... >solutions/mistakes/results/CARD.csv
# Then common/checks/mistakes_on_card.py writes what it says into solutions/mistakes/README.md.
# Exit status: 0, or 1 where a right kernel fails on the card.
set -u
. common/setup/own_make.sh
logs=build/compare
mkdir -p $logs

card() { # lab, part, variables...; what the card's tests find, in a few words
    local lab=$1 part=$2 log
    shift 2
    log=$logs/$lab-$part-$(tr -c 'A-Za-z0-9_\n' - <<<"$*" | tail -c 60).log
    make --no-print-directory -f common/lab_rules.mk LAB="$lab" PART="$part" DEVICE=gpu "$@" test \
        >"$log" 2>&1
    if grep -q '^Findings: ' "$log"; then
        sed -n 's/^Findings: //p' "$log"
    elif grep -q '^[0-9]* passed, 0 failed$' "$log"; then
        echo pass
    elif grep -q 'nothing to run on a card' "$log"; then
        echo 'no test of values'
    elif grep -q 'has not come back' "$log"; then
        echo hangs
    else
        echo "end early: $(tail -n 1 "$log")"
    fi
}
right() { # lab, part, name, variables...
    local lab=$1 part=$2 name=$3
    shift 3
    local verdict
    verdict=$(card "$lab" "$part" "$@")
    case $verdict in pass | 'no test of values') ;; *) echo "$lab/$part;$name;pass;$verdict" ;; esac
}
mistake() { # lab, part, file
    echo "$1/$2;$(basename "$3" .cu);$(sed -n '1s|^// Finding: ||p' "$3");$(
        card "$1" "$2" KERNEL="$3"
    )"
}
export -f card right mistake
export logs

jobs() {
    local lab source part folder file
    for lab; do
        for source in "$lab"/*.cu; do
            part=$(basename "$source" .cu)
            folder=$lab
            [ "$part" = kernel ] || folder=$lab/$part
            printf 'right %s %s solution SOLUTION=1\n' "$lab" "$part"
            ! grep -q '^#ifndef TILE_WIDTH' "solutions/$lab/$part.cu" ||
                printf "right $lab $part solution,%s SOLUTION=1 %s\n" \
                    TILE_WIDTH={2,4,8,32}{,}
            for file in solutions/styles/"$folder"/*.cu; do
                [ ! -f "$file" ] ||
                    printf 'right %s %s %s KERNEL=%s\n' "$lab" "$part" "$(basename "$file" .cu)" \
                        "$file"
            done
            for file in build/mistakes/"$lab/$part"/*.cu; do
                [ ! -f "$file" ] || printf 'mistake %s %s %s\n' "$lab" "$part" "$file"
            done
        done
    done
}

# One file first: the others find the common objects built.
for lab; do
    for file in "$lab"/*.cu; do
        card "$lab" "$(basename "$file" .cu)" SOLUTION=1 >/dev/null
    done
done
echo 'part;kernel;simulated device;card'
jobs "$@" | xargs -P "$(nproc)" -I{} bash -c '{}' | sort | tee $logs/table.csv
! grep -q ';pass;' $logs/table.csv
