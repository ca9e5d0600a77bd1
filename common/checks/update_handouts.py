#!/usr/bin/env python3
"""Writes the tables of the handouts that come from runs of the solutions, between their markers.

usage: update_handouts.py    with CHECK=1 it changes nothing; status 1 where a table is stale

The counts are the same on every machine.
"""

import csv
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

import handout_sections
from run_report import ROOT

LADDER = "solutions/lab4_memtypes/ladder"


def output(*command: str) -> str:
    """Returns what a command prints. Raises CalledProcessError."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def make(lab: str, *words: str) -> str:
    rules = ["make", "--no-print-directory", "-s", "-f", "common/lab_rules.mk"]
    return output(*rules, f"LAB={lab}", *words)


def numbers(pattern: str, report: str) -> list[int]:
    """Returns the numbers, such as 1,024, that the pattern's groups find in a report."""
    found = re.search(pattern, report, re.MULTILINE)
    if not found:
        raise handout_sections.Wrong(f"no line of a report fits '{pattern}'")
    return [int(word.replace(",", "")) for word in found.groups()]


def launch(report: str) -> list[int]:
    """Returns the grid's x and y, then the block's."""
    return numbers(r"^  grid (\d+) x (\d+), block (\d+) x (\d+)", report)


class Sets:
    """Square matrices of whole numbers, in a folder for each Width."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def of(self, width: int) -> str:
        """Returns the folder of a Width, generated the first time."""
        folder = f"{self.folder}/{width}"
        if not os.path.isdir(folder):
            command = ["build/generate", "--out", folder, "--pattern", "integers", "--shape"]
            quiet = subprocess.DEVNULL
            shape = f"{width},{width},{width}"
            subprocess.run([*command, shape], stdout=quiet, stderr=quiet, check=True)
        return folder


def phases(sets: Sets, lab: str, width: int, *words: str) -> str:
    """Returns the phases of blocks of a lab's solution with tiles of 2 x 2, from a trace."""
    trace = f"{sets.folder}/{lab}.csv"
    arguments = f"ARGS=--sets {sets.of(width)}"
    make(lab, "SOLUTION=1", "TILE_WIDTH=2", f"TRACE={trace}", arguments, "run")
    columns = [f"{array}={width}" for array in ("d_M", "d_N", "d_P")]
    script = [sys.executable, "common/plots/phases_table.py", trace]
    return output(*script, "--columns", *columns, *words)


def table(lab: str, part: str) -> str:
    """Returns the table that the tests of a part print."""
    make(lab, f"PART={part}", "SOLUTION=1", "tests_program")
    printed = output(f"build/sim/{lab}/{part}-solution/tests", "[.table]")
    return "".join(line for line in printed.splitlines(True) if line.startswith("|"))


def run_256(sets: Sets, lab: str, *variables: str) -> str:
    """Returns what make run says of a lab's solution at Width 256, counters alone."""
    arguments = f"ARGS=--sets {sets.of(256)}"
    return make(lab, "SOLUTION=1", "CHECKS=counters", arguments, *variables, "run")


def global_loads(report: str) -> int:
    return numbers(r"^ *total +global +([\d,]+)", report)[0]


def gains(sets: Sets) -> Iterator[str]:
    """Yields the lines of lab 2's table: how many loads a tile saves."""
    yield "| kernel | global loads | FLOP a load | of a block, in a phase |"
    yield "|---|---|---|---|"
    yield gain("naive", run_256(sets, "lab1_naive"))
    for tile in (16, 32):
        report = run_256(sets, "lab2_tiled", f"TILE_WIDTH={tile}")
        yield gain(f"tiled, `TILE_WIDTH` {tile}", report, tile)


def gain(name: str, report: str, tile: int = 0) -> str:
    loads = global_loads(report)
    (flop,) = numbers(r"multiplications and additions.* ([\d,]+)$", report)
    row = f"| {name} | {loads:,} | {flop / loads:.1f} |"
    if tile:
        columns, rows, *_ = launch(report)
        count = columns * rows * 256 // tile
        row += f" {loads // count:,} loads, {flop // count:,} FLOP"
    return f"{row} |"


