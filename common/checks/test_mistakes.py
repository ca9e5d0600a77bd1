"""Checks that patches make known mistakes exactly, or not at all."""

import pathlib

import mistakes
import pytest
from calls import ROOT, call

HEAD = ["Finding: race", "Nobody waits."]
PATCH = ROOT / "solutions/mistakes/lab2_tiled/kernel/made_up.patch"


def patched(*diff: str, head: list[str] = HEAD) -> mistakes.Mistake:
    """Returns a mistake of lab 2's kernel with this diff."""
    files = ["--- solutions/lab2_tiled/kernel.cu", "+++ made_up.cu"]
    return mistakes.Mistake(PATCH, [*head, "", *files, *diff])


def solution() -> list[str]:
    path = pathlib.Path("solutions/lab2_tiled/kernel.cu")
    return path.read_text(encoding="utf-8").splitlines()


def test_a_patch_changes_the_lines_that_it_names_and_no_other() -> None:
    first, second, third, *rest = solution()
    mistake = patched("@@ -1,3 +1,3 @@", f" {first}", f"-{second}", "+wrong", f" {third}")
    head = ["// Finding: race", "// Nobody waits."]
    assert mistake.text().splitlines() == [*head, first, "wrong", third, *rest]


def test_a_patch_that_fits_its_solution_no_more_is_named_with_its_line() -> None:
    first = solution()[0]
    for diff in (
        ("@@ -1,2 +1,1 @@", f" {first}", "-another line"),
        ("@@ -2,1 +2,1 @@", f"-{first}", "+wrong"),
        ("@@ -1,3 +1,2 @@", f"-{first}", "+wrong"),
    ):
        with pytest.raises(mistakes.Wrong, match=r"kernel/made_up\.patch:\d+: "):
            patched(*diff).text()


def test_a_patch_without_a_finding_is_refused() -> None:
    with pytest.raises(mistakes.Wrong, match="begins with 'Finding: '"):
        patched("@@ -1,1 +1,1 @@", "-a", "+b", head=["Nobody waits."]).text()


def test_every_mistake_is_another_file_than_its_solution() -> None:
    found = mistakes.found()
    assert len(found) > 300
    for mistake in found:
        head = "".join(f"// {line}\n" for line in mistake.head)
        text = mistake.text()
        assert text.startswith(head) and text != head + mistake.solution.read_text("utf-8")


def test_one_mistake_is_judged_by_its_name_and_its_file_is_named() -> None:
    made = "build/mistakes/lab1_naive/matrix_add/guard_dimensions_swapped.cu"
    pathlib.Path(made).unlink(missing_ok=True)
    line = "make -C lab1_naive test PART=matrix_add MISTAKE=guard_dimensions_swapped"
    status, said = call(*line.split())
    assert (status, f"lab1_naive: {made} on " in said) == (2, True), said
    assert "\nFindings: " in said and pathlib.Path(made).exists()


def test_a_mistake_that_there_is_not_is_refused_with_the_place_to_look() -> None:
    status, said = call(*"make -C lab2_tiled test MISTAKE=nonsense".split())
    assert (status, said.count("ok")) == (2, 0)
    assert "MISTAKE=nonsense: not among the patches in solutions/mistakes/" in said
