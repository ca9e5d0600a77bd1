#!/usr/bin/env python3
"""Judges mutants of every solved .cu file by the tests of its part: each must be found wrong, or
be listed in solutions/mutants/LAB.toml with the reason why it is not, or be in a function that the
skeleton already contains, so that no step is about it. Any other mutant is a failure, and so is a
right one that the tests refuse. Prints a table that ends in the line 'N passed, N failed'.

usage: mutants.py [--jobs N] [--minutes N] [--only WORDS] [--sample N] [--seed WORD]
       --only: those whose name contains the words, as in --only 'lab1_naive kernel 23:'
       --sample: so many, drawn from all parts in turn

The first finding is enough. build/check/mutants.jsonl has the result of each. Exit status 0: no
failure; 1: there is one; 2: wrong usage.
"""

import argparse
import atexit
import collections
import functools
import json
import os
import pathlib
import queue
import random
import re
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from typing import TextIO

sys.path.append(str(pathlib.Path(__file__).parents[1] / "kit"))
import judging  # noqa: E402
from calls import value_of  # noqa: E402
from course import lab_make  # noqa: E402
from cuda_tokens import File  # noqa: E402
from mutate import Mutant, Mutator  # noqa: E402
from run_report import LOGS, ROOT, Report, begun, jobs  # noqa: E402
from testing import run_tests  # noqa: E402

TABLES = ROOT / "solutions/mutants"
FOLDER = pathlib.Path("build/mutants")
SECONDS = 20  # of the processor, for the tests of a mutant
# The words of a table for a mutant that no test finds.
EXCUSES = {
    "equal": "it does the same",
    "time": "it only costs time or memory",
    "beyond": "it differs only where no exercise goes",
}
# `unbuilt` does not compile, `same` is compiled to the same code, `missed` is found by no test.
CAME = ("unbuilt", "caught", "same", "given", *EXCUSES, "missed")
TITLE = f"{'mutants':24}" + "".join(f"{word:>7}" for word in CAME)


@dataclass(frozen=True)
class Work:
    lab: str
    part: str
    mutant: Mutant
    given: bool  # no step is about its function

    def __str__(self) -> str:
        one = self.mutant
        return f"{self.lab} {self.part} {one.line}:{one.column} {one.what}"


def solution(lab: str, part: str) -> pathlib.Path:
    return ROOT / "solutions" / lab / f"{part}.cu"


def works_of(lab: str, part: str) -> list[Work]:
    solved = Mutator(solution(lab, part).read_text(encoding="utf-8"))
    given = File((ROOT / lab / f"{part}.cu").read_text(encoding="utf-8")).functions()
    same = {name for name, words in solved.functions().items() if words == given.get(name)}
    return [Work(lab, part, one, one.function in same) for one in solved.mutants()]


def places() -> list[tuple[str, str]]:
    return [(lab, part) for lab in judging.labs() for part in judging.parts(lab)]


def unknown_rows() -> list[str]:
    """Returns the rows of the tables that name no mutant."""
    there = {(one.lab, one.part, one.mutant.key) for place in places() for one in works_of(*place)}
    return [f"{lab} {part}: {key}" for lab, part, key in excused().keys() - there]


