"""Calls commands as in a new terminal, and graders."""

import fcntl
import functools
import os
import pathlib
import shutil
import signal
import subprocess
import termios
import zipfile
from typing import Any

from run_report import ROOT

# With these variables an outer make would change a make that runs here.
HIDDEN = ("MAKEFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "MFLAGS")
# Variables with these beginnings may be set by a test, an outer make or the user of the checks.
OF_TESTS = ("LAB_", "CUSIM_", "EXPLAIN", "RULES", "PART", "TODO", "AGAIN", "YES", "ADVICE")


def environment() -> dict[str, str]:
    """Returns the environment of a newly opened terminal."""
    return {name: value for name, value in os.environ.items() if name not in HIDDEN}


def of_new_terminal(variables: dict[str, str]) -> dict[str, str]:
    """Returns the environment of a newly opened terminal, with these variables."""
    new = {name: it for name, it in environment().items() if not name.startswith(OF_TESTS)}
    return new | variables


def call(
    *command: str | pathlib.Path,
    folder: Any = ROOT,
    umask: Any = -1,
    seconds: Any = None,
    **variables: str,
) -> tuple[int, str]:
    """Runs a command with these variables, for at most so many seconds; returns its exit status and
    its output."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    started = {"cwd": folder, "env": of_new_terminal(variables), "umask": umask}
    options = {"text": True, "errors": "replace", "timeout": seconds}
    done = subprocess.run(command, **streams, **started, **options)
    return done.returncode, done.stdout


def ended(result: tuple[int, str], status: int, *words: str) -> str:
    """Fails unless a command has ended with this status and printed these words; returns its
    output."""
    assert result[0] == status and all(word in result[1] for word in words), result[1]
    return result[1]


def make(*words: str, **more: Any) -> tuple[int, str]:
    return call("make", "--no-print-directory", *words, **more)


def rules(lab: str, *words: str, **more: Any) -> tuple[int, str]:
    """Calls make for a lab from the root, with these variables and goals."""
    return make("-f", "common/lab_rules.mk", f"LAB={lab}", *words, **more)


def value_of(expression: str, lab: str, *words: str) -> str:
    """Returns the value that a lab's rules give to an expression of make, such as $(OUT)."""
    rule = f"--eval=value: ; @:$(info {expression})"
    return ended(rules(lab, *words, rule, "value"), 0).strip()


@functools.lru_cache(maxsize=None)
def there_is(*question: str) -> bool:
    """Returns the output of a script of common/setup."""
    return call(f"common/setup/{question[0]}", *question[1:])[0] == 0


def end_group(process: subprocess.Popen) -> None:
    """Ends a command and the processes that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def take_terminal() -> None:
    """Makes the terminal at stdin this process's own, and lets Ctrl-C end it: a script in the
    background ignores Ctrl-C."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def on_terminal(command: list[str], **options: Any) -> tuple[subprocess.Popen, int]:
    """Starts a command on a pseudo-terminal of its own; returns it and our end of the terminal. A
    check that needs one is skipped if there is none."""
    try:
        ours, theirs = os.openpty()
    except OSError:
        import pytest  # on_card.py runs without pytest

        pytest.skip("no pseudo-terminal here: is /dev/pts mounted?")
    with open(theirs, "rb+", buffering=0) as end:
        process = subprocess.Popen(
            command,
            stdin=end,
            stdout=end,
            stderr=end,
            start_new_session=True,
            preexec_fn=take_terminal,
            **options,
        )
    return process, ours


def make_class(folder: pathlib.Path, lab: str) -> None:
    """Writes the submissions of a class of two: ada has solved the lab, ben submits the
    skeleton."""
    shutil.rmtree(folder, ignore_errors=True)
    ada = folder / "ada" / lab
    ada.mkdir(parents=True)
    for name in [*(ROOT / "solutions" / lab).glob("*.cu"), ROOT / "solutions" / lab / "answers.h"]:
        shutil.copy(name, ada)
    with zipfile.ZipFile(folder / "ben.zip", "w") as archive:
        archive.write(ROOT / lab / "kernel.cu", f"{lab}/kernel.cu")


# A line of shell, run in a course, that copies its build into the copy of the course in which its
# graders judge. If no copy can be made, the grader itself reports the reason.
SHARE_BUILD = '"$(common/setup/python.sh json)" -B common/checks/kit/course_copy.py'


def share_build(course: pathlib.Path) -> None:
    """Runs SHARE_BUILD in a course outside of any situation."""
    subprocess.run(["bash", "-c", SHARE_BUILD], cwd=course, capture_output=True)


def grade_command(submissions: pathlib.Path, out: pathlib.Path, *words: str) -> list[str]:
    folders = [f"SUBMISSIONS={submissions}", f"OUT={out}"]
    return ["make", "--no-print-directory", "grade", *folders, *words]


def make_grade(
    submissions: pathlib.Path, out: pathlib.Path, *words: str, course: pathlib.Path = ROOT
) -> subprocess.CompletedProcess:
    """Grades a folder of submissions; stdout has all output."""
    return subprocess.run(
        grade_command(submissions, out, *words),
        cwd=course,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
