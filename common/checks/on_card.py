#!/usr/bin/env python3
"""Runs every command for a card that a document or make help shows, the tests and the program of
every solution, and a hundred random kernels, on this machine's card. Ends with a table and the line
'N passed, N failed'.

usage: on_card.py [--only WORD] [--compile-only]

Exit status 0: each ended as it has to; 1: one did not; 2: there is no nvcc or no card.
"""

import argparse
import concurrent.futures
import dataclasses
import pathlib
import shutil
import subprocess
import sys
import textwrap

from command_runs import (
    End,
    Result,
    environment,
    make_class,
    run_shown,
    share_build,
    there_is,
    wanted,
)
from run_report import jobs
from shown_commands import ROOT, Command, Course

PLACE = pathlib.Path("build/check/card")  # for the files that documents put beside the course
TOOLS = r"(?s)memcheck .*racecheck .*initcheck .*synccheck "
RANDOM = "common/checks/random_on_card.py"
NOT_RUN = r"compiled, not run \(COMPILE_ONLY=1\)"


@dataclasses.dataclass(frozen=True)
class Row:
    command: Command
    result: Result
    why: str  # the reason why it is not right; '' where it is


def for_card(course: Course) -> list[Command]:
    """Returns the commands that are shown for a card, and those for the solutions of every lab."""
    goals = [f"{goal} SOLUTION=1" for goal in ("test", "run")]
    texts = [f"make -C {lab} {goal} DEVICE=gpu" for lab in course.labs for goal in goals]
    texts.append("make -C lab4_memtypes properties DEVICE=gpu")
    texts.append(RANDOM)
    commands = [one for one in course.shown() if one.for_card()]
    commands += [Command(text, "", "") for text in texts]
    once = {one.stood_in().same(): one.stood_in() for one in reversed(commands)}
    return [in_lab(one) for one in reversed(once.values())]


def in_lab(command: Command) -> Command:
    """Returns the command for the root, with what lies beside the course in a folder of its own."""
    text = command.text.replace("../", f"{PLACE}/")
    if command.folder:
        text = text.replace("make ", f"make -C {command.folder} ", 1)
    return dataclasses.replace(command, text=text, folder="")


def alone(command: Command) -> bool:
    """Returns whether it measures time, so that nothing else may use the card."""
    timed = {"bench", "demo", "grade"} & set(command.goals) or "measure.py" in command.text
    return bool(timed) or (command.lab == "lab4_memtypes" and "test" in command.goals)


def compiled(command: Command) -> Command:
    """Returns the command as far as it runs without a card."""
    only = " COMPILE_ONLY=1" if command.goals else ""
    return dataclasses.replace(command, text=command.text + only)


def end_of(command: Command, compile_only: bool) -> End:
    """Returns how a command ends on a card, or as far as it gets without one."""
    usual = wanted(command)
    if command.text == RANDOM and not compile_only:
        return End((0,), "100 passed, 0 failed")
    if compile_only and not command.goals:
        return End((2,), "no NVIDIA card answers")
    if "grade" in command.goals and usual.statuses != (0,):
        return usual
    if compile_only:
        return End((0,), NOT_RUN, "Cannot find valid GPU")
    if "sanitize" in command.goals:  # a tool may report something on a skeleton
        if command.value("MISTAKES"):
            return End((0,), TOOLS, "did not run")
        return End((0, 2), TOOLS, "did not run|tests end early")
    says = {
        "bench": "(?m)^Written: ",
        "grade": "(?m)^Speed: on .*(?s:.*)2 graded",
        "run": "(?s)verdict +ok: .* us for the kernel, ",
        "demo": r"(?s)measured, .*lab1_naive +[\d.,]+ us\nlab2_tiled +[\d.,]+ us\n",
    }
    return next((End((0,), says[goal]) for goal in command.goals if goal in says), usual)


def row(command: Command, compile_only: bool, number: int) -> Row:
    """Runs a command; keeps its output where its end is wrong."""
    asked = compiled(command) if compile_only else command
    if "grade" in command.goals:
        share_build(ROOT)
    result = run_shown(asked, ROOT)
    why = result.unlike(end_of(command, compile_only))
    if why:
        log = PLACE / f"{number}.log"
        (ROOT / log).write_text(result.output, encoding="utf-8")
        why = f"{why} ({log})"
    print(f"{'FAIL' if why else '  ok'}  {asked.text}", flush=True)
    return Row(asked, result, why)


def build(course: Course, commands: list[Command], compile_only: bool, most: int) -> None:
    """Builds what several commands share, so that they do not build it at the same time. A command
    reports itself what does not build."""

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
    labs = [lab for lab in course.labs if any(one.lab == lab for one in commands)]
    for lab in labs[:1]:  # builds what all labs share, too
        make_lab(lab, most)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda lab: make_lab(lab, max(1, most // 4)), labs[1:]))


def run_all(course: Course, commands: list[Command], compile_only: bool) -> list[Row]:
    """Runs several at a time, then those that measure, with the graders last."""
    most = jobs()
    workers = max(1, min(4, most // 4))
    if most > 1:
        build(course, commands, compile_only, most)
    shared = [one for one in commands if not alone(one)]
    others = sorted((one for one in commands if alone(one)), key=lambda one: "grade" in one.goals)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        rows = list(pool.map(lambda job: row(job[1], compile_only, job[0]), enumerate(shared)))
    return rows + [row(one, compile_only, len(rows) + n) for n, one in enumerate(others)]


def table(rows: list[Row]) -> str:
    """Returns a line a command: how it ended, its status, its seconds."""
    lines = ["", "      status  seconds  command"]
    for one in rows:
        status = "-" if one.result.status is None else one.result.status
        head = f"{'FAIL' if one.why else '  ok'}  {status:>6}  {one.result.seconds:7.1f}  "
        text = [one.command.text, one.why] if one.why else [one.command.text]
        told = [piece for part in text for piece in textwrap.wrap(part, 80 - len(head))]
        lines += [head + told[0], *(" " * len(head) + piece for piece in told[1:])]
    failed = sum(bool(one.why) for one in rows)
    return "\n".join([*lines, "", f"{len(rows) - failed} passed, {failed} failed"])


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs every command for a card that is shown.")
    parser.add_argument("--only", default="", metavar="WORD", help="those that hold this word")
    parser.add_argument("--compile-only", action="store_true", help="build all, run nothing")
    asked = parser.parse_args()
    if not there_is("cuda.sh", "nvcc"):
        print("There is no nvcc; install the CUDA toolkit, 12 or 13.", file=sys.stderr)
        return 2
    if not asked.compile_only and not there_is("cuda.sh", "card"):
        print("No NVIDIA card answers; --compile-only builds without one.", file=sys.stderr)
        return 2
    course = Course(ROOT)
    commands = [one for one in for_card(course) if asked.only in one.text]
    if asked.compile_only and there_is("cuda.sh", "card"):  # a script that times would use it
        commands = [one for one in commands if one.goals]
    if not commands:
        print(f"--only {asked.only}: no command for a card holds that.", file=sys.stderr)
        return 2
    shutil.rmtree(ROOT / PLACE, ignore_errors=True)
    make_class(ROOT / PLACE / "class", "lab2_tiled")
    rows = run_all(course, commands, asked.compile_only)
    print(table(rows))
    return 1 if any(one.why for one in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
