#!/bin/bash
# Checks the questions of the labs: that the solution's answers pass, whatever the variables of
# make; that none passes while all are open; that right answers wait for a right kernel; that of
# each known mistake just the questions fail that it answers otherwise, with the finding that its
# first line names; and that no test holds an answer. Prints 'ok ...', 'quiet ...', 'FAIL ...' and
# 'left out: ...' for check_all.sh. usage: check_answers.sh LAB...
set -u
logs=build/check
mkdir -p $logs

judge() { # lab, log, variables...
    local lab=$1 log=$2
    shift 2
    rm -f "${log%.log}.results"
    LAB_RESULTS="$PWD/${log%.log}.results" make --no-print-directory -f common/lab_rules.mk \
        LAB="$lab" PART=answers "$@" test >"$log" 2>&1
}
# Reports fit a terminal; the path of the file that is judged is the machine's affair.
narrow() { # log
    ! grep -v ' on the simulated device' "$1" | grep -q '.\{81\}' ||
        echo "FAIL $1: a line is wider than 80 columns"
}
# Names of questions, in the order of the file; "Q1_loads" asks "Q1".
questions() { sed -n 's/^constexpr Answer \([A-Za-z0-9_]*\) = .*/\1/p' "$@"; }
numbers() { sed 's/_.*//' | sort -u; }
# The questions that a known mistake answers otherwise; what only spells out another one is right.
wrong_in() { # lab, name
    sed -n '/is as before$/d; s/^+constexpr Answer \(Q[0-9]*\)_.*/\1/p' \
        "solutions/mistakes/$1/answers/$2.patch" | sort -u
}
failed() { sed -n 's/^FAIL  \(Q[0-9]*\): .*/\1/p' "$1" | sort -u; }
# As it ships, and not as a student has left it.
untouched() { "$(common/setup/python.sh hashlib)" common/course/skeleton.py "$1" >/dev/null; }

