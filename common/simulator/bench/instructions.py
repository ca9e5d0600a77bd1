#!/usr/bin/env python3
"""Where the time goes: the instructions that one launch takes an access, by what they are for, as a
Markdown table. Unlike seconds they are the same on a busy machine.

usage: instructions.py [PROGRAM...]    each a simulator_bench, such as one of a commit before

Needs valgrind, and build/simulator_bench, which `make bench` builds."""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from measuring import BUILD, accesses

# The options of simulator_bench, each with one check more; what each one adds is a row.
CHECKS = {
    "bounds": "hook: call, array, bounds",
    "counters": "counting",
    "unset": "unset reads",
    "races": "races",
    "everything": "warps, in 8 of the blocks",
}
OWN, FIBERS = "the kernel's code, at -O0", "turns of threads, barriers"
OF_TURNS = re.compile(r"BlockRunner|jump_fcontext|ontop_fcontext|__syncthreads|Where::")
LINE = re.compile(r"^\s*([\d,]+) \([^)]*\)\s+(.*)")
LAUNCH = "--toggle-collect=cusim::run(*"


def counted(program: str, kernel: str, width: int, checks: str) -> collections.Counter[str]:
    """Returns the instructions of a launch: of the kernel, of turns, and of all others as ''."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        bench = [program, kernel, str(width), checks, "once"]
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", LAUNCH]
        done = subprocess.run([*command, *bench], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"instructions.py: {' '.join(bench)} fails:\n{done.stderr}")
        annotate = ["callgrind_annotate", "--threshold=100", "--auto=no", str(profile)]
        said = subprocess.run(annotate, capture_output=True, text=True, check=True).stdout
    found: collections.Counter[str] = collections.Counter()
    for number, where in (match.groups() for match in map(LINE.match, said.split("\n")) if match):
        if "PROGRAM TOTALS" in where:
            continue
        own = re.search(rf"(?::|::){kernel}\(", where)
        found[OWN if own else FIBERS if OF_TURNS.search(where) else ""] += int(
            number.replace(",", "")
        )
    return found


def column(program: str, kernel: str, width: int) -> dict[str, float]:
    """Returns the instructions per access, by row."""
    rows, before = {}, 0
    for checks, row in CHECKS.items():
        found = counted(program, kernel, width, checks)
        if not rows:
            rows = {OWN: found[OWN], FIBERS: found[FIBERS]}
        rows[row] = found.total() - (before or rows[OWN] + rows[FIBERS])
        before = found.total()
    rows["all"] = before
    return {row: number / accesses(kernel, width) for row, number in rows.items()}


def main() -> None:
    programs = sys.argv[1:] or [str(BUILD / "simulator_bench")]
    missing = [program for program in programs if not os.access(program, os.X_OK)]
    if missing:
        sys.exit(f"instructions.py: there is no {missing[0]}, which make bench builds")
    if not shutil.which("valgrind"):
        sys.exit("instructions.py needs valgrind: sudo apt-get install valgrind")
    for program in programs:
        if len(programs) > 1:
            print(f"{program}:\n")
        kinds = [(kernel, width) for kernel in ("naive", "tiled") for width in (64, 128)]
        columns = [column(program, *kind) for kind in kinds]
        title = "instructions per access"
        print(f"| {title:26} |" + "".join(f" {kernel} {width:3} |" for kernel, width in kinds))
        print(f"|:{'-' * 27}|" + "----------:|" * len(kinds))
        for row in columns[0]:
            print(f"| {row:26} |" + "".join(f" {values[row]:9.1f} |" for values in columns))


if __name__ == "__main__":
    main()
