"""Checks make grade on a class of synthetic submissions: every mark is as expected, none is lost,
and a run that is killed halfway and continued gives the same table as one that is not.

CLASS=n submissions, 8 without it; CLASS=300 takes half an hour on two cores. TWICE=yes: the run
that is not killed judges all files again; otherwise it uses the killed run's verdicts.
"""

import csv
import os
import shutil
import subprocess
import time
from typing import Iterator

import make_class
import marks
import mistakes
import pytest
from calls import HIDDEN, ROOT, end_group, environment, grade_command, make_grade, share_build
from test_grading import results, until_done

pytestmark = [pytest.mark.seconds(50), pytest.mark.full]
SIZE = int(os.environ.get("CLASS") or 8)
TOP = ROOT / "build/check/marks"
SUBMISSIONS, OUT, WHOLE = TOP / "submissions", TOP / "out", TOP / "whole"
LABS = "LABS=lab1 lab2"
WORDS = LABS, "JOBS=2", "SEED=class"


def killed() -> None:
    """Kills a run, with all its processes, when half of the students are done."""
    command = grade_command(SUBMISSIONS, OUT, *WORDS)
    options = {"cwd": ROOT, "env": environment(), "start_new_session": True}
    with open(TOP / "killed.log", "wb") as log, open(os.devnull, "rb") as nothing:
        running = subprocess.Popen(command, stdin=nothing, stdout=log, stderr=log, **options)
        until_done(running, OUT, SIZE // 2, SIZE * 60)
        end_group(running)


class Graded:
    """A class whose grader was killed once, and that is then graded again completely."""

    def __init__(self) -> None:
        self.expected = make_class.write(str(SUBMISSIONS), SIZE)
        empty = TOP / "empty"
        (empty / "Empty").mkdir(parents=True)
        # The course is built before a run is killed or timed.
        self.runs = {"empty": make_grade(empty, TOP / "none", LABS)}
        began = time.monotonic()
        killed()
        self.done, self.over = len(results(OUT)), (OUT / "grades.csv").exists()
        self.runs["resumed"] = make_grade(SUBMISSIONS, OUT, *WORDS)
        self.seconds = (time.monotonic() - began) / SIZE
        WHOLE.mkdir()
        if not os.environ.get("TWICE"):
            shutil.copytree(OUT / "verdicts", WHOLE / "verdicts")
        self.runs["whole"] = make_grade(SUBMISSIONS, WHOLE, *WORDS)


@pytest.fixture(scope="module", name="graded")
def graded_class() -> Iterator[Graded]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        for name in HIDDEN:
            patch.delenv(name, raising=False)
        shutil.rmtree(TOP, ignore_errors=True)
        mistakes.make_all()
        share_build(ROOT)
        yield Graded()


@pytest.mark.parametrize("name", ["empty", "resumed", "whole"])
def test_make_grade_ends_well(graded: Graded, name: str) -> None:
    assert graded.runs[name].returncode == 0, graded.runs[name].stdout


def test_a_run_that_was_killed_keeps_what_was_graded(graded: Graded) -> None:
    assert graded.done < SIZE and not graded.over, "it was over before it was killed"
    kept = f"\n{graded.done} of {SIZE} are as an earlier run has left them"
    assert kept in "\n" + graded.runs["resumed"].stdout, graded.runs["resumed"].stdout


def test_a_run_that_was_killed_goes_on_to_the_table_of_one_that_was_not(graded: Graded) -> None:
    assert (OUT / "grades.csv").read_bytes() == (WHOLE / "grades.csv").read_bytes()


def test_the_table_has_a_row_for_each_submission(graded: Graded) -> None:
    with open(OUT / "grades.csv", encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(graded.expected) == SIZE


def test_every_submission_gets_the_mark_expected(graded: Graded) -> None:
    wrong = marks.wrong(str(SUBMISSIONS), graded.expected, str(OUT), str(TOP / "direct"))
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)
    print(f"{graded.seconds:.1f} s per submission")
