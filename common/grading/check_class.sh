#!/bin/bash
# Grades a class of synthetic submissions and checks that every mark is as expected, that none is
# lost, and that a run which is killed in the middle and goes on gives the same table as one that is
# not. One line a check: 'ok ...', 'quiet ...' or 'FAIL ...'.
#
# CLASS=n submissions, 8 without it; CLASS=300 takes half an hour on two cores. TWICE=yes: the run
# that is not killed judges all files again; otherwise it takes the killed run's verdicts.
set -u
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL
CLASS=${CLASS:-8} TWICE=${TWICE:-}
python=$(common/setup/python.sh json) || exit
export PYTHONDONTWRITEBYTECODE=1
here=common/grading/tests/class
folder=$PWD/${BUILD:-build}/check/class
rm -rf "$folder" && mkdir -p "$folder"
"$python" $here/make_class.py "$folder/submissions" "$folder/expected.json" "$CLASS" || {
    echo "FAIL the class could not be written"
    exit
}

grade() { # OUT, log; in a session of its own, to be killed as a whole
    exec setsid make --no-print-directory grade SUBMISSIONS="$folder/submissions" OUT="$1" \
        LABS='lab1 lab2' JOBS=2 SEED=class >"$2" 2>&1
}
results() { find "$1/students" -name result.json 2>/dev/null | wc -l; }

# The course is built before anything is killed or timed.
mkdir -p "$folder/nobody/Nobody"
make --no-print-directory grade SUBMISSIONS="$folder/nobody" OUT="$folder/none" \
    LABS='lab1 lab2' >"$folder/built.log" 2>&1 || echo "FAIL make grade ($folder/built.log)"

(grade "$folder/out" "$folder/killed.log") &
began=$SECONDS
while [ "$(results "$folder/out")" -lt $((CLASS / 2)) ] && kill -0 $! 2>/dev/null &&
    [ $((SECONDS - began)) -lt $((CLASS * 60)) ]; do
    sleep 0.2
done
# All of the group: make, the grader, and what confines the submissions.
kill -KILL -- "-$!" 2>/dev/null
wait $! 2>/dev/null
before=$(results "$folder/out") first=$((SECONDS - began))
if [ -f "$folder/out/grades.csv" ] || [ "$before" -ge "$CLASS" ]; then
    echo "FAIL the run was over before it was killed ($folder/killed.log)"
fi

began=$SECONDS
(grade "$folder/out" "$folder/resumed.log") || echo "FAIL the run does not go on ($folder/resumed.log)"
seconds=$((first + SECONDS - began))
grep -q "^$before of $CLASS are as an earlier run has left them" "$folder/resumed.log" ||
    echo "FAIL the run does not keep what was graded ($folder/resumed.log)"

mkdir -p "$folder/whole"
[ -n "$TWICE" ] || cp -r "$folder/out/verdicts" "$folder/whole/"
(grade "$folder/whole" "$folder/whole.log") || echo "FAIL make grade ($folder/whole.log)"
if cmp -s "$folder/out/grades.csv" "$folder/whole/grades.csv"; then
    echo "ok a run killed behind $before of $CLASS submissions goes on to the same table"
else
    echo "FAIL the table of a killed run is another one: $folder/{out,whole}/grades.csv"
fi

"$python" $here/check_class.py "$folder/submissions" "$folder/expected.json" "$folder/out" \
    "$folder/direct" >"$folder/marks" 2>&1 || echo "FAIL the marks cannot be checked ($folder/marks)"
grep -v '^quiet' "$folder/marks"
right=$(grep -c '^quiet' "$folder/marks")
[ "$right" != "$CLASS" ] || echo "ok $CLASS submissions get the marks expected, none is lost;" \
    "$(awk "BEGIN {printf \"%.1f\", $seconds / $CLASS}") s a submission on two cores"
