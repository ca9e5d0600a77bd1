"""Runs `make check` in a copy of the course without solutions: checks the units of common/, and
that each untouched skeleton fails with a sentence for every TODO. Ends with 'N passed, N failed'.

usage: check_copy.py LAB...    UNIT_TESTS in the environment names the units

Students have no pytest, and need none: this needs only Python.
"""

import functools
import os
import subprocess
import sys

import judging
from run_report import LOGS, ROOT, begun, jobs


def unit(name: str) -> str:
    """Returns the verdict on the unit tests of a folder of common/, as Report.tally() takes it."""
    log = LOGS / f"unit-{name}.log"
    with open(log, "wb") as file:
        status = subprocess.run([ROOT / f"build/test_{name}"], stdout=file, stderr=file).returncode
    last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-1:]
    if status:
        return f"FAIL common/{name} ({log.relative_to(ROOT)})"
    return f"ok common/{name}: {last[0]}"


def main(labs: list[str]) -> int:
    many = jobs()  # before begun() gives each of them one core
    report = begun()
    work = {
        f"check_unit {name}": functools.partial(unit, name)
        for name in os.environ.get("UNIT_TESTS", "").split()
    }
    work |= {
        f"check_skeleton {lab} {part}": functools.partial(judging.skeleton, lab, part)
        for lab in labs
        for part in judging.parts(lab)
    }
    for verdict in report.each(many, work):
        report.tally(verdict)
    report.say(
        "\nThis copy of the course has no solutions: its libraries and skeletons were checked, "
        "no more."
    )
    report.say(f"Your own work: make {labs[0].partition('_')[0]}, and so on." if labs else "")
    return report.summary()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
