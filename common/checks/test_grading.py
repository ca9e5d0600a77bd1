"""Checks make grade on a small class of lab 1, as a teacher grades it: marks, a run that is killed
and continued, wrong usage. Needs what `make test` has built."""

import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from typing import Iterator

import mistakes
import pytest
from calls import ROOT, environment, share_build
from grade.course import Course

LAB, TOP = "lab1_naive", ROOT / "build/check/class"
SUBMISSIONS, OUT, ROSTER = TOP / "class", TOP / "out", TOP / "people.csv"
pytestmark = pytest.mark.seconds(50)
SIZE = 12
GRADE = [sys.executable, "-B", "-m", "grade"]
ATTACK = """
#include <cstdio>
#include <cstdlib>
__attribute__((constructor)) static void win() {
    std::printf("17 passed, 0 failed\\n");
    std::fflush(stdout);
    std::exit(0);
}
"""
# Neither waits nor computes for a long time at once, so only the limit on its whole run ends it.
HANG = """
#include <unistd.h>
struct Hang {
    Hang() {
        for (;; usleep(20000))
            for (volatile int i = 0; i < 100000; ++i) continue;
    }
} hang;
"""


def put(student: str, name: str, text: str) -> None:
    path = SUBMISSIONS / student / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def hand_in() -> None:
    solution = (ROOT / "solutions" / LAB / "kernel.cu").read_text(encoding="utf-8")
    for part in ("kernel.cu", "matrix_add.cu", "answers.h"):
        text = (ROOT / "solutions" / LAB / part).read_text(encoding="utf-8")
        put("a solution", f"course/{LAB}/{part}", text)
    put("the same", "kernel.cu", solution)
    put("mistake", f"{LAB}/kernel.cu", mistakes.found(LAB, "kernel", "no_guard")[0].text())
    answers = (ROOT / "solutions" / LAB / "answers.h").read_text(encoding="utf-8")
    put("typo", "kernel.cu", solution.replace("float Pvalue", "flaot Pvalue"))
    for student in ("mistake", "typo", "answers alone"):
        put(student, f"{LAB}/answers.h" if student == "mistake" else "answers.h", answers)
    put("looks", "answers.h", f'#include "kernel.cu"\n{answers}')
    put("attack", "kernel.cu", solution + ATTACK)
    put("hang", "kernel.cu", solution + HANG)
    put("broken", "kernel.cu", "no program")
    put("-nothing\n", "read me.txt", "I was ill.")
    with zipfile.ZipFile(SUBMISSIONS / "skeleton.zip", "w") as archive:
        archive.write(ROOT / LAB / "kernel.cu", f"{LAB}/kernel.cu")
    put(".", "marks.ods", "")
    ROSTER.write_text("id,name\ns1,A Solution\ns2,typo\ns3,Cleo\n", encoding="utf-8")


def variables(**given: str) -> dict[str, str]:
    own = {name: it for name, it in environment().items() if name not in ("JOBS", "SANDBOX")}
    asked = {"SUBMISSIONS": str(SUBMISSIONS), "OUT": str(OUT), "LABS": "lab1", "SEED": "check"}
    asked["ROSTER"] = str(ROSTER)
    path = {"PYTHONPATH": "common/grading", "RUN_SECONDS": "6"}
    return {**own, **path, **asked, **given}


def grade(**given: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        GRADE, cwd=ROOT, env=variables(**given), capture_output=True, text=True, timeout=300
    )


def results(out: pathlib.Path = OUT) -> dict[str, dict]:
    """Returns the results so far, by student."""
    found = [json.loads(path.read_bytes()) for path in out.glob("students/*/result.json")]
    return {result["student"]: result for result in found}


def until_done(running: subprocess.Popen, out: pathlib.Path, students: int, seconds: int) -> None:
    """Waits until a grader has finished so many students, or has ended."""
    until = time.monotonic() + seconds
    while len(results(out)) < students and running.poll() is None and time.monotonic() < until:
        time.sleep(0.05)


