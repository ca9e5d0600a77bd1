#!/bin/bash
# `make grade ENGINE=slurm` on the cluster of one node (one_node.sh calls this): its table is that of
# the local engine, and a second run grades what is missing. Four students, one lab.
# Prints 'ok ...' or 'FAIL ...' for test_scripts.py.
set -u
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for student in anna "bert o'neil" chloe dmitri; do
    mkdir -p "$folder/in/$student/lab1_naive"
done
cp solutions/lab1_naive/kernel.cu "$folder/in/anna/lab1_naive"
cp lab1_naive/*.cu "$folder/in/bert o'neil/lab1_naive"
cp build/mistakes/lab1_naive/kernel/no_guard.cu "$folder/in/chloe/lab1_naive/kernel.cu"

grade() { # out, variables...
    local out=$1
    shift
    make --no-print-directory grade SUBMISSIONS="$folder/in" OUT="$folder/$out" LABS=lab1 \
        SEED=pomegranate MEMORY_GB=0.5 JOBS=2 "$@" >"$folder/$out.log" 2>&1 ||
        echo "FAIL Slurm: make grade $*: $(tail -n 2 "$folder/$out.log" | tr '\n' ' ')"
}
same_table() { cmp -s "$folder/local/grades.csv" "$folder/slurm/grades.csv"; }

grade local
grade slurm ENGINE=slurm
if same_table; then
    echo 'ok Slurm: make grade ENGINE=slurm gives the same table as the local engine'
else
    diff "$folder/local/grades.csv" "$folder/slurm/grades.csv" >&2
    echo 'FAIL Slurm: the table is not that of the local engine'
fi
rm -rf "$folder/slurm/students/chloe"
grade slurm ENGINE=slurm
if same_table && [ "$(grep -o '"-m"' "$folder/slurm/slurm/students-1.json" | wc -l)" = 1 ]; then
    echo 'ok Slurm: a second run grades only those without a result, and merges all'
else
    echo "FAIL Slurm: a second run: $(tail -n 2 "$folder/slurm.log" | tr '\n' ' ')"
fi
if grep -rqs pomegranate "$folder/slurm/slurm" "$(dirname "$SLURM_CONF")"; then
    echo 'FAIL Slurm: the secret seed lies in files for the nodes'
else
    echo 'ok Slurm: the secret seed is in no file for the nodes but its own'
fi
