"""Asks Nsight Compute (ncu) for a card's counts of each launch of a program."""

import csv
import os
import re
import subprocess
from collections.abc import Sequence
from typing import NamedTuple

from course.places import BYTES, text_of

# Shown if ncu may not read the counters; from NVIDIA's page that ncu names.
FORBIDDEN = """\
The card's counters are for administrators only. An administrator of this
machine allows them to all users with this line in a file of /etc/modprobe.d,
such as /etc/modprobe.d/nsight.conf, and a restart:
    options nvidia NVreg_RestrictProfilingToAdminUsers=0
See https://developer.nvidia.com/ERR_NVGPUCTRPERM"""
NO_PROGRAM = "There is no ncu here; install Nsight Compute with the CUDA toolkit."
MOST_LAUNCHES = 100
SECONDS = 300
TIMED_OUT = 124  # the status of timeout
MICROSECONDS = {"n": 1e-3, "u": 1.0, "m": 1e3, "s": 1e6}  # by the first letter of the unit


class NoCounts(Exception):
    """Says why the card has counted nothing."""


class Counted(NamedTuple):
    """A launch as ncu reports it."""

    kernel: str
    grid: tuple[int, ...]  # empty if ncu does not report it
    block: tuple[int, ...]
    metrics: dict[str, float]


def extents(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


def number(text: str, unit: str, metric: str) -> float | None:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None  # as in n/a
    return value * MICROSECONDS.get(unit[:1], 1.0) if "time_duration" in metric else value


def read(text: str) -> list[Counted]:
    """Reads ncu's CSV, of the page `raw` (a row per launch, after one of units) or of `details` (a
    row per metric)."""
    rows = list(csv.reader(line for line in text.splitlines() if line.startswith('"')))
    head = rows[0] if rows else []
    found: dict[str, Counted] = {}
    units: dict[str, str] = {}
    for cells in rows[1:]:
        row = dict(zip(head, cells))
        if not row.get("ID"):
            units = row
            continue
        name = row.get("Kernel Name", "").replace("(anonymous namespace)::", "")
        name = re.sub(r"[(<].*", "", name.removeprefix("void ")).strip()
        places = extents(row.get("Grid Size", "")), extents(row.get("Block Size", ""))
        one = found.setdefault(row["ID"], Counted(name, *places, {}))
        if "Metric Name" in row:
            told = [(row["Metric Name"], row.get("Metric Value", ""), row.get("Metric Unit", ""))]
        else:
            told = [(name, it, units.get(name, "")) for name, it in row.items() if "__" in name]
        for metric, value, unit in told:
            if (count := number(value, unit, metric)) is not None:
                one.metrics[metric] = count
    return list(found.values())


def run(program: Sequence[str], log: str, metrics: Sequence[str], most: int) -> str:
    """Runs a program under ncu; returns ncu's output."""
    asked = subprocess.run(
        ["common/setup/cuda.sh", "ncu"], stdout=subprocess.PIPE, check=False, **BYTES
    )
    if not asked.stdout.strip():
        raise NoCounts(NO_PROGRAM)
    # ncu does not change the clock, so the time is comparable with `make run`.
    command = [
        "timeout",
        "-k",
        "5",
        str(SECONDS),
        asked.stdout.strip(),
        "--csv",
        "--page",
        "raw",
        "--print-units",
        "base",
    ]
    command += ["--clock-control", "none", "--launch-count", str(most)]
    command += ["--log-file", log, "--metrics", ",".join(metrics), *program]
    if os.path.exists(log):
        os.remove(log)
    said = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
    running = subprocess.Popen(command, **said, **BYTES)
    try:
        printed, _ = running.communicate()
    except KeyboardInterrupt:
        running.terminate()  # Ctrl-C does not reach ncu, which timeout has started
        raise
    if running.returncode == TIMED_OUT:
        raise NoCounts(f"ncu has not ended after {SECONDS} seconds.")
    return text_of(log) + printed


def counted(
    program: Sequence[str], log: str, metrics: Sequence[str], most: int = MOST_LAUNCHES
) -> list[Counted]:
    """Returns the first launches of a program with the card's counts, without metrics that this ncu
    does not know."""
    left = list(metrics)
    while True:
        said = run(program, log, left, most)
        told = re.findall(r"Failed to find metric\W+(?:regex:\W*)?(\w+)", said)
        known = [metric for metric in left if metric.partition(".")[0] not in told]
        if not known or known == left:
            break
        left = known
    if "ERR_NVGPUCTRPERM" in said:
        raise NoCounts(FORBIDDEN)
    launches = read(said)
    if not any(one.metrics for one in launches):
        errors = re.findall(r"==(?:ERROR|WARNING)== *(.+)", said) or said.split("\n")[-2:]
        raise NoCounts(f"ncu has counted nothing: {errors[0]}")
    return launches
