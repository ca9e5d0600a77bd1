#!/usr/bin/env python3
"""The report of a run of checks: its progress, the failures, and 'N passed, N failed'.

usage: run_report.py FILE...    lists what failed in runs of pytest, and ends with that line; FILE:
                                JUnit's XML, of a run each; a run that left no file has failed

Exit status 0: nothing failed; 1: a check or a run failed.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
from collections.abc import Callable, Iterator, Mapping
from typing import NoReturn, TextIO, TypeVar

ROOT = pathlib.Path(__file__).resolve().parents[3]
LOGS = ROOT / "build/check"
COLUMNS = 79
LINES = 40  # of a log that are shown with a failure
LINES_AT_THE_END = 8
Result = TypeVar("Result")  # of a piece of work


def jobs() -> int:
    """Returns how many may run at once."""
    return int(subprocess.check_output([ROOT / "common/setup/jobs.sh"]))


def room(megabytes: int) -> None:
    """Moves TMPDIR into the build if the system's folder has less room than this."""
    try:
        free = shutil.disk_usage(os.environ.get("TMPDIR", "/tmp")).free
    except OSError:
        free = 0
    if free < megabytes << 20:
        folder = LOGS / "tmp"
        folder.mkdir(parents=True, exist_ok=True)
        os.environ["TMPDIR"] = str(folder)


def own_make() -> None:
    """Removes the outer make's variables, and those of the choice, from the environment."""
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "LABS", "PART"):
        os.environ.pop(name, None)


def descendants(process: int) -> Iterator[int]:
    """Yields the processes that one has started, and all that these have started."""
    try:
        tasks = pathlib.Path(f"/proc/{process}/task").glob("*/children")
        children = [int(word) for task in tasks for word in task.read_text().split()]
    except OSError:  # it has ended
        return
    for child in children:
        yield child
        yield from descendants(child)


def end_all() -> None:
    """Ends all processes that this one has started."""
    for process in list(descendants(os.getpid())):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Report:
    """Prints verdicts as they come, and stores them in the folder of logs."""

    def __init__(self, out: TextIO, logs: pathlib.Path = LOGS) -> None:
        logs.mkdir(parents=True, exist_ok=True)
        self.out, self.logs, self.began = out, logs, time.monotonic()
        self.passed = self.failed = self.left_out = 0
        self.told: list[str] = []  # failures, for the end of the report
        self.names = open(logs / "passed.txt", "w", encoding="utf-8")

    def say(self, text: str, end: str = "\n") -> None:
        try:
            print(text, end=end, file=self.out, flush=True)
        except BrokenPipeError:  # as in make test | head
            end_all()
            os._exit(1)

    def count(self, done: int, of: int, what: str) -> None:
        """Shows the progress of the run: on a terminal in a line that the next text overwrites,
        elsewhere in a line for each twentieth."""
        line = f"[{done:{len(str(of))}}/{of}] {what}"
        if self.out.isatty():
            self.say(f"\r{line[:COLUMNS]:{COLUMNS}}\r", end="")
        elif done * 20 // of != (done - 1) * 20 // of:
            self.say(line)

    def each(self, many: int, work: Mapping[str, Callable[[], Result]]) -> Iterator[Result]:
        """Does work, so many at a time; yields what came of each, and counts."""
        with concurrent.futures.ThreadPoolExecutor(many) as pool:
            names = {pool.submit(do): name for name, do in work.items()}
            for done, future in enumerate(concurrent.futures.as_completed(names), 1):
                yield future.result()
                self.count(done, len(work), names[future])
        self.clear_count()

    def clear_count(self) -> None:
        if self.out.isatty():
            self.say(f"\r{'':{COLUMNS}}\r", end="")

    def good(self, sentence: str) -> None:
        self.passed += 1
        print(f"  ok  {sentence}", file=self.names, flush=True)

    def leave_out(self, sentence: str) -> None:
        self.left_out += 1
        self.clear_count()
        self.say(f"left out: {sentence}")

    def bad(self, sentence: str, why: str = "") -> None:
        """Prints a failure, with its log except for the passed tests."""
        self.failed += 1
        lines = [f"       {line}" for line in why.splitlines() if not line.startswith("  ok  ")]
        self.clear_count()
        self.say("\n".join([f"FAIL  {sentence}", *lines[:LINES]]))
        self.told += [f"FAIL  {sentence}", *lines[:LINES_AT_THE_END]]

    def tally(self, line: str) -> None:
        """Counts a verdict: 'ok ...', 'left out: ...' or 'FAIL ...'. A failure may name its log at
        the end, in parentheses."""
        verdict, _, text = line.strip().partition(" ")
        if verdict == "ok":
            self.good(text)
        elif verdict == "left":
            self.leave_out(text.removeprefix("out: "))
        else:
            named = re.search(r"\(([^ ]+)\)$", text)
            log = ""
            if named and (ROOT / named[1]).is_file():
                log = (ROOT / named[1]).read_text(encoding="utf-8", errors="replace")
            self.bad(text if verdict == "FAIL" else line, log)

    def summary(self) -> int:
        """Ends the report; returns the run's exit status."""
        names = pathlib.Path(self.names.name)
        shown = names.relative_to(ROOT) if names.is_relative_to(ROOT) else names
        self.say(f"What passed is listed in {shown}")
        if self.left_out:
            self.say(f"{self.left_out} checks left out, as said above")
        if self.failed:
            self.say("\n".join(["\nWhat failed:", *self.told[:100]]))
        self.say(f"\n{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0

    def stop(self, number: int, _frame: object) -> NoReturn:
        """Ends an interrupted run, for example after Ctrl-C or CI's time limit, and says so."""
        signal.signal(number, signal.SIG_IGN)
        end_all()
        after = int(time.monotonic() - self.began)
        self.bad(f"stopped by a signal after {after} seconds")
        os._exit(self.summary())

    def heed_signals(self) -> None:
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.stop)


def make_ready() -> None:
    """Prepares the environment for the processes of a run."""
    own_make()
    room(500)
    # A job's share is one core: some checks measure time. Others call nproc, which reads this.
    os.environ.update(OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")


def begun(logs: pathlib.Path = LOGS) -> Report:
    """Prepares the environment of a run; returns its report."""
    report = Report(sys.stdout, logs)
    report.heed_signals()
    make_ready()
    return report


def main(names: list[str]) -> int:
    passed, failed = 0, []
    for name in names:
        if not pathlib.Path(name).exists():
            failed.append(f"{name} is not there: this run came to no end")
            continue
        for case in xml.parse(name).iter("testcase"):
            ended = {one.tag for one in case}
            if ended & {"failure", "error"}:
                failed.append(f"{case.get('classname')}: {case.get('name')}")
            elif "skipped" not in ended:
                passed += 1
    print(
        "\n".join(
            ["", *(f"FAIL  {one}" for one in failed), f"{passed} passed, {len(failed)} failed"]
        )
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
