#!/bin/bash
# Everything that `make test` checks: the units of common/, then for each part of each lab that its
# solution passes (whatever the order of the threads, and with every usual TILE_WIDTH), that its
# untouched skeleton fails with a sentence for every TODO, that right kernels in other styles pass,
# that every known mistake gets exactly the findings that its first comment names, and that nvcc,
# where it is installed, accepts every .cu file. Ends with the plain line 'N passed, N failed'.
#
# A lab's parts are its .cu files; of its questions see check_answers.sh. The mistakes of kernel.cu
# lie in solutions/mistakes/LAB, its styles in solutions/styles/LAB; those of any other part in the
# subfolders of its name.
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
    if judge "$lab" "$part" "$log" KERNEL="$PWD/$file"; then
        echo "FAIL $file passes, and should not"
    elif [ -z "$(wanted "$file")" ]; then
        echo "FAIL $file: its first line must be '// Finding: ...'"
    elif [ "$(found "$log")" != "$(wanted "$file")" ]; then
        echo "FAIL $file: wanted '$(wanted "$file")', found '$(found "$log")' ($log)"
    elif [ -n "$(unsaid "$file" "$log")" ]; then
        echo "FAIL $file: the report does not say '$(unsaid "$file" "$log")' ($log)"
    elif ! grep -q '^       read: ' "$log"; then
        echo "FAIL $file: the report names no section to read; see $lab/sections.txt ($log)"
    else
        echo "ok $lab, $part: $(basename "$file") is caught: $(wanted "$file")"
    fi
}
check_style() { # lab, part, file; as check_mistake
    local lab=$1 part=$2 file=$3 log
    log=$logs/$lab-$part-style-$(basename "$file" .cu).log
    if ! head -n 1 "$file" | grep -q '^// .'; then
        echo "FAIL $file: its first line must be a comment that says what is different"
    elif judge "$lab" "$part" "$log" KERNEL="$PWD/$file"; then
        echo "ok $lab, $part: $(basename "$file") passes, in a style of its own"
    else
        echo "FAIL $file is right and does not pass ($log)"
    fi
}
check_cuda() { # file
    local log
    log=$logs/nvcc-$(echo "$1" | tr / -).log
    # Down to PTX, which takes a third of the time; gpu_build makes programs of the solutions.
    if nvcc -std=c++17 -ptx "$1" -o "$logs/$(echo "$1" | tr / -).ptx" >"$log" 2>&1; then
        echo "quiet nvcc compiles $1"
    else
        echo "FAIL nvcc does not compile $1 ($log)"
    fi
}
build_solution() { # lab, part
    make --no-print-directory -f common/lab_rules.mk LAB="$1" PART="$2" SOLUTION=1 programs \
        >/dev/null 2>&1 </dev/null
}
export -f check_mistake check_style check_cuda build_solution wanted found unsaid

# Runs commands, a line each, as many at a time as there are cores.
side_by_side() { xargs -P "$(nproc)" -L 1 bash -c '"$@"' _; }

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
    for file in solutions/mistakes/"$folder"/*.cu; do echo "check_mistake $1 $2 $file"; done
}

check_units

# Their tests are built first, once, for everything that follows and runs at the same time.
for lab; do parts "$lab"; done | sed 's/^/build_solution /' | side_by_side
for lab; do parts "$lab"; done |
    while read -r lab part; do files "$lab" "$part"; done >"$logs/files.commands"
side_by_side <"$logs/files.commands" >"$logs/files.txt" &
files=$!

check_part() { # lab, part
    local lab=$1 part=$2 log variable variables=(SCHEDULE=reverse SCHEDULE=random:1)
    log=$logs/$lab-$part-solution.log
    if judge "$lab" "$part" "$log" SOLUTION=1; then
        good "$lab, $part: the solution passes ($(tail -n 1 "$log"))"
        # A test that needs what this machine has not, such as a GPU.
        while read -r test; do
            leave_out "$lab, $part: $test"
        done < <(sed -n 's/^  --  left out: //p' "$log")
    else
        bad "$lab, $part: the solution fails" "$log"
    fi

    ! grep -q '^#ifndef TILE_WIDTH' "solutions/$lab/$part.cu" ||
        variables+=(TILE_WIDTH={2,4,8,32})
    for variable in "${variables[@]}"; do
        log=$logs/$lab-$part-solution-$variable.log
        if judge "$lab" "$part" "$log" SOLUTION=1 "$variable"; then
            good "$lab, $part: the solution passes with $variable"
        else
            bad "$lab, $part: the solution fails with $variable" "$log"
        fi
    done

    check_skeleton "$lab" "$part"
}

for lab; do
    while read -r _ part; do
        check_part "$lab" "$part"
    done < <(parts "$lab")

    # Nobody would look into a folder that is named after no part.
    for folder in solutions/mistakes/"$lab"/*/ solutions/styles/"$lab"/*/; do
        part=$(basename "$folder")
        [ ! -d "$folder" ] || [ -f "$lab/$part.cu" ] || [ -f "$lab/$part.h" ] ||
            bad "$folder: $lab has no part of that name"
    done

    if command -v nvcc >/dev/null 2>&1; then
        tally < <(find "$lab" solutions -path "*$lab/*" -name '*.cu' | sort |
            xargs -P "$(nproc)" -I{} bash -c 'check_cuda "$@"' _ {})
        printf '  --  %s: nvcc has compiled every .cu file; each counts as a check\n' "$lab"
        log=$logs/$lab-gpu.log
        if make --no-print-directory -f common/lab_rules.mk LAB="$lab" SOLUTION=1 gpu_build \
            >"$log" 2>&1; then
            good "$lab: the tests for a real card build and link"
        else
            bad "$lab: the tests for a real card do not build" "$log"
        fi
    else
        leave_out "$lab: compiling with nvcc (it is not installed)"
    fi
done

check_answers() { printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 common/testing/check_answers.sh; }
check_tables() {
    if ! command -v python3 >/dev/null 2>&1; then
        echo 'left out: the tables of the handouts (python3 is not installed)'
    elif CHECK=1 common/testing/update_handouts.sh >&2 &&
        CHECK=1 common/testing/mistakes_on_card.sh >&2; then
        echo "ok the tables of the handouts are what the solutions' runs give"
    else
        echo 'FAIL the tables of the handouts'
    fi
}

# Each prints its verdicts as tally reads them, and ends with status 0.
check check_answers "$@"
check common/simulator/peers/check_faults.sh
printf '  --  faults and near misses, also in Oclgrind where it is installed: each counts\n'
check check_tables
check common/testing/check_sections.sh "$@"
check common/testing/check_handouts.sh "$@"
check common/testing/check_reports.sh "$@"
check common/testing/check_figures.sh
check common/testing/compile_help/check.sh
check common/setup/check_usage.sh
check common/setup/check_doctor.sh
check common/simulator/check_limits.sh
check common/testing/check_run_on_card.sh
check common/testing/check_commands.sh
printf '  --  the commands that the READMEs show are known to make; each counts as a check\n'
check common/student/check_student.sh
check common/grading/check_release.sh
check common/grading/check_grader.sh
check common/grading/check_slurm.sh
check common/grading/check_similarity.sh
check common/grading/check_record.sh
check common/grading/check_attacks.sh
check common/grading/check_class.sh

wait $files
tally <"$logs/files.txt"
[ "$(wc -l <"$logs/files.txt")" = "$(wc -l <"$logs/files.commands")" ] ||
    bad 'some files of solutions/styles and solutions/mistakes got no verdict'
# From the results of these runs.
check common/grading/check_reports.sh "$@"

summary
