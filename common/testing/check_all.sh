#!/bin/bash
# Everything that `make test` checks: the units of common/, then for each part of each lab that its
# solution passes (whatever the order of the threads, and with every usual TILE_WIDTH), that its
# untouched skeleton fails with a sentence for every TODO, that right kernels in other styles pass,
# that every known mistake gets exactly the findings that its first comment names, and that nvcc,
# where it is installed, accepts every .cu file. Ends with the plain line 'N passed, N failed'.
#
# A lab's parts are its .cu files; of its questions see check_answers.sh. Mistakes are made from the
# patches in solutions/mistakes/LAB/PART. The styles of kernel.cu lie in solutions/styles/LAB, those
# of any other part in the subfolders of its name.
set -u
. common/testing/check_functions.sh

# The findings that a mistake names, and those that its report ends with.
wanted() { sed -n '1s|^// Finding: ||p' "$1"; }
found() { sed -n 's/^Findings: //p' "$1"; }
# The first sentence that it promises of the report and that is not there, broken into lines as may be.
unsaid() { # mistake, log
    local sentence
    while IFS= read -r sentence; do
        tr -s ' \n' ' ' <"$2" | grep -qF -- "$sentence" || { echo "$sentence" && return; }
    done < <(sed -n 's|^// Says: ||p' "$1")
}

check_mistake() { # lab, part, file; in a process of its own, the verdict on its last line
    local lab=$1 part=$2 file=$3 log
    log=$logs/$lab-$part-mistake-$(basename "$file" .cu).log
    if judge "$lab" "$part" "$log" KERNEL="$file"; then
        echo "FAIL $file passes, and should not"
    elif [ -z "$(wanted "$file")" ]; then
        echo "FAIL $file: its first line must be '// Finding: ...'"
    elif [ "$(found "$log")" != "$(wanted "$file")" ]; then
        echo "FAIL $file: wanted '$(wanted "$file")', found '$(found "$log")' ($log)"
    elif [ -n "$(unsaid "$file" "$log")" ]; then
        echo "FAIL $file: the report does not say '$(unsaid "$file" "$log")' ($log)"
    elif ! grep -q '^       read: ' "$log"; then
        echo "FAIL $file: the report names no section to read; see $lab/lab.toml ($log)"
    else
        echo "ok $lab, $part: $(basename "$file") is caught: $(wanted "$file")"
    fi
}
check_style() { # lab, part, file; as check_mistake
    local lab=$1 part=$2 file=$3 log
    log=$logs/$lab-$part-style-$(basename "$file" .cu).log
    if ! head -n 1 "$file" | grep -q '^// .'; then
        echo "FAIL $file: its first line must be a comment that says what is different"
    elif judge "$lab" "$part" "$log" KERNEL="$file"; then
        echo "ok $lab, $part: $(basename "$file") passes, in a style of its own"
    else
        echo "FAIL $file is right and does not pass ($log)"
    fi
}
check_part() { # lab, part
    local lab=$1 part=$2 variable log
    log=$logs/$lab-$part-solution.log
    if judge "$lab" "$part" "$log" SOLUTION=1; then
        echo "ok $lab, $part: the solution passes ($(tail -n 1 "$log"))"
        # A test that needs what this machine has not, such as a GPU.
        sed -n "s/^  --  left out: /left out: $lab, $part: /p" "$log"
        if grep -m 1 '.\{81\}' "$log" >"$log.wide"; then
            echo "FAIL $lab, $part: the report is wider than a terminal: $(cat "$log.wide")"
        fi
    else
        echo "FAIL $lab, $part: the solution fails ($log)"
    fi
    for variable in SCHEDULE=reverse SCHEDULE=random:1 $(tile_widths "$lab" "$part"); do
        log=$logs/$lab-$part-solution-$variable.log
        if judge "$lab" "$part" "$log" SOLUTION=1 "$variable"; then
            echo "ok $lab, $part: the solution passes with $variable"
        else
            echo "FAIL $lab, $part: the solution fails with $variable ($log)"
        fi
    done
    check_skeleton "$lab" "$part"
}
# Those that a part is tried with, as make takes them; none where it has no tile.
tile_widths() { # lab, part
    [ ! -f "solutions/$1/$2.cu" ] || ! grep -q '^#ifndef TILE_WIDTH' "solutions/$1/$2.cu" ||
        echo TILE_WIDTH={2,4,8,32}
}
# Nobody would look into a folder that is named after no part.
check_folders() { # lab
    local folder part
    for folder in solutions/mistakes/"$1"/*/ solutions/styles/"$1"/*/; do
        part=$(basename "$folder")
        [ ! -d "$folder" ] || [ -f "$1/$part.cu" ] || [ -f "$1/$part.h" ] ||
            echo "FAIL $folder: $1 has no part of that name"
    done
    echo "quiet the folders of $1's mistakes and styles are named after its parts"
}
check_cuda() { # lab
    local file log
    for file in $(find "$1" solutions "$BUILD/mistakes" -path "*$1/*" -name '*.cu' -not -path 'solutions/lab*' | sort); do
        log=$logs/nvcc-$(echo "$file" | tr / -).log
        # Down to PTX, which takes a third of the time; test_card_commands.py makes programs of the
        # solutions.
        if nvcc -std=c++17 -ptx "$file" -o "${log%.log}.ptx" >"$log" 2>&1; then
            echo "quiet nvcc compiles $file"
        else
            echo "FAIL nvcc does not compile $file ($log)"
        fi
    done
    echo "note $1: nvcc has compiled every .cu file; each counts as a check"
}
check_faults() {
    common/simulator/peers/check_faults.sh || return
    echo 'note faults and near misses, also in Oclgrind where it is installed: each counts'
}
check_tables() {
    if CHECK=1 common/testing/update_handouts.sh >&2 &&
        CHECK=1 common/testing/mistakes_on_card.sh >&2; then
        echo "ok the tables of the handouts are what the solutions' runs give"
    else
        echo 'FAIL the tables of the handouts'
    fi
}
# A file of common/checks.
check_file() { # name
    local python
    python=$(common/setup/python.sh pytest) || {
        echo "FAIL common/checks/$1: pytest is not installed: apt-get install python3-pytest"
        return
    }
    PYTHONDONTWRITEBYTECODE=1 "$python" common/checks/run.py --log "$logs" "$1"
}
# One after the other, as any grader of these checks: all of them run submissions, as the same users.
check_grading() {
    local name
    for name in grader attacks class slurm; do
        flock "$logs/grading.lock" common/grading/check_$name.sh || echo "FAIL check_$name.sh ended with status $?"
    done
}

