#!/bin/bash
# Checks that a verdict by record and replay is the one that `make test` gives, and that attacks gain
# nothing: every solution passes on fresh data, some known mistakes get the findings that they name,
# the guard refuses what it should, and each file under attacks/ gets what its comment says. One line
# a check: 'ok ...', 'quiet ...' or 'FAIL ...'.
set -u
logs=$BUILD/check/record
mkdir -p "$logs"

# Builds and runs both programs; the replay's report goes to FOLDER/report, its exit status is the
# result, 3 where the file is refused.
judge() { # lab, part, file, folder
    local folder=$4
    rm -rf "$folder" && mkdir -p "$folder"
    make --no-print-directory -f common/lab_rules.mk LAB="$1" PART="$2" KERNEL="$3" \
        OUT="$folder" record >"$folder/build" 2>&1 || return 3
    LAB_RECORD_FD=3 timeout 120 "$folder/record" 3>"$folder/bin" >"$folder/output" 2>&1
    LAB_RECORD=$folder/bin LAB_REMARKS=$folder/remarks \
        "$BUILD/sim/$1/replay-$2" >"$folder/report" 2>&1
}

check_right() { # lab, part, file
    local folder
    folder=$logs/$1-$2-right-$(basename "$3" .cu)
    if LAB_SEED=fresh-$RANDOM judge "$1" "$2" "$3" "$folder" && [ ! -s "$folder/remarks" ]; then
        echo "quiet $3"
    else
        echo "FAIL $3: is right, and does not pass by record and replay ($folder)"
    fi
}
check_mistake() { # lab, part, file
    local folder wanted found
    folder=$logs/$1-$2-$(basename "$3" .cu)
    judge "$1" "$2" "$3" "$folder"
    wanted=$(sed -n '1s|^// Finding: ||p' "$3")
    found=$(sed -n 's/^Findings: //p' "$folder/report" 2>/dev/null)
    if [ "$wanted" = "$found" ]; then
        echo "quiet $3"
    else
        echo "FAIL $3: wanted '$wanted', found '$found' by record and replay ($folder)"
    fi
}
check_attack() { # file
    local folder status gets what says
    folder=$logs/attack-$(basename "$1" .cu)
    judge lab1_naive kernel "$1" "$folder"
    status=$?
    gets=$(sed -n '2s|^// Gets: ||p' "$1")
    what=${gets%%: *} says=${gets#*: }
    case $what in
        refused) grep -q "^refused: .*$says" "$folder/build" && [ $status = 3 ] ;;
        failed) grep -q "$says" "$folder/report" && [ $status = 1 ] ;;
        uncompiled) grep -q "error: .*$says" "$folder/build" && [ $status = 3 ] ;;
        remark) grep -q "$says" "$folder/remarks" && [ $status = 1 ] ;;
        *) false ;;
    esac && ! grep -q '^  ok  ' "$folder/report" 2>/dev/null &&
        echo "ok the attack $(basename "$1" .cu) gains nothing: $gets" ||
        echo "FAIL $1: does not get '$gets' ($folder)"
}
export -f judge check_right check_mistake check_attack
export logs BUILD

parts=()
for lab in lab*_*/; do
    lab=${lab%/}
    for file in "$lab"/*.cu; do parts+=("$lab $(basename "$file" .cu)"); done
done

log=$logs/programs
printf '%s\n' "${parts[@]}" | while read -r lab part; do
    make --no-print-directory -f common/lab_rules.mk LAB="$lab" PART="$part" replay || exit 1
done >"$log" 2>&1 || echo "FAIL the programs that replay cannot be built ($log)"

{
    printf '%s\n' "${parts[@]}" | while read -r lab part; do
        echo "$lab $part solutions/$lab/$part.cu"
    done
    # Beside the kernel much of the C++ library; in it calls by pointers, and results by pointers.
    echo 'lab1_naive kernel solutions/styles/lab1_naive/host_library.cu'
} | xargs -P "$(nproc)" -L1 bash -c 'check_right "$@"' _ >"$logs/solutions"
for lab in lab*_*/; do
    # The first of each lab's, in the order of their names.
    for file in build/mistakes/"$lab"kernel/*.cu; do
        echo "${lab%/} kernel $file" && break
    done
done | xargs -P "$(nproc)" -L1 bash -c 'check_mistake "$@"' _ >>"$logs/solutions"
cat "$logs/solutions"
grep -q '^FAIL' "$logs/solutions" ||
    echo "ok solutions pass on fresh data by record and replay, mistakes get their findings"

printf '%s\n' common/grading/attacks/*.cu |
    xargs -P "$(nproc)" -I{} bash -c 'check_attack "$@"' _ {}

# A change of the options in memory, for which the environment stands here.
folder=$logs/checks-off
CUSIM_CHECKS=counters judge lab1_naive kernel solutions/lab1_naive/kernel.cu "$folder"
if [ $? = 1 ] && grep -q 'has switched off checks' "$folder/remarks" &&
    ! grep -q '^  ok  ' "$folder/report"; then
    echo 'ok nothing passes, and a remark is made, where checks of the device are off'
else
    echo "FAIL a call is recorded although checks of the device are off ($folder)"
fi
if nm -C "$folder/record" | grep -Eq 'cusim::options|testing::writeToChannel|guardChannelCall'; then
    echo "FAIL the program that records names its own functions ($folder/record)"
else
    echo 'ok the program that records names no function of its own'
fi

# The guard, by a program that the gate would not let pass.
tries=$BUILD/guard_tries
attempts=(process program parent file record copy replace close reopen memory code network rights
    delete seed)
if ! make --no-print-directory "$tries" >"$logs/tries.build" 2>&1; then
    echo "FAIL $tries cannot be built ($logs/tries.build)"
elif LAB_SEED=secret LAB_RECORD_FD=3 "$tries" "${attempts[@]}" 3>"$logs/tries.bin" >"$logs/tries" &&
    [ "$(grep -c ' refused$' "$logs/tries")" = ${#attempts[@]} ]; then
    echo "ok the guard refuses ${#attempts[@]} things that no lab needs"
else
    echo "FAIL the guard lets pass: $(sed -n 's/ done$//p' "$logs/tries" | xargs)"
fi
if [ "$(LAB_RECORD_FD=3 "$tries" thread read 3>/dev/null)" = $'thread done\nread done' ]; then
    echo 'ok the guard lets host threads and reading pass, which the simulated device needs'
else
    echo 'FAIL the guard refuses what the simulated device needs'
fi
for descriptor in '' 0 x 99; do
    LAB_RECORD_FD=$descriptor "$tries" >"$logs/usage" 2>&1
    [ $? = 2 ] && grep -q LAB_RECORD_FD "$logs/usage" ||
        echo "FAIL LAB_RECORD_FD='$descriptor' is not refused with status 2 ($logs/usage)"
done
