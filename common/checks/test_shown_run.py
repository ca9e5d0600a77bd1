"""Checks the command that make test prints for watching a failure, and runs it, in a copy of the
course. Needs the build of `make test`."""

import json
import re
import shutil
from typing import Iterator

import mistakes
import pytest
import student_course
from calls import ROOT
from course import facts, shown_run
from explored import data_of
from student_course import Student

pytestmark = pytest.mark.full

WATCH = re.compile(r"(?m)^Watch it:  (make .*)\n(?:make: .*\n)*\Z")
# A part, a known mistake of it, and the kind of finding that the page then begins with.
SHOWN = (
    ("lab1_naive", "kernel", "no_guard", "out-of-bounds"),
    ("lab2_tiled", "kernel", "first_barrier_missing", "race"),
    ("lab2_tiled", "kernel", "warp_barriers", "race"),
    ("lab2_tiled", "banks", "transpose_not_padded", ""),
    ("lab3_boundary", "kernel", "stride_of_m_is_j", ""),
)


@pytest.fixture(scope="module", name="student")
def student_in_a_copy_of_the_course() -> Iterator[Student]:
    copy = student_course.make(ROOT / "build/check/shown_run")
    yield copy
    shutil.rmtree(copy.course)


def last_command(said: str) -> str:
    found = WATCH.search(said)
    return found[1] if found else ""


@pytest.mark.parametrize("lab, part, name, kind", SHOWN, ids=[row[2] for row in SHOWN])
def test_make_test_ends_with_the_command_that_shows_the_first_failure(
    student: Student, lab: str, part: str, name: str, kind: str
) -> None:
    pytest.importorskip("elftools", reason="no python3-pyelftools")
    student.has({f"{lab}/{part}.cu": mistakes.found(lab, part, name)[0].text()})
    said = student.test(lab, part)
    command = last_command(said)
    assert command and len(command) <= 80 - len("Watch it:  "), said
    assert (" TILE_WIDTH=2" in command) == (kind == "race"), said
    shown = student.run("sh", "-c", command).tells(f"build/explore/{lab}-{part}.html", status=0)
    run = data_of(student.course / f"build/explore/{lab}-{part}.html")["runs"][0]
    assert run["test"] in said and run["test"] in failed(student, lab, part), shown
    assert kind in [finding["kind"] for finding in run["findings"]] or not kind
    # One warp has all threads of a small block, so its barriers are enough there.
    assert ("With TILE_WIDTH 2 there is no error." in shown) == (name == "warp_barriers"), shown


def failed(student: Student, lab: str, part: str) -> list[str]:
    lines = student.results(lab, part).read_text(encoding="utf-8").splitlines()
    tests = [json.loads(line) for line in lines]
    return [one["test"] for one in tests if one.get("status") == "failed"]


def test_if_a_kernel_does_nothing_yet_there_is_nothing_to_watch(student: Student) -> None:
    student.has()
    said = student.test("lab2_tiled", "kernel")
    assert "FAIL" in said and "Watch it:" not in said, said


def test_words_that_tell_a_test_from_all_others_of_its_part_fit_a_line() -> None:
    for lab in (path.parent.name for path in ROOT.glob("lab*/lab.toml")):
        for part in facts.load(lab, str(ROOT)).parts:
            names = part.names(card=False)
            widest = f'Watch it:  make -C {lab} explore PART={part.name} TEST=""'
            for test in names if part.name != "answers" else []:
                words = shown_run.words_of(test, names)
                assert test in words and not re.search(r'["$`\\!]', test), test
                assert min(map(len, words)) + len(widest) <= shown_run.COLUMNS, test
