#!/bin/bash
# Tries the commands that READMEs show, in code blocks or in a line, without carrying them out
# (make -n): a target or a file that is not there is found. So is a part or another value that a lab
# does not know, by the check that comes before a test. Commands of a lab's README and the root's are
# written for the root, unless the block says `cd`; what fails there is tried in the README's own
# lab, those of other READMEs in each lab.
# Prints 'quiet ...' or 'FAIL ...' a command, for check_all.sh.
set -u

commands() { # file
    awk '/^```/ { inside = !inside; next }
        inside { if (/^make /) { sub(/ *#.*/, ""); print } next }
        { text = text $0 " " }
        END {
            while (match(text, /`make [^`]*`/)) {
                print substr(text, RSTART + 1, RLENGTH - 2)
                text = substr(text, RSTART + RLENGTH)
            }
        }' "$1" | sort -u
}

known_in_lab() { # file, words...
    local folder folders=(lab*/)
    case $1 in lab*) folders=("${1%%/*}") ;; esac
    shift
    for folder in "${folders[@]}"; do
        [ ! -f "$folder/Makefile" ] || ! make -n -C "$folder" "$@" >/dev/null 2>&1 || return 0
    done
    return 1
}

# Of a command for one lab, as make -C lab1_naive test PART=kernel.
values_known() { # command
    local words word lab='' variables=()
    read -r -a words <<<"$1"
    for word in "${words[@]}"; do
        case $word in
            lab*) lab=$word ;;
            ARGS=* | DEVICE=gpu) ;;
            *=*) variables+=("$word") ;;
        esac
    done
    [ -z "$lab" ] || [ ${#variables[@]} = 0 ] ||
        make -f common/lab_rules.mk LAB="$lab" "${variables[@]}" checked >/dev/null 2>&1
}

# Of a teacher's goal: the programs that it calls read their variables from the environment.
teachers_variables_known() { # words
    local word
    case $1 in release | grade | similarity | gradescope | github) ;; *) return 0 ;; esac
    for word; do
        case $word in
            LABS=*) [ -n "$(find . -maxdepth 1 -name "${word#LABS=}*" -print -quit)" ] || return 1 ;;
            *=*) grep -rqF --include='*.py' "\"${word%%=*}\"" common/grading || return 1 ;;
        esac
    done
}

for file in README.md */README.md lab*/*/README.md; do
    while read -r command; do
        read -r -a words <<<"${command#make }"
        # For a student's file, which is not there, one of the course.
        words=("${words[@]/#KERNEL=..\/*/KERNEL=lab1_naive\/kernel.cu}")
        command="make ${words[*]}"
        # A variable such as KERNEL= means something in a lab only.
        case $command in *=*) in_root=false ;; *) in_root=true ;; esac
        case $command in *' -C '* | 'make bench '*) in_root=true ;; esac
        case ${words[0]} in release | grade | similarity | gradescope | github) in_root=true ;; esac
        if ! teachers_variables_known "${words[@]}"; then
            echo "FAIL $file shows '$command', with a variable that the grader does not read"
        elif ! values_known "$command"; then
            echo "FAIL $file shows '$command', with a value that is refused"
        elif { $in_root && make -n "${words[@]}" >/dev/null 2>&1; } ||
            known_in_lab "$file" "${words[@]}"; then
            echo "quiet $file: $command"
        else
            echo "FAIL $file shows '$command', which make does not know"
        fi
    done < <(commands "$file")
done
