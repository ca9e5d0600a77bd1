"""Checks the hidden tests of solutions/hidden: solutions and right kernels in other styles pass them
with several seeds, a known mistake does not, and their names are those of the points files."""

import functools
import pathlib

import mistakes
import pytest
from calls import ROOT, rules

pytestmark = pytest.mark.seconds(40)
HIDDEN = "solutions/hidden"
LOGS = ROOT / "build/check"
# Of these the first that a part has is tried; all of them run with the public tests.
MISTAKES = ("result_transposed", "index_swapped", "phases_from_j", "phases_rounded_down")


def parts() -> list[tuple[str, str]]:
    """Returns (lab, part) of each folder that holds hidden tests."""
    found = {path.parent.relative_to(ROOT / HIDDEN) for path in (ROOT / HIDDEN).rglob("test_*.cpp")}
    return sorted((at.parts[0], "/".join(at.parts[1:]) or "kernel") for at in found)


STYLES = [(*one, str(styles[0])) for one in parts() if (styles := mistakes.styles(*one))]
of_each_part = pytest.mark.parametrize("lab, part", parts())


@pytest.fixture(autouse=True)
def in_the_course(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


class Judged:
    """A run of a part's tests, also the hidden ones."""

    def __init__(self, lab: str, part: str, seed: str, chosen: str) -> None:
        log = LOGS / f"hidden-{lab}-{part}-{seed}.log"
        self.results = log.with_suffix(".results")
        self.results.unlink(missing_ok=True)
        LOGS.mkdir(parents=True, exist_ok=True)
        variables = {"LAB_RESULTS": str(self.results), "LAB_SEED": seed}
        words = (f"PART={part}", f"HIDDEN={HIDDEN}", chosen, "test")
        self.status, self.report = rules(lab, *words, **variables)
        log.write_text(self.report, encoding="utf-8")

    def fails_hidden(self) -> bool:
        lines = self.results.read_text(encoding="utf-8").splitlines()
        return any('"test":"hidden: ' in line and '"status":"failed"' in line for line in lines)


@functools.lru_cache(maxsize=None)
def solution(lab: str, part: str, seed: str) -> Judged:
    return Judged(lab, part, seed, "SOLUTION=1")


@pytest.mark.parametrize("seed", ["1", "secret", "2026-11-21"])
@of_each_part
def test_the_solution_passes_the_hidden_tests_with_every_seed(
    lab: str, part: str, seed: str
) -> None:
    judged = solution(lab, part, seed)
    assert judged.status == 0, judged.report


@pytest.mark.parametrize("lab, part, style", STYLES)
def test_a_right_kernel_in_another_style_passes_the_hidden_tests(
    lab: str, part: str, style: str
) -> None:
    judged = Judged(lab, part, "a", f"KERNEL={mistakes.file_of(pathlib.Path(style))}")
    assert judged.status == 0, judged.report


@of_each_part
def test_a_known_mistake_fails_a_hidden_test(lab: str, part: str) -> None:
    known = [mistake for name in MISTAKES for mistake in mistakes.found(lab, part, name)]
    assert known, "no known mistake is tried with the hidden tests"
    assert Judged(lab, part, "secret", f"KERNEL={mistakes.make(known[0])}").fails_hidden()
