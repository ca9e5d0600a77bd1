"""Records a run of a lab's kernel, and writes the page that replays it.

usage: explore.py LAB PART KERNEL SOLUTION

KERNEL: a file instead of the lab's own; SOLUTION: the solution instead of it; each may be
empty. make's variables have the rest: TILE_WIDTH, WIDTH or SHAPE, TEST, BLOCK, BESIDE, OUT, TOUR.
"""

import gc
import importlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MISSING = "make explore needs Python 3 with pyelftools: sudo apt-get install python3-pyelftools"
OPENERS = ("xdg-open", ("DISPLAY", "WAYLAND_DISPLAY")), ("wslview", ()), ("open", ())


def choose_interpreter() -> None:
    """Restarts in the first Python that has pyelftools; ends with status 2 if there is none."""
    try:
        importlib.import_module("elftools")
    except ImportError:
        asked = [str(ROOT / "common/setup/python.sh"), "elftools"]
        found = subprocess.run(asked, stdout=subprocess.PIPE, text=True).stdout.strip()
        if found:
            os.execv(found, [found, *sys.argv])
        print(MISSING, file=sys.stderr)
        sys.exit(2)


def show(path: pathlib.Path) -> None:
    """Opens a page if there is a desktop."""
    for opener, needs in OPENERS:
        wanted = not needs or any(map(os.environ.get, needs))
        if opener == "open" and sys.platform != "darwin":
            continue
        if wanted and shutil.which(opener):
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            subprocess.Popen([opener, str(path)], start_new_session=True, **quiet)
            return


def explore(lab: str, part: str, kernel: str, solution: str) -> None:
    recorded_runs, page, tour = map(importlib.import_module, ("recorded_runs", "page", "tour"))
    own = f"{'solutions/' if solution else ''}{lab}/{part}.cu"
    files = filter(None, (kernel or own, os.environ.get("BESIDE")))
    sources = [file.removeprefix(f"{ROOT}/") for file in files]
    try:
        asked = recorded_runs.Asked(lab, part)
        shown = [recorded_runs.page_run(source, asked) for source in sources]
        stops = tour.chosen(lab, part, shown[0])
    except (recorded_runs.Refused, tour.NoSuchStep) as sentence:
        print(sentence, file=sys.stderr)
        sys.exit(2)
    steps = [one["step"] for one in (*stops, *shown[0]["findings"]) if one["step"] >= 0]
    name = re.sub(r"\W+", "-", sources[0].removesuffix(".cu")).strip("-")
    path = pathlib.Path(os.environ.get("OUT") or ROOT / f"build/explore/{name}.html")
    path.parent.mkdir(parents=True, exist_ok=True)
    page.write(path, {"runs": shown, "tour": stops, "begin": steps[0] if steps else 0})
    print(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
    if not os.environ.get("TOUR"):  # make tours writes several pages
        print("Open this file in a browser: it replays the run, step by step.")
        show(path)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(HERE), str(ROOT / "common/plots"), str(ROOT / "common")]
    importlib.import_module("text.uncaught")
    choose_interpreter()
    gc.disable()  # up to a hundred thousand steps, all needed until the end
    explore(*sys.argv[1:])
