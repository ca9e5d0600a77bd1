"""Tests the student's own parts without output, so that their stored results are up to date."""

import json
import os
import re
import subprocess
import sys

from course import lab_make
from course.asked import CHANGES
from course.places import PROGRESS, judged_digest, judged_files, stored, tests_digest, text_of
from course.state import PartState, state

# None of the variables of this call count.
FROM_ABOVE = ("LAB_RESULTS", "DEVICE", "SOLUTION", *CHANGES)


def test_command(lab: str) -> list[str]:
    """Returns the command that tests the part that the environment names."""
    return [*lab_make.STUDENT, "lab", lab, "test"]


def test_environment(part: str) -> dict[str, str]:
    """Returns the environment of a default test of the student's own file."""
    own = {name: it for name, it in lab_make.environment().items() if name not in FROM_ABOVE}
    jobs = len(os.sched_getaffinity(0))
    return {**own, "PART": part, "ADVICE": "no", "GNUMAKEFLAGS": f"-j{jobs}"}


def of_digest(lab: str, part: str, digest: str) -> bool:
    """Tells whether the stored results are those of the files with this digest."""
    return f'"judged":"{digest}"' in stored(lab, part)


def does_not_compile(log: str, lab: str, part: str) -> bool:
    said = text_of(log)
    if "undefined reference" in said:
        return False
    # An answers.h is included; some compilers name it with ./ before it.
    names = "|".join(map(re.escape, judged_files(lab, part)))
    return re.search(rf"(?m)^(\./)?({names}):\d*:", said) is not None


def first_line(judged: str, tests: str, **more: bool) -> str:
    words = dict[str, object](judged=judged, tests=tests, **more)
    return json.dumps(words, separators=(",", ":")) + "\n"


def retest(lab: str, part: str) -> None:
    """Tests a part; the report is left in build/progress/LAB/PART.log."""
    digest, log = judged_digest(lab, part), f"{PROGRESS}/{lab}/{part}.log"
    os.makedirs(f"{PROGRESS}/{lab}", exist_ok=True)
    with open(log, "wb") as report:
        command, environment = test_command(lab), test_environment(part)
        done = subprocess.run(command, env=environment, stdout=report, stderr=report)
    if done.returncode == 0 or of_digest(lab, part, digest):
        return
    # Stored, so that it is not built again before it changes.
    if does_not_compile(log, lab, part):
        with open(f"{log}.new", "w", encoding="ascii") as file:
            file.write(first_line(digest, tests_digest(lab), built=False) + '{"end":false}\n')
        os.replace(f"{log}.new", f"{PROGRESS}/{lab}/{part}.jsonl")


def fresh_state(labs: list[str]) -> list[PartState]:
    """Brings the stored results up to date, saying so because that takes time."""
    states = state(labs)
    changed = [of for of in states if of.condition == "changed"]
    for of in changed:
        print(f"No test has seen {of.source} as it is now; testing it ...", file=sys.stderr)
        try:
            retest(of.lab, of.part)
        except OSError as error:
            print(f"{error.filename}: {error.strerror}", file=sys.stderr)
    return state(labs) if changed else states
