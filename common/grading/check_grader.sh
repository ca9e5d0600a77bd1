#!/bin/bash
# Checks `make grade`: its unit tests, among them what the sandbox keeps from a submission, then a
# small class of lab 1. Objects that are built are taken over, as their sources are the same. Prints
# lines as check_all.sh reads them.
set -u
cd "$(dirname "$0")/../.." || exit 2
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL
python=$(common/setup/python.sh json) || exit
logs=${BUILD:-build}/check
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=common/grading
mkdir -p "$logs"

log=$logs/grader.log
if "$python" -m unittest discover -s common/grading/tests -p 'test_grade_*.py' >"$log" 2>&1; then
    echo "ok make grade: $(sed -n 's/^Ran \([0-9]* tests\) .*/\1/p' "$log")"
else
    echo "FAIL make grade: $(sed -n 's/^\(FAIL\|ERROR\): //p' "$log" | head -n 1) ($log)"
fi
! grep -q 'skipped=' "$log" ||
    echo "left out: submissions in bubblewrap (it is not installed, or may not work here)"

course=$("$python" -c 'from grade import course; print(course.Course(["lab1"]).copied())') || {
    echo 'FAIL make grade: the course cannot be copied'
    exit
}
if [ ! -d "$course/build" ]; then
    common/checks/copy_build.py "$course"
fi
"$python" common/grading/tests/grade_class.py "$logs/class"
