"""Checks the data of the figures, that those in common/plots/shown are not stale, and, if there is
matplotlib, that every figure can be drawn with its text unclipped."""

import concurrent.futures
import pathlib
import re
import sys

import chosen
import judging
import pytest
from calls import ROOT, call, ended, make, rules
from course import lab

pytestmark = pytest.mark.seconds(30)
DATA = "phases", "races", "memory_maps", "traffic", "units", "occupancy", "bench_results"
TEXT = (ROOT / "common/plots/tests/test_drawing.py").read_text(encoding="utf-8")
DRAWING = [
    chosen.parameters(test, full=test not in ("test_page", "test_profiles"))
    for test in re.findall(r"^def (test_\w+)", TEXT, re.MULTILINE)
]


@pytest.fixture(scope="module", autouse=True)
def limits_of_devices() -> None:
    """Builds the program that prints the limits for the figures."""
    assert rules("lab4_memtypes", "-s", "build/device_limits")[0] == 0


def python(*words: str) -> tuple[int, str]:
    return call(sys.executable, "-B", *words, MPLBACKEND="Agg")


def check(status: int, said: str) -> None:
    """Fails unless a program ends well and prints verdicts, one per line, all of them good."""
    lines = [line for line in said.splitlines() if line.startswith(("ok ", "FAIL "))]
    assert status == 0 and lines and all(line.startswith("ok ") for line in lines), said


@pytest.mark.parametrize("name", DATA)
def test_the_data_behind_figures(name: str) -> None:
    check(*python("common/plots/tests/run.py", f"test_{name}"))


def test_the_figures_of_the_readme_are_those_of_today() -> None:
    check(*python("common/plots/shown.py", "--check"))


def test_make_figures_draws_those_of_all_labs(monkeypatch: pytest.MonkeyPatch) -> None:
    ended(make("-n", "figures"), 0, "student.py lab '' figures ''")
    drawn: list[tuple[str, str]] = []
    monkeypatch.setenv("SOLUTION", "")  # the program sets it
    monkeypatch.setattr(lab, "leave_make", lambda: None)
    monkeypatch.setattr(lab, "in_parallel", lambda *_, **__: 0)
    monkeypatch.setattr(lab, "of_lab", lambda name, goal, _: drawn.append((name, goal)))
    assert lab.main("", "figures") == 0
    assert drawn == [(name, "figures") for name in judging.labs()]


@pytest.mark.parametrize("test", DRAWING)
def test_a_figure_can_be_drawn_with_its_text_unclipped(test: str) -> None:
    assert python("-c", "import matplotlib, numpy, PIL")[0] == 0, (
        "no matplotlib: apt-get install python3-matplotlib"
    )
    check(*python("common/plots/tests/run.py", f"test_drawing.{test}"))


def test_without_matplotlib_one_sentence_and_status_2(tmp_path: pathlib.Path) -> None:
    # Hides it from every Python.
    (tmp_path / "matplotlib.py").write_text("raise ImportError\n", encoding="utf-8")
    words = (sys.executable, "common/plots/draw.py", "lab2_tiled", "", "", "1")
    status, said = call(*words, PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1")
    assert (status, said.count("\n")) == (2, 1), said
    assert "python3-matplotlib" in said


@pytest.mark.full
def test_two_programs_may_draw_the_same_figures_at_once() -> None:
    words = "make", "-C", "lab1_naive", "figures", "SOLUTION=1"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        drawn = list(pool.map(lambda _: call(*words), range(2)))
    assert [status for status, _ in drawn] == [0, 0], drawn
