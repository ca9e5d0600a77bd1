#!/bin/bash
# Checks the data behind the figures, that those of the README are not stale, and, where there is
# matplotlib, that every figure can be drawn with its text unclipped. Prints 'ok ...', 'FAIL ...'
# and 'left out: ...' for check_all.sh.
set -u
export PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
plots=common/plots

python=$(common/setup/python.sh json) || exit
# A script that ends early has no FAIL line of its own.
checked() {
    local output status
    output=$("$@" 2>&1)
    status=$?
    grep -E '^(ok|FAIL) ' <<<"$output"
    [ $status = 0 ] || grep -q '^FAIL ' <<<"$output" ||
        echo "FAIL $*: status $status: $(tail -n 1 <<<"$output")"
}

make --no-print-directory -s build/device_limits -f common/lab_rules.mk LAB=lab4_memtypes >&2
checked "$python" $plots/tests/run.py test_phases test_races test_memory_maps test_traffic \
    test_occupancy test_bench_results
checked "$python" $plots/shown.py --check

# Every Python is made one without matplotlib.
without=$(mktemp -d)
trap 'rm -rf "$without"' EXIT
echo 'raise ImportError' >"$without/matplotlib.py"
said=$(PYTHONPATH=$without "$python" $plots/draw.py lab2_tiled '' '' 1 2>&1)
status=$?
if [ $status = 2 ] && [ "$(wc -l <<<"$said")" = 1 ] && [[ $said = *python3-matplotlib* ]]; then
    echo 'ok figures: without matplotlib one sentence and status 2'
else
    echo "FAIL figures: without matplotlib: status $status: $said"
fi

if python=$(common/setup/python.sh matplotlib numpy PIL); then
    checked "$python" $plots/tests/run.py test_drawing
else
    echo 'FAIL drawing the figures: no matplotlib: apt-get install python3-matplotlib'
fi
