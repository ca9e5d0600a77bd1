#!/bin/bash
# Checks `make similarity`. Prints 'ok ...', 'FAIL ...' and 'left out: ...' for check_all.sh.
set -u
if ! command -v python3 >/dev/null 2>&1; then
    echo 'left out: make similarity (python3 is not installed)'
    exit
fi
export PYTHONPATH=common/grading${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1
output=$(python3 -m similarity.tests 2>&1)
status=$?
grep -E '^(ok|FAIL) ' <<<"$output"
[ $status = 0 ] || echo "FAIL similarity: status $status: $(tail -n 1 <<<"$output")"
