"""Distributes the checks over the workers of a run, and chooses among them.

A file of checks is one unit, because its checks may share a fixture or a folder; in a file with
`SPREAD = True` each check is one. The units with the most seconds come first, so that no core is
without work at the end: `pytest.mark.seconds(n)` is a rough figure for a check, or, as a mark of a
file, for all of it. `pytest.mark.full` puts a check, or a file, into the ring of `make check`.
"""

import os
import pathlib
import sys

import pytest
from _pytest.terminal import TerminalReporter

HERE = pathlib.Path(__file__).parent
ROOMS = ". grading grading/tests/class verdict/gate explorer simulator/hooks".split()
sys.path[:0] = map(str, (HERE / "kit", HERE / "tools", *(HERE.parent / room for room in ROOMS)))

import chosen  # noqa: E402
import run_report  # noqa: E402

FILE_SECONDS = 60  # of a file without a mark


def pytest_configure(config: pytest.Config) -> None:
    """Prepares the environment, which the workers inherit."""
    if hasattr(config, "workerinput"):
        return
    os.environ.pop("ONLY", None)  # a variable of make check; make grade would read it as students
    asked = (os.environ.get(name, "") for name in ("CHECKED_LABS", "CHECKED_PART"))
    try:
        labs, part = chosen.find(*asked)
    except ValueError as why:
        raise pytest.UsageError(str(why)) from None
    os.environ.update(CHECKED_LABS=" ".join(labs), CHECKED_PART=part)
    run_report.make_ready()


def is_chosen(item: pytest.Function) -> bool:
    """Returns whether a check is about the labs and the part that make test is asked for."""
    part = {"part": getattr(item.module, "PART", "")}  # that all of a file is about
    call = getattr(item, "callspec", None)
    return chosen.is_about({**part, **call.params} if call else part)


def seconds(item: pytest.Function) -> float:
    mark = item.get_closest_marker("seconds")
    default = 1 if getattr(item.module, "SPREAD", False) else FILE_SECONDS
    return mark.args[0] if mark else default


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Function]) -> None:
    left = [item for item in items if not is_chosen(item)]
    config.hook.pytest_deselected(items=left)
    kept = [item for item in items if is_chosen(item)]
    for item in kept:
        if not getattr(item.module, "SPREAD", False):
            item.add_marker(pytest.mark.xdist_group(item.module.__name__))
    items[:] = sorted(kept, key=seconds, reverse=True)


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Names the checks that were skipped because of an edited skeleton, and no other skip."""
    for skipped in terminalreporter.getreports("skipped"):
        why = skipped.longrepr[2]
        if "has been edited" in why:
            terminalreporter.write_line(why)
