#!/bin/bash
# Checks that attacks on the grader, handed in among other submissions, gain no point and are told to
# the teacher: each is graded as any submission is. One line a check: 'ok ...' or 'FAIL ...'.
# ATTACKS=all tries all of them, which takes minutes, and that nobody is told of who has tried nothing;
# without it a sample.
set -u
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL
python=$(common/setup/python.sh json) || exit
export PYTHONDONTWRITEBYTECODE=1
here=common/grading/attacks
folder=$PWD/${BUILD:-build}/check/attacks
sample=(exits_in_a_call prints_to_descriptors deletes_files forks_by_computed_address closes_the_streams
    looks_for_the_solution renames_the_tests pragma_in_a_macro computes_on_the_host
    functions_of_the_library computes_behind_a_store)
files=("${sample[@]/%/.cu}")
files=("${files[@]/#/$here/lab1_naive/}")
if [ "${ATTACKS:-}" = all ]; then
    mapfile -t files < <(find "$here" -name '*.cu' -not -path '*/bases/*' -o -path '*/lab*/*.h' | sort)
fi

rm -rf "$folder" && mkdir -p "$folder"
"$python" common/grading/tests/class/attacks.py hand-in "$folder/submissions" "${files[@]}" \
    >"$folder/labs" || exit
# make grade of a folder of submissions; limits come before it.
grade() { # submissions, out, labs, log
    make --no-print-directory grade SUBMISSIONS="$1" OUT="$2" LABS="$3" SEED=attacked >"$4" 2>&1
}
# Limits that end what would not end by itself soon.
if MEMORY_GB=1 BUILD_SECONDS=30 RUN_SECONDS=15 grade "$folder/submissions" "$folder/out" \
    "$(cat "$folder/labs")" "$folder/log"; then
    "$python" common/grading/tests/class/attacks.py judge "$folder/out" "${files[@]}"
else
    echo "FAIL make grade fails with attacks among the submissions ($folder/log)"
fi
[ "${ATTACKS:-}" = all ] || exit 0

honest=common/grading/tests/class/honest.py
"$python" $honest hand-in "$folder/honest" >"$folder/honest.labs" || exit
if grade "$folder/honest" "$folder/honest.out" "$(cat "$folder/honest.labs")" "$folder/honest.log"; then
    "$python" $honest judge "$folder/honest.out"
else
    echo "FAIL make grade fails with honest submissions ($folder/honest.log)"
fi
