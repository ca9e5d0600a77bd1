#!/bin/bash
# Checks what make says of mistyped variables and values, and of a first build. Prints 'ok ...' or
# 'FAIL ...' for check_all.sh.
set -u
make=(make --no-print-directory -C lab1_naive test PART=kernel)

# In a test of everything, make's own command line is not the one that is checked.
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL

says() { # what, status, words of the answer (an extended regular expression), variables...
    local what=$1 wanted=$2 words=$3 said status
    shift 3
    said=$("${make[@]}" "$@" 2>&1)
    status=$?
    if [ $status = "$wanted" ] && grep -qE -- "$words" <<<"$said"; then
        echo "ok $what"
    else
        echo "FAIL $what: status $status, said: $(head -n 1 <<<"$said")"
    fi
}

says 'a mistyped SCHEDULE is named' 2 '^SCHEDUL: did you mean SCHEDULE\?$' SCHEDUL=reverse
says 'a variable in small letters is named' 2 '^kernel: did you mean KERNEL\?$' kernel=a.cu
says 'a name like no other is refused' 2 '^WIDTH: no variable of the labs' WIDTH=32
says 'a value may look like a variable' 0 '^1[0-9] passed, 0 failed$' \
    SOLUTION=1 ARGS='--sets SCHEDUL=1 KERNAL=2'
says 'COMPILE_ONLY=yes is refused' 2 '^COMPILE_ONLY=yes: write 1' COMPILE_ONLY=yes
says 'COMPILE_ONLY=1 is refused without DEVICE=gpu' 2 '^COMPILE_ONLY=1 goes with' COMPILE_ONLY=1
says 'a mistyped COMPILE_ONLY is named' 2 '^COMPILEONLY: did you mean COMPILE_ONLY' COMPILEONLY=1
says 'SOLUTION=no is refused' 2 '^SOLUTION=no: write 1' SOLUTION=no
says 'EXPLAIN takes all' 2 '^EXPLAIN=some: write all' EXPLAIN=some
said=$(make --no-print-directory lab1 SCHEDUL=reverse 2>&1)
if [ $? = 2 ] && grep -q '^SCHEDUL: ' <<<"$said"; then
    echo 'ok a mistyped variable is named in the root too'
else
    echo "FAIL a mistyped variable in the root: $(head -n 1 <<<"$said")"
fi
for slip in 'grade SEDE SEED' 'release LAB LABS' 'similarity SUBMISSION SUBMISSIONS'; do
    read -r goal wrong right <<<"$slip"
    said=$(make --no-print-directory "$goal" "$wrong=x" 2>&1)
    if [ $? = 2 ] && grep -q "^$wrong: did you mean $right?$" <<<"$said"; then
        echo "ok make $goal names a mistyped $right"
    else
        echo "FAIL make $goal with a mistyped $right: $(head -n 1 <<<"$said")"
    fi
done

# Nothing is built here: -n.
empty=$(mktemp -d)
first=$("${make[@]}" -n BUILD="$empty" 2>/dev/null | grep -c 'The first build')
# A build folder from the environment counts from the root, as make test itself hands it on.
later=$(BUILD=build "${make[@]}" -n 2>/dev/null | grep -c 'The first build')
rmdir "$empty"
if [ "$first:$later" = 1:0 ]; then
    echo 'ok a first build says that it takes longer, a later one does not'
else
    echo "FAIL a first build announces itself $first times, a later one $later times"
fi
