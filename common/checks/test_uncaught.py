"""Checks that no command of a student ends with a traceback: for a file that it may not write or
does not find, it prints a sentence with the remedy."""

import errno
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Iterator

import course_copy
import pytest
from calls import environment
from text import uncaught

NOBODY = 65534
# The last line of each command's output, in a course whose build/ belongs to another user.
BUILD = "build belongs to root. Move it away: mv build build.old\nThen give the same command again."
WRITING = [
    "lab1",
    "lab1_naive",
    "-C lab1_naive test PART=matrix_add SOLUTION=1",
    "-C lab1_naive run SOLUTION=1",
    "-C lab1_naive watch",
    "-C lab1_naive figures",
    "figures LABS=lab1",
    "-C lab1_naive explore SOLUTION=1",
    "-C lab1_naive explore MISTAKE=no_guard",
    "try FILE=common/simulator/programs/sum.cu",
    "editor",
    "demo",
    "clean",
]


@pytest.fixture(scope="module", name="course")
def course_that_another_user_may_not_change() -> Iterator[pathlib.Path]:
    """Makes a copy where this user, or a user without rights, may not write."""
    if os.geteuid() != 0:
        pytest.skip("only root can make files of another user")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        course = pathlib.Path(folder, "course")
        course_copy.copy_files(course)
        (course / "build/obj").mkdir(parents=True)
        for path in (course, *course.rglob("*")):
            if not path.is_relative_to(course / "build"):
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        yield course


def said_to_nobody(course: pathlib.Path, words: str) -> str:
    """Runs make as a user without rights; returns its output, without make's own lines."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    command = ["make", "--no-print-directory", *words.split()]
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    done = subprocess.run(command, cwd=course, env=environment(), text=True, **streams, **user)
    assert done.returncode == 2, done.stdout
    return re.sub("(?m)^make.*\n", "", done.stdout)


@pytest.mark.parametrize("words", WRITING)
def test_a_build_of_another_user_is_named_with_what_to_do(course: pathlib.Path, words: str) -> None:
    said = said_to_nobody(course, words)
    assert "Traceback" not in said and said.endswith(f"{BUILD}\n"), said


def test_a_folder_that_another_run_has_removed_is_no_hindrance(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [(str(tmp_path), [], []), (f"{tmp_path}/tests.run.1", [], [])]
    monkeypatch.setattr(os, "walk", lambda _: found)
    assert uncaught.unwritable(str(tmp_path)) == ""


def test_a_file_in_the_place_of_build_is_named_with_what_to_do(tmp_path: pathlib.Path) -> None:
    (tmp_path / "build").touch()
    said = uncaught.unwritable(str(tmp_path / "build"))
    assert said.endswith("build: Not a directory.\nMove it away, and give the same command again.")


ENDS = {
    "open('nowhere.cu')": "nowhere.cu: No such file or directory.\nCopy the file from the place",
    f"raise OSError({errno.ENOSPC}, 'Full', 'build/x')": "build/x: Full.\nMake room on the disk",
    "open('/proc/nowhere/x', 'w')": "/proc/nowhere/x: No such file or directory.\nName another",
    "open('.', 'w')": ".: Is a directory.\nName another place, or another file.",
    "import nowhere": "A file of the course is missing: No module named 'nowhere'.\nCopy the file",
    "raise MemoryError": "The memory is full.\nClose other programs",
    "{}['x']": "<string>:1: KeyError: 'x'\nThis is a mistake of the course, not of your file.",
}


@pytest.mark.parametrize("code", ENDS)
def test_what_no_program_catches_ends_with_a_sentence_and_status_2(code: str) -> None:
    words = [sys.executable, "-c", f"from text import uncaught; {code}"]
    folder = os.path.dirname(os.path.dirname(uncaught.__file__))
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith(ENDS[code]), done.stderr


def test_ctrl_c_ends_a_program_in_silence() -> None:
    code = "from text import uncaught; raise KeyboardInterrupt"
    folder = os.path.dirname(os.path.dirname(uncaught.__file__))
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True)
    assert (done.returncode, done.stderr) == (130, b"")
