"""Runs the checks that are scripts of their own. Each prints lines 'ok ...', 'quiet ...',
'note ...', 'left out: ...' and 'FAIL ...', which are counted one by one (see report.py)."""

import contextlib
import os
import subprocess
from collections.abc import Callable

import pytest
from command_runs import grader_alone
from report import LOGS, ROOT

SPREAD = True

# With the seconds that each takes, and with whom it shares a worker.
SCRIPTS = {
    "common/grading/check_attacks.sh": (300, "graders"),
    "common/grading/check_class.sh": (300, "graders"),
    "common/grading/check_slurm.sh": (300, "graders"),
}


def run(said: Callable[[str, str], None], script: str) -> None:
    """Runs a script, whose verdicts are those of the check."""
    log = LOGS / (script.replace("/", "-") + ".log")
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "wb") as file:
        done = subprocess.run(
            [script],
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


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(name, marks=[pytest.mark.seconds(cost), pytest.mark.xdist_group(group)])
        for name, (cost, group) in SCRIPTS.items()
    ],
)
def test_script(script: str, record_property) -> None:
    with grader_alone() if "grading" in script else contextlib.nullcontext():
        run(record_property, script)
