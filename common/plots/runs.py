"""Builds a kernel with its lab's harness, and runs it for its trace or its counts.

Data sets and traces lie in build/figures, next to the figures.
"""

import fcntl
import os
import pathlib
import re
import subprocess
import sys

import trace
from matrices import NothingToDraw

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = pathlib.Path("build/figures")


def environment(**more):
    """Returns this process's environment without the variables that `make` passes on."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    kept.pop("CUSIM_FINDINGS", None)
    return {**kept, **more}


def older(program, made):
    """Tells whether a program is older than what it has made."""
    return made.exists() and program.stat().st_mtime <= made.stat().st_mtime


def data_set(shape):
    """Generates a product of whole numbers; returns its folder."""
    parent = OUT / "sets" / "x".join(map(str, shape))
    words = ["build/generate", "--out", parent, "--pattern", "integers", "--shape"]
    words.append(",".join(map(str, shape)))
    (ROOT / OUT).mkdir(parents=True, exist_ok=True)
    with open(ROOT / OUT / "sets.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another program may be making the same set
        made = ROOT / f"{parent}.made"
        if not older(ROOT / "build/generate", made):
            subprocess.run(words, check=True, capture_output=True, cwd=ROOT)
            made.touch()
    return next(folder for folder in (ROOT / parent).iterdir() if folder.is_dir())


def build(lab, part, source, tile_width, goal, *more):
    """Builds a program of a part from a file; returns its path."""
    words = ["make", "-s", "--no-print-directory", "-f", "common/lab_rules.mk", f"LAB={lab}"]
    words += [f"PART={part}", "DEVICE=sim", "PROFILE=", f"KERNEL={source}", *more]
    words += [f"TILE_WIDTH={tile_width or ''}", goal]
    options = dict(cwd=ROOT, env=environment(), text=True)
    built = subprocess.run(words, stdout=subprocess.PIPE, **options)
    if built.returncode != 0:
        sys.exit(2)  # the compiler has printed the reason
    return built.stdout.split()[-1]


class Run:
    """One run: its kernel and input, what it printed, and its events if they were traced."""

    def __init__(self, kernel, shape, tile_width, inputs, done):
        self.source, self.shape, self.tile_width = kernel.source, shape, tile_width
        self.inputs, self.right, self.printed = inputs, done.returncode == 0, done.stdout
        self.folder = None  # of its data set
        self.events, self.grid_extent, self.block_extent = None, None, None

    def caption(self, with_tile_width=True):
        profile = os.environ.get("CUSIM_PROFILE")
        parts = [self.source, self.inputs, "simulated device"]
        parts[2] += f", profile {profile}" if profile else ""
        if self.tile_width and with_tile_width:
            parts.insert(1, f"TILE_WIDTH {self.tile_width}")
        text = f"From a run of {'; '.join(parts)}."
        return text if self.right else f"{text} This kernel is wrong."

    def matrix(self, number):
        """Returns the rows of an input of a set: 0 is M, 1 is N."""
        words = (self.folder / f"input{number}.raw").read_text().split()
        columns, numbers = int(words[1]), [int(word) for word in words[2:]]
        return [numbers[n : n + columns] for n in range(0, len(numbers), columns)]

    def loads(self):
        """Returns the number of loads from global memory that its report counts."""
        total = re.search(r"^ +total +global +([\d,]+)", self.printed, re.MULTILINE)
        return int(total[1].replace(",", "")) if total else 0

    def traced(self, path):
        """Returns the run with the events of its first launch."""
        extents = trace.extents(ROOT / path)
        if not extents:
            raise NothingToDraw("no kernel is launched yet")
        self.grid_extent, self.block_extent = extents
        try:
            self.events = trace.read(ROOT / path)
        except SystemExit:
            raise NothingToDraw("the kernel neither loads nor stores yet") from None
        return self


class Kernel:
    """A file that replaces one part of a lab, and its options for make."""

    def __init__(self, lab, source, part="kernel"):
        self.lab, self.source, self.part = lab, source, part

    def run(self, words, inputs, shape=None, tile_width=None, **variables):
        """Runs the kernel's program with these words; `inputs` names what it takes."""
        given = environment(LAB_KERNEL=self.source, TILE_WIDTH=str(tile_width or ""), **variables)
        program = build(self.lab, self.part, self.source, tile_width, "figure_program")
        words = [program, *words]
        done = subprocess.run(words, cwd=ROOT, env=given, capture_output=True, text=True)
        if done.returncode not in (0, 1):  # 1 is a wrong kernel, which can be drawn too
            sys.stderr.write(done.stderr)
            sys.exit(2)
        return Run(self, shape, tile_width, inputs, done)

    def run_set(self, shape, tile_width, **variables):
        """Runs on whole numbers."""
        folder = data_set(shape)
        run = self.run(["--set", folder], f"set {folder.name}", shape, tile_width, **variables)
        run.folder = folder
        return run

    def trace_file(self, what):
        name = re.sub(r"\W+", "-", f"{self.source.removesuffix('.cu')}-{what}")
        folder = OUT / self.lab / "traces"
        (ROOT / folder).mkdir(parents=True, exist_ok=True)
        return folder / f"{name}.csv"

    def trace(self, shape, tile_width=None):
        """Runs on whole numbers; returns the run with its events."""
        path = self.trace_file(f"{'x'.join(map(str, shape))}-tile{tile_width or ''}")
        return self.run_set(shape, tile_width, CUSIM_TRACE=str(path)).traced(path)

    def trace_of_part(self, what):
        """Runs a part's figure program; `what` names its input."""
        path = self.trace_file(what)
        return self.run([], what, CUSIM_TRACE=str(path)).traced(path)
