"""Runs of labs, from the data of the explorer's page."""

import collections.abc
import json
import pathlib
import re
import sys
import tempfile
import typing

import mistakes
from calls import call, ended, rules
from course import shown_run
from explorer.page import unpacked

DATA = re.compile(r'<script type="application/gzip" id="data">(.*?)</script>')


def data_of(file: pathlib.Path) -> dict:
    """Returns the data of a page."""
    found = DATA.search(file.read_text(encoding="utf-8"))
    assert found, file
    return unpacked(found[1])


def explore(lab: str, part: str, kernel: str = "", **variables: str) -> tuple[int, str, dict]:
    """Returns the exit status of the explorer, its output, and the page's data."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "page.html")
        program = (sys.executable, "-B", "common/explorer/explore.py", lab, part, kernel)
        solved = "" if kernel else "1"
        status, said = call(*program, solved, OUT=str(out), **variables)
        return status, said, data_of(out) if out.exists() else {}


class Run:
    """The first run of a page."""

    def __init__(self, page: dict) -> None:
        self.data = page["runs"][0]
        self.columns = self.data["steps"]
        self.arrays, self.findings = self.data["arrays"], self.data["findings"]
        self.count = len(self.columns["thread"])

    def __getattr__(self, column: str) -> list:
        return self.columns[column]

    def values(self) -> collections.abc.Iterator[tuple[int, dict[str, typing.Any]]]:
        """Yields each step with the values of its thread's variables, by name. Of two variables of
        one name it has the later one."""
        threads: dict[int, dict[int, typing.Any]] = {}
        for n in range(self.count):
            held = threads.setdefault(self.thread[n], {})
            changes = self.changes[n] or []
            for number, value in zip(changes[::2], changes[1::2]):
                held.pop(number, None)
                if value is not None:
                    held[number] = value
            yield n, {self.data["variables"][number]["name"]: it for number, it in held.items()}

    def place(self, thread: int) -> dict[str, int]:
        """Returns a thread's built-in variables, as Python names."""
        block, extent = self.data["block"], self.data["blockSize"]
        names = dict(zip(("bx", "by", "bw", "bh"), (*block[:2], *extent[:2])))
        return names | {"x": thread % extent[0], "y": thread // extent[0] % extent[1]}


def solution(lab: str, part: str, **variables: str) -> Run:
    status, said, page = explore(lab, part, **variables)
    assert status == 0 and page, said
    return Run(page)


def mistake(lab: str, part: str, name: str) -> str:
    """Makes a known mistake; returns its file."""
    return str(mistakes.make(mistakes.found(lab, part, name)[0]))


def watched(lab: str, part: str, kernel: str) -> tuple[str, list[dict]]:
    """Returns the first failed test of a file for which make test names the command to watch it, or
    '', and its findings."""
    words = f"PART={part}", "DEVICE=sim", "PROFILE=", "EXPLORE=1", f"KERNEL={kernel}"
    program = ended(rules(lab, "-s", *words, "tests_program"), 0).split()[-1]
    for until in ("--abortx", "3"), ():  # all tests of a slow kernel take long
        with tempfile.TemporaryDirectory() as folder:
            results = pathlib.Path(folder, "results")
            call(program, *until, LAB_KERNEL=kernel, LAB_RESULTS=str(results))
            for test in map(json.loads, results.read_text(encoding="utf-8").splitlines()):
                if test.get("status") == "failed" and shown_run.has_launched(test):
                    return test["test"], test["found"]
    return "", []
