"""Builds a kernel with its lab's harness, and runs it for its trace or its counts.

Data sets and traces lie in build/figures, beside the figures.
"""

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


def data_set(shape):
    """Generates a product of whole numbers; returns its folder."""
    parent = OUT / "sets" / "x".join(str(n) for n in shape)
    subprocess.run(
        ["build/generate", "--out", parent, "--pattern", "integers"]
        + ["--shape", ",".join(str(n) for n in shape)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    )
    return next(folder for folder in (ROOT / parent).iterdir() if folder.is_dir())


class Run:
    """One run: its kernel and input, and its events or its number of global loads."""

    def __init__(self, kernel, shape, tile_width, set_name, right):
        self.source, self.shape, self.tile_width = kernel.source, shape, tile_width
        self.set_name, self.right = set_name, right
        self.events, self.block_extent, self.loads = None, None, None

    def caption(self, with_tile_width=True):
        parts = [self.source]
        if self.tile_width and with_tile_width:
            parts.append(f"TILE_WIDTH {self.tile_width}")
        parts.append(self.set_name)
        profile = os.environ.get("CUSIM_PROFILE")
        parts.append("simulated device" + (f", profile {profile}" if profile else ""))
        text = "From a run of " + "; ".join(parts) + "."
        return text if self.right else text + " It is judged wrong."


class Kernel:
    """A file that stands in for one part of a lab, and its options for make."""

    def __init__(self, lab, source, part="kernel"):
        self.lab, self.source, self.part = lab, source, part

    def program(self, tile_width=None):
        """Builds the program that runs the kernel once, and returns its path."""
        words = ["make", "-s", "--no-print-directory", "-f", "common/lab_rules.mk"]
        words += [f"LAB={self.lab}", f"PART={self.part}", "DEVICE=sim", "PROFILE="]
        words += [f"KERNEL={self.source}", f"TILE_WIDTH={tile_width or ''}"]
        built = subprocess.run(
            words + ["figure_program"],
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        if built.returncode != 0:
            sys.exit(2)  # the compiler has printed the reason
        return built.stdout.split()[-1]

    def run(self, words, tile_width=None, **variables):
        variables["LAB_KERNEL"] = self.source
        variables["TILE_WIDTH"] = str(tile_width or "")
        done = subprocess.run(
            words,
            cwd=ROOT,
            env=environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if done.returncode not in (0, 1):  # 1 is a wrong kernel, which also has a picture
            sys.stderr.write(done.stderr)
            sys.exit(2)
        return done

    def trace_file(self, what):
        name = re.sub(r"\W+", "-", f"{self.source.removesuffix('.cu')}-{what}")
        folder = OUT / self.lab / "traces"
        (ROOT / folder).mkdir(parents=True, exist_ok=True)
        return folder / f"{name}.csv"

    def trace(self, shape, tile_width=None):
        """Runs on whole numbers; returns the run with the events of its first launch."""
        folder = data_set(shape)
        sizes = "x".join(str(n) for n in shape)
        path = self.trace_file(f"{sizes}-tile{tile_width or ''}")
        words = [self.program(tile_width), "--set", folder]
        done = self.run(words, tile_width, CUSIM_TRACE=str(path))
        run = Run(self, shape, tile_width, f"set {folder.name}", done.returncode == 0)
        return self.with_events(run, path)

    def trace_of_part(self, what):
        """Runs a part's figure program; `what` names its input."""
        path = self.trace_file(what)
        done = self.run([self.program()], CUSIM_TRACE=str(path))
        run = Run(self, None, None, what, done.returncode == 0)
        return self.with_events(run, path)

    def with_events(self, run, path):
        extents = trace.extents(ROOT / path)
        if not extents:
            raise NothingToDraw("no kernel is launched yet")
        try:
            run.events = trace.read(ROOT / path)
        except SystemExit:
            raise NothingToDraw("the kernel neither loads nor stores yet") from None
        run.block_extent = extents[1]
        return run

    def count(self, shape, tile_width):
        """Runs on whole numbers; returns the run with its number of global loads."""
        folder = data_set(shape)
        words = [self.program(tile_width), "--set", folder]
        done = self.run(words, tile_width, CUSIM_CHECKS="counters")
        run = Run(self, shape, tile_width, f"set {folder.name}", done.returncode == 0)
        total = re.search(r"^ +total +global +([\d,]+)", done.stdout, re.MULTILINE)
        run.loads = int(total[1].replace(",", "")) if total else 0
        return run
