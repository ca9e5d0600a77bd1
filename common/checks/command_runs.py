"""Runs commands that the course shows, and judges how they end."""

import dataclasses
import fcntl
import functools
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import termios
import time
import zipfile
from typing import Optional

from shown_commands import HIDDEN, ROOT, Command, run

SECONDS = 400  # that a command may take
COUNTED = r"(?m)^\d+ passed, {} failed$"


@dataclasses.dataclass(frozen=True)
class End:
    """How a command ends: the right statuses, what its output must hold, and what it must not."""

    statuses: tuple[int, ...] = (0,)
    says: str = ""
    never: str = "(?!)"  # the default matches nothing


@dataclasses.dataclass(frozen=True)
class Result:
    status: Optional[int]  # None: stopped after SECONDS
    output: str
    seconds: float

    def unlike(self, end: End) -> str:
        """Returns how the result differs from this end, '' where it does not."""
        if self.status is None:
            return f"has not ended after {self.seconds:.0f} s"
        if self.status not in end.statuses:
            return f"ends with status {self.status}, not {' or '.join(map(str, end.statuses))}"
        if not re.search(end.says, self.output):
            return f"does not say '{end.says}'"
        if re.search(end.never, self.output):
            return f"says '{re.search(end.never, self.output)[0]}'"
        return ""


@functools.lru_cache(maxsize=None)
def there_is(*question: str) -> bool:
    """Returns what a script of common/setup answers."""
    return run([f"common/setup/{question[0]}", *question[1:]], ROOT).returncode == 0


def wanted(command: Command, solved: bool = False) -> End:
    """Returns how a command ends where the labs' own files are the skeletons, or are solved."""
    goals = set(command.goals)
    if goals == {"grade"} and not command.value("SUBMISSIONS"):
        return End((2,), "SUBMISSIONS is missing")  # the goal alone is named
    if "figures" in goals and not there_is("python.sh", "matplotlib", "numpy", "PIL"):
        return End((2,), "make figures needs Python 3 with matplotlib")
    if {"explore", "tours"} & set(goals) and not there_is("python.sh", "elftools"):
        return End((2,), "make explore needs Python 3 with pyelftools")
    if "resources" in goals and not there_is("cuda.sh", "nvcc"):
        return End((2,), "there is no nvcc")
    tests = "test" in goals or any(re.fullmatch(r"lab\d", goal) for goal in goals)
    passes = solved or command.value("SOLUTION") == "1" or "../class/ada/" in command.text
    if command.value("LABS") and "test" in goals:  # make test in the root
        return End((0,), r"(?m)^\d+ passed.* in \d", r"\d failed")
    if tests and passes:
        return End((0,), COUNTED.format("0"), COUNTED.format(r"[1-9]\d*"))
    if tests:
        return End((2,), COUNTED.format(r"[1-9]\d*"))
    return End()


def environment() -> dict[str, str]:
    """Returns the environment of a newly opened terminal."""
    return {name: value for name, value in os.environ.items() if name not in HIDDEN}


def end_group(process: subprocess.Popen) -> None:
    """Ends a command and the processes it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def run_shown(command: Command, course: pathlib.Path) -> Result:
    """Runs a command in its folder of a course, without an answer to any question."""
    began = time.monotonic()
    process = subprocess.Popen(
        ["bash", "-c", command.text],
        cwd=course / command.folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        end_group(process)
        return Result(None, process.communicate()[0], time.monotonic() - began)
    return Result(process.returncode, output, time.monotonic() - began)


def take_terminal() -> None:
    """Makes the terminal at stdin this process's own, and lets Ctrl-C end it, which a script that
    runs in the background ignores."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def on_terminal(command: list[str], **options) -> tuple[subprocess.Popen, int]:
    """Starts a command on a pseudo-terminal of its own; returns it and our end of the terminal. A
    check that needs one is left out where there is none."""
    try:
        ours, theirs = os.openpty()
    except OSError:
        import pytest  # which on_card.py does without

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


def run_until(command: Command, course: pathlib.Path, until: str) -> Result:
    """Runs a command on a terminal of its own and types Ctrl-C there once its output has a match."""
    began = time.monotonic()
    words, folder = ["bash", "-c", command.text], course / command.folder
    process, ours = on_terminal(words, cwd=folder, env=environment())
    output, typed = "", False
    while time.monotonic() - began < SECONDS:
        if not select.select([ours], [], [], 1)[0]:
            continue
        try:
            output += os.read(ours, 65536).decode(errors="replace")
        except OSError:  # no process has the terminal open any more
            break
        if not typed and re.search(until, output):
            os.write(ours, b"\x03")
            typed = True
    else:
        end_group(process)
        return Result(None, output, time.monotonic() - began)
    os.close(ours)
    return Result(process.wait(), output, time.monotonic() - began)


def make_class(folder: pathlib.Path, lab: str) -> None:
    """Writes the submissions of a class of two: ada has solved the lab, ben hands in the skeleton."""
    shutil.rmtree(folder, ignore_errors=True)
    ada = folder / "ada" / lab
    ada.mkdir(parents=True)
    for name in [*(ROOT / "solutions" / lab).glob("*.cu"), ROOT / "solutions" / lab / "answers.h"]:
        shutil.copy(name, ada)
    with zipfile.ZipFile(folder / "ben.zip", "w") as archive:
        archive.write(ROOT / lab / "kernel.cu", f"{lab}/kernel.cu")


# A line of shell, run in a course, that hands its build to the copy of the course in which its
# graders judge. If no copy can be made, the grader itself reports the reason.
SHARE_BUILD = '"$(common/setup/python.sh json)" -B common/checks/copy_build.py'


def share_build(course: pathlib.Path) -> None:
    """Runs SHARE_BUILD in a course outside of any situation."""
    subprocess.run(["bash", "-c", SHARE_BUILD], cwd=course, capture_output=True)


def grade_command(submissions: pathlib.Path, out: pathlib.Path, *words: str) -> list[str]:
    where = [f"SUBMISSIONS={submissions}", f"OUT={out}"]
    return ["make", "--no-print-directory", "grade", *where, *words]


def make_grade(
    submissions: pathlib.Path, out: pathlib.Path, *words: str, course: pathlib.Path = ROOT
) -> subprocess.CompletedProcess:
    """Grades a folder of submissions; what is printed is all in stdout."""
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
