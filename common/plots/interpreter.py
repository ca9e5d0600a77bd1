"""Chooses the Python that draws: the one on the PATH is often not the one that the system's
packages extend."""

import os
import shutil
import subprocess
import sys

NEEDED = "import matplotlib, numpy, PIL"
MISSING = "needs Python 3 with matplotlib: sudo apt-get install python3-matplotlib"


def choose(who):
    """Goes on in the first Python that has what drawing needs; ends with status 2 without one."""
    os.environ.update(MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1")
    try:
        return exec(NEEDED, {})
    except ImportError:
        pass
    for python in (shutil.which("python3"), "/usr/bin/python3", "/usr/local/bin/python3"):
        if python and os.access(python, os.X_OK):
            tried = subprocess.run([python, "-c", NEEDED], stderr=subprocess.DEVNULL)
            if tried.returncode == 0:
                os.execv(python, [python, *sys.argv])
    print(f"{who} {MISSING}", file=sys.stderr)
    sys.exit(2)
