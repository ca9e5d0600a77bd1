#!/usr/bin/env python3
"""Runs the checks of `make test` and ends with the line 'N passed, N failed'.

usage: run.py [--log FOLDER] [--jobs N] [--quiet] [--narrowed LABS PART] [FILE... [OPTION...]]

Without a file all checks of this folder, as many at a time as the machine has room for; with files
those alone, with pytest's options, and what passes is shown, too. Narrowed to labs (by lab2 or
lab2_tiled) or a part, only the checks about these are made; '' stands for all. Exit status 0: all
passed; 1: a check failed; 2: wrong usage.
"""

import argparse
import contextlib
import functools
import io
import os
import pathlib
import re
import subprocess
import sys

import chosen
import judging
import mistakes
from run_report import LOGS, ROOT, Report, begun, jobs

try:
    import pytest
    from xdist.scheduler import LoadGroupScheduling
except ModuleNotFoundError:  # the first Python on the PATH is often not the one with the packages
    found = [ROOT / "common/setup/python.sh", "pytest", "xdist", "yaml"]
    python = subprocess.run(found, capture_output=True, text=True).stdout.strip()
    if not python:
        sys.exit(
            "No Python here has pytest: sudo apt-get install python3-pytest-xdist python3-yaml"
        )
    os.execv(python, [python, "-B", *sys.argv])

HERE = pathlib.Path(__file__).parent


def sentence(node: str) -> str:
    """Returns the words of a check's name: `a release holds no solution: lab1`."""
    if "::" not in node:
        return node  # a file
    name, _, chosen = re.sub(r"@[^]@]*$", "", node).rpartition("::")[2].partition("[")
    words = name.removeprefix("test_").replace("_", " ")
    return f"{words}: {chosen[:-1]}" if chosen else words


class Scheduling(LoadGroupScheduling):
    """Counts a check that ended its worker as done, so that no other worker tries it again."""

    def remove_node(self, node):
        work = (unit for unit in self.assigned_work[node].values())
        left = ((unit, name) for unit in work for name, done in unit.items() if not done)
        unit, name = next(left, ({}, None))
        if name:
            unit[name] = True
        super().remove_node(node)
        return name


