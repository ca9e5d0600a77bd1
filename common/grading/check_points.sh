#!/bin/bash
# Checks the points of labs against the runs that check_all.sh has made in BUILD/check. Prints lines
# as it reads them. usage: check_points.sh LAB...
set -u
python=$(common/setup/python.sh json) || exit
PYTHONDONTWRITEBYTECODE=1 exec "$python" common/grading/check_points.py "${BUILD:-build}/check" "$@"
