#!/usr/bin/env python3
"""Compiles the solutions of the labs and the ladder for every architecture from Turing to Blackwell,
without a card, and prints a table: a row per file, a column per architecture.

usage: architectures.py [FILE...]    only these files

Exit status 0: all compile; 1: one does not, and stderr says why; 2: there is no nvcc.
"""

import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parents[1] / "kit"))
from run_report import ROOT, jobs  # noqa: E402

ARCHITECTURES = ("75", "80", "86", "89", "90", "100", "120")
LADDER = "solutions/lab4_memtypes/ladder"
FILES = ("solutions/lab*/*.cu", f"{LADDER}/*.cu", f"{LADDER}/bench/*.cu")
UNKNOWN = "-"  # for this version of nvcc


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.strip()


def compiled(nvcc: str, file: str, *architectures: str) -> str:
    """Returns nvcc's errors about a file for these architectures, '' if it compiles."""
    codes = [f"-gencode=arch=compute_{one},code=sm_{one}" for one in architectures]
    with tempfile.TemporaryDirectory() as folder:
        flags = ["-std=c++17", "-O3", "-lineinfo", f"-I{LADDER}", "-c", "-o", f"{folder}/object"]
        command = [nvcc, *flags, *codes, file]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return (done.stderr or f"status {done.returncode}") if done.returncode else ""


def row(nvcc: str, known: list[str], file: str) -> list[str]:
    """Returns the table's row of a file. One call compiles for all architectures, and reads the
    host's headers once; if it fails, each architecture is tried alone."""
    fails = {}
    if compiled(nvcc, file, *known):
        fails = {one: why for one in known if (why := compiled(nvcc, file, one))}
        fails = fails or {one: "not together with the others" for one in known}
    for one, why in fails.items():
        print(f"{file} does not compile for sm_{one}: {why}", file=sys.stderr)
    words = {one: "FAIL" if one in fails else "ok" for one in known}
    return [file.removeprefix("solutions/"), *(words.get(one, UNKNOWN) for one in ARCHITECTURES)]


def main(files: list[str]) -> int:
    nvcc = output("common/setup/cuda.sh", "nvcc")
    if not nvcc:
        print("there is no nvcc; install the CUDA toolkit, 12 or 13", file=sys.stderr)
        return 2
    there = output(nvcc, "--list-gpu-code").split()
    known = [one for one in ARCHITECTURES if f"sm_{one}" in there]
    found = [str(path.relative_to(ROOT)) for one in FILES for path in sorted(ROOT.glob(one))]
    print("|".join(["", " file ", *(f" sm_{one} " for one in ARCHITECTURES), ""]))
    print("|".join(["", *["---"] * (len(ARCHITECTURES) + 1), ""]))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs()) as pool:
        for cells in pool.map(lambda file: row(nvcc, known, file), files or found):
            print("|".join(["", *(f" {cell} " for cell in cells), ""]), flush=True)
            failed += "FAIL" in cells
    print(f"\n{len(files or found) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main([str(pathlib.Path(file)) for file in sys.argv[1:]]))
