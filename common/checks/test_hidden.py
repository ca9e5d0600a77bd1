"""Checks the hidden tests of solutions/hidden: solutions and right kernels in other styles pass them
with several seeds, a known mistake does not, and their names are those of the points files."""

import pathlib

import judging
import mistakes
import pytest
from run_report import ROOT

pytestmark = [pytest.mark.seconds(40), pytest.mark.full]
HIDDEN = "solutions/hidden"
# The first of these that a part has is tried; all of them run with the public tests.
MISTAKES = ("result_transposed", "index_swapped", "phases_from_j", "phases_rounded_down")


def parts() -> list[tuple[str, str]]:
    """Returns (lab, part) of each folder with hidden tests."""
    found = {path.parent.relative_to(ROOT / HIDDEN) for path in (ROOT / HIDDEN).rglob("test_*.cpp")}
    return sorted((at.parts[0], "/".join(at.parts[1:]) or "kernel") for at in found)


STYLES = [(*one, str(styles[0])) for one in parts() if (styles := mistakes.styles(*one))]
of_each_part = pytest.mark.parametrize("lab, part", parts())


def judged(lab: str, part: str, seed: str, chosen: str) -> judging.Run:
    """Runs a part's tests, including the hidden ones."""
    return judging.Run(lab, part, f"hidden-{seed}", f"HIDDEN={HIDDEN}", f"LAB_SEED={seed}", chosen)


@pytest.mark.parametrize("seed", ["1", "secret", "2026-11-21"])
@of_each_part
def test_the_solution_passes_the_hidden_tests_with_every_seed(
    lab: str, part: str, seed: str
) -> None:
    run = judged(lab, part, seed, "SOLUTION=1")
    assert run.passed, run.report


@pytest.mark.parametrize("lab, part, style", STYLES)
def test_a_right_kernel_in_another_style_passes_the_hidden_tests(
    lab: str, part: str, style: str
) -> None:
    run = judged(lab, part, "a", f"KERNEL={mistakes.file_of(pathlib.Path(style))}")
    assert run.passed, run.report


@of_each_part
def test_a_known_mistake_fails_a_hidden_test(lab: str, part: str) -> None:
    known = [mistake for name in MISTAKES for mistake in mistakes.found(lab, part, name)]
    assert known, "no known mistake is tried with the hidden tests"
    run = judged(lab, part, "secret", f"KERNEL={mistakes.make(known[0])}")
    lines = run.log.with_suffix(".results").read_text(encoding="utf-8").splitlines()
    failed = [line for line in lines if '"status":"failed"' in line]
    assert any('"test":"hidden: ' in line for line in failed), run.report
