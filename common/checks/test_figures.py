"""Checks the data behind the figures, that those of the README are not stale, and, where there is
matplotlib, that every figure can be drawn with its text unclipped."""

import os
import pathlib
import subprocess
import sys
import sys

import pytest
from run_report import ROOT

pytestmark = pytest.mark.seconds(30)
PLOTS = ROOT / "common/plots"
DATA = "phases", "races", "memory_maps", "traffic", "occupancy", "bench_results"


@pytest.fixture(scope="module", autouse=True)
def limits_of_devices() -> None:
    """Builds the program that the figures ask for them."""
    words = ["-s", "build/device_limits", "-f", "common/lab_rules.mk", "LAB=lab4_memtypes"]
    subprocess.run(["make", "--no-print-directory", *words], cwd=ROOT, check=True)


def python(*words: str, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-B", *words],
        cwd=ROOT,
        env={**os.environ, "MPLBACKEND": "Agg", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def tell(said, done: subprocess.CompletedProcess) -> None:
    """Hands on each verdict of a program, one a line."""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("ok ", "FAIL "))]
    for line in lines:
        said("said", line)
    failed = any(line.startswith("FAIL") for line in lines)
    assert failed or (done.returncode == 0 and lines), done.stdout


@pytest.mark.parametrize("name", DATA)
def test_the_data_behind_figures(name: str, record_property) -> None:
    tell(record_property, python("common/plots/tests/run.py", f"test_{name}"))


def test_the_figures_of_the_readme_are_those_of_today(record_property) -> None:
    tell(record_property, python("common/plots/shown.py", "--check"))


def test_every_figure_can_be_drawn_with_its_text_unclipped(record_property) -> None:
    assert python("-c", "import matplotlib, numpy, PIL").returncode == 0, (
        "no matplotlib: apt-get install python3-matplotlib"
    )
    tell(record_property, python("common/plots/tests/run.py", "test_drawing"))


def test_without_matplotlib_one_sentence_and_status_2(tmp_path: pathlib.Path) -> None:
    # Every Python is made one without it.
    (tmp_path / "matplotlib.py").write_text("raise ImportError\n", encoding="utf-8")
    command = [sys.executable, PLOTS / "draw.py", "lab2_tiled", "", "", "1"]
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert (done.returncode, said.count("\n")) == (2, 1), said
    assert "python3-matplotlib" in said
