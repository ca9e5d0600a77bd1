"""Runs the grader's unit tests in the course's root, as make runs the grader."""

import pathlib
import sys
from typing import Iterator

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ROOMS = ".", "grading", "grading/tests/class", "verdict/gate"
sys.path[:0] = [str(ROOT / f"common/{room}") for room in ROOMS]


@pytest.fixture(autouse=True, scope="module")
def as_the_grader_runs() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("PYTHONPATH", str(ROOT / "common/grading"))
        for name in ("MAKEFLAGS", "MAKEOVERRIDES", "MAKELEVEL"):
            patch.delenv(name, raising=False)
        yield
