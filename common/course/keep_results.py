"""Runs the tests of a part of the student's own, keeps their results for `make progress` (see
state.py), and says what is next. The exit status is that of the tests.
"""

import os
import sys

from course.advice import advise
from course.places import BYTES, PROGRESS, say_and_exit, tests_digest, text_of
from course.retest import first_line
from course.state import state
from testing import run_tests

# Wrong usage, or stopped from outside: that says nothing of the student's file.
SAYS_NOTHING = (2, 129, 130, 137, 143)


def judged(digests: str) -> str:
    with open(digests, encoding="utf-8") as file:
        return "+".join(line.split(" ")[0] for line in file.read().splitlines())


def lines_of(run: str) -> str:
    """Returns what the tests have found, also where they ended before their time."""
    for file in (run, f"{run}.new"):
        if os.path.exists(file):
            text = text_of(file)
            return text if text.endswith("\n") or not text else text + "\n"
    return ""


def keep(lab: str, kept: str, run: str, digests: str) -> None:
    text = first_line(judged(digests), tests_digest(lab)) + lines_of(run)
    if not os.path.exists(run):
        text += '{"end":false}\n'
    with open(f"{run}.kept", "w", **BYTES) as file:
        file.write(text)
    os.replace(f"{run}.kept", kept)


def run(lab: str, part: str, digests: str, *tests: str) -> int:
    """Runs run_tests.py with these words; `digests` is a file, of the sources that were built."""
    if os.environ.get("LAB_RESULTS"):  # somebody else asks for the results
        return run_tests.main(*tests)
    folder, kept = f"{PROGRESS}/{lab}", f"{PROGRESS}/{lab}/{part}.jsonl"
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        say_and_exit(2, f"{folder} cannot be made; see its permissions.")
    found = f"{kept}.{os.getpid()}.run"  # another run of the same part may be under way
    os.environ["LAB_RESULTS"] = found
    try:
        status = run_tests.main(*tests)
        if status in SAYS_NOTHING:
            return status
        try:
            keep(lab, kept, found, digests)
        except OSError:
            unknown = "so make progress knows nothing of this test."
            print(f"{kept} cannot be written, {unknown}", file=sys.stderr)
    finally:
        for file in (found, f"{found}.new", f"{found}.kept"):
            if os.path.exists(file):
                os.remove(file)
    if os.environ.get("ADVICE") != "no":
        print(advise(state(), lab, part), end="", flush=True)
    return status
