"""Draws the figures of a lab into build/figures/LAB.

usage: draw.py LAB KERNEL PART SOLUTION

KERNEL: a file instead of the lab's own; PART: only the figures of this part;
SOLUTION: the solution instead of the lab's own files. Each may be empty.
"""

import importlib
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from text import uncaught  # noqa: E402, F401
import figures  # noqa: E402
import runs  # noqa: E402
from matrices import NothingToDraw  # noqa: E402

NEEDED = "matplotlib", "numpy", "PIL"
MISSING = "needs Python 3 with matplotlib: sudo apt-get install python3-matplotlib"
SCRIPT = pathlib.Path(__file__).parents[1] / "setup/python.sh"


def choose_interpreter(program):
    """Restarts in the first Python that has what drawing needs, because the system's packages often
    extend another Python than the one on the PATH. Ends with status 2 if there is none."""
    os.environ.update(MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1")
    try:
        return list(map(importlib.import_module, NEEDED))
    except ImportError:
        pass
    found = subprocess.run([SCRIPT, *NEEDED], stdout=subprocess.PIPE, text=True).stdout.strip()
    if found:
        os.execv(found, [found, *sys.argv])
    print(f"{program} {MISSING}", file=sys.stderr)
    sys.exit(2)


def main():
    lab, kernel, part, solution = sys.argv[1:]
    choose_interpreter("make figures")
    if lab not in figures.LABS:
        print(f"left out: {lab} has no figures; they are listed in common/plots/figures.py")
        return
    out = runs.OUT / lab
    (runs.ROOT / out).mkdir(parents=True, exist_ok=True)
    chosen = [one for one in figures.LABS[lab] if part in ("", one.part) or not one.part]
    if not chosen:
        there = ", ".join(sorted({one.part for one in figures.LABS[lab]}))
        print(f"left out: {lab} has no figures of {part}; it has some of {there}")
        return
    for figure in chosen:
        # Otherwise an older picture could be taken for one of this run.
        for old in (runs.ROOT / out).glob(f"{figure.name}.*"):
            old.unlink()
        try:
            data = figure.collect(figure.kernel(lab, solution, kernel))
        except NothingToDraw as reason:
            if str(reason):
                print(f"left out: {out}/{figure.name}: {reason}")
            continue
        for path in figure.draw(data, out / figure.name):
            print(path)
    if not kernel and not part:
        print(f"Watch it step by step: make -C {lab} explore{' SOLUTION=1' if solution else ''}")


if __name__ == "__main__":
    main()
