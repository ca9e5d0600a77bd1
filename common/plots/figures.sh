#!/bin/sh
# The figures of a lab, drawn by the first Python that has matplotlib. Arguments as draw.py's.
# Status 2, with a sentence, where there is none.
set -eu
python=$(common/setup/python.sh matplotlib numpy PIL) || {
    echo 'make figures needs Python 3 with matplotlib: sudo apt-get install python3-matplotlib' >&2
    exit 2
}
export MPLBACKEND=Agg PYTHONDONTWRITEBYTECODE=1
exec "$python" common/plots/draw.py "$@"
