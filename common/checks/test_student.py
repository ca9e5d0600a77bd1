"""Checks make progress, hint and reset in a copy of the course, as a student uses them. Needs the
build of `make test`."""

import os
import re
import shutil
from typing import Iterator

import mistakes
import pytest
import student_course
from calls import ROOT
from student_course import Student, Terminal

pytestmark = pytest.mark.full

ADD, KERNEL = "lab1_naive/matrix_add.cu", "lab1_naive/kernel.cu"
ANSWERS = "lab1_naive/answers.h"
RIGHT = (ROOT / "solutions" / ADD).read_text(encoding="utf-8")
WRONG = RIGHT.replace(" + B[", " - B[")
# After its first run has created a file `runs`, it waits for a file `go`.
WAITING = """
#include <unistd.h>
struct Waiting {
    Waiting() {
        if (access("hold", F_OK)) return;
        fclose(fopen("runs", "w"));
        for (int n = 0; n < 600 && access("go", F_OK); ++n) usleep(100000);
    }
} waiting;
"""
PASSED = [{"end": True, "passed": 1, "failed": 0, "left_out": 0}]
ENDED = {"end": True, "passed": 0, "failed": 1, "left_out": 0}


def result(test: str, status: str, *findings: str) -> dict:
    return {"test": test, "status": status, "findings": findings, "explanation": ""}


def mistake(lab: str, name: str) -> str:
    """Returns a known wrong kernel."""
    return mistakes.found(lab, "kernel", name)[0].text()


@pytest.fixture(scope="module", name="copy")
def copy_of_the_course() -> Iterator[Student]:
    # Not with the system's temporary files, which may have little room.
    copy = student_course.make(ROOT / "build/check/student")
    yield copy
    shutil.rmtree(copy.course)


@pytest.fixture(name="student")
def student_of_whom_nothing_is_known(copy: Student) -> Student:
    shutil.rmtree(copy.progress, ignore_errors=True)
    return copy


def test_make_progress_names_each_part_of_each_lab_once_and_the_questions_last(
    student: Student,
) -> None:
    student.has()
    rows = list(student.make("progress").rows())
    assert sorted({lab for lab, _ in rows}) == student.labs
    for lab in student.labs:
        said = student.make("-s", "-C", lab, "help")
        parts = re.search("; here: (.*)", said)
        of_lab = [part for at, part in rows if at == lab]
        assert parts and sorted(of_lab) == sorted(parts[1].split()) and of_lab[-1] == "answers"


def test_make_progress_shows_every_todo_of_the_skeletons_in_one_screen_and_runs_nothing(
    student: Student,
) -> None:
    student.has()
    said = student.make("progress")
    assert said.status == 0 and said.fits_a_screen(), said
    assert not student.progress.exists()
    assert "next 1; open 2-5" in said.rows()["lab1_naive", "matrix_add"]
    for path, text in student.skeletons.items():
        lab, part = path.rpartition(".")[0].split("/")
        last = max(int(todo or q) for todo, q in re.findall(r"TODO\((\d+)\)|Q(\d+)\.", text))
        assert f"-{last}" in said.rows()[lab, part], said


@pytest.mark.parametrize("variable", ["SOLUTION=1", "SCHEDULE=reverse", "PROFILE=h200"])
def test_a_test_that_is_not_of_the_own_file_as_it_ships_leaves_no_results(
    student: Student, variable: str
) -> None:
    student.has()
    said = student.make("-C", "lab1_naive", "PART=matrix_add", variable, "test")
    assert re.search(r"\d+ passed, \d+ failed", said) and "Next:" not in said, said
    assert not student.progress.exists()


def test_a_file_that_has_changed_is_tested_by_make_progress_which_says_so_first(
    student: Student,
) -> None:
    student.has({ADD: RIGHT})
    said = student.make("progress")
    assert f"No test has seen {ADD} as it is now; testing it ..." in said.split("\nlab ")[0]
    assert said.rows()["lab1_naive", "matrix_add"] == "done"
    assert "next 1; open 2-10" in said.rows()["lab1_naive", "kernel"]
    assert "testing" not in student.make("progress")


def test_results_that_are_broken_or_half_written_count_as_not_tested(copy: Student) -> None:
    student = copy
    student.has({ADD: RIGHT})
    student.make("progress")  # if no test above has made the results
    file = student.results("lab1_naive", "matrix_add")
    half = b"".join(file.read_bytes().splitlines(keepends=True)[:3])
    for content in (half, os.urandom(100)):
        file.write_bytes(content)
        said = student.make("progress").tells("testing it")
        assert said.rows()["lab1_naive", "matrix_add"] == "done"


