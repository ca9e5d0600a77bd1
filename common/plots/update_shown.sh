#!/bin/sh
# Draws the figures of the README anew (see common/plots/shown.py).
set -eu
make --no-print-directory -s libraries
python=$(common/setup/python.sh matplotlib numpy PIL) || {
    echo 'This needs Python 3 with matplotlib: sudo apt-get install python3-matplotlib' >&2
    exit 2
}
MPLBACKEND=Agg PYTHONDONTWRITEBYTECODE=1 "$python" common/plots/shown.py
