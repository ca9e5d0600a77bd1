"""Checks the messages about a student's own files that were saved on Windows, or under another
name. Needs the build of `make test`."""

import re
import shutil
from typing import Iterator

import pytest
import student_course
from calls import ROOT
from student_course import Student

pytestmark = pytest.mark.full

ADD, ANSWERS = "lab1_naive/matrix_add.cu", "lab1_naive/answers.h"
RIGHT = (ROOT / "solutions" / ADD).read_text(encoding="utf-8")
WRONG = RIGHT.replace(" + B[", " - B[")


@pytest.fixture(scope="module", name="student")
def student_in_a_copy_of_the_course() -> Iterator[Student]:
    copy = student_course.make(ROOT / "build/check/own_files")
    yield copy
    shutil.rmtree(copy.course)


@pytest.mark.parametrize("stray", ["Matrix_Add.cu", "matrix_add (1).cu", "matrix_add.cu.txt"])
def test_if_a_file_has_nearly_an_exercises_name_make_test_says_which_one_is_tested(
    student: Student, stray: str
) -> None:
    student.has({ADD: RIGHT})
    student.write(f"lab1_naive/{stray}", WRONG)
    try:
        said = student.test("lab1_naive", "matrix_add").tells(" passed, 0 failed", status=0)
        assert f"Tested is {ADD}, and not\nlab1_naive/{stray}. To test" in said, said
        parts = re.search("; here: (.*)", student.make("-s", "-C", "lab1_naive", "help"))
        assert parts and parts[1] == "kernel matrix_add answers", parts
        (student.course / ADD).unlink()
        said = student.test("lab1_naive", "matrix_add")
        said.tells(f"{ADD}: no such file; rename yours:", status=2)
        student.run("sh", "-c", said.split("yours:\n")[1].splitlines()[0])
        said = student.test("lab1_naive", "matrix_add").tells("FAIL  TODO(3): an element of C")
        assert stray not in said, said
    finally:
        (student.course / "lab1_naive" / stray).unlink(missing_ok=True)
        student.has()


@pytest.mark.parametrize("file", ["kernel.cu", "matrix_add.cu", "answers.h"])
def test_a_file_that_is_deleted_is_named_with_the_command_that_brings_it_back(
    student: Student, file: str
) -> None:
    student.has()
    lab, part = student.course / "lab1_naive", file.partition(".")[0]
    (lab / file).unlink()
    reset = (
        f"lab1_naive/{file}: no such file;\nmake -C lab1_naive reset PART={part} puts the skeleton"
    )
    for words in (["lab1"], ["-C", "lab1_naive", "test", f"PART={part}"]):
        student.make(*words).tells(reset, status=2)
    assert student.make("progress").rows()["lab1_naive", part] == "file is missing: make reset"
    student.make("hint", f"PART={part}").tells(f"lab1_naive/{file} is missing;", status=0)
    student.make("-C", "lab1_naive", "reset", f"PART={part}").tells(
        "is the skeleton again", status=0
    )
    assert student.holds(f"lab1_naive/{file}") == student.skeletons[f"lab1_naive/{file}"]


def test_a_copy_of_a_file_beside_it_is_no_part(student: Student) -> None:
    student.has()
    student.write("lab1_naive/kernel_old.cu", WRONG)
    said = student.make("-s", "-C", "lab1_naive", "help")
    (student.course / "lab1_naive/kernel_old.cu").unlink()
    said.tells("; here: kernel matrix_add answers\n", status=0)


def test_the_line_ends_of_windows_and_its_mark_change_no_line_and_no_verdict(
    student: Student,
) -> None:
    """An editor on Windows may add both when it saves."""

    def of_windows(text: str) -> str:
        return "\ufeff" + text.replace("\n", "\r\n")

    student.has({ADD: WRONG})
    said = student.test("lab1_naive", "matrix_add")
    student.write(ADD, of_windows(WRONG))
    assert student.test("lab1_naive", "matrix_add") == said
    assert "done 1-2, 4-5; next 3" in student.make("progress").rows()["lab1_naive", "matrix_add"]
    for path in (ADD, ANSWERS):
        student.write(path, of_windows(student.skeletons[path]))
    said = student.make("progress")
    assert "testing" not in said and "next 1; open 2-5" in said.rows()["lab1_naive", "matrix_add"]
    said = student.make("-C", "lab1_naive", "reset", "PART=matrix_add")
    said.tells(f"{ADD} is the skeleton already", status=0)
    student.has()


def test_what_a_right_kernel_prints_stands_below_its_test_with_a_label(student: Student) -> None:
    printing = 'if (Row + Col == 0) printf("I am here\\n");\n    if (Row <'
    student.has({ADD: "#include <cstdio>\n" + RIGHT.replace("if (Row <", printing, 1)})
    said = student.test("lab1_naive", "matrix_add").tells(" passed, 0 failed", status=0)
    label = r"(?m)^  ok  TODO\(1\).*\n(      [^ ].*\n)*       It printed:\n       I am here$"
    assert re.search(label, said) and "\nI am here" not in said, said
