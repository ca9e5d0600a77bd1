#!/usr/bin/env python3
"""Runs files of checks and prints a line a check, as check_all.sh reads them.

usage: run.py [--log FOLDER] FILE... [-- PYTEST'S OPTIONS]

Prints 'ok NAME', 'left out: NAME (REASON)' or 'FAIL NAME (LOG)'. NAME is the sentence that the
function's name makes. Exit status 0: all passed; 1: a check failed; 2: wrong usage.
"""

import argparse
import contextlib
import io
import pathlib
import re
import sys
from typing import TextIO

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def sentence(node: str) -> str:
    """Returns the words of a test's name: `a release holds no solution [lab1]`."""
    name, _, chosen = node.rpartition("::")[2].partition("[")
    words = name.removeprefix("test_").replace("_", " ")
    return f"{words}: {chosen[:-1]}" if chosen else words


class Lines:
    """A pytest plugin that reports each check once, as soon as it has ended."""

    def __init__(self, logs: pathlib.Path, out: TextIO) -> None:
        self.logs, self.out = logs, out

    def say(self, line: str) -> None:
        print(line, file=self.out, flush=True)

    def log_of(self, node: str) -> pathlib.Path:
        return self.logs / f"check-{re.sub(r'[^A-Za-z0-9]+', '-', sentence(node))[:100]}.log"

    def failed(self, node: str, text: str) -> None:
        log = self.log_of(node)
        log.write_text(text + "\n", encoding="utf-8")
        shown = log.relative_to(ROOT) if log.is_relative_to(ROOT) else log
        self.say(f"FAIL {sentence(node)} ({shown})")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = sentence(report.nodeid)
        if report.failed:
            self.failed(report.nodeid, report.longreprtext + report.capstdout + report.capstderr)
        elif report.skipped:
            reason = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""
            self.say(f"left out: {name} ({reason.removeprefix('Skipped: ')})")
        elif report.when == "call":
            self.log_of(report.nodeid).unlink(missing_ok=True)
            self.say(f"ok {name}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed(report.nodeid, report.longreprtext)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log", type=pathlib.Path, default=ROOT / "build/check")
    parser.add_argument("files", nargs="+")
    arguments, options = parser.parse_known_args()
    arguments.log.mkdir(parents=True, exist_ok=True)
    own = ["-p", "no:cacheprovider", "--tb=short", "--rootdir", str(ROOT)]
    files = [str(pathlib.Path(__file__).parent / name) for name in arguments.files]
    lines = Lines(arguments.log.resolve(), sys.stdout)
    with contextlib.redirect_stdout(io.StringIO()):  # pytest's own report
        status = pytest.main([*own, *options, *files], plugins=[lines])
    return {0: 0, 1: 1}.get(int(status), 2)


if __name__ == "__main__":
    sys.exit(main())
