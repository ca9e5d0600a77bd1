"""Runs commands as in a new terminal, and graders."""

import fcntl
import functools
import os
import pathlib
import shutil
import signal
import subprocess
import termios
import zipfile

from shown_commands import HIDDEN, ROOT, run


@functools.lru_cache(maxsize=None)
def there_is(*question: str) -> bool:
    """Returns what a script of common/setup answers."""
    return run([f"common/setup/{question[0]}", *question[1:]], ROOT).returncode == 0


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
