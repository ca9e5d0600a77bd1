#!/bin/bash
# What the student's commands share; sourced by them, in the repository's root.
#
# build/progress/LAB/PART.jsonl holds the last results of a part: a line that says of what, the
# lines of testing/results_file.h, and {"end":false} where the run did not come to its end. Digests
# in the first line say whether it still speaks of what is there.
export LC_ALL=C
HERE=common/student
PROGRESS=build/progress
FOLD=common/testing/compile_help/fold.awk

say_and_exit() { # exit status, sentence
    printf '%s\n' "$2" >&2
    exit "$1"
}

source_of() { # lab, part
    if [ "$2" = answers ]; then echo "$1/answers.h"; else echo "$1/$2.cu"; fi
}
# Answers are compared with what the student's own kernel does.
judged_files() { # lab, part
    source_of "$1" "$2"
    [ "$2" != answers ] || echo "$1/kernel.cu"
}
folder_of() { # lab, part: where its tests and hints lie
    if [ "$2" = kernel ]; then echo "$1"; else echo "$1/$2"; fi
}

# A release may hold some of them only.
all_labs() {
    local lab
    while read -r lab _; do
        [ ! -d "$lab" ] || echo "$lab"
    done < <(grep '^lab' $HERE/way.txt)
}

# Lines 'lab part further', in the order of the way; further is yes or no.
parts() { # labs
    local lab part words
    while read -r -a words; do
        lab=${words[0]}
        [[ " $* " == *" $lab "* ]] || continue
        for part in "${words[@]:1}"; do
            # Not every lab has questions.
            [ "$part" != answers ] || [ -e "$lab/answers.h" ] || continue
            case $part in
                +*) echo "$lab" "${part#+}" yes ;;
                *) echo "$lab" "$part" no ;;
            esac
        done
    done < <(grep '^lab' $HERE/way.txt)
}

# What a lab's tests are made of. A part that passed older ones is tested again.
tests_digest() { # lab
    find "$1" \( -name 'test_*.cpp' -o -name '*.h' ! -name answers.h \) -print0 | sort -z |
        xargs -0 sha256sum | sha256sum | cut -d' ' -f1
}

# The state of labs, as state.awk writes it.
state() { # labs
    local lab part further file files
    {
        while read -r lab part further; do
            mapfile -t files < <(judged_files "$lab" "$part")
            printf 'part\t%s\t%s\t%s\t%s\t%s\n' "$lab" "$part" "$further" "${files[0]}" \
                "${files[0]}${files[1]:++${files[1]}}"
            for file in "$(folder_of "$lab" "$part")"/test_*.cpp; do
                printf 'tests-of\t%s\t%s\t%s\n' "$lab" "$part" "$file"
            done
        done < <(parts "$@")
        for lab; do printf 'tests\t%s\t%s\n' "$lab" "$(tests_digest "$lab")"; done
        sed 's/^\([0-9a-f]*\)  /skeleton\t\1\t/' common/testing/skeletons.sha256
        for lab; do sha256sum "$lab"/*.cu "$lab/answers.h" 2>/dev/null; done |
            sed 's/^\([0-9a-f]*\)  /now\t\1\t/'
    } | awk -F '\t' -v progress=$PROGRESS -f $HERE/state.awk
}

# Labs whose handout tells of barriers in a section of its own: where not all threads come to one,
# that is what to read, whichever TODO's test has found it (see ofNoTodo in testing/blame.h).
labs_with_barriers() {
    grep -ls '^kernel barrier-divergence: .* / Barriers$' lab*/sections.txt | cut -d/ -f1
}

# What is next, from the lines of a state.
advise() { # lab, part; either may be empty
    awk -F '\t' -v columns=80 -v lab="$1" -v part="$2" \
        -v barriers="$(labs_with_barriers | paste -sd' ')" -f $FOLD -f $HERE/next.awk
}

# Tests a part of the student's own. None of the variables that led here count.
test_part() { # lab, part
    env -u MAKEFLAGS -u MAKEOVERRIDES -u MFLAGS -u MAKELEVEL -u LAB_RESULTS make \
        --no-print-directory -j"$(nproc)" -f common/lab_rules.mk LAB="$1" PART="$2" DEVICE=sim \
        KERNEL= SOLUTION= TILE_WIDTH= SCHEDULE= PROFILE= ARCH= ADVICE=no test
}
# The digests that test_part() keeps the results under, if the files do not change before.
judged_digest() { # lab, part
    judged_files "$1" "$2" | xargs sha256sum | cut -d' ' -f1 | paste -sd+
}
does_not_compile() { # log, lab, part
    local file
    grep -q 'undefined reference' "$1" && return
    for file in $(judged_files "$2" "$3"); do
        # An answers.h is included, which some compilers name with ./ in front.
        ! grep -qE "^(\./)?$file:[0-9]*:" "$1" || return 0
    done
    return 1
}

# Tests a part in silence; the report is left in build/progress/LAB/PART.log.
retest() { # lab, part
    local lab=$1 part=$2 digest log
    digest=$(judged_digest "$lab" "$part") || return
    mkdir -p "$PROGRESS/$lab" || return
    log=$PROGRESS/$lab/$part.log
    test_part "$lab" "$part" >"$log" 2>&1 && return
    # Remembered, so that it is not built again before it changes.
    if ! grep -qs "\"judged\":\"$digest\"" "$PROGRESS/$lab/$part.jsonl" &&
        does_not_compile "$log" "$lab" "$part"; then
        printf '{"judged":"%s","tests":"%s","built":false}\n{"end":false}\n' "$digest" \
            "$(tests_digest "$lab")" >"$log.new" && mv "$log.new" "$PROGRESS/$lab/$part.jsonl"
    fi
}

# Brings the stored results up to date, saying so since that takes time, and prints the state.
fresh_state() { # labs
    local kind lab part further source condition now
    now=$(state "$@")
    while IFS=$'\t' read -r kind lab part further source condition _; do
        [ "$kind $condition" = 'part changed' ] || continue
        printf 'No test has seen %s as it is now; testing it ...\n' "$source" >&2
        retest "$lab" "$part"
    done <<<"$now"
    if grep -q $'^part\t.*\tchanged\t' <<<"$now"; then state "$@"; else printf '%s\n' "$now"; fi
}
