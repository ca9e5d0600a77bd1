#!/usr/bin/env python3
"""Takes a result of `make bench DEVICE=gpu` into results/, the README and the comments of the
rungs, so that no figure there is typed in.

usage: update.py FOLDER NAME, such as build/gpu/bench h200
"""

import pathlib
import re
import shutil
import sys

from results import LADDER, SQUARE, Row, read


def put_between(file: pathlib.Path, begin: str, end: str, block: str) -> None:
    """Replaces what stands in a file between two lines."""
    pattern = rf"(^{re.escape(begin)}\n).*?(^{re.escape(end)}$)"
    text = file.read_text()
    new, found = re.subn(pattern, lambda m: m[1] + block + m[2], text, flags=re.M | re.S)
    if not found:
        sys.exit(f"{file}: no section; it needs the lines {begin} and {end}")
    file.write_text(new)


def tera(gflops: float) -> str:
    return f"{gflops / 1000:.{2 if gflops < 1000 else 1}f}"


def measured(rows: list[Row], rung: str, before: str) -> str:
    """Returns the comment on a rung, beside the rung before it."""
    own = [row for row in rows if row.kernel == rung]
    square = next(row for row in own if row.size == SQUARE)
    text = f"// Measured on an {square.card}: {tera(square.gflops)} TFLOP/s at N = {SQUARE}, "
    text += f"{100 * square.share_of_cublas:.1f} % of cuBLAS"
    for row in rows:
        if (row.kernel, row.size) == (before, SQUARE):
            times = square.gflops / row.gflops
            text += f",\n// {times:.2f} times rung {int(before.split('_')[0])}"
    others = [f"{tera(row.gflops)} at {row.size}" for row in own if row.size != SQUARE]
    return f"{text}.\n// {', '.join(others)}.\n"


def main() -> int:
    arguments = sys.argv[1:]
    folder = pathlib.Path(arguments[0] if arguments else "")
    csv, markdown = folder / "bench.csv", folder / "bench.md"
    if len(arguments) != 2 or not (csv.is_file() and markdown.is_file()):
        there = arguments[0] if arguments else ""
        use = "use: update.py FOLDER NAME"
        print(f"update.py: no bench.csv and bench.md in '{there}'; {use}", file=sys.stderr)
        return 2
    results = LADDER / "results"
    results.mkdir(exist_ok=True)
    for file in (csv, markdown):
        shutil.copyfile(file, results / f"{arguments[1]}{file.suffix}")
    begin, end = "<!-- measured:begin -->", "<!-- measured:end -->"
    put_between(LADDER / "README.md", begin, end, markdown.read_text())
    rows, before = read(csv), ""
    for file in sorted(LADDER.glob("*.cu")):
        block = measured(rows, file.stem, before)
        put_between(file, "// measured:begin", "// measured:end", block)
        before = file.stem
    return 0


if __name__ == "__main__":
    sys.exit(main())