def excused() -> dict[tuple[str, str, str], str]:
    """Returns the word for each mutant of the tables, by lab, part and key."""
    found = {}
    for path in sorted(TABLES.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        for word in EXCUSES:
            for row in table.get(word, []):
                assert row["reason"].strip(), f"{path}: a row without a reason"
                for part, keys in row["mutants"].items():
                    found |= {(path.stem, part, key): word for key in keys}
    return found


class Part:
    """Builds and runs the mutants of a part, as make does for any file of it."""

    def __init__(self, lab: str, part: str) -> None:
        self.lab, self.part = lab, part
        folder = FOLDER / f"{lab}-{part}-{os.getpid()}"
        atexit.register(shutil.rmtree, ROOT / folder, ignore_errors=True)
        self.place = folder / "solution"
        self.make = [*lab_make.RULES, f"LAB={lab}", f"PART={part}"]
        output = {"check": True, "capture_output": True, "text": True}
        subprocess.run(self.building(self.place, solution(lab, part).read_text("utf-8")), **output)
        reader = [sys.executable, "-I", "-S", "common/course/facts.py", lab]
        self.facts = json.loads(subprocess.run(reader, **output).stdout)[part]
        flags = value_of("$(CXX) $(KERNEL_FLAGS) -iquote $(LAB)", lab)
        self.flags = re.sub(r"-fsanitize=\S+|--param=\S+|-g1|-MMD|-MP", "", flags)

    def building(self, folder: pathlib.Path, text: str) -> list[str]:
        """Writes a file; returns the command that builds its program of tests."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "kernel.cu").write_text(text, encoding="utf-8")
        return [*self.make, f"KERNEL={folder}/kernel.cu", f"OUT={folder}", "tests_program"]

    @functools.cached_property
    def plain(self) -> str:
        return self.assembled(self.place)

    def assembled(self, folder: pathlib.Path) -> str:
        """Returns the code without hooks and lines; it is equal if two files are the same
        program."""
        output = {"check": True, "capture_output": True, "text": True}
        command = f"{self.flags} -iquote {folder} -w -S {folder}/kernel.cpp -o -"
        done = subprocess.run(["sh", "-c", command], **output)
        return re.sub(r"^\t\.file.*|\S*/kernel\.\w+", "", done.stdout, flags=re.MULTILINE)

    def judge(self, text: str, worker: str) -> tuple[str, str]:
        """Returns the result of a file, a word of CAME, and its findings."""
        folder = self.place.with_name(worker)
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        quiet["stderr"] = subprocess.DEVNULL
        if subprocess.run(self.building(folder, text), **quiet).returncode:
            return "unbuilt", ""
        results = folder / "results"
        for old in results, folder / "results.new":
            old.unlink(missing_ok=True)
        variables = {"LAB_RUNNER": "1", "LAB_RESULTS": str(results)}
        variables["LAB_PART"] = f"{self.lab}/{self.part}"
        variables["LAB_KERNEL"] = str(folder / "kernel.cu")
        variables["LAB_RUNNING"] = str(folder / "running")
        variables["LAB_SECTIONS"] = self.facts["sections"]
        limited = f"ulimit -t {SECONDS}; exec timeout 300 {folder}/tests --abort"
        env = os.environ | variables
        status = subprocess.run(["sh", "-c", limited], env=env, **quiet).returncode
        found = run_tests.Results(str(results))
        if found.failed:
            first = found.failed[0]
            return "caught", ", ".join(first.get("findings", [])) + f" ({first['test']})"
        why = run_tests.complaint(status, found, self.facts["sim"], self.facts)
        if why:
            return "caught", why
        return ("same" if self.assembled(folder) == self.plain else "missed"), ""


def drawn(works: list[Work], number: int, seed: str) -> list[Work]:
    """Returns `number` mutants, of each part in turn."""
    order = random.Random(seed)
    by_part = collections.defaultdict(list)
    for work in order.sample(works, len(works)):
        by_part[work.lab, work.part].append(work)
    turns = [(n, work) for those in by_part.values() for n, work in enumerate(those)]
    return [work for _, work in sorted(turns, key=lambda turn: turn[0])][:number]


class Judge:
    """Judges mutants, `many` at a time, as long as there is time; writes each result to `log`."""

    def __init__(self, works: list[Work], log: TextIO, many: int = 1, minutes: float = 60) -> None:
        self.works, self.log, self.end = works, log, time.monotonic() + 60 * minutes
        self.excused = excused()
        self.parts = {place: Part(*place) for place in {(one.lab, one.part) for one in works}}
        self.came: dict[Work, str] = {}
        self.workers: queue.SimpleQueue[str] = queue.SimpleQueue()
        for worker in range(many):
            self.workers.put(f"worker{worker}")

    def verdict(self, work: Work) -> str | None:
        """Judges a mutant; returns a line as Report.tally() takes it, None if time is over."""
        if time.monotonic() > self.end:
            return None
        place, worker, began = (work.lab, work.part), self.workers.get(), time.monotonic()
        try:
            came, why = self.parts[place].judge(work.mutant.text, worker)
        finally:
            self.workers.put(worker)
        excuse = self.excused.get((*place, work.mutant.key), "")
        if came == "missed":
            came = excuse or ("given" if work.given else came)
        self.came[work] = came
        line = {"mutant": str(work), "key": work.mutant.key, "came": came, "why": why}
        line["seconds"] = f"{time.monotonic() - began:.2f}"
        print(json.dumps(line), file=self.log, flush=True)
        if came == "missed":
            return f"FAIL {work}: no test finds it [{work.mutant.key}]"
        if came == "caught" and excuse == "equal":
            return f"FAIL {work}: the tests refuse it, but {EXCUSES[excuse]}: {why}"
        return f"ok {work}"

    def run(self, report: Report, many: int) -> None:
        todo = {str(work): functools.partial(self.verdict, work) for work in self.works}
        for verdict in filter(None, report.each(many, todo)):
            report.tally(verdict)
        if len(self.came) < len(self.works):
            late = len(self.works) - len(self.came)
            report.leave_out(f"{late} mutants, as the minutes are over")

    def table(self) -> str:
        """Returns a line per part: the numbers of mutants by result."""
        text, total = [TITLE], collections.Counter(self.came.values())
        for place in places():
            count = collections.Counter(
                came for work, came in self.came.items() if (work.lab, work.part) == place
            )
            if count:
                text.append(f"{' '.join(place):24}" + "".join(f"{count[word]:7}" for word in CAME))
        text.append(f"{'all':24}" + "".join(f"{total[word]:7}" for word in CAME))
        return "\n".join(text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Judges mutants of the solutions by the tests.")
    parser.add_argument("--jobs", type=int, default=jobs())
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--only", default="", metavar="WORDS")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", default="1", metavar="WORD")
    asked = parser.parse_args()
    os.chdir(ROOT)
    report = begun()
    for row in unknown_rows():
        report.bad(f"solutions/mutants: there is no such mutant: {row}")
    works = [work for place in places() for work in works_of(*place)]
    works = [work for work in works if asked.only in str(work)]
    if asked.sample is not None:
        works = drawn(works, asked.sample, asked.seed)
    if not works:
        print(f"There is no mutant whose name holds '{asked.only}'.", file=sys.stderr)
        return 2
    with open(LOGS / "mutants.jsonl", "w", encoding="utf-8") as log:
        judge = Judge(works, log, asked.jobs, asked.minutes)
        judge.run(report, asked.jobs)
    report.say(judge.table())
    return report.summary()


if __name__ == "__main__":
    sys.exit(main())
