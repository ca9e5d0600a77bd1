"""Checks graders that run at once in one clone. Some are killed; the disk of one has no room for
its results, and that of another is full for a while. Each mark is that of a single grader, or is
reported as not graded, and no wrong mark is stored.

GRADERS=n of them, 4 without it. Graders of other checks run at the same time, in another clone.
"""

import contextlib
import csv
import json
import os
import pathlib
import random
import shutil
import subprocess
import time
from typing import Iterator

import course_copy
import pytest
from calls import HIDDEN, ROOT, end_group, environment, grade_command, make_grade, share_build

pytestmark = [pytest.mark.seconds(100), pytest.mark.full]
MANY = int(os.environ.get("GRADERS") or 4)
TOP = ROOT / "build/check/graders"
COURSE = TOP / "course"
SUBMISSIONS, QUIET = TOP / "submissions", TOP / "quiet"
WORDS = "JOBS=2", "SEED=graders"
# Some graders build a lab while others judge another one.
LABS = "LABS=lab1 lab3", "LABS=lab1", "LABS=lab3"
SECONDS = 120 * MANY  # that all of them may take
FILES = {
    "right": {"lab1_naive": "solutions/lab1_naive/kernel.cu"},
    "both": {
        "lab1_naive": "solutions/lab1_naive/kernel.cu",
        "lab3_boundary": "solutions/lab3_boundary/kernel.cu",
    },
    "skeleton": {"lab3_boundary": "lab3_boundary/kernel.cu"},
    "refused": {"lab1_naive": "common/verdict/attacks/updates_an_atomic_unheard.cu"},
    "wrong": {"lab3_boundary": "solutions/lab1_naive/kernel.cu"},
}


class Grader:
    """One grader; `out` is the folder for its results, `work` the one for its workers."""

    def __init__(self, number: int, out: pathlib.Path = TOP, work: pathlib.Path | None = None):
        self.out, self.work = out / f"out{number}", work
        self.log, self.words = TOP / f"log{number}", (LABS[number % len(LABS)], *WORDS)

    def start(self) -> subprocess.Popen:
        more = {"TMPDIR": str(self.work)} if self.work else {}
        with open(self.log, "ab") as log, open(os.devnull, "rb") as nothing:
            return subprocess.Popen(
                grade_command(SUBMISSIONS, self.out, *self.words),
                cwd=COURSE,
                env={**environment(), **more},
                start_new_session=True,
                stdin=nothing,
                stdout=log,
                stderr=log,
            )


def disk(name: str, size: str) -> pathlib.Path | None:
    """Returns a folder on a disk of its own, None if none can be mounted."""
    folder = TOP / name
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        return None
    return folder


def fill(folder: pathlib.Path) -> None:
    """Fills a disk."""
    with contextlib.suppress(OSError), open(folder / "full", "wb", buffering=0) as file:
        while file.write(bytes(1 << 20)):
            pass


def marks(out: pathlib.Path) -> dict[tuple[str, str], dict]:
    """Returns each student's result in each lab: states and verdicts, without times."""
    found = {}
    for path in sorted(out.glob("students/*/result.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        if result["status"] == "not graded":
            assert any("not graded" in remark for remark in result["remarks"]), result
            continue
        found |= {(path.parent.name, lab["lab"]): lab for lab in result["labs"]}
    return found


def at_once() -> list[Grader]:
    """Runs graders at once, kills half of them at a random moment and starts these again."""
    small, large = disk("small", "64k"), disk("large", "600m")
    graders = [Grader(number) for number in range(MANY - 2)]
    graders += [Grader(MANY - 2, work=large), Grader(MANY - 1, out=small or TOP)]
    running = {grader: grader.start() for grader in graders}
    draw = random.Random(48)
    for grader in graders[: MANY // 2]:
        time.sleep(draw.uniform(0.5, 5))
        end_group(running[grader])
        running[grader] = grader.start()
    while large and any(process.poll() is None for process in running.values()):
        time.sleep(draw.uniform(1, 8))
        fill(large)
        time.sleep(draw.uniform(0, 2))
        (large / "full").unlink()
    until = time.monotonic() + SECONDS
    for process in running.values():
        process.wait(max(1, until - time.monotonic()))
    return graders


@pytest.fixture(scope="module", name="graders")
def graders_at_once() -> Iterator[list[Grader]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        for name in HIDDEN:
            patch.delenv(name, raising=False)
        shutil.rmtree(TOP, ignore_errors=True)
        for student, files in FILES.items():
            for lab, file in files.items():
                (SUBMISSIONS / student / lab).mkdir(parents=True)
                text = (ROOT / file).read_text(encoding="utf-8")
                path = SUBMISSIONS / student / lab / "kernel.cu"
                path.write_text(f"{text}\n// {student}\n", encoding="utf-8")
        # They build the course at once, too: the tests of its labs, and the programs that judge by
        # them.
        share_build(course_copy.make(COURSE))
        for name in ("lab*", "solutions/hidden/lab*"):
            for built in COURSE.glob(f"build/grading/course-*/build/obj/{name}"):
                shutil.rmtree(built)
        try:
            yield at_once()
        finally:
            for name in ("small", "large"):
                subprocess.run(["umount", str(TOP / name)], capture_output=True)
            shutil.rmtree(COURSE)


@pytest.fixture(scope="module", name="quiet")
def marks_of_a_quiet_run(graders) -> dict[tuple[str, str], dict]:
    done = make_grade(SUBMISSIONS, QUIET, LABS[0], *WORDS, course=COURSE)
    assert done.returncode == 0, done.stdout
    found = marks(QUIET)
    assert len(found) == 2 * len(FILES), done.stdout
    return found


def test_no_mark_differs_from_that_of_a_quiet_run(graders: list[Grader], quiet) -> None:
    assert len(graders) == MANY
    for grader in graders:
        for key, mark in marks(grader.out).items():
            assert mark == quiet[key], f"{grader.out}, {key}: {mark}"


def test_all_that_have_room_grade_everybody_and_the_others_say_why_not(graders, quiet) -> None:
    for grader in graders:
        said = grader.log.read_text(encoding="utf-8", errors="replace")
        if grader in graders[-2:] and "the disk is full" in said:
            continue
        with open(grader.out / "grades.csv", encoding="utf-8", newline="") as file:
            rows = {row["student"]: row["status"] for row in csv.DictReader(file)}
        handed_in = {"graded", "nothing handed in"}
        assert set(rows) == set(FILES) and set(rows.values()) <= handed_in, said


def test_what_they_keep_gives_the_same_marks_to_the_next_run(graders, quiet) -> None:
    for grader in graders[:2]:
        done = make_grade(SUBMISSIONS, grader.out, *grader.words, course=COURSE)
        assert done.returncode == 0, done.stdout
        assert {key: quiet[key] for key in marks(grader.out)} == marks(grader.out), done.stdout
