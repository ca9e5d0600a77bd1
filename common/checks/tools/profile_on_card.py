#!/usr/bin/env python3
"""Compares what the simulated device counts with what Nsight Compute counts on this machine's card: all
solutions of labs 1 to 4 and some known mistakes. Prints each difference that no rule of
common/course/metrics.py explains, then how often each rule was needed.

usage: profile_on_card.py [--mistakes N] [--seed S] [--only WORD] [--seconds N] [--at-once N]

Writes every difference to build/check/profile/differences.csv, or to the folder OUT. After --seconds no
further program begins. Exit status 0: all is explained; 1: something is not, or a program did not
run; 2: there is no nvcc, no card or no ncu, or its counters may not be read.
"""

import argparse
import collections
import concurrent.futures
import csv
import os
import pathlib
import random
import re
import subprocess
import sys
import threading
import time
from typing import NamedTuple

sys.path.append(str(pathlib.Path(__file__).parents[1] / "kit"))
import mistakes  # noqa: E402
import on_card  # noqa: E402
from calls import there_is  # noqa: E402
from run_report import ROOT, jobs  # noqa: E402

sys.path.append(str(ROOT / "common"))
from course import lab_make, metrics, nsight, profile  # noqa: E402
from course.asked import parts_of  # noqa: E402

PLACE = pathlib.Path("build/check/profile")
COMPARED = [one.name for one in metrics.ALL if one.name and one.within is not metrics.SHOWN]
MOST_LAUNCHES, OF_A_MISTAKE = 40, 12  # of the tests of a solution, and of a known mistake
# Mistakes that end a kernel early, or hang a card.
NOT_RUN = re.compile(
    "out-of-bounds|pointer|misaligned|use-after-free|endless|divergence|early-exit|crash"
    "|host-touches|invalid|never-written|not-launched|wild"
)
MISSING = {
    "nvcc": "There is no nvcc; install the CUDA toolkit, 12 or 13.",
    "card": "no NVIDIA card answers",
    "ncu": nsight.NO_PROGRAM,
}
LEFT_OUT = "repeated", "repeatedUnits", "neighbouringUnits"
SPARE = 3  # candidates per mistake that is asked for, as some launch nothing


class Program(NamedTuple):
    lab: str
    part: str
    name: str  # of the mistake, or "solution"
    source: str

    def title(self) -> str:
        return f"{self.lab} {self.part} {self.name}"


class Row(NamedTuple):
    """A difference between the two counts of a launch."""

    title: str
    kernel: str
    grid: str
    block: str
    metric: str
    here: float | None
    there: float
    rule: str
    repeated: str
    divergent: int


class Compared:
    """What came of one program."""

    def __init__(self, program: Program) -> None:
        self.program, self.launches, self.why = program, 0, ""
        self.ran = (0, 0)  # launches of the simulated device and of the card, at most self.most
        self.most = MOST_LAUNCHES if program.name == "solution" else OF_A_MISTAKE
        self.rows: list[Row] = []
        self.of_ncu = False  # it has not counted, for a reason that may be gone later

    def add(self, launch: metrics.Launch, card: nsight.Counted) -> None:
        self.launches += 1
        grid, block = ("x".join(map(str, launch[name])) for name in ("grid", "block"))
        where = (self.program.title(), card.kernel, grid, block)
        kinds = {metric.name: metric for metric in metrics.ALL}
        for name, rule in metrics.explained(launch, card.metrics).items():
            count = launch.get(kinds[name].kind) or {}
            again = "/".join(str(count.get(name, "")) for name in LEFT_OUT)
            counts = kinds[name].here(launch), card.metrics[name]
            self.rows.append(Row(*where, name, *counts, rule.name, again, launch["divergentWarps"]))

    def unexplained(self) -> list[Row]:
        return [row for row in self.rows if row.rule == metrics.NO_RULE.name]


def parts(lab: str) -> list[str]:
    return [part for part in parts_of(lab) if part != "answers"]


