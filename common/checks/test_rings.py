"""Checks the two rings: the quick one has the promised checks of each part, and the last line of CI
counts both."""

import collections
import os
import pathlib
import re
import sys

import judging
import pytest
from calls import ROOT, call, ended

SPREAD = True
PARTS = {f"{lab}-{part}" for lab in judging.labs() for part in judging.parts(lab)}
# How many checks of this name the quick ring has of each part.
OF_EACH_PART = {
    "test_the_solution_passes": 1,
    "test_the_skeleton_fails_with_a_sentence_for_every_todo": 1,
    "test_a_right_kernel_in_a_style_of_its_own_passes": 1,
    "test_a_known_mistake_gets_its_findings": 2,
}
PYTEST = [sys.executable, "-B", "-m", "pytest", "-c", "common/checks/pytest.ini", "--rootdir=."]
XML = """<testsuites><testsuite>
<testcase classname="a" name="passes"/><testcase classname="a" name="waits"><skipped/></testcase>
{more}</testsuite></testsuites>
"""
FAILED = '<testcase classname="b" name="fails"><failure/></testcase>'


def test_a_check_hands_on_no_only() -> None:
    assert "ONLY" not in os.environ


def test_the_words_of_make_check_are_no_students_of_the_graders_in_checks() -> None:
    words = ("-q", "common/checks/test_rings.py", "-k", "hands_on_no_only")
    said = call(*PYTEST, *words, CHECKED_LABS="", CHECKED_PART="", ONLY="words")
    ended(said, 0, "1 passed")


def quick() -> list[str]:
    """Returns the checks of test_parts.py in the quick ring."""
    words = [*PYTEST, "-m", "not full", "--collect-only", "-q", "common/checks/test_parts.py"]
    said = ended(call(*words, CHECKED_LABS="", CHECKED_PART="", STYLES="", MISTAKES=""), 0)
    return [line.partition("::")[2] for line in said.splitlines() if "::" in line]


def test_the_quick_ring_has_solution_skeleton_style_and_two_mistakes_of_each_part() -> None:
    found = collections.Counter()
    for name in quick():
        made = re.fullmatch(r"(\w+)\[(lab\d\w*-\w+?)(-.*)?\]", name)
        if made and made[1] in OF_EACH_PART:
            found[made[1], made[2]] += 1
    there = {part for _, part in found}
    assert there == PARTS
    wrong = {key: n for key, n in found.items() if n > OF_EACH_PART[key[0]]}
    assert wrong == {}
    for name in OF_EACH_PART:
        assert {part for one, part in found if one == name} == PARTS, name


def test_what_is_drawn_is_the_same_for_a_seed_and_another_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = []
    for seed in ("a", "a", "b"):
        monkeypatch.setenv("DRAW", seed)
        drawn.append(quick())
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize(
    "more, status, last",
    [("", 0, "2 passed, 0 failed"), (FAILED, 1, "FAIL  b: fails\n2 passed, 1 failed")],
)
def test_the_last_line_counts_both_rings(
    tmp_path: pathlib.Path, more: str, status: int, last: str
) -> None:
    files = [tmp_path / name for name in ("quick.xml", "full.xml")]
    files[0].write_text(XML.format(more=""), encoding="utf-8")
    files[1].write_text(XML.format(more=more), encoding="utf-8")
    assert ended(call("common/checks/kit/run_report.py", *map(str, files)), status).endswith(
        f"\n{last}\n"
    )


def test_the_skipped_check_of_an_edited_skeleton_is_named(tmp_path: pathlib.Path) -> None:
    skips = 'pytest.skip("lab1.cu has been edited")', 'pytest.skip("no card")'
    checks = [f"def test_{number}():\n    {skip}\n" for number, skip in enumerate(skips)]
    (tmp_path / "test_a.py").write_text("import pytest\n" + "".join(checks), encoding="utf-8")
    words = [*PYTEST, "-p", "conftest", "-q", str(tmp_path)]
    said = ended(
        call(*words, PYTHONPATH="common/checks"), 0, "\nSkipped: lab1.cu has been edited\n"
    )
    assert "no card" not in said


def test_a_ring_that_left_no_report_has_failed(tmp_path: pathlib.Path) -> None:
    said = ended(call("common/checks/kit/run_report.py", str(tmp_path / "none.xml")), 1)
    assert said.endswith("\n0 passed, 1 failed\n") and "came to no end" in said


def test_ci_runs_both_rings_and_ends_with_the_count() -> None:
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert [line.split("<")[0].strip() for line in lines if line.startswith("make ")] == [
        "make test",
        "make check",
    ]
    assert "run_report.py" in lines[-1] and os.access(ROOT / ".ci/run", os.X_OK)
