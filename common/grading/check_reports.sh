#!/bin/bash
# Checks points, reports and autograder by their unit tests. Prints lines as check_all.sh reads them.
set -u
cd "$(dirname "$0")/../.." || exit 2
python=$(common/setup/python.sh json) || exit
build=${BUILD:-build} here=common/grading
logs=$build/check
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$logs"

log=$logs/reports.log
if PYTHONPATH=$here "$python" -m unittest discover -s $here/tests -p "test_reports*.py" >"$log" 2>&1; then
    echo "ok points and reports: $(sed -n 's/^Ran \([0-9]* tests\) .*/\1/p' "$log")"
else
    echo "FAIL points and reports: $(grep -m 1 '^[A-Za-z]*Error' "$log") ($log)"
fi
