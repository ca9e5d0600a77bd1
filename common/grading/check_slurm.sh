#!/bin/bash
# Checks the grader's Slurm engine on a cluster of one node, where Slurm's daemons are installed:
# with tasks that stand in for the grader's, then with make grade.
# Prints 'ok ...', 'FAIL ...' or 'left out: ...' for test_scripts.py.
set -u
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch; do
    if ! command -v $program >/dev/null 2>&1; then
        echo "left out: grading on Slurm ($program is not installed: apt-get install slurm-wlm munge)"
        exit
    fi
done
python=$(common/setup/python.sh json) || exit
export PYTHONDONTWRITEBYTECODE=1
# So small that four students take two arrays.
export ONE_NODE_MAX_ARRAY=4
tests=common/grading/tests/slurm
output=$(timeout 400 $tests/one_node.sh \
    bash -c "$python $tests/test_engine.py; $tests/test_grade.sh" 2>&1)
status=$?
grep -E '^(ok|FAIL) ' <<<"$output"
if [ $status = 2 ]; then
    echo "left out: grading on Slurm (no cluster of one node: $(tail -n 1 <<<"$output"))"
    exit
fi
[ $status = 0 ] || grep -q '^FAIL ' <<<"$output" ||
    echo "FAIL the Slurm engine: status $status: $(tail -n 3 <<<"$output" | tr '\n' ' ')"
