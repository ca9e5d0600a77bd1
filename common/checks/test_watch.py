"""Checks make watch in a copy of the course, on a terminal, as a student uses it."""

import contextlib
import os
import pathlib
import re
import shutil
import time
from typing import Iterator

import course_copy
import pytest
from calls import ROOT
from student_course import Said, Student, Terminal

pytestmark = pytest.mark.full

ADD = "lab1_naive/matrix_add.cu"
RIGHT = (ROOT / "solutions" / ADD).read_text(encoding="utf-8")
WRONG = RIGHT.replace(" + B[", " - B[")
END = "Waiting for the next save; Ctrl-C ends.\n"


@pytest.fixture(scope="module", name="watch")
def make_watch_in_a_copy_of_the_course() -> Iterator[Terminal]:
    """Returns make watch while it waits for a save, of a file that stores nothing yet."""
    student = Student(course_copy.make(ROOT / "build/check/watch"))
    student.write(ADD, re.sub(r"(?m)^ +C\[.*", "", RIGHT))
    watch = Terminal(student, "make", "-C", "lab1_naive", "watch")
    try:
        watch.shows(END)
        yield watch
    finally:
        watch.close()
    shutil.rmtree(student.course)


def test_make_watch_shows_the_first_failing_fact_of_what_was_saved_and_how_many_more(
    watch: Terminal,
) -> None:
    watch.save(ADD, re.sub(r"(?m)^ +C\[.*", "//", RIGHT))
    watch.shows("FAIL  TODO(1)")
    watch.shows(END)
    watch.save(ADD, WRONG)
    said = watch.shows(END).tells("more failed", "FAIL  TODO(3): an element of C")
    assert said.count("FAIL") == 1, said


def test_make_watch_shows_the_first_compiler_error(watch: Terminal) -> None:
    watch.save(ADD, RIGHT.replace("int Row", "int Rov").replace("int Col", "int Kol"))
    said = watch.shows(END)
    assert said.count("error: ") == 1 and "help: line " in said, said


def test_make_watch_shows_what_the_compiler_warns_of_with_a_line_of_help(watch: Terminal) -> None:
    watch.save(ADD, re.sub("(?m)^    if \\(", "    if (Row = 0) return;\n    if (", RIGHT))
    said = watch.shows(END).tells("help: line", "== compares, = stores.")
    assert "more failed" in said, said


def test_make_watch_survives_a_missing_file_and_a_save_while_it_builds_starts_anew(
    watch: Terminal,
) -> None:
    (watch.student.course / ADD).unlink()
    watch.shows(f"{ADD}: no such file;\nmake -C lab1_naive reset PART=matrix_add puts the skeleton")
    watch.save(ADD, WRONG + "//\n")
    watch.shows("Testing")
    watch.save(ADD, RIGHT)
    said = watch.shows("all tests pass")
    assert "FAIL" not in said, said


def test_make_watch_sees_a_save_without_an_event_or_a_new_time(
    watch: Terminal,
) -> None:
    """A drive of Windows under WSL2 and a folder mounted into a container send no message."""
    for fd in pathlib.Path("/proc").glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):  # of others, or closed
            if (fd.parents[1] / "cwd").resolve().is_relative_to(watch.student.course):
                assert "inotify" not in os.readlink(fd)
    watch.save(ADD, RIGHT + "// seen\n")
    watch.shows("all tests pass")
    file = watch.student.course / ADD
    before = file.stat()
    watch.said = Said()
    with open(file, "r+", encoding="utf-8") as same:  # the same file, of the same size
        same.write(WRONG)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    watch.shows("FAIL  TODO(3): an element of C")


def test_make_watch_says_which_files_it_watches_if_another_one_is_saved(
    watch: Terminal,
) -> None:
    watch.save(ADD, RIGHT + "// beside\n")
    watch.shows(END)
    watch.read(1.5)
    watch.save("lab1_naive/kernel (1).cu", RIGHT)
    watch.shows("lab1_naive/kernel (1).cu was saved; this watches:\nlab1_naive/")
    watch.shows(f"{ADD} ")
    (watch.student.course / "lab1_naive/kernel (1).cu").unlink()


def processes_in(folder: pathlib.Path) -> list[str]:
    """Returns the processes that run in a folder, or below it."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # of others, or ended
            if (process / "cwd").resolve().is_relative_to(folder):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def test_make_watch_ends_on_ctrl_c_with_status_0_and_leaves_no_process_running(
    watch: Terminal,
) -> None:
    watch.save(ADD, WRONG + "// again\n")
    watch.shows("Testing")
    assert watch.ctrl_c() == 0, watch.said
    left = [""]
    for _ in range(100):  # stopped processes may still be ending
        left = processes_in(watch.student.course)
        if not left:
            break
        time.sleep(0.1)
    assert not left