def build_shared() -> None:
    """Builds what the programs share, for both devices at once; each reports itself what does not
    build."""
    said = (PLACE / "build.log").open("w", encoding="utf-8")

    def make(device: str, lab: str) -> None:
        words = [f"-kj{jobs()}", f"LAB={lab}", f"PART={' '.join(parts(lab))}", f"DEVICE={device}"]
        words += ["shared"] + ["build/generate"] * (device == "sim")
        lab_make.run(*words, stdout=said, stderr=said, check=False)

    def build(device: str) -> None:
        make(device, on_card.LABS[0])  # builds what all labs share, too
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(lambda lab: make(device, lab), on_card.LABS[1:]))

    with said, concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(build, ("gpu", "sim")))
    for lab in on_card.LABS:
        profile.data_set(profile.shape(lab))


def programs(most: int, seed: str, only: str = "") -> list[Program]:
    """Returns the solutions, then known mistakes in a random order, that hold a word."""
    found = []
    for lab in on_card.LABS:
        for part in parts(lab):
            found.append(Program(lab, part, "solution", f"solutions/{lab}/{part}.cu"))
    known = [one for one in mistakes.found() if one.part != "answers"]
    known = [one for one in known if not NOT_RUN.search(", ".join(one.texts_of("Finding")))]
    known = [one for one in known if only in f"{one.lab} {one.part} {one.name}"]
    random.Random(seed).shuffle(known)
    for one in known[: SPARE * most]:
        found.append(Program(one.lab, one.part, one.name, str(mistakes.make(one))))
    return [one for one in found if only in one.title()]