def killed() -> int:
    """Kills a run without a chance to clean up when some students are done; returns how many."""
    silent = subprocess.DEVNULL
    running = subprocess.Popen(GRADE, cwd=ROOT, env=variables(), stdout=silent, stderr=silent)
    until_done(running, OUT, 3, 300)
    running.send_signal(signal.SIGKILL)
    running.wait()
    return len(results())


class Graded:
    """A class of twelve whose grader was killed once."""

    def __init__(self) -> None:
        self.done = killed()
        self.ended = grade()
        self.results = results()
        self.kernel = {one: it["labs"][0]["parts"][0] for one, it in self.results.items()}

    def points(self, student: str) -> float:
        return self.kernel[student]["score"]


@pytest.fixture(scope="module", name="graded")
def graded_class() -> Iterator[Graded]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        umask = os.umask(0o022)  # as the grader does
        shutil.rmtree(TOP, ignore_errors=True)
        (OUT / "students").mkdir(parents=True)
        hand_in()
        share_build(ROOT)
        # Like a grader of another class, all the time: neither waits for the other.
        used = Course(["lab1"])
        used.prepare(lambda *lines: None)
        yield Graded()
        os.umask(umask)


def test_a_class_of_lab_1_is_graded(graded: Graded) -> None:
    assert graded.ended.returncode == 0, graded.ended.stdout + graded.ended.stderr


def test_a_run_that_was_killed_goes_on(graded: Graded) -> None:
    assert "earlier run" in graded.ended.stdout and 0 < graded.done < SIZE, graded.done


def test_every_submission_has_a_result(graded: Graded) -> None:
    assert len(graded.results) == SIZE, sorted(graded.results)


def test_a_solution_gets_all_points(graded: Graded) -> None:
    whole = graded.results["a solution"]
    assert whole["score"] == whole["max_score"] > 0


def test_the_same_file_gets_the_same_points(graded: Graded) -> None:
    assert graded.points("the same") == graded.points("a solution") > 0


@pytest.mark.parametrize("student", ["a solution", "mistake", "typo", "answers alone"])
def test_right_answers_get_all_points_whatever_the_kernel_is(graded: Graded, student: str) -> None:
    *_, answers = graded.results[student]["labs"][0]["parts"]
    assert answers["part"] == "answers" and answers["score"] == answers["max_score"], answers
    told = "The questions were measured on the course's kernel: no kernel.cu of yours passes"
    feedback = (OUT / "students" / student / "feedback.md").read_text(encoding="utf-8")
    assert " ".join(feedback.split()).count(told) == (student != "a solution"), feedback


def test_answers_cannot_include_the_kernel_on_which_they_are_measured(graded: Graded) -> None:
    *_, answers = graded.results["looks"]["labs"][0]["parts"]
    feedback = (OUT / "students/looks/feedback.md").read_text(encoding="utf-8")
    assert answers["state"] == "does not compile" and "Pvalue" not in feedback, feedback


def test_a_known_mistake_gets_some_of_the_points(graded: Graded) -> None:
    assert 0 < graded.points("mistake") < graded.points("a solution")


STATES = {
    "a solution": "graded",
    "skeleton": "unchanged",
    "broken": "does not compile",
    "hang": "stopped",
    "-nothing\\n": "missing",
}


@pytest.mark.parametrize("student", STATES)
def test_each_kind_of_failure_is_named(graded: Graded, student: str) -> None:
    assert graded.kernel[student]["state"] == STATES[student]


@pytest.mark.parametrize("student", ["attack", "hang", "broken", "skeleton"])
def test_there_is_no_point_for(graded: Graded, student: str) -> None:
    assert graded.results[student]["score"] == 0


@pytest.mark.parametrize("student", ["attack", "hang"])
def test_a_file_that_does_not_finish_the_public_tests_reaches_no_hidden_test(
    graded: Graded, student: str
) -> None:
    hidden = [test for test in graded.kernel[student]["tests"] if test["hidden"]]
    assert hidden and all(test["findings"] == ["ended-early"] for test in hidden), hidden
    ran = [
        "run-hidden" in (OUT / "students" / one / "log.txt").read_text(encoding="utf-8")
        for one in (student, "mistake")
    ]
    assert ran == [False, True]


