#!/usr/bin/env python3
"""Copies the course for checks that change files or need a folder of another kind; copies the build
such that for make it is not older than its sources, if these have kept their times.

usage: course_copy.py    in a course: copies the build into the copy in which its graders judge
"""

import contextlib
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys

from calls import ROOT, call

sys.path.append(str(ROOT / "common"))
from course import skeleton  # noqa: E402

BUILT_APART = {"build", ".git", "__pycache__"}
BUILT = (
    "obj cu cusim prelude translate generate gate_symbols libmatrix.a libsimulator.a libtesting.a"
).split()


def files() -> list[str]:
    """Returns the course's files, including those that git does not know yet."""
    if (ROOT / ".git").exists():
        status, names = call("git", "ls-files", "-zco", "--exclude-standard")
        if status == 0:
            return [name for name in names.split("\0") if name]
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return [str(path) for path in found if not BUILT_APART & set(path.parts)]


def copy_files(folder: pathlib.Path) -> None:
    """Copies all that is not built to a new folder, with times and rights."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        # Another check may have removed its own file in the meantime.
        with contextlib.suppress(FileNotFoundError):
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    # As in a release: a copy has no history.
    skeleton.keep(str(ROOT), str(folder), skeleton.exercises(str(ROOT)))


def copy_build(folder: pathlib.Path, root: pathlib.Path = pathlib.Path()) -> None:
    """Copies the build of the course at root to the build folder of the copy."""
    build, copy = root / os.environ.get("BUILD", "build"), folder / "build"
    copy.mkdir(parents=True, exist_ok=True)
    # With another compiler, or in a release, some of it is missing.
    there = [build / name for name in BUILT if (build / name).exists()]
    subprocess.run(["cp", "-a", *there, copy], check=True)
    # Other users build submissions there, whatever this user's umask is.
    subprocess.run(["chmod", "-R", "a+rX", copy], check=True)


def make(folder: pathlib.Path) -> pathlib.Path:
    """Copies the course with its build, so that the copy does not build it again."""
    copy_files(folder)
    copy_build(folder, ROOT)
    return folder


def share() -> None:
    """Copies it to the graders' copy of the course in this folder, unless a grader has built there.
    Takes a grader's locks, because others may be running."""
    sys.path.append("common/grading")
    from grade.course import Course

    course = Course(["lab1"])
    with open(f"{course.path}.lock", "w") as used, open(f"{course.path}.building", "w") as building:
        fcntl.flock(used, fcntl.LOCK_SH)
        fcntl.flock(building, fcntl.LOCK_EX)
        copy = pathlib.Path(course.copied())
        if not (copy / "build/translate").exists():
            copy_build(copy)


if __name__ == "__main__":
    share()
