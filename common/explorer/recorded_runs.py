"""Builds and records runs for the page."""

import fcntl
import os
import pathlib
import re
import subprocess
import sys

import figures
import runs
from page_data import Nothing, RunData, linear
from recording_file import Recording

ROOT = runs.ROOT
FOLDER = pathlib.Path("build/explore")
# Shape and TILE_WIDTH of a small run, if nothing else is asked for.
SMALL = {
    "lab1_naive": ((4, 4, 4), None),
    "lab2_tiled": ((4, 4, 4), 2),
    "lab3_boundary": ((3, 3, 3), 2),
    "lab4_memtypes": ((20, 20, 20), 16),
}
LARGEST = 512
# The labs whose modelled times were checked on a card: see common/simulator/model/README.md.
CHECKED = ("lab1_naive", "lab2_tiled", "lab3_boundary")
NOT_CHECKED = "The launch has no modelled time: it was checked for labs 1 to 3 only."
AT_RUN = "lab4_memtypes"  # its tile width is an argument of the kernel, not a macro


class Refused(Exception):
    """A sentence for the person who typed the command."""


def value(name: str) -> str:
    return os.environ.get(name, "")


def numbers(name: str, least: int, most: int) -> list[int]:
    """Returns the whole numbers of a variable; commas separate them."""
    words = re.split("[,x]", value(name))
    if not all(word.isdigit() and len(word) < 6 for word in words) or not (
        least <= len(words) <= most
    ):
        raise Refused(f"{name}={value(name)}: write whole numbers with commas between, as in 1,0.")
    return [int(word) for word in words]


def widths(name: str, count: int) -> list[int]:
    """Returns the extents of a variable: a page of a larger run takes too long to load."""
    found = numbers(name, count, count)
    if not all(1 <= width <= LARGEST for width in found):
        raise Refused(f"{name}={value(name)}: write numbers from 1 to {LARGEST}.")
    return found


class Asked:
    """A lab, a part, and how to run it."""

    def __init__(self, lab: str, part: str) -> None:
        self.lab, self.part = lab, part
        self.shape, tile_width = SMALL.get(lab, ((4, 4, 4), None))
        self.shape_given = bool(value("WIDTH") or value("SHAPE"))
        self.test = value("TEST")
        # A test runs as in make test.
        asked = value("TILE_WIDTH") or ("" if self.test else tile_width)
        self.tile_width = int(asked) if asked else None
        if value("WIDTH"):
            self.shape = (widths("WIDTH", 1)[0],) * 3
        if value("SHAPE"):
            rows, inner, columns = widths("SHAPE", 3)
            self.shape = rows, inner, columns
        self.block = numbers("BLOCK", 1, 3) if value("BLOCK") else None