class Told:
    """A plugin of pytest's that tells the report of each check as soon as it has ended."""

    def __init__(self, report: Report, shown: bool) -> None:
        self.report, self.shown = report, shown
        self.nodes: set[str] = set()
        self.ended: set[str] = set()
        self.unread: set[str] = set()

    def pytest_xdist_make_scheduler(self, config, log):
        return Scheduling(config, log)

    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        if not self.nodes and ids:
            self.report.say(
                f"  --  {len(ids)} checks, several at a time, the longest first; "
                "the first verdicts take a minute"
            )
        self.nodes = set(ids)

    def good(self, line: str) -> None:
        self.report.good(line)
        if self.shown:
            self.report.clear_count()
            self.report.say(f"ok {line}")

    def failed(self, node: str, text: str) -> None:
        text = re.sub(r"^\[gw\d+\] .*\n", "", text)  # which worker it was
        self.report.bad(sentence(node), text)
        name = re.sub(r"[^A-Za-z0-9]+", "-", sentence(node))[:100]
        (self.report.logs / f"check-{name}.log").write_text(text + "\n", encoding="utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = sentence(report.nodeid)
        properties = dict(report.user_properties)
        if report.failed:
            self.failed(report.nodeid, report.longreprtext + report.capstdout + report.capstderr)
        elif report.skipped:
            reason = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""
            self.report.leave_out(f"{name} ({reason.removeprefix('Skipped: ')})")
        elif report.when == "call":
            lines = [value for key, value in report.user_properties if key == "said"]
            for line in lines:
                if line.startswith("ok "):
                    self.good(line.removeprefix("ok "))
                else:
                    self.report.tally(line)
            if not lines:
                self.good(name)
        if "seconds" in properties:
            print(properties["seconds"], name, file=self.report.seconds, flush=True)
        if report.when not in ("setup", "call"):  # a crash has no such name
            self.ended.add(report.nodeid)
            self.report.count(len(self.ended), len(self.nodes), name)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Takes what a file says that has no checks to make; each worker reads it."""
        if report.passed or report.nodeid in self.unread:
            return
        self.unread.add(report.nodeid)
        if report.failed:
            self.failed(report.nodeid, report.longreprtext)
        else:
            reason = report.longrepr[2].removeprefix("Skipped: ")
            self.report.leave_out(f"{report.nodeid} ({reason})")


def run(told: Told, files: list[pathlib.Path], jobs: int, *options: str) -> None:
    """Runs files of checks; what has no verdict in the end has failed."""
    told.nodes, told.ended = set(), set()
    own = ["-p", "no:cacheprovider", "-p", "xdist.plugin", "--tb=short", "--rootdir", str(ROOT)]
    spread = ["--dist", "loadgroup", "-n", str(jobs)]
    with contextlib.redirect_stdout(io.StringIO()) as said:  # pytest's own report
        status = pytest.main([*own, *spread, *options, *map(str, files)], plugins=[told])
    told.report.clear_count()
    missing = len(told.nodes - told.ended)
    if missing:
        told.report.bad(f"{missing} checks have not been made", said.getvalue()[-3000:])
    elif status not in (0, 1, 5) and not told.report.failed:  # 5: none of these is chosen
        told.report.bad(f"pytest ended with status {int(status)}", said.getvalue()[-3000:])


def build_part(lab: str, part: str) -> None:
    """Builds a part's programs. Where that fails, the checks of this part do, and tell why."""
    programs = ["tests_program", *(["figure_program"] if part == "kernel" else [])]
    for variable in ["", *judging.tile_widths(lab, part)]:
        words = ["SOLUTION=1", *filter(None, [variable]), *programs]
        judging.make(lab, part, *words)
    judging.make(lab, part, "tests_program")
    judging.make(lab, part, "replay")


def build(labs: list[str], part: str, report: Report) -> None:
    """Makes the known mistakes, and builds the parts of labs, or the one that is named, several at a
    time. A patch that does not apply is told by its own check."""
    for mistake in mistakes.found():
        with contextlib.suppress(mistakes.Wrong):
            mistakes.make(mistake)
    work = {
        f"build_part {lab} {name}": functools.partial(build_part, lab, name)
        for lab in labs
        for name in [*judging.parts(lab), "answers"]
        if part in ("", name)
    }
    for _ in report.each(jobs(), work):
        pass


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log", type=pathlib.Path, default=LOGS)
    # One more than there are cores, as a check often waits for what it has started.
    parser.add_argument("--jobs", type=int, default=jobs() + 1)
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--narrowed", nargs=2, default=["", ""])
    parser.add_argument("files", nargs="*")
    asked, options = parser.parse_known_args()
    try:
        labs, part = chosen.find(*asked.narrowed)
    except ValueError as why:
        print(why, file=sys.stderr)
        return 2
    # The checks run in other processes.
    os.environ.update(CHECKED_LABS=" ".join(labs), CHECKED_PART=part)
    os.chdir(ROOT)
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        del os.environ[name]  # of a check that runs this program
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # what else is installed may change a run
    report = begun(asked.log.resolve())
    told = Told(report, shown=bool(asked.files) and not asked.quiet)
    if asked.files:
        for name in asked.files:
            if not (HERE / name).exists():
                parser.error(f"{name}: there is no such file in {HERE}")
        run(told, [HERE / name for name in asked.files], asked.jobs, *options)
    else:
        build(labs or judging.labs(), part, report)
        files = sorted([*HERE.glob("test_*.py"), *HERE.parent.glob("grading/tests/test_*.py")])
        run(told, files, asked.jobs)
    return report.summary()


if __name__ == "__main__":
    sys.exit(main())
