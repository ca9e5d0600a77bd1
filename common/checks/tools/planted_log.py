"""The plugin with which planted.py makes pytest record each check at its end, continue an
interrupted run, and begin with the checks that most likely find a defect.

PLANTED_CHECKS names the file of a run, PLANTED_BASELINE that of the run without a defect.
PLANTED_FIRST is a pattern of the names of checks that come first.
"""

from __future__ import annotations

import collections
import os
import pathlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # planted.py reads these files without it
    import pytest

SECONDS = 5.0  # of a check that the baseline does not have
GROUP = re.compile(r"@\w+$")  # what xdist adds to the name of a check
running: dict[str, list[pytest.TestReport]] = collections.defaultdict(list)
is_worker = False


def read(path: str | pathlib.Path) -> dict[str, tuple[str, float]]:
    """Returns how each check of a run's file ended, and its seconds; 'begun' if it did not end."""
    found = {}
    there = pathlib.Path(path)
    for line in there.read_text(encoding="utf-8").splitlines() if there.exists() else []:
        how, seconds, name = line.split(" ", 2)
        found[name] = how, float(seconds)
    return found


def write(how: str, seconds: float, name: str) -> None:
    if not is_worker:
        with open(os.environ["PLANTED_CHECKS"], "a", encoding="utf-8") as file:
            file.write(f"{how} {seconds:.2f} {GROUP.sub('', name)}\n")


def pytest_configure(config: pytest.Config) -> None:
    global is_worker
    is_worker = hasattr(config, "workerinput")


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Leaves out what has ended in this run, and what does not pass without a defect. conftest.py
    has sorted the checks before."""
    ended = read(os.environ["PLANTED_CHECKS"])
    baseline = read(os.environ["PLANTED_BASELINE"])
    done = {name for name, (how, _) in baseline.items() if how in ("failed", "skipped")}
    done |= {name for name, (how, _) in ended.items() if how in ("passed", "skipped")}
    items[:] = [item for item in items if GROUP.sub("", item.nodeid) not in done]
    first = os.environ.get("PLANTED_FIRST", "")
    if not first:
        return
    of_group: dict[str, float] = collections.defaultdict(float)
    for item in items:
        of_group[group(item)] += baseline.get(item.nodeid, ("", SECONDS))[1]

    def place(item: pytest.Function) -> tuple[bool, float, str]:
        return not re.search(first, item.nodeid), of_group[group(item)], group(item)

    items.sort(key=place)


def group(item: pytest.Function) -> str:
    """Returns what stays together: the checks of a file may share a fixture."""
    module = item.nodeid.partition("::")[0]
    return item.nodeid if getattr(item.module, "SPREAD", False) else module


def pytest_runtest_logstart(nodeid: str) -> None:
    write("begun", 0, nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    reports = running[report.nodeid]
    reports.append(report)
    if report.when == "teardown":
        outcomes = {one.outcome for one in reports}
        how = next((how for how in ("failed", "skipped") if how in outcomes), "passed")
        write(how, sum(one.duration for one in reports), report.nodeid)
        del running[report.nodeid]
