#!/bin/bash
# Checks the points of labs against the runs that check_all.sh has made in BUILD/check. Prints lines
# as it reads them. usage: check_points.sh LAB...
set -u
python=$(common/setup/python.sh json) || {
    echo 'left out: points (python3 is not installed)'
    exit 0
}
PYTHONDONTWRITEBYTECODE=1 exec "$python" common/grading/check_points.py "${BUILD:-build}/check" "$@"
