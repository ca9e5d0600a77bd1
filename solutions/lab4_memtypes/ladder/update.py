#!/usr/bin/env python3
"""Copies a result of `make bench DEVICE=gpu` into results/, the README and the comments of the
rungs, so that no number there is typed by hand.

usage: update.py FOLDER NAME, such as build/gpu/bench h200
"""

import csv
import pathlib
import shutil
import sys

import heat_map
import waves

LADDER = pathlib.Path(__file__).resolve().parent
COMMON = LADDER.parents[2] / "common"
sys.path[:0] = [str(COMMON / "plots"), str(COMMON / "checks/kit")]
import bench_results  # noqa: E402
import handout_sections  # noqa: E402

SQUARE = [4096] * 3


def tera(gflops: float) -> str:
    return f"{gflops / 1000:.{2 if gflops < 1000 else 1}f}"


def size(shape: list[int]) -> str:
    """Returns 512, or 4097x3001x5003 (j x k x l)."""
    return str(shape[0]) if len(set(shape)) == 1 else "x".join(map(str, shape))


def measured(rows: list[dict], rung: str, before: str) -> str:
    """Returns the comment on a rung, beside the rung before it."""
    at_square = {row["kernel"]: row for row in rows if row["shape"] == SQUARE}
    own = at_square[rung]
    text = f"// Measured on an {own['card']}: {tera(own['gflops'])} TFLOP/s at N = {SQUARE[0]}, "
    text += f"{100 * own['share_of_cublas']:.1f} % of cuBLAS"
    if before:
        times = own["gflops"] / at_square[before]["gflops"]
        text += f",\n// {times:.2f} times rung {int(before.split('_')[0])}"
    others = [row for row in rows if row["kernel"] == rung and row["shape"] != SQUARE]
    told = [f"{tera(row['gflops'])} at {size(row['shape'])}" for row in others]
    return f"{text}.\n// {', '.join(told)}.\n"


def main() -> int:
    arguments = sys.argv[1:]
    folder = pathlib.Path(arguments[0] if arguments else "")
    files = [folder / f"{name}.{kind}" for name in ("bench", "shapes") for kind in ("csv", "md")]
    if len(arguments) != 2 or not all(file.is_file() for file in files):
        there = arguments[0] if arguments else ""
        use = "use: update.py FOLDER NAME"
        what = "no bench.csv, bench.md, shapes.csv and shapes.md"
        print(f"update.py: {what} in '{there}'; {use}", file=sys.stderr)
        return 2
    results, name = LADDER / "results", arguments[1]
    results.mkdir(exist_ok=True)
    for file in files:
        kept = name if file.stem == "bench" else f"{name}_shapes"
        shutil.copyfile(file, results / f"{kept}{file.suffix}")
    with open(folder / "shapes.csv", newline="", encoding="utf-8") as shapes:
        drawing = heat_map.svg(list(csv.DictReader(shapes)))
    (results / f"{name}_shapes.svg").write_text(drawing, encoding="utf-8")
    written = (folder / "shapes.md").read_text()
    handout_sections.put(LADDER / "README.md", "shapes", written, check=False)
    handout_sections.put(LADDER / "README.md", "waves", waves.table(), check=False)
    markdown, measurements = folder / "bench.md", folder / "bench.csv"
    handout_sections.put(LADDER / "README.md", "measured", markdown.read_text(), check=False)
    tried = folder / "tried.md"  # of tried.py, if it has run
    if tried.is_file():
        handout_sections.put(LADDER / "README.md", "tried", tried.read_text(), check=False)
    rows, before = bench_results.read(measurements), ""
    for file in sorted(LADDER.glob("[0-9]*.cu")):
        block = measured(rows, file.stem, before)
        handout_sections.put(file, "measured", block, check=False, marker="// {}")
        before = file.stem
    return 0


if __name__ == "__main__":
    sys.exit(main())
