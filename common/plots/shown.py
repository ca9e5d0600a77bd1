"""The figures that the README shows, in common/plots/shown.

usage: shown.py [--check]

Without --check draws them anew. With it, draws nothing (and needs no matplotlib), and
says by the checksum of the data in each file which of them are stale.
"""

import importlib
import re
import sys

import checksum
import draw
import figures
import runs

FOLDER = runs.ROOT / "common/plots/shown"
SHOWN = [("lab2_tiled", "phases_first_barrier_missing"), ("lab2_tiled", "traffic")]


def collect(lab, figure):
    part = figure.part or "kernel"
    file = draw.source(lab, part, kernel="", solution=True)
    return figure.collect(runs.Kernel(lab, file, part))


def stale(path, data):
    if not path.exists():
        return True
    kept = re.search(r"data sha256:(\w+)", path.read_text())
    return not kept or kept[1] != checksum.of(data)


def main():
    status = 0
    for lab, name in SHOWN:
        figure = figures.find(lab, name)
        data, path = collect(lab, figure), FOLDER / name
        svg = path.with_suffix(".svg")
        if "--check" not in sys.argv:
            importlib.import_module(figure.draw).draw(data, path)
            path.with_suffix(".png").unlink()
            print(svg.relative_to(runs.ROOT))
        elif stale(svg, data):
            remedy = "common/plots/update_shown.sh draws it anew"
            print(f"FAIL {svg.relative_to(runs.ROOT)} is stale; {remedy}")
            status = 1
        else:
            print(f"ok {svg.relative_to(runs.ROOT)} shows what a run of today gives")
    return status


if __name__ == "__main__":
    sys.exit(main())
