#!/bin/bash
# Tries the commands that READMEs show in their code blocks, without carrying them out (make -n):
# a target or a file that is not there is found. Commands of a lab's README and of the root's are
# written for the root, unless the block says `cd`; what fails there is tried in the README's own
# lab, those of other READMEs in each lab.
# Prints 'quiet ...' or 'FAIL ...' a command, for check_all.sh.
set -u

commands() { # file
    awk '/^```/ { inside = !inside; next } inside && /^make / { sub(/ *#.*/, ""); print }' "$1"
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

for file in README.md */README.md lab*/*/README.md; do
    while read -r command; do
        read -r -a words <<<"${command#make }"
        # A variable such as KERNEL= means something in a lab only.
        case $command in *=*) in_root=false ;; *) in_root=true ;; esac
        case $command in *' -C '*) in_root=true ;; esac
        if { $in_root && make -n "${words[@]}" >/dev/null 2>&1; } ||
            known_in_lab "$file" "${words[@]}"; then
            echo "quiet $file: $command"
        else
            echo "FAIL $file shows '$command', which make does not know"
        fi
    done < <(commands "$file")
done