# What several checks run is built before, once.
build() { # lab, part, variables and goal...
    make --no-print-directory -f common/lab_rules.mk LAB="$1" PART="$2" "${@:3}" \
        >/dev/null 2>&1 </dev/null
}
build_part() { # lab, part
    local variable
    build "$1" "$2" SOLUTION=1 programs
    for variable in $(tile_widths "$1" "$2"); do build "$1" "$2" SOLUTION=1 "$variable" programs; done
    build "$1" "$2" tests_program
    build "$1" "$2" replay
}
build_answers() { # lab
    build "$1" answers SOLUTION=1 tests_program
    build "$1" answers tests_program
    build "$1" answers replay
}
export -f check_mistake check_style check_part tile_widths check_folders check_cuda \
    check_file check_faults check_tables check_grading build build_part build_answers \
    wanted found unsaid

# A lab's parts, in the order of lab_rules.mk.
parts() { # lab
    local file
    echo "$1 kernel"
    for file in "$1"/*.cu; do
        [ "$file" = "$1/kernel.cu" ] || echo "$1 $(basename "$file" .cu)"
    done
}
# The styles and mistakes of a part, each as the command that checks it.
files() { # lab, part
    local folder=$1 file
    [ "$2" = kernel ] || folder=$1/$2
    for file in solutions/styles/"$folder"/*.cu; do
        [ ! -f "$file" ] || echo "check_style $1 $2 $file"
    done
    for file in "$BUILD/mistakes/$1/$2"/*.cu; do echo "check_mistake $1 $2 $file"; done
}

# The longest first, so that at the end no core is without work.
checks() { # labs
    local lab part
    echo check_grading
    echo common/grading/check_record.sh
    find common/checks -name 'test_*.py' -printf 'check_file %f\n' | sort
    printf 'common/grading/check_hidden.sh %s\n' "$@"
    printf 'common/testing/check_answers.sh %s\n' "$@"
    printf '%s\n' common/testing/check_figures.sh common/student/check_student.sh \
        check_tables
    if command -v nvcc >/dev/null 2>&1; then
        printf 'check_cuda %s\n' "$@"
    else
        echo 'echo left out: compiling with nvcc (it is not installed)'
    fi
    for lab; do parts "$lab" | sed 's/^/check_part /'; done
    for part in $UNIT_TESTS; do echo "check_unit $part"; done
    printf '%s\n' common/testing/compile_help/check.sh common/setup/check_doctor.sh \
        common/setup/check_usage.sh common/simulator/check_limits.sh check_faults \
        common/grading/check_reports.sh common/grading/check_similarity.sh
    printf 'common/testing/check_reports.sh %s\n' "$@"
    echo common/testing/check_handouts.sh "$@"
    printf 'check_folders %s\n' "$@"
    for lab; do parts "$lab"; done | while read -r lab part; do files "$lab" "$part"; done
}

# A patch that does not apply is named, and none of its kind is missing without a word.
made=$("$(common/setup/python.sh json)" common/checks/mistakes.py 2>&1 >/dev/null) ||
    while IFS= read -r line; do bad "$line"; done <<<"$made"

for lab; do
    parts "$lab" | sed 's/^/build_part /'
    echo "build_answers $lab"
done >"$logs/builds"
# Where one fails, the checks of that part do, and tell why.
built=0 builds=$(wc -l <"$logs/builds")
while read -r command; do
    count $((++built)) "$builds" "$command"
done < <(xargs -P "$(nproc)" -L 1 bash -c '"$@"; echo "$@"' _ <"$logs/builds")
clear_count
checks "$@" >"$logs/commands"
printf '  --  %s checks, several at a time, the longest first; the first verdicts take a minute\n' \
    "$(wc -l <"$logs/commands")"
run_checks "$logs/commands"

summary