def test_the_attack_is_reported_to_the_teacher(graded: Graded) -> None:
    assert graded.results["attack"]["remarks"], graded.results["attack"]


def test_the_seed_is_kept(graded: Graded) -> None:
    assert (OUT / "seed").read_text(encoding="utf-8").strip() == "check"


def rows(name: str) -> list[dict[str, str]]:
    with open(OUT / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_grades_csv_has_a_row_per_submission_and_one_per_person_without(graded: Graded) -> None:
    assert len(rows("grades.csv")) == SIZE + 1
    (cleo,) = (row for row in rows("grades.csv") if row["student"] == "Cleo")
    assert (cleo["id"], cleo["score"], cleo["remarks"]) == ("s3", "0", "Nothing handed in.")


def test_the_people_of_the_roster_get_the_points_of_their_submissions(graded: Graded) -> None:
    most, *people = rows("canvas.csv")
    whole, typo = (graded.results[name] for name in ("a solution", "typo"))
    assert float(most[LAB]) == whole["max_score"]
    points = {row["SIS User ID"]: float(row[LAB]) for row in people}
    assert points == {"s1": whole["score"], "s2": typo["score"], "s3": 0}
    assert [row["ID number"] for row in rows("moodle.csv")] == [*points]
    told = json.loads((OUT / "summary.json").read_bytes())["roster"]
    assert (told["joined"], told["nothing_handed_in"], len(told["not_joined"])) == (2, 1, SIZE - 2)
    assert "'mistake': it has no line in the roster." in told["not_joined"]
    assert "'mistake': it has no line in the roster.\n" in graded.ended.stderr


def test_the_class_has_a_page_a_zip_and_a_table_without_names(graded: Graded) -> None:
    page = (OUT / "class.html").read_text(encoding="utf-8")
    assert f"Lab 1: {SIZE} submissions" in page and "1 student handed in nothing" in page
    assert len(rows("anonymous.csv")) == SIZE + 1
    with zipfile.ZipFile(OUT / "feedback.zip") as archive:
        text = archive.read("mistake/feedback.md")
        assert len(archive.namelist()) == SIZE
    assert text == (OUT / "students/mistake/feedback.md").read_bytes()


def test_a_second_run_gives_the_same_table(graded: Graded) -> None:
    before = (OUT / "grades.csv").read_text(encoding="utf-8").splitlines()
    # The hanging one would take its time again, without a new result.
    hang = (SUBMISSIONS / "hang").rename(TOP / "hang")
    again = grade(OUT=f"{OUT} 2", JOBS="1")
    hang.rename(SUBMISSIONS / "hang")
    other = pathlib.Path(f"{OUT} 2/grades.csv").read_text(encoding="utf-8").splitlines()
    assert other == [line for line in before if not line.startswith("hang,")], again.stderr


WRONG = {
    "SUBMISSIONS is missing": {"SUBMISSIONS": ""},
    "no such folder": {"SUBMISSIONS": f"{TOP}/nowhere"},
    "is no folder": {"SUBMISSIONS": f"{SUBMISSIONS}/marks.ods"},
    "lies in SUBMISSIONS": {"OUT": f"{SUBMISSIONS}/out"},
    "OUT is missing": {"OUT": ""},
    "cannot be written": {"OUT": "/proc/out"},
    "no such lab": {"LABS": "lab9"},
    "JOBS=many": {"JOBS": "many"},
    "SANDBOX=some": {"SANDBOX": "some"},
    "ENGINE=steam": {"ENGINE": "steam"},
    "nowhere.csv: No such file": {"ROSTER": f"{TOP}/nowhere.csv"},
    "as if it were a student's; move it": {"ROSTER": f"{SUBMISSIONS}/people.csv"},
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_usage_is_refused(graded: Graded, words: str) -> None:
    ended = grade(**WRONG[words])
    assert ended.returncode == 2 and words in ended.stderr, ended.stderr + ended.stdout
    assert ended.stderr.count("\n") <= 2, ended.stderr