def test_a_half_right_part_has_its_todos_done_and_open(student: Student) -> None:
    student.has({ADD: WRONG + WAITING})
    said = student.test("lab1_naive", "matrix_add")
    assert f"Next: TODO(3) in {ADD}; make hint helps." in said and "make[1]" not in said, said
    said = student.make("progress")
    assert "testing" not in said, said
    assert "done 1-2, 4-5; next 3" in said.rows()["lab1_naive", "matrix_add"]
    said = student.make("-C", "lab1_naive", "progress")
    assert said.fits_a_screen() and "  next  TODO(3): an element of C" in said, said


def test_two_tests_of_one_part_run_one_after_the_other(
    student: Student,
) -> None:
    student.has({ADD: WRONG + WAITING})
    hold, runs, go = (student.course / name for name in ("hold", "runs", "go"))
    hold.touch()
    words = ("make", "-C", "lab1_naive", "test", "PART=matrix_add")
    tests = [Terminal(student, *words)]
    try:
        while not runs.exists():
            tests[0].read(0.1)
        hold.unlink()
        tests.append(Terminal(student, *words))
        tests[1].shows("Another test of this part is running")
        assert "passed, " not in tests[0].said, "the second one has not waited"
        go.touch()
        for test in tests:
            test.shows("Next: TODO(3)")
    finally:
        for test in tests:
            test.close()
        for file in (hold, runs, go):
            file.unlink(missing_ok=True)


def test_a_file_that_does_not_compile_hides_nothing_of_the_others_and_is_not_built_again(
    student: Student,
) -> None:
    student.has({ADD: RIGHT, KERNEL: student.skeletons[KERNEL] + "int broken\n"})
    said = student.make("progress")
    rows = said.rows()
    assert rows["lab1_naive", "matrix_add"] == "done"
    assert rows["lab1_naive", "kernel"] == "does not compile"
    assert "open 1-8" in rows["lab4_memtypes", "kernel"]
    assert "make -C lab1_naive test PART=kernel shows why." in said, said
    assert "testing" not in student.make("progress")


def test_a_finding_that_every_test_meets_makes_the_todo_next_to_which_its_line_belongs(
    copy: Student,
) -> None:
    student = copy  # it has tested matrix_add.cu, or does so now
    student.has({KERNEL: mistake("lab1_naive", "copy_direction_wrong"), ADD: RIGHT})
    said = student.test("lab1_naive", "kernel").tells("FAIL  TODO(5)")
    assert f"Next: TODO(9) in {KERNEL}; make hint helps." in said, said
    row = student.make("progress").rows()["lab1_naive", "kernel"]
    assert row.startswith("done 1-4; next 9; open 5-8, 10"), row
    student.make("hint").tells(f"TODO(9) of {KERNEL}, hint 1 of 3:")


def test_a_line_of_make_progress_that_is_too_wide_goes_on_below(student: Student) -> None:
    source = "lab3_boundary/submatrix.cu"
    student.has({source: student.skeletons[source] + "// mine\n"})
    test = next((student.course / "lab3_boundary/submatrix").glob("test_*.cpp"))
    text = test.read_text(encoding="utf-8")
    test.write_text('#include "nowhere.h"\n', encoding="utf-8")  # no fault of the student's file
    said = student.make("progress")
    test.write_text(text, encoding="utf-8")
    row = said.rows()["lab3_boundary", "submatrix"]
    assert row == "not tested (goes further): build/progress/lab3_boundary/submatrix.log says why"
    assert said.fits_a_screen(), said


def test_a_test_that_waits_for_another_todo_makes_that_one_next_whatever_its_number(
    student: Student,
) -> None:
    kernel = "lab1_naive/kernel.cu"
    student.has({kernel: mistake("lab1_naive", "copy_back_turned_round")})
    said = student.test("lab1_naive", "kernel")
    assert "FAIL  TODO(5)" in said and f"Next: TODO(9) in {kernel}; make hint helps." in said, said


