"""Chooses the Python that draws: the one on the PATH is often not the one that the system's
packages extend."""

import importlib
import os
import pathlib
import subprocess
import sys

NEEDED = "matplotlib", "numpy", "PIL"
MISSING = "needs Python 3 with matplotlib: sudo apt-get install python3-matplotlib"
SCRIPT = pathlib.Path(__file__).parents[1] / "setup/python.sh"


def choose(who):
    """Goes on in the first Python that has what drawing needs; ends with status 2 without one."""
    os.environ.update(MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1")
    try:
        return list(map(importlib.import_module, NEEDED))
    except ImportError:
        pass
    found = subprocess.run([SCRIPT, *NEEDED], stdout=subprocess.PIPE, text=True).stdout.strip()
    if found:
        os.execv(found, [found, *sys.argv])
    print(f"{who} {MISSING}", file=sys.stderr)
    sys.exit(2)
