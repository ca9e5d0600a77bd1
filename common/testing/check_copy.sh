#!/bin/bash
# What `make test` checks in a copy of the course without solutions: the units of common/, and that
# each untouched skeleton fails with a sentence for every TODO. Ends with 'N passed, N failed'.
set -u
. common/testing/check_functions.sh

{
    for unit in $UNIT_TESTS; do echo "check_unit $unit"; done
    for lab; do
        for file in "$lab"/*.cu; do echo "check_skeleton $lab $(basename "$file" .cu)"; done
    done
} >"$logs/commands"
run_checks "$logs/commands"
echo
echo 'This copy of the course has no solutions: its libraries and skeletons were checked, no more.'
echo "Your own work: make ${1%%_*}, and so on."
summary
