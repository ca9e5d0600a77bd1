#!/bin/bash
# Everything that `make test` checks: the units of common/, then for each lab that its solution
# passes, that its untouched skeleton fails with a sentence for every TODO, that every known
# mistake gets exactly the findings that its first comment names, and that nvcc, where it is
# installed, accepts every .cu file. Ends with the plain line 'N passed, N failed'.
set -u
passed=0 failed=0 left_out=0
logs=$BUILD/check
mkdir -p "$logs"

good() {
    passed=$((passed + 1))
    printf '  ok  %s\n' "$1"
}
bad() {
    failed=$((failed + 1))
    printf 'FAIL  %s\n' "$1"
    [ -z "${2:-}" ] || grep -v '^  ok  ' "$2" | sed 's|^|       |'
}
leave_out() {
    left_out=$((left_out + 1))
    printf 'left out: %s\n' "$1"
}

# Runs the tests of one kernel; its report goes to a log of its own.
judge() { # lab, log, variables...
    local lab=$1 log=$2
    shift 2
    make --no-print-directory -f common/lab_rules.mk LAB="$lab" "$@" test >"$log" 2>&1
}

# The findings that a mistake names, and those that its report ends with.
wanted() { sed -n '1s|^// Finding: ||p' "$1"; }
found() { sed -n 's/^Findings: //p' "$1"; }

check_mistake() { # lab, file; in a process of its own, the verdict on its last line
    local lab=$1 file=$2 log
    log=$logs/$lab-$(basename "$file" .cu).log
    if judge "$lab" "$log" KERNEL="$PWD/$file"; then
        echo "FAIL $file passes, and should not"
    elif [ -z "$(wanted "$file")" ]; then
        echo "FAIL $file: its first line must be '// Finding: ...'"
    elif [ "$(found "$log")" != "$(wanted "$file")" ]; then
        echo "FAIL $file: wanted '$(wanted "$file")', found '$(found "$log")' ($log)"
    else
        echo "ok $(basename "$file") is caught: $(wanted "$file")"
    fi
}
check_cuda() { # file
    local log
    log=$logs/nvcc-$(echo "$1" | tr / -).log
    if nvcc -std=c++17 -c "$1" -o "$logs/$(echo "$1" | tr / -).o" >"$log" 2>&1; then
        echo "quiet nvcc compiles $1"
    else
        echo "FAIL nvcc does not compile $1 ($log)"
    fi
}
export -f check_mistake check_cuda judge wanted found
export logs

# Reads lines 'ok ...', 'quiet ...' (as good, but one of many) and 'FAIL ...'.
tally() {
    local verdict text
    while read -r verdict text; do
        case $verdict in
            ok) good "$text" ;;
            quiet) passed=$((passed + 1)) ;;
            *) bad "$text" ;;
        esac
    done
}

for unit in $UNIT_TESTS; do
    log=$logs/unit-$unit.log
    if "$BUILD/test_$unit" >"$log" 2>&1; then
        good "common/$unit: $(tail -n 1 "$log")"
    else
        bad "common/$unit" "$log"
    fi
done

for lab; do
    log=$logs/$lab-solution.log
    if judge "$lab" "$log" SOLUTION=1; then
        good "$lab: the solution passes ($(tail -n 1 "$log"))"
    else
        bad "$lab: the solution fails" "$log"
    fi

    # A student's edited skeleton says nothing about what ships. In CI nobody is a student: there
    # an edited skeleton is one whose checksum was forgotten.
    log=$logs/$lab-skeleton.log
    if ! grep " $lab/" common/testing/skeletons.sha256 | sha256sum --check --status; then
        if [ -n "${CI:-}" ]; then
            bad "$lab: skeleton changed; sha256sum lab*/kernel.cu > common/testing/skeletons.sha256"
        else
            leave_out "$lab: the skeleton must fail (kernel.cu has been edited)"
        fi
    elif judge "$lab" "$log"; then
        bad "$lab: the untouched skeleton passes"
    else
        silent=''
        while read -r todo; do
            grep -q "^ .*$todo: " "$log" || silent="$silent $todo"
        done < <(grep -o 'TODO([0-9]*)' "$lab/kernel.cu" | sort -u)
        if [ -n "$silent" ]; then
            bad "$lab: the skeleton's report has no sentence for$silent" "$log"
        else
            good "$lab: the skeleton fails with a sentence for every TODO"
        fi
    fi

    tally < <(printf '%s\n' solutions/mistakes/"$lab"/*.cu |
        xargs -P "$(nproc)" -I{} bash -c 'check_mistake "$@"' _ "$lab" {})

    if command -v nvcc >/dev/null 2>&1; then
        tally < <(printf '%s\n' "$lab"/*.cu solutions/"$lab"/*.cu solutions/mistakes/"$lab"/*.cu |
            xargs -P "$(nproc)" -I{} bash -c 'check_cuda "$@"' _ {})
        printf '  --  %s: nvcc has compiled every .cu file; each counts as a check\n' "$lab"
    else
        leave_out "$lab: compiling with nvcc (it is not installed)"
    fi
done

[ "$left_out" = 0 ] || echo "$left_out checks left out, as said above"
echo
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
