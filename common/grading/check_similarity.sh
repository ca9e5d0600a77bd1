#!/bin/bash
# Checks `make similarity`. Prints 'ok ...', 'FAIL ...' and 'left out: ...' for check_all.sh.
set -u
python=$(common/setup/python.sh json) || exit
export PYTHONPATH=common/grading${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1
output=$("$python" -m similarity.tests 2>&1)
status=$?
grep -E '^(ok|FAIL) ' <<<"$output"
[ $status = 0 ] || echo "FAIL similarity: status $status: $(tail -n 1 <<<"$output")"