def test_if_only_a_test_of_the_whole_part_fails_that_is_next_as_make_hint_says_it(
    student: Student,
) -> None:
    student.has()
    tests = "".join(path.read_text() for path in (ROOT / "lab2_tiled").glob("test_*.cpp"))
    names = re.findall(r'TEST_CASE\(\s*"(TODO[^"]*)"', tests)
    passing = [result(name, "passed") for name in names]
    whole = "the product is right for every tile width, even if it does not divide the Width, ever"
    ends = [*passing, result(whole, "failed", "unset-read"), {"end": True}]
    student.pretend({("lab2_tiled", "kernel"): ends})
    for goal in (["progress"], ["hint", "PART=kernel"]):
        said = student.make("-C", "lab2_tiled", *goal)
        assert said.fits_a_screen(), said
        next_one = "Every" if "hint" in goal else "Next: every"
        there = f"{next_one} TODO of lab2_tiled/kernel.cu is done, but another test fails:\n  the "
        assert there in said and "\n  Width, ever\n" in said, said
    named = {**result(whole, "failed", "uncoalesced"), "todo": "TODO(3)"}
    student.pretend({("lab2_tiled", "kernel"): [*passing, named, {"end": True}]})
    said = student.make("-C", "lab2_tiled", "progress")
    assert "Next: TODO(3) in lab2_tiled/kernel.cu; make hint helps." in said, said
    said = student.make("-C", "lab2_tiled", "hint", "PART=kernel")
    assert "TODO(3) of lab2_tiled/kernel.cu, hint 1 of 3:" in said, said
    student.pretend({("lab2_tiled", "kernel"): [*passing, {"end": False}]})
    said = student.make("-C", "lab2_tiled", "hint", "PART=kernel")
    assert "the tests do not finish." in said, said


def test_make_demo_leaves_out_a_lab_that_is_not_begun(student: Student) -> None:
    student.has()
    demo = student.run("python3", "-B", "common/course/student.py", "demo", *student.labs)
    demo.tells(*(f"{lab}/kernel.cu is not begun." for lab in student.labs), status=0)


def test_answers_that_do_not_compile_are_said_not_to_and_use_up_no_hint(student: Student) -> None:
    student.has({ANSWERS: student.skeletons[ANSWERS].replace("= UNANSWERED", '= "yes"', 1)})
    rows = student.make("-C", "lab1_naive", "progress").rows()
    assert rows["lab1_naive", "answers"] == "does not compile"
    student.make("-C", "lab1_naive", "hint", "PART=answers").tells(f"{ANSWERS} does not compile")
    student.make("-C", "lab1_naive", "hint", "TODO=Q1").tells(f"Q1 of {ANSWERS}, hint 1 of 2:")


def test_answers_that_wait_for_the_kernel_on_which_they_are_measured_make_the_kernel_next(
    student: Student,
) -> None:
    student.has({ANSWERS: (ROOT / "solutions" / ANSWERS).read_text(encoding="utf-8")})
    said = student.test("lab1_naive", "answers")
    assert f"Next: {KERNEL}. The test of Q1 in {ANSWERS} uses it." in said, said


@pytest.fixture(name="two_labs")
def student_who_has_labs_1_and_3(student: Student) -> Iterator[Student]:
    """Returns a student of a shorter course, which needs few results."""
    student.has()
    away = student.course / "away"
    away.mkdir()
    for lab in ("lab2_tiled", "lab4_memtypes"):
        (student.course / lab).rename(away / lab)
    yield Student(student.course)
    for kept in away.iterdir():
        kept.rename(student.course / kept.name)
    away.rmdir()


def test_a_finished_part_names_the_next_a_finished_lab_the_next_lab_the_last_one_the_end(
    two_labs: Student,
) -> None:
    student = two_labs
    student.write(ADD, RIGHT)
    student.test("lab1_naive", "matrix_add").tells(f"{ADD} is done.", f"Next: TODO(1) in {KERNEL}")
    student.pretend({("lab1_naive", part): PASSED for part in ("kernel", "answers")})
    said = student.test("lab1_naive", "matrix_add").tells(f"{ADD} is done, and with it lab1_naive.")
    assert "Next: lab3_boundary; its handout is lab3_boundary/README.md." in said, said
    last = [("lab3_boundary", part) for part in ("kernel", "padding", "answers")]
    student.pretend({one: PASSED for one in last})
    said = student.make("-C", "lab3_boundary", "progress")
    assert "lab3_boundary is done." in said and "That was the whole course" in said, said
    assert "To go further: lab3_boundary/submatrix.cu" in said, said


def test_a_barrier_that_not_all_threads_reach_is_next_if_the_handout_has_a_section_on_it(
    student: Student,
) -> None:
    student.has()
    ends = [result("TODO(1): a", "failed", "barrier-divergence"), ENDED]
    student.pretend({("lab1_naive", "matrix_add"): ends, ("lab3_boundary", "kernel"): ends})
    said = student.make("-C", "lab3_boundary", "progress")
    assert "Next: the barriers of lab3_boundary/kernel.cu" in said, said
    said = student.make("-C", "lab3_boundary", "hint", "PART=kernel")
    assert "Read lab3_boundary/README.md, section Barriers;" in said, said
    student.make("-C", "lab1_naive", "progress").tells(f"Next: TODO(1) in {ADD}")