check_solution() { # lab
    local lab=$1 log=$logs/$1-answers-solution.log variable
    for variable in SOLUTION=1 SCHEDULE=reverse TILE_WIDTH=4 PROFILE=8800gtx; do
        if judge "$lab" "$log" SOLUTION=1 $variable; then
            echo "ok $lab, answers: those of the solution pass ($variable)"
        else
            echo "FAIL $lab, answers: those of the solution fail with $variable ($log)"
        fi
    done
    for file in solutions/styles/"$lab"/answers/*.h; do
        [ -f "$file" ] || continue
        if judge "$lab" "$log" SOLUTION=1 KERNEL="$file"; then
            echo "ok $(basename "$file") passes, in a style of its own"
        else
            echo "FAIL $file is right and does not pass ($log)"
        fi
    done
}

check_skeleton() { # lab
    local lab=$1 log=$logs/$1-answers-skeleton.log
    if ! untouched "$lab/answers.h"; then
        if [ -n "${CI:-}" ]; then
            echo "FAIL $lab/answers.h has changed; commit it together with its solution or lab.toml"
        else
            echo "left out: $lab, answers: the skeleton must fail ($lab/answers.h has been edited)"
        fi
        return
    fi
    judge "$lab" "$log"
    if [ "$(questions "$lab/answers.h")" != "$(questions "solutions/$lab/answers.h")" ]; then
        echo "FAIL $lab/answers.h and solutions/$lab/answers.h do not have the same questions"
    elif [ "$(failed "$log")" != "$(questions "$lab/answers.h" | numbers)" ] ||
        ! grep -q '^0 passed, ' "$log" || ! grep -qx 'Findings: unanswered' "$log"; then
        echo "FAIL $lab, answers: the skeleton does not fail in every question, as open ($log)"
    else
        echo "ok $lab, answers: each question of the skeleton is open, with a sentence"
    fi
    narrow "$log"

    untouched "$lab/kernel.cu" || return
    log=$logs/$lab-answers-no-kernel.log
    judge "$lab" "$log" KERNEL="solutions/$lab/answers.h"
    if grep -qx 'Findings: kernel-first' "$log"; then
        echo "ok $lab, answers: right ones wait for a right kernel"
    else
        echo "FAIL $lab, answers: right ones do not wait for a right kernel ($log)"
    fi
    narrow "$log"
}

check_mistakes() { # lab
    local lab=$1 file log wrong
    for file in build/mistakes/"$lab"/answers/*.h; do
        log=$logs/$lab-answers-mistake-$(basename "$file" .h).log
        judge "$lab" "$log" SOLUTION=1 KERNEL="$file"
        wrong=$(wrong_in "$lab" "$(basename "$file" .h)")
        if [ "$(sed -n 's/^Findings: //p' "$log")" != "$(sed -n '1s|^// Finding: ||p' "$file")" ]; then
            echo "FAIL $file does not get the finding that its first line names ($log)"
        elif [ "$(failed "$log")" != "$wrong" ]; then
            echo "FAIL $file: ${wrong//$'\n'/ } should fail ($log)"
        else
            echo "ok $lab, answers: $(basename "$file" .h) is caught: $(wc -w <<<"$wrong") wrong"
        fi
        narrow "$log"
    done
}

# The answers and the kernel of somebody else, recorded in one program and judged by another.
check_record() { # lab
    local lab=$1 file=build/mistakes/$1/answers/second_thoughts.h
    local out=$logs/$1-answers-record own=$logs/$1-answers-record/answers.h
    mkdir -p "$out"
    cp "$file" "$own"
    if judge_apart "$lab" "$own" "$out" &&
        [ "$(failed "$out/report")" = "$(wrong_in "$lab" second_thoughts)" ]; then
        echo "ok $lab, answers: a record of wrong ones is judged as they are"
    else
        echo "FAIL $lab, answers: a record of $file is not judged as it is itself ($out/log)"
    fi
}
judge_apart() { # lab, answers, folder
    # Labs are checked at the same time, and share objects.
    flock $logs/answers-record.lock make --no-print-directory -f common/lab_rules.mk LAB="$1" \
        PART=answers replay >"$3/log" 2>&1 &&
        make --no-print-directory -f common/lab_rules.mk LAB="$1" PART=answers KERNEL="$2" \
            MEASURED="solutions/$1/kernel.cu" OUT="$3" record >>"$3/log" 2>&1 || return
    LAB_RECORD_FD=9 "$3/record" 9>"$3/channel" >>"$3/log" 2>&1
    LAB_RECORD=$3/channel "build/sim/$1/replay-answers" >"$3/report" 2>>"$3/log"
    [ $? = 1 ]
}

# What is said of an attack: some do not come as far as the gate.
reason_against() { # file
    if grep -qx '// It does not compile.' "$1"; then
        echo "^[^ ]*: error: "
    else
        echo '^refused: .* holds more than answers: '
    fi
}

# Answers are numbers: a file that brings code along is refused before it runs.
check_attacks() { # a lab's attacks lie in the folder of its name
    local lab=$1 file out=$logs/$1-answers-attack
    for file in common/grading/attacks/answers/"$lab"/*.h; do
        [ -f "$file" ] || continue
        rm -rf "$out"
        make --no-print-directory -f common/lab_rules.mk LAB="$lab" PART=answers \
            KERNEL="$file" MEASURED="solutions/$lab/kernel.cu" OUT="$out" record \
            >"$out.log" 2>&1
        if [ ! -e "$out/record" ] && grep -q "$(reason_against "$file")" "$out.log"; then
            echo "ok $lab, answers: $(basename "$file") is refused"
        else
            echo "FAIL $file: an attack of that kind is refused, and this one is not ($out.log)"
        fi
    done
}

# The compiler knows the values. Small whole numbers are everywhere: three digits make a key.
check_keys() { # lab
    local lab=$1 source=$logs/$1-keys.cpp
    {
        echo "#include <cstdio>"
        echo "#include \"solutions/$lab/answers.h\""
        echo "int main() {"
        questions "solutions/$lab/answers.h" | sed 's/.*/std::printf("%.6g &\\n", &);/'
        echo "}"
    } >"$source"
    if ! "${CXX:-g++}" -std=c++17 -Icommon -I. "$source" -o "${source%.cpp}"; then
        echo "FAIL $lab, answers: the list of the solution's values does not compile"
        return
    fi
    "${source%.cpp}" | awk -v lab="$lab" '
        FILENAME == "-" { if ($1 >= 100 || $1 != int($1)) key[$1 + 0] = $2; next }
        {
            text = $0
            while (match(text, /[0-9][0-9,'"'"']*(\.[0-9]+)?/)) {
                number = substr(text, RSTART, RLENGTH)
                gsub(/[,'"'"']/, "", number)
                if (number + 0 in key) {
                    printf "FAIL %s:%d holds %s, the answer to %s\n", FILENAME, FNR, number, key[number + 0]
                    found = 1
                }
                text = substr(text, RSTART + RLENGTH)
            }
        }
        END { if (!found) print "ok " lab ", answers: none of those with three digits stands in a test" }
    ' - "$lab"/answers/*
}

# A pointer to a section that is not there leads nowhere.
check_pointers() { # lab
    local lab=$1 section
    while read -r section; do
        grep -q "^##* $section" "$lab/README.md" ||
            echo "FAIL $lab/answers: a test says 'See \"$section\"', which $lab/README.md has not"
    done < <(grep -o 'See \\"[^\\]*' "$lab"/answers/test_*.cpp | sed 's/.*"//' | sort -u)
}

for lab; do
    check_solution "$lab"
    check_skeleton "$lab"
    check_mistakes "$lab"
    check_record "$lab"
    check_attacks "$lab"
    check_keys "$lab"
    check_pointers "$lab"
done
