#!/bin/sh
# Runs a package of this folder with the first Python 3 that there is; what it is to do stands in
# the environment. usage: with_python.sh PACKAGE
set -eu
python=$(common/setup/python.sh json) || {
    echo "make $1 needs Python 3: sudo apt-get install python3" >&2
    exit 2
}
# Hands nothing of this make's command line on to one that Python starts.
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL
export PYTHONPATH=common/grading PYTHONDONTWRITEBYTECODE=1
exec "$python" -m "$1"
