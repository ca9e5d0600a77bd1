#!/usr/bin/env python3
"""Measures one file on this machine's card as `make grade DEVICE=gpu` does, without judging it:

    python3 common/grading/measure.py --lab lab2_tiled --file my.cu [--json out.json]

Exit status: 0 measured; 1 not measured, because of the file; 2 wrong usage, or no card.
"""

import argparse
import dataclasses
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import goals
import model
import points
from grade import sandbox, steps
from grade.card import Card
from release.contents import Refused
from speed import marks
from speed.contest import Contest

ROOT = str(points.ROOT)


def arguments():
    parser = argparse.ArgumentParser(prog="measure.py", description="Speed of a file on the card.")
    parser.add_argument("--lab", required=True)
    parser.add_argument("--part", default="kernel")
    parser.add_argument("--file", required=True, nargs="+", help="one or several .cu files")
    parser.add_argument("--reference", help="its speed is 1; without it: the lab's solution")
    parser.add_argument("--width", type=int, default=0, help="of the matrices")
    parser.add_argument("--json", help="write what was measured to this file")
    return parser.parse_args()


def content(path):
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}.") from None


def wanted_of(asked):
    lab = points.load(asked.lab)
    if asked.part not in lab.parts:
        raise Refused(f"--part {asked.part}: {asked.lab} has {', '.join(lab.parts)}.")
    wanted = lab.parts[asked.part].performance or points.Performance(1, 1.0, 0.0, [], 4096)
    return dataclasses.replace(wanted, width=asked.width or wanted.width)


def measure_all(asked):
    """Returns what is measured of each file, and writes it to the file of --json."""
    wanted, files, results = wanted_of(asked), {path: content(path) for path in asked.file}, []
    reference = content(asked.reference or f"{ROOT}/solutions/{asked.lab}/{asked.part}.cu")
    card = Card(ROOT, os.path.join(ROOT, "build", "grading"))
    command = steps.on_card(asked.lab, asked.part, card.arch, "measured_objects")
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        raise Refused("The program that is timed does not build; see above.")
    with tempfile.TemporaryDirectory(prefix="measure-") as folder:
        os.chmod(folder, 0o711)
        limits = sandbox.Limits()
        # The user has chosen the files, so any isolation will do.
        box = sandbox.choose(limits, "auto", folder) or sandbox.Sandbox(limits, "limits", folder)
        print(f"{card.name}; Width {wanted.width}; isolation: {box.kind}.", flush=True)
        contest = Contest(ROOT, box, folder, card)
        for path, data in files.items():
            measured = contest.measure(asked.lab, asked.part, data, reference, wanted)
            print(f"{path}: {said(measured, wanted)}", flush=True)
            results.append({"file": path, "width": wanted.width, **dataclasses.asdict(measured)})
    if asked.json:
        model.save(asked.json, results)
    return results


def said(measured, wanted):
    if measured.problem:
        return f"not measured: {measured.problem}"
    times = f"{1000 * measured.seconds:.2f} ms a call, {1000 * measured.reference_seconds:.2f} ms"
    noise = f"{measured.rounds} rounds, {100 * measured.spread:.0f} % apart"
    score = f"{marks.score(measured.relative, wanted):g} of {wanted.points:g} points"
    return f"{measured.relative:.2f} of the reference's speed; {times}; {noise}; {score}"


def main():
    asked, results = arguments(), []
    if not goals.ended_well(lambda: results.extend(measure_all(asked)), "Stopped."):
        return 2
    return 1 if any(result["problem"] for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
