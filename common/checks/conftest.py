"""How checks are spread over the workers of a run, which of them are chosen, and what they cost.

A file of checks is one unit, as its checks may share a fixture or a folder; of a file that says
`SPREAD = True` each check is one. The units with the most seconds come first, so that no core is
without work at the end: `pytest.mark.seconds(n)` is a rough figure for a check, or, where it stands
for a file, for all of it.
"""

import pathlib
import resource
import sys
import time

import pytest

HERE = pathlib.Path(__file__).parent
OF_GRADER = tuple(
    HERE.parent / folder for folder in (".", "grading", "grading/tests/class", "verdict/gate")
)
sys.path[:0] = map(str, (HERE, *OF_GRADER))

import chosen  # noqa: E402

FILE_SECONDS = 60  # of one that says nothing
# Files of checks that share a worker, by how their names begin.
GRADERS = "test_grade_", "test_grading", "test_attacks", "test_class", "test_slurm"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "seconds(n): what a check or a file takes, roughly")
    config.addinivalue_line("markers", "xdist_group(name): checks of one worker")


def is_chosen(item: pytest.Item) -> bool:
    """Returns whether a check is about the labs and the part that make test is asked for."""
    part = {"part": getattr(item.module, "PART", "")}  # that all of a file is about
    call = getattr(item, "callspec", None)
    return chosen.is_about({**part, **call.params} if call else part)


def seconds(item: pytest.Item) -> float:
    mark = item.get_closest_marker("seconds")
    default = 1 if getattr(item.module, "SPREAD", False) else FILE_SECONDS
    return mark.args[0] if mark else default


def group_of(item: pytest.Item) -> str:
    """Returns the name of those checks that share a worker: graders wait for one another."""
    name = item.module.__name__
    return "graders" if name.startswith(GRADERS) else name


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left = [item for item in items if not is_chosen(item)]
    config.hook.pytest_deselected(items=left)
    kept = [item for item in items if is_chosen(item)]
    for item in kept:
        if not getattr(item.module, "SPREAD", False):
            item.add_marker(pytest.mark.xdist_group(group_of(item)))
    items[:] = sorted(kept, key=seconds, reverse=True)


def spent() -> tuple[float, ...]:
    """Returns the processor seconds of this process and of those that it has waited for, of the
    user and of the system, and the time."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    user, system = sum(one.ru_utime for one in used), sum(one.ru_stime for one in used)
    return user, system, time.monotonic()


BEGAN: dict[str, tuple[float, ...]] = {}


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    BEGAN[item.nodeid] = spent()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    report = (yield).get_result()
    if call.when == "teardown" and item.nodeid in BEGAN:
        took = [now - then for now, then in zip(spent(), BEGAN.pop(item.nodeid))]
        report.user_properties.append(("seconds", " ".join(f"{one:.2f}" for one in took)))
