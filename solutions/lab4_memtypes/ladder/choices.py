#!/usr/bin/env python3
"""Compares the times by which rung 14 chooses with those of a card, for the ladder's page.

usage: choices.py    rewrites the table there; build/simulated_ladder must be built
"""

import csv
import pathlib
import statistics
import subprocess
import sys

LADDER = pathlib.Path(__file__).resolve().parent
ROOT = LADDER.parents[2]
SHOWN = """512x512x512 1000x1000x1000 1024x1024x1024 1536x1536x1536 4096x4096x4096 8192x8192x8192
    4097x3001x5003 1023x1025x1027 999x1003x1001 2113x720x448 128x3072x3072 16x3072x3072
    4096x4096x64 128x16384x128 512x16384x512""".split()


def chosen() -> list[tuple[str, str, int, float, float]]:
    """Returns for each measured shape with rung 14's own tiles: the shape, the tiles, the blocks,
    and the microseconds of the model and of the card."""
    with open(LADDER / "results/h200_shapes.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    asked = "".join(f"{row['j']} {row['k']} {row['l']}\n" for row in rows)
    program = [str(ROOT / "build/simulated_ladder"), "choices"]
    done = subprocess.run(program, input=asked, capture_output=True, text=True, check=True)
    answers = []
    for row, line in zip(rows, done.stdout.splitlines()):
        if line == "-":
            continue
        tiles, blocks, microseconds = line.split()
        shape = f"{row['j']}x{row['k']}x{row['l']}"
        took = 1000 * float(row["own_warm_ms"])
        answers.append((shape, tiles, int(blocks), float(microseconds), took))
    return answers


def table() -> str:
    answers = chosen()
    shares = sorted(expected / took for *_, expected, took in answers)
    lines = ["| j x k x l | tiles | blocks | expected us | took us | |", "|---|---|---:|---:|---:|---:|"]
    for shape, tiles, blocks, expected, took in answers:
        if shape in SHOWN:
            share = f"{100 * expected / took:.0f} %"
            cells = [shape.replace("x", " x "), tiles.replace("x", " x "), str(blocks)]
            cells += [f"{expected:.1f}", f"{took:.1f}", share]
            lines.append("| " + " | ".join(cells) + " |")
    low, middle, high = (100 * share for share in (shares[0], statistics.median(shares), shares[-1]))
    lines.append(
        f"\nOver all {len(answers)} measured shapes that go through these tiles it expects {low:.0f} to\n"
        f"{high:.0f} % of the time that they took, {middle:.0f} % in the middle."
    )
    return "\n".join(lines)


def main() -> int:
    sys.path.append(str(ROOT / "common/checks/kit"))
    import handout_sections

    handout_sections.put(LADDER / "README.md", "choices", table(), check=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
