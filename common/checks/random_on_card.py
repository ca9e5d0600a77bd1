#!/usr/bin/env python3
"""Compiles a hundred random kernels, whose values CUDA's memory model determines, and compares what
this machine's card computes with them; the simulated device computes the same in make test.

usage: random_on_card.py [FIRST_SEED]

Exit status 0: the same values; 1: others; 2: there is no nvcc or no card, or it does not compile.
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "common/simulator/tests"
SOURCES = ("card/random_kernels.cu", "random_programs.cpp", "memory_model.cpp")
PROGRAM = ROOT / "build/check/random_kernels"


def of_cuda(question: str) -> str:
    """Returns what common/setup/cuda.sh answers, '' where the answer is none."""
    asked = [ROOT / "common/setup/cuda.sh", question]
    return subprocess.run(asked, capture_output=True, text=True).stdout.strip()


def main() -> int:
    nvcc, card = of_cuda("nvcc"), of_cuda("card")
    if not nvcc:
        print("There is no nvcc; install the CUDA toolkit, 12 or 13.", file=sys.stderr)
        return 2
    PROGRAM.parent.mkdir(parents=True, exist_ok=True)
    # A barrier lies in shared memory, which no constructor sets.
    flags = ["-std=c++17", f"-arch={'native' if card else 'sm_90'}", "-diag-suppress", "20054"]
    files = [str(TESTS / source) for source in SOURCES]
    command = [nvcc, *flags, f"-I{TESTS}", "-o", str(PROGRAM), *files]
    if subprocess.run(command).returncode != 0:
        return 2
    if not card:
        print("Compiled; no NVIDIA card answers.", file=sys.stderr)
        return 2
    return subprocess.run([PROGRAM, *sys.argv[1:]], env=os.environ).returncode


if __name__ == "__main__":
    sys.exit(main())
