#!/usr/bin/env python3
"""Runs every command for a card that a page shows, the tests and the program of every solution, and
programs that compare values with the simulated device's, on this machine's card. Ends with the line
'N passed, N failed'.

usage: on_card.py [--only WORD] [--compile-only]
       on_card.py --random SEED   runs only the kernels; SEED is that of the first one

Exit status 0: each ended as required; 1: one did not; 2: there is no nvcc or no card.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).parents[1] / "kit"))
from calls import ROOT, call, environment, make_class, share_build, there_is  # noqa: E402
from run_report import jobs  # noqa: E402

# Their values are those that CUDA's memory model determines; the simulated device computes the same in
# make test.
TESTS = "common/simulator/tests"
VALUES = {
    "random_kernels": ("card/random_kernels.cu", "random_programs.cpp", "memory_model.cpp"),
    "matrix_tiles": ("card/matrix_tiles.cu",),
}
SECONDS = "400"  # that a command may take
PLACE = ROOT / "build/check/card"
LABS = sorted(path.parent.name for path in ROOT.glob("lab*/Makefile"))
PASSED = r"(?m)^\d+ passed, 0 failed$"
RUN = r"(?s)verdict +ok: .* us for the kernel, "
TOOLS = r"(?s)memcheck .*racecheck .*initcheck .*synccheck "
CLASS = f"SUBMISSIONS={PLACE}/class OUT={PLACE}/marks LABS=lab2 SEED=card"
# Of all parts this one has the fewest known mistakes to compile.
FEWER = "lab4_memtypes sanitize MISTAKES=1 PART=limits"
# The commands and what they say on a card. test_card_commands.py finds all shown ones in this list.
COMMANDS = {
    **{f"make -C {lab} test DEVICE=gpu SOLUTION=1": PASSED for lab in LABS},
    **{f"make -C {lab} run DEVICE=gpu SOLUTION=1": RUN for lab in LABS},
    "make -C lab4_memtypes properties DEVICE=gpu": "",
    "make -C lab1_naive sanitize SOLUTION=1": TOOLS,
    "make -C lab2_tiled sanitize MISTAKES=1 PART=banks": TOOLS,
    "common/checks/tools/on_card.py --random 0": r"(?s)100 passed, 0 failed.*172 passed, 0 failed",
    "make -C lab2_tiled profile DEVICE=gpu SOLUTION=1": "(?s)simulated +card.*achieved occupancy",
    # Those that measure: nothing else may use the card.
    "make demo DEVICE=gpu": r"(?s)measured, .*lab1_naive +[\d.,]+ us\nlab2_tiled +[\d.,]+ us\n",
    "make bench DEVICE=gpu": "(?m)^Written: ",
    "make model DEVICE=gpu": "",
    "python3 common/grading/measure.py --lab lab2_tiled --file solutions/lab2_tiled/kernel.cu": "",
    f"make grade DEVICE=gpu {CLASS}": "(?m)^Speed: on .*(?s:.*)2 graded",
}


def alone(command: str) -> bool:
    """Tells whether it measures time, so that nothing else may use the card."""
    measures = r"\b(bench|demo|model|grade|profile\w*|measure\.py)\b|lab4_memtypes test"
    return re.search(measures, command) is not None


def ends_well(command: str, compile_only: bool) -> bool:
    """Runs a command and prints a line; keeps its output if its end is wrong."""
    began, says, right = time.monotonic(), COMMANDS[command], 0
    log = PLACE / f"{list(COMMANDS).index(command)}.log"
    if compile_only and command.startswith("make"):
        command = command.replace("lab2_tiled sanitize MISTAKES=1 PART=banks", FEWER)
        command, says = f"{command} COMPILE_ONLY=1", r"compiled, not run \(COMPILE_ONLY=1\)"
    elif compile_only:
        says, right = "no NVIDIA card answers", 2
    if " grade " in command:
        share_build(ROOT)
    status, said = call("timeout", "-k", "5", SECONDS, *command.split())
    never = "did not run" if "sanitize" in command else "Cannot find valid GPU"
    well = status == right and re.search(says, said) and not re.search(never, said)
    log.write_text(said, encoding="utf-8")
    line = f"{time.monotonic() - began:7.1f} s  {command}"
    print(f"  ok  {line}" if well else f"FAIL  {line}: status {status} ({log})", flush=True)
    return bool(well)


def build(compile_only: bool, most: int) -> None:
    """Builds what several commands share, so that they do not build it at the same time. A command
    itself reports what does not build."""

    def make(parallel: int, *words: str) -> None:
        command = ["make", "-k", f"-j{parallel}", *words]
        quiet = subprocess.DEVNULL
        subprocess.run(command, cwd=ROOT, env=environment(), stdout=quiet, stderr=quiet)

    def make_lab(lab: str, parallel: int) -> None:
        rules = ["-f", "common/lab_rules.mk", f"LAB={lab}", "DEVICE=gpu"]
        rules += ["COMPILE_ONLY=1"] if compile_only else []
        for part in (ROOT / lab).glob("*.cu"):
            programs = ["tests_program", *(["figure_program"] if part.stem == "kernel" else [])]
            make(parallel, *rules, f"PART={part.stem}", "SOLUTION=1", *programs)

    make(most, "libraries")
    make_lab(LABS[0], most)  # builds what all labs share, too
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda lab: make_lab(lab, max(1, most // 4)), LABS[1:]))


def run_all(commands: list[str], compile_only: bool) -> list[bool]:
    """Runs several at a time, then those that measure, with the graders last."""
    most = jobs()
    if most > 1:
        build(compile_only, most)
    shared = [one for one in commands if not alone(one)]
    with concurrent.futures.ThreadPoolExecutor(max(1, min(4, most // 4))) as pool:
        well = list(pool.map(lambda command: ends_well(command, compile_only), shared))
    return well + [ends_well(one, compile_only) for one in commands if alone(one)]


def values(first_seed: str, card: bool) -> int:
    """Compiles and runs the programs of VALUES; returns 1 if the card computes other values."""
    folder = ROOT / "build/check"
    folder.mkdir(parents=True, exist_ok=True)
    nvcc = call("common/setup/cuda.sh", "nvcc")[1].strip()
    # A barrier is in shared memory, which no constructor initializes.
    flags = ["-std=c++17", f"-arch={'native' if card else 'sm_90'}", "-diag-suppress", "20054"]
    for program, sources in VALUES.items():
        files = [f"{TESTS}/{source}" for source in sources]
        command = [nvcc, *flags, f"-I{TESTS}", "-o", str(folder / program), *files]
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            return 2
    if not card:
        print("Compiled; no NVIDIA card answers.", file=sys.stderr)
        return 2
    return max(subprocess.run([folder / one, first_seed]).returncode for one in VALUES)


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs every command for a card that is shown.")
    parser.add_argument("--only", default="", metavar="WORD", help="those that hold this word")
    parser.add_argument("--compile-only", action="store_true", help="build all, run nothing")
    parser.add_argument("--random", metavar="SEED", help="only random kernels, from this one on")
    asked = parser.parse_args()
    if not there_is("cuda.sh", "nvcc"):
        print("There is no nvcc; install the CUDA toolkit, 12 or 13.", file=sys.stderr)
        return 2
    card = there_is("cuda.sh", "card")
    if asked.random:
        return values(asked.random, card)
    if not asked.compile_only and not card:
        print("No NVIDIA card answers; --compile-only builds without one.", file=sys.stderr)
        return 2
    commands = [one for one in COMMANDS if asked.only in one]
    if asked.compile_only and card:  # a script that measures time would use the card
        commands = [one for one in commands if one.startswith("make")]
    if not commands:
        print(f"--only {asked.only}: no command for a card holds that.", file=sys.stderr)
        return 2
    shutil.rmtree(PLACE, ignore_errors=True)
    make_class(PLACE / "class", "lab2_tiled")
    well = run_all(commands, asked.compile_only)
    print(f"\n{well.count(True)} passed, {well.count(False)} failed")
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
