#!/bin/bash
# Checks the report of each part's untouched skeleton: the first failure is explained, in 22 lines
# at most, with a section of the handout; each later one is a single line of 80 columns; the results
# file explains every one; and a terminal of 80 columns holds that of a kernel.cu. Prints 'ok ...',
# 'FAIL ...' or 'left out: ...' for check_all.sh.
#   check_reports.sh LAB...
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

check() { # lab, part
    local skeleton=$1/$2.cu what="$1, $2: the skeleton's report"
    if ! "$(common/setup/python.sh hashlib)" common/course/skeleton.py "$skeleton" >/dev/null; then
        echo "left out: $what ($skeleton has been edited)"
        return
    fi
    LAB_RESULTS=$folder/results make --no-print-directory -f common/lab_rules.mk LAB="$1" \
        PART="$2" test >"$folder/report" 2>&1
    awk -v what="$what" -v results="$folder/results" '
        function bad(why) { printf "FAIL %s: %s\n", what, why; failed = 1; exit }
        /^FAIL  / { inside = ++failures; if (inside > 1 && length($0) > 80) bad("too wide: " $0) }
        /^(  ok|  --|In brackets|$)/ { inside = 0 }
        /^       / && inside == 1 && ++lines > 22 { bad("the first failure takes over 22 lines") }
        /^       / && inside == 1 && length($0) > 80 { bad("too wide: " $0) }
        /^       read: / { if (inside == 1) sections++; else bad("it explains more than one") }
        END {
            if (failed) exit
            if (!failures) bad("nothing fails")
            if (!sections) bad("no section to read")
            while ((getline line < results) > 0)
                if (line ~ /"status":"failed"/ && ++told && line !~ /\\nread: /)
                    bad("a result without a section to read: " line)
            if (told != failures) bad(told + 0 " failures among the results, " failures " told")
            print "ok", failures
        }' "$folder/report" >"$folder/verdict"
    case $(cat "$folder/verdict") in
        ok*) echo "ok $what explains the first of $(sed 's/ok //' "$folder/verdict") failures" ;;
        *) cat "$folder/verdict" ;;
    esac
    [ "$2" != kernel ] || check_terminal "$1" "$2" "$what"
}
# All of it, the names of the findings at the end included, which a file has on one line.
check_terminal() { # lab, part, what
    if ! script -qec true /dev/null </dev/null >/dev/null 2>&1; then
        echo "left out: $3 on a terminal (no pseudo-terminal here: is /dev/pts mounted?)"
        return
    fi
    TERM=dumb script -qec "make --no-print-directory -f common/lab_rules.mk LAB=$1 PART=$2 test" \
        /dev/null </dev/null 2>&1 | tr -d '\r' >"$folder/screen"
    if ! grep -q '^Findings: ' "$folder/screen"; then
        echo "FAIL $3 on a terminal names no findings"
    elif grep '.\{81\}' "$folder/screen" >"$folder/wide"; then
        echo "FAIL $3 is wider than a terminal: $(head -n 1 "$folder/wide")"
    else
        echo "ok $3 fits a terminal"
    fi
}

# Code that writes over what malloc keeps beside an array must not make the report wait for ever.
check_lost_memory() { # lab
    local what="the report of a program that has lost its memory ends with a sentence"
    if [ ! -f "solutions/$1/kernel.cu" ]; then
        echo "left out: $what (the solutions are not here)"
        return
    fi
    sed '/cudaGetLastError/a reinterpret_cast<size_t*>(P)[-1] = ~size_t(0);' \
        "solutions/$1/kernel.cu" >"$folder/lost.cu"
    timeout 120 make --no-print-directory -f common/lab_rules.mk LAB="$1" PART=kernel \
        KERNEL="$folder/lost.cu" test >"$folder/lost" 2>&1
    if [ $? = 124 ] || ! grep -q 'cannot go on: .* written outside of an array' "$folder/lost" ||
        grep -q Aborted "$folder/lost"; then
        echo "FAIL $what; it says: $(tail -n 1 "$folder/lost")"
    else
        echo "ok $what"
    fi
}
case " $* " in *' lab1_naive '*) check_lost_memory lab1_naive ;; esac

for lab; do
    for source in "$lab"/*.cu; do check "$lab" "$(basename "$source" .cu)"; done
done
