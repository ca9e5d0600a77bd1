"""Runs the tests of a part on the student's own file, keeps their results for `make progress` (see
state.py), and says what is next. The exit status is that of the tests.
"""

import importlib
import os
import sys

from course.places import BYTES, PROGRESS, say_and_exit, tests_digest, text_of
from testing import run_tests

# Wrong usage, or stopped from outside: that says nothing about the student's file.
SAYS_NOTHING = (2, 129, 130, 137, 143)


def keep(lab: str, kept: str, run: str, digests: str) -> None:
    from course.retest import first_line

    with open(digests, encoding="utf-8") as lines:
        judged = "+".join(line.split(" ")[0] for line in lines.read().splitlines())
    # The tests leave run.new if they end early.
    found = text_of(run if os.path.exists(run) else f"{run}.new")
    text = first_line(judged, tests_digest(lab)) + found
    text += "\n" if found and not found.endswith("\n") else ""
    if not os.path.exists(run):
        text += '{"end":false}\n'
    with open(f"{run}.kept", "w", **BYTES) as file:
        file.write(text)
    os.replace(f"{run}.kept", kept)


def what_is_next(lab: str, part: str) -> str:
    from course.advice import advise
    from course.state import state

    states = state([lab])  # mostly sufficient
    if all(one.done or one.further for one in states):
        states = state()
    return advise(states, lab, part)


def run(lab: str, part: str, digests: str, *tests: str) -> int:
    """Runs run_tests.py with these words; `digests` is a file with the digests of the built
    sources."""
    if os.environ.get("LAB_RESULTS"):  # another program asks for the results
        return run_tests.main(*tests)
    folder, kept = f"{PROGRESS}/{lab}", f"{PROGRESS}/{lab}/{part}.jsonl"
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        say_and_exit(2, f"{folder} cannot be created; check its permissions.")
    found = f"{kept}.{os.getpid()}.run"  # another run of the same part may be under way
    os.environ["LAB_RESULTS"] = found
    try:
        # An import while the tests run costs no time if there is a second core.
        status = run_tests.main(*tests, meanwhile=lambda: importlib.import_module("course.retest"))
        if status in SAYS_NOTHING:
            return status
        try:
            keep(lab, kept, found, digests)
        except OSError:
            unknown = "so make progress does not know this test."
            print(f"{kept} cannot be written, {unknown}", file=sys.stderr)
    finally:
        for file in filter(os.path.exists, (found, f"{found}.new", f"{found}.kept")):
            os.remove(file)
    if os.environ.get("ADVICE") != "no":
        print(what_is_next(lab, part), end="", flush=True)
    return status
