"""Runs the checks that are scripts of their own. Each prints lines 'ok ...', 'quiet ...',
'note ...', 'left out: ...' and 'FAIL ...', which are counted one by one (see report.py)."""

import os
import subprocess
from collections.abc import Callable

import judging
import pytest
from report import LOGS, ROOT

SPREAD = True

HIDDEN, POINTS = "common/grading/check_hidden.sh", "common/grading/check_points.sh"
# With the seconds that each takes. Graders stay with one worker, as all of them run submissions as
# the same users.
GRADERS = {
    f"common/grading/check_{name}.sh": 300 for name in ("grader", "attacks", "class", "slurm")
}
OF_A_LAB = {
    HIDDEN: 90,
    "common/testing/check_sections.sh": 1,
    POINTS: 1,
}
ALONE = {
    "common/grading/check_record.sh": 250,
    "common/student/check_student.sh": 50,
    "common/testing/compile_help/check.sh": 10,
    "common/setup/check_doctor.sh": 10,
    "common/setup/check_usage.sh": 10,
    "common/simulator/check_limits.sh": 10,
    "common/simulator/peers/check_faults.sh": 10,
    "common/grading/check_reports.sh": 10,
    "common/grading/check_similarity.sh": 10,
}


def there(scripts: dict[str, int], *labs: str) -> list:
    """Returns those of the scripts that are there, each with each of the labs."""
    found = []
    for script, cost in scripts.items():
        marks = [pytest.mark.seconds(cost)]
        if script in GRADERS:
            marks.append(pytest.mark.xdist_group("graders"))
        if script == POINTS:  # it reads what the runs of all others have left
            marks.append(pytest.mark.last)
        if (ROOT / script).exists():
            found += [
                pytest.param(*filter(None, (script, lab)), id=f"{script} {lab}".strip(), marks=marks)
                for lab in labs or [""]
            ]
    return found


def run(said: Callable[[str, str], None], script: str, *words: str) -> None:
    """Runs a script, whose verdicts are those of the check."""
    log = LOGS / ("-".join([script, *words]).replace("/", "-") + ".log")
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "wb") as file:
        done = subprocess.run(
            [script, *words],
            cwd=ROOT,
            env={**os.environ, "BUILD": "build"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=file,
            check=False,
        )
    lines = [line for line in done.stdout.decode(errors="replace").splitlines() if line.strip()]
    for line in lines:
        said("said", line)
    told = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:])
    if any(line.startswith("FAIL") for line in lines):
        said("log", told)
    elif done.returncode != 0:
        pytest.fail(f"{script} ended with status {done.returncode}\n{told}", pytrace=False)
    elif all(line.startswith("note") for line in lines):
        pytest.fail(f"{script} checked nothing\n{told}", pytrace=False)


@pytest.mark.parametrize("script", there({**GRADERS, **ALONE}))
def test_script(script: str, record_property) -> None:
    run(record_property, script)


@pytest.mark.parametrize("script, lab", there(OF_A_LAB, *judging.labs()))
def test_script_of_a_lab(script: str, lab: str, record_property) -> None:
    run(record_property, script, lab)
