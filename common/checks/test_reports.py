"""Checks the report of each part's untouched skeleton: the first failure is explained, in few lines,
with a section of the handout; each later one is a single line; the results explain every one."""

import json
import pathlib
import re
import sys

import judging
import pytest
from calls import ROOT, call, ended, make, rules
from course import lab_make
from test_counting import on_terminal, screen
from testing import editor_lines

SPREAD = True
LINES = 22  # of the first failure

PARTS = [(lab, part) for lab in judging.labs() for part in judging.parts(lab)]


def skeleton(lab: str, part: str) -> judging.Run:
    """Judges a skeleton as for a student at the beginning."""
    if judging.edited(f"{lab}/{part}.cu"):
        pytest.skip(f"{lab}/{part}.cu has been edited")
    return judging.Run(lab, part, "report")


def failures(report: str) -> list[list[str]]:
    """Returns each failure with the lines that explain it."""
    found: list[list[str]] = []
    inside = False
    for line in report.splitlines():
        if line.startswith("FAIL  "):
            found.append([line])
            inside = True
        elif re.match(r"  ok|  --|\[\.\.\.\]|$", line):
            inside = False
        elif inside and line.startswith("       "):
            found[-1].append(line)
    return found


@pytest.mark.parametrize("lab, part", PARTS)
def test_a_skeletons_report_explains_its_first_failure(lab: str, part: str) -> None:
    run = skeleton(lab, part)
    found = failures(run.report)
    assert found, f"nothing fails\n{run.report}"
    first, later = found[0][1:], found[1:]
    assert len(first) <= LINES, run.report
    assert [line for line in [*first, *(one[0] for one in later)] if len(line) > 80] == []
    assert any(line.startswith("       read: ") for line in first), "no section to read"
    assert "       read: " not in "\n".join(line for one in later for line in one[1:])
    results = run.log.with_suffix(".results").read_text(encoding="utf-8").splitlines()
    failed = [line for line in results if json.loads(line).get("status") == "failed"]
    assert len(failed) == len(found), run.report
    assert [line for line in failed if "\\nread: " not in line] == []


@pytest.mark.parametrize("lab", judging.labs())
def test_the_report_of_a_skeleton_fits_a_terminal(lab: str) -> None:
    """All of it, the names of the findings at the end included, which a file has on one line."""
    if judging.edited(f"{lab}/kernel.cu"):
        pytest.skip(f"{lab}/kernel.cu has been edited")
    _, said = on_terminal([*lab_make.RULES, f"LAB={lab}", "PART=kernel", "test"], TERM="dumb")
    lines = screen(said)
    assert any(line.startswith("Findings: ") for line in lines), said
    assert [line for line in lines if len(line) > 80] == []


def test_a_program_that_has_lost_its_memory_ends_its_report_with_a_sentence(
    tmp_path: pathlib.Path,
) -> None:
    """Code that overwrites malloc's data beside an array must not make it hang."""
    text = (ROOT / "solutions/lab1_naive/kernel.cu").read_text(encoding="utf-8")
    spoils = "reinterpret_cast<size_t*>(P)[-1] = ~size_t(0);"
    lost = tmp_path / "lost.cu"
    lost.write_text(re.sub("(?m)^(.*cudaGetLastError.*)$", rf"\1\n{spoils}", text), "utf-8")
    _, said = rules("lab1_naive", "PART=kernel", f"KERNEL={lost}", "test", seconds=120)
    told = re.search("cannot go on: .* written outside of an array", said)
    assert told and "Aborted" not in said, said


def test_a_failure_without_a_known_line_is_marked_on_the_first_if_it_is_alone() -> None:
    nowhere = {"test": "a", "explanation": "P is wrong.", "found": []}
    placed = {
        "test": "b",
        "file": "a.cu",
        "line": 7,
        "explanation": "The run ends with",
        "found": [],
    }
    placed["found"] = [{"title": "past the end", "remedy": "Guard it.", "file": "a.cu", "line": 7}]
    first, other = "a.cu:1: error: P is wrong. [a]", "a.cu:7: error: past the end. Guard it. [b]"
    assert editor_lines.of_tests([nowhere, nowhere], "a.cu") == [first]
    assert editor_lines.of_tests([nowhere, placed], "a.cu") == [other]


def test_a_part_without_a_program_of_tests_has_not_passed(tmp_path: pathlib.Path) -> None:
    words = sys.executable, "common/course/student.py", "test_part", "lab1_naive", "kernel"
    file = "lab1_naive/kernel.cu"
    said = "lab1_naive: kernel.cu has no tests; they are files test_*.cpp\n"
    assert call(*words, "sim", "", tmp_path, file) == (2, said)
    status, said = call(*words, "gpu", "", tmp_path, file)
    assert status == 0 and said.endswith("none runs on a card\n")


def test_what_a_shell_exports_for_programs_of_cusim_changes_no_verdict() -> None:
    exported = {
        "CUSIM_CHECKS": "counters",
        "CUSIM_SCHEDULE": "no order",
        "CUSIM_PROFILE": "no card",
    }
    written = ("CUSIM_TRACE", "CUSIM_RECORDING", "CUSIM_COUNTS")
    exported |= dict.fromkeys(written, "/nowhere/file")
    ended(rules("lab2_tiled", "PART=kernel", "SOLUTION=1", "test", **exported), 0)


def test_explain_rules_says_what_decided_with_which_todo_a_report_begins() -> None:
    said = make("-C", "lab2_tiled", "test", "MISTAKE=n_index_swapped", "EXPLAIN=rules")
    ended(said, 2, "TODO(3): the test says so with lab::beginWith", "begin with no TODO: the fault")
