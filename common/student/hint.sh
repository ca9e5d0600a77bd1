#!/bin/bash
# The next hint: for TODO=3 or TODO=Q1 where it is given, else for the first one that is open, in
# PART= where it is given, else in the first unfinished part (of LAB). AGAIN=1 repeats the last one.
#   hint.sh [LAB]
set -u
. common/student/labs.sh
lab=${1:-} part=${PART:-} todo=${TODO:-}
GIVEN=$PROGRESS/hints

case $todo in
    '' | 'TODO('*')' | Q[1-9]*) ;;
    [1-9] | [1-9][0-9]) if [ "$part" = answers ]; then todo=Q$todo; else todo="TODO($todo)"; fi ;;
    *) say_and_exit 2 "TODO=$todo: write the number of a TODO, as in TODO=3, or a question, as in TODO=Q1." ;;
esac
# A question can lie in one part only.
case $todo in Q*) part=${part:-answers} ;; esac

# 'lab part condition' of the first that is not done, tabs between. Parts that go further come when
# all others are done.
part_at_hand() { # labs
    fresh_state "$@" | awk -F '\t' -v part="$part" '
        $1 == "part" && $7 != "done" && (part == "" || part == $3) {
            if (first == "" || (further == "yes" && $4 == "no" && part == "")) {
                first = $2 "\t" $3 "\t" $6
                further = $4
            }
        }
        END { print first }'
}

if [ -n "$lab" ]; then labs=("$lab"); else mapfile -t labs < <(all_labs); fi
if [ -n "$part" ] && ! parts "${labs[@]}" | grep -q " $part "; then
    say_and_exit 2 "PART=$part: ${lab:-the course} has no such part; it has $(
        parts "${labs[@]}" | cut -d' ' -f2 | sort -u | paste -sd' ')."
fi
condition=''
if [ -z "$lab" ] || [ -z "$part" ] || [ -z "$todo" ]; then
    IFS=$'\t' read -r lab part condition < <(part_at_hand "${labs[@]}")
    if [ -z "$lab" ]; then
        echo "There is nothing to hint at: ${PART:+$PART of }${1:-every lab} is done."
        exit 0
    fi
fi
source=$(source_of "$lab" "$part")

if [ -z "$todo" ]; then
    case $condition in
        not-built)
            echo "$source does not compile,"
            echo 'so that no test can say which TODO is next.'
            echo "make -C $lab test PART=$part shows why; make hint TODO=3 hints at a TODO."
            exit 0
            ;;
        missing)
            echo "$source is missing; make -C $lab reset PART=$part puts the skeleton there."
            exit 0
            ;;
    esac
    lines=$(state "$lab")
    todo=$(awk -F '\t' -v part="$part" \
        '$1 == "next" && $3 == part { print $4; exit }' <<<"$lines")
    if [ -z "$todo" ]; then
        item=TODO
        [ "$part" != answers ] || item=question
        test=$(awk -F '\t' -v part="$part" \
            '$1 == "other" && $3 == part { print "  " $5; exit }' <<<"$lines")
        {
            echo "Every $item of $source is done, but ${test:+another test fails:}"
            echo "${test:-the tests do not come to their end.}"
            echo "make -C $lab test PART=$part explains it."
        } | awk -v columns=80 -f $FOLD -f ${FOLD%/*}/folded.awk
        exit 0
    fi
    if labs_with_barriers | grep -qx "$lab" && awk -F '\t' -v part="$part" -v item="$todo" '
        $1 == "item" && $3 == part && $4 == item && $6 ~ /barrier-divergence/ { found = 1 }
        END { exit !found }' <<<"$lines"; then
        echo "Not all threads come to each barrier of $source."
        echo "The test names its line. Read $lab/README.md, section Barriers;"
        echo 'make hint TODO=3 hints at a TODO.'
        exit 0
    fi
fi

hints=$(folder_of "$lab" "$part")/hints.md
count=$(awk -v item="$todo" -f $HERE/hints.awk "$hints" 2>/dev/null | grep -c '^1 ')
section=$(sed -n "s/^$part \($todo\|\*\): //p" "$lab/sections.txt" 2>/dev/null | head -n 1)
handout=$lab/${section:-README.md}
read_it="read ${handout// \/ /, } again"
if [ "$count" = 0 ]; then
    grep -qsF "${todo/#Q/// Q}" "$source" "$(folder_of "$lab" "$part")"/test_*.cpp ||
        say_and_exit 2 "$source has no $todo."
    echo "There are no hints for $todo of $source. Its test says where to look:"
    echo "make -C $lab test PART=$part"
    exit 0
fi
given=$(grep -cxsF "$lab $part $todo" $GIVEN)
given=${given:-0}
if [ -z "${AGAIN:-}" ] || [ "$given" = 0 ]; then
    [ "$given" -ge "$count" ] || {
        given=$((given + 1))
        { mkdir -p $PROGRESS && echo "$lab $part $todo" >>$GIVEN; } ||
            echo "$GIVEN cannot be written; the next hint will be this one again." >&2
    }
fi

echo "$todo of $source, hint $given of $count:"
awk -v item="$todo" -v wanted="$given" -f $HERE/hints.awk "$hints" | sed 's/^[0-9]* /  /'
if [ "$given" -lt "$count" ]; then
    echo "make hint gives the next one${TODO:+, with TODO=$TODO}."
else
    echo 'That was the last hint. If it does not help,'
    echo "${read_it},"
    echo 'and show your teacher what you have tried.'
fi