def profiles(sets: Sets) -> Iterator[str]:
    """Yields the lines of lab 4's table: the tile that it chooses, which is its block's x."""
    yield "| PROFILE | a block has at most | tileWidth | threads | global loads |"
    yield "|---|---|---|---|---|"
    for profile in ("8800gtx", "device-d", "turing", "v100", "h200"):
        limits = make("lab4_memtypes", f"PROFILE={profile}", "properties")
        (threads,) = numbers(r"most threads, a block +(\S+)", limits)
        (size,) = numbers(r"a block that asks for more +(\S+)", limits)
        report = run_256(sets, "lab4_memtypes", f"PROFILE={profile}")
        *_, width, height = launch(report)
        yield (
            f"| `{profile}` | {threads:,} threads, {size // 1024} KB | {width} "
            f"| {width * height:,} | {global_loads(report):,} |"
        )


def reported(lab: str, part: str, pattern: str) -> str:
    """Returns the lines in the report of a part's solution that a pattern fits, as a code block."""
    report = make(lab, f"PART={part}", "SOLUTION=1", "test")
    lines = re.findall(rf"^ *({pattern})", report, re.MULTILINE)
    return "\n".join(["```", *lines, "```"])


def ladder() -> Iterator[str]:
    """Yields the lines of the first page's table: each rung of the ladder at Width 4096."""
    yield "| kernel | GFLOP/s | of cuBLAS |"
    yield "|---|---:|---:|"
    with open(ROOT / LADDER / "results/h200.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if {row["j"], row["k"], row["l"]} == {"4096"}:
                share = 100 * float(row["share_of_cublas"])
                yield f"| {row['kernel']} | {float(row['gflops']):.0f} | {share:.1f} % |"


def sections(sets: Sets) -> Iterator[tuple[str, str, Callable[[], str]]]:
    """Yields each section's file and name, and what returns its lines."""
    lab2, lab3, lab4 = "lab2_tiled", "lab3_boundary", "lab4_memtypes"
    two_blocks = ("--block", "0,0", "--block", "1,1")
    orders = r"(?:right|forward|reverse|random:1) +[0-9].*"
    copies = r".* threads draw from .*"
    roofs = (sys.executable, f"{LADDER}/roofs.py")
    yield f"{lab2}/README.md", "trace", lambda: phases(
        sets, lab2, 4, "--block", "0,0", "--products"
    )
    yield f"{lab3}/README.md", "trace", lambda: phases(sets, lab3, 3, *two_blocks)
    yield f"{lab3}/README.md", "divergence", lambda: table(lab3, "kernel")
    yield f"{lab3}/padding/README.md", "padding", lambda: table(lab3, "padding")
    yield f"{lab2}/README.md", "gains", lambda: "\n".join(gains(sets))
    yield f"{lab4}/README.md", "profiles", lambda: "\n".join(profiles(sets))
    yield f"{lab4}/registers/README.md", "words", lambda: table(lab4, "registers")
    yield f"{lab2}/hazards/README.md", "orders", lambda: reported(lab2, "hazards", orders)
    yield f"{lab4}/qualifiers/README.md", "copies", lambda: reported(lab4, "qualifiers", copies)
    yield f"{lab4}/README.md", "roofs", lambda: output(*roofs)
    yield "README.md", "ladder", lambda: "\n".join(ladder())


def main() -> int:
    status, check = 0, bool(os.environ.get("CHECK"))
    # ARGS and TRACE take no path with a blank, which that of other folders may hold.
    with tempfile.TemporaryDirectory(dir="build") as folder:
        for file, name, lines in sections(Sets(os.path.relpath(folder))):
            try:
                handout_sections.put(file, name, lines(), check)
            except handout_sections.Wrong as why:
                print(why, file=sys.stderr)
                status = 1
            except subprocess.CalledProcessError as why:
                print(why, file=sys.stderr)
                return why.returncode
    return status


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