def build(source: str, asked: Asked, goal: str) -> str:
    """Builds a program that can be recorded; returns its path."""
    compiled = None if asked.lab == AT_RUN else asked.tile_width
    (ROOT / FOLDER).mkdir(parents=True, exist_ok=True)
    with open(ROOT / FOLDER / f"{asked.lab}-{asked.part}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another page of the same file may be in progress
        return runs.build(asked.lab, asked.part, source, compiled, goal, "EXPLORE=1")


def record(program: str, words: list, source: str, asked: Asked) -> Recording | None:
    """Runs a program; returns its recording, or None if it has launched nothing."""
    path = ROOT / FOLDER / f"{os.getpid()}.recording"
    given = {"LAB_KERNEL": source, "TILE_WIDTH": str(asked.tile_width or "")}
    given["CUSIM_RECORDING"] = str(path)
    try:
        done = subprocess.run(
            [program, *words],
            cwd=ROOT,
            env=runs.environment(**given),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if done.returncode == 2 or done.returncode < 0:
            sys.stderr.buffer.write(done.stdout)
            sys.exit(2)
        return Recording(str(path)) if path.exists() else None
    finally:
        path.unlink(missing_ok=True)


def tests(program: str) -> list[str]:
    """Returns the names of a program's tests."""
    # The first is for Catch2 3; with it Catch2 2 adds a heading.
    for ask in (["--list-tests", "--verbosity", "quiet"], ["--list-test-names-only"]):
        listed = subprocess.run([program, *ask], stdout=subprocess.PIPE, cwd=ROOT)
        lines = [line for line in listed.stdout.decode().splitlines() if line.strip()]
        if lines and not lines[0].startswith("All available"):
            break
    return lines


def pattern(test: str) -> str:
    """Returns Catch2's pattern for a test."""
    return re.sub(r"([,\[\]\\*])", r"\\\1", test)


def has_program(asked: Asked) -> bool:
    """Tells whether a program runs the part once, without a test."""
    drawn = figures.LABS.get(asked.lab, [])
    return asked.part == "kernel" or any(figure.part == asked.part for figure in drawn)


def run_on_set(program: str, source: str, asked: Asked) -> tuple[Recording | None, str]:
    """Runs a program on matrices; returns the recording and a description of the matrices. If
    one block has no finding, and no shape is asked for, the matrices need more than one block."""

    def run() -> Recording | None:
        return record(program, ["--set", runs.data_set(asked.shape)], source, asked)

    recording = run()
    if recording and not asked.shape_given and not recording.findings:
        if max(recording.header["grid"]) == 1:
            asked.shape = (max(recording.header["block"]) + 4,) * 3
            recording = run()
    j, k, l = asked.shape
    return recording, f"{j} x {k} times {k} x {l}"


def run_once(source: str, asked: Asked) -> tuple[str, Recording | None, str, str]:
    """Returns the program, its recording, its input in words, and the name of the test or ''."""
    if not asked.test and asked.part == "kernel":
        program = build(source, asked, "figure_program")
        return program, *run_on_set(program, source, asked), ""
    if not asked.test and has_program(asked):
        program = build(source, asked, "figure_program")
        return program, record(program, [], source, asked), "", ""
    program = build(source, asked, "tests_program")
    there = tests(program)
    wanted = [test for test in there if asked.test in test]
    if not wanted:
        raise Refused(f"TEST={asked.test}: no test of this part has that in its name.")
    found = None
    for test in wanted:
        recording = record(program, [pattern(test)], source, asked)
        if recording and (not found or recording.findings):
            found = recording, "", test
        if found and (found[0].findings or not asked.test):
            break
    if asked.test and asked.tile_width and not (found and found[0].findings):
        small, asked.tile_width = asked.tile_width, None
        larger = run_once(source, asked)  # an error may need more than one warp
        if larger[1] and larger[1].findings:
            print(
                f"With TILE_WIDTH {small} there is no error. The page has the test's own TILE_WIDTH."
            )
            return larger
        asked.tile_width = small
    return (program, *found) if found else (program, None, "", "")


def page_run(source: str, asked: Asked) -> dict:
    """Runs a file; returns the page's data of the run."""
    file = ROOT / source
    if file.is_file() and not re.search(b"<<<|cudaLaunch", file.read_bytes()):
        raise Refused(f"{source}: it launches no kernel, so there is no run to watch.")
    program, recording, on, test = run_once(source, asked)
    if not recording:
        raise Refused(f"{source}: no kernel has run: make test says why.")
    tile_width = f"TILE_WIDTH {asked.tile_width}" if asked.tile_width else ""
    words = [word for word in (on, tile_width, "simulated device") if word]
    block = None
    if asked.block:
        grid = recording.header["grid"]
        at = [*asked.block, 0, 0][:3]
        if any(here >= extent for here, extent in zip(at, grid)):
            has = " x ".join(map(str, grid))
            raise Refused(f"BLOCK={value('BLOCK')}: the grid has {has} blocks.")
        block = linear(at, grid)
    try:
        data = RunData(recording, program, source, block).run("; ".join(words), test)
    except Nothing as reason:
        when = "in the launch of this test" if asked.test else "yet"
        raise Refused(f"{source}: {reason} {when}.") from None
    if data["modelled"] and asked.lab not in CHECKED:
        data["modelled"] = {"missing": NOT_CHECKED}
    return data