def test_make_hint_gives_three_hints_in_turn_remembers_them_and_says_which_was_the_last(
    student: Student,
) -> None:
    student.has()
    for number in (1, 2, 3, 3):
        said = student.make("hint").tells(f"TODO(1) of {ADD}, hint {number} of 3:", status=0)
        assert ("That was the last hint." in said) == (number == 3), said


def test_make_hint_is_about_the_file_that_was_saved_last_and_goes_forward_with_it(
    student: Student,
) -> None:
    kernel = "lab2_tiled/kernel.cu"
    student.has({kernel: student.skeletons[kernel] + "int broken\n"})
    row = "    int Row = blockIdx.y * blockDim.y + threadIdx.y;\n    // TODO(2)"
    student.write(ADD, student.skeletons[ADD].replace("    // TODO(2)", row))
    student.make("hint").tells(f"TODO(2) of {ADD}, hint 1 of 3:")
    student.write(kernel, student.skeletons[kernel] + "int broken \n")
    student.make("hint").tells(f"{kernel} does not compile")


HINTS = {
    "TODO=4": "TODO(4) of lab2_tiled/kernel.cu, hint 1 of 3:",
    "TODO=4 AGAIN=1": "TODO(4) of lab2_tiled/kernel.cu, hint 1 of 3:",
    "TODO=4 PART=hazards": "TODO(4) of lab2_tiled/hazards.cu, hint 1 of 3:",
    "TODO=Q4": "Q4 of lab2_tiled/answers.h, hint 1 of 2:",
    "PART=answers TODO=4": "Q4 of lab2_tiled/answers.h, hint 2 of 2:",
}


def test_make_hint_knows_a_todo_and_a_question_by_its_number(student: Student) -> None:
    student.has()
    for words, begins in HINTS.items():
        said = student.make("-C", "lab2_tiled", "hint", *words.split()).tells(begins, status=0)
    assert "read lab2_tiled/README.md, Steps, step 2 again," in said, said


UNKNOWN = {
    "TODO=four": "TODO=four: write the number",
    "TODOS=3": "TODOS: did you mean TODO?",
    "TODO=99": "lab2_tiled/kernel.cu has no TODO(99).",
    "TODO=Q99": "lab2_tiled/answers.h has no Q99.",
}


@pytest.mark.parametrize("words", UNKNOWN)
def test_make_hint_refuses(student: Student, words: str) -> None:
    student.has()
    said = student.make("-C", "lab2_tiled", "hint", words)
    assert said.status == 2 and UNKNOWN[words] in said, said


def test_make_reset_asks_keeps_a_copy_and_restores_what_ships_without_git(student: Student) -> None:
    mine = student.skeletons[ADD] + "// mine\n"
    student.has({ADD: mine})
    files = sorted(student.course.glob("lab*/**/*"))
    said = student.make("-C", "lab1_naive", "reset")
    assert said.status != 0 and "Add YES=1" in said and student.holds(ADD) == mine, said
    kept = student.course / "build/kept"
    kept.touch()
    said = student.make("-C", "lab1_naive", "reset", "YES=1")
    kept.unlink()
    assert said.status != 0 and "cannot be copied to" in said and student.holds(ADD) == mine, said
    said = student.make("-C", "lab1_naive", "reset", "YES=1")
    name = re.search("(?m)^build/kept/.*", said)
    assert said.status == 0 and student.holds(ADD) == student.skeletons[ADD], said
    assert name and student.holds(name[0]) == mine, said
    assert sorted(student.course.glob("lab*/**/*")) == files


def test_make_reset_finds_every_skeleton_in_git_if_a_student_has_committed_other_work(
    student: Student,
) -> None:
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    student.has()
    folder = student.course / "clone"
    left_out = shutil.ignore_patterns("build", "solutions", "skeletons", "clone")
    shutil.copytree(student.course, folder, ignore=left_out, symlinks=True)
    clone = Student(folder)
    git = ["git", "-c", "user.name=student", "-c", "user.email=student@example.org"]
    git += ["-c", "commit.gpgsign=false"]
    for command in (["init", "-q", "."], ["add", "."], ["commit", "-qm", "As it came"]):
        assert clone.run(*git, *command).status == 0
    clone.has({path: text + "// mine\n" for path, text in student.skeletons.items()})
    assert clone.run(*git, "commit", "-qam", "My work").status == 0
    for lab in clone.labs:
        clone.make("-C", lab, "reset", "YES=1")
    assert Student(folder).skeletons == student.skeletons
    shutil.rmtree(folder)