class Comparison:
    """Builds and runs programs, several at a time."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.most, self.until = asked.mistakes, time.monotonic() + asked.seconds
        self.profilers = threading.Semaphore(asked.at_once)
        self.lock = threading.Lock()
        self.taken: list[Program] = []  # mistakes that are compared

    def run(self, program: Program) -> Compared | None:
        """Returns what differs; None for a mistake that is not needed or launches nothing whole."""
        found = Compared(program)
        try:
            return self.compare(program, found)
        except (OSError, LookupError, ValueError, subprocess.SubprocessError) as error:
            found.why = f"{type(error).__name__}: {error}"
            return found

    def compare(self, program: Program, found: Compared) -> Compared | None:
        if time.monotonic() > self.until:
            found.why = "left out: no time"
            return found if len(self.taken) < self.most else None
        is_kernel = program.part == "kernel"
        goal = "figure_program" if is_kernel else "tests_program"
        rules = f"LAB={program.lab}", f"PART={program.part}", f"KERNEL={program.source}"
        if is_kernel:
            words = ["--set", profile.data_set(profile.shape(program.lab))]
        else:
            words = [profile.tests(program.lab, program.part)]
        sim, file = (
            profile.build("sim", goal, *rules),
            str(PLACE / program.title().replace(" ", "-")),
        )
        launches = sim and profile.simulated([sim, *words], program.source, f"{file}.json")[1]
        if not launches or not any(one["completed"] for one in launches):
            found.why = "" if sim else "does not compile for the simulated device"
            return found if found.why and program.name == "solution" else None
        with self.lock:
            if program.name != "solution" and program not in self.taken:
                if len(self.taken) >= self.most:
                    return None
                self.taken.append(program)
        gpu = profile.build("gpu", goal, *rules)
        if not gpu:
            found.why = "does not compile with nvcc"
            return found
        with self.profilers:
            try:
                cards = nsight.counted([gpu, *words], f"{file}.csv", COMPARED, found.most)
            except nsight.NoCounts as why:
                found.why = str(why)
                found.of_ncu = found.why != nsight.FORBIDDEN
                return found
        found.ran = min(len(launches), found.most), len(cards)
        for launch, card in profile.paired(launches, cards):
            if card and launch["completed"]:
                found.add(launch, card)
        found.why = "" if found.launches else "no launch has a twin on the card"
        return found


def print_rows(rows: list[Row]) -> None:
    """Prints one example of the differences in a metric of a kernel, which many mistakes share."""
    alike: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        alike.setdefault((*row.title.split()[:2], row.kernel, row.metric), []).append(row)
    for same in alike.values():
        row, titles = same[0], {one.title for one in same}
        print(f"{row.title}: {row.kernel} <<<{row.grid}, {row.block}>>>")
        print(f"    {row.metric}: simulated {row.here:,.6g}, card {row.there:,.6g}")
        print(f"    {len(same)} launches of {len(titles)} programs; {' '.join(LEFT_OUT)}: {row.repeated}; "
              f"divergent warps: {row.divergent}")  # fmt: skip


def report(found: list[Compared]) -> int:
    rows = [row for one in found for row in one.rows]
    out = pathlib.Path(os.environ.get("OUT") or PLACE) / "differences.csv"
    with open(out, "w", newline="", encoding="utf-8") as text:
        csv.writer(text).writerows([Row._fields, *rows])
    for one in found:
        if one.program.name == "solution":
            ran = "{} simulated, {} on the card".format(*one.ran)
            print(
                f"{one.program.title()}: {ran}; {one.launches} compared, {len(one.rows)} differences"
            )
    print("\nNot explained by a rule:")
    print_rows([row for one in found for row in one.unexplained()])
    print("\nExplained, one example for each rule and metric:")
    firsts = {(row.rule, row.metric): row for row in reversed(rows)}
    counts = collections.Counter((row.rule, row.metric) for row in rows)
    for (rule, metric), row in sorted(firsts.items()):
        if rule != metrics.NO_RULE.name:
            print(f"{rule}: {metric}, {counts[rule, metric]} times")
            print(f"    {row.title}: simulated {row.here:,.6g}, card {row.there:,.6g}")
    failed = [one for one in found if one.why]
    print("\nNot compared:" if failed else "")
    for why, count in collections.Counter(one.why for one in failed).items():
        first = next(one for one in failed if one.why == why)
        said = why.splitlines()[0][:200]
        print(f"{count} programs, such as {first.program.title()}: {said}")
    kinds = collections.Counter(one.program.name == "solution" for one in found if not one.why)
    wrong = sum(bool(one.why or one.unexplained()) for one in found)
    print(f"\n{kinds[True]} solutions and {kinds[False]} known mistakes; see {out}")
    print(f"{len(found) - wrong} passed, {wrong} failed")
    return 1 if wrong or not found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the counts of simulator and card.")
    parser.add_argument(
        "--mistakes", type=int, default=60, metavar="N", help="how many of them (60)"
    )
    parser.add_argument("--seed", default="profile", metavar="S", help="which ones")
    parser.add_argument("--only", default="", metavar="WORD", help="programs that hold this word")
    parser.add_argument(
        "--seconds", type=float, default=330, metavar="N", help="time to begin (330)"
    )
    parser.add_argument("--at-once", type=int, default=2, metavar="N", help="of Nsight Compute (2)")
    asked = parser.parse_args()
    os.chdir(ROOT)
    for what, missing in MISSING.items():
        if not there_is("cuda.sh", what):
            print(missing, file=sys.stderr)
            return 2
    PLACE.mkdir(parents=True, exist_ok=True)
    for name in ("TEST", "WIDTH", "SHAPE", "TILE_WIDTH", "SOLUTION"):
        os.environ.pop(name, None)
    nsight.SECONDS = 60
    comparison = Comparison(asked)
    build_shared()
    profile.like_the_card()
    chosen = programs(asked.mistakes, asked.seed, asked.only)
    with concurrent.futures.ThreadPoolExecutor(jobs()) as pool:
        found = [one for one in pool.map(comparison.run, chosen) if one]
    # Several at once may be too much for ncu.
    found = [comparison.run(one.program) or one if one.of_ncu else one for one in found]
    if found and all(one.why == nsight.FORBIDDEN for one in found):
        print(nsight.FORBIDDEN, file=sys.stderr)
        return 2
    return report(found)


if __name__ == "__main__":
    sys.exit(main())
