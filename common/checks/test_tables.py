"""Checks that the tables of the handouts are what the solutions' runs give."""

import os
import subprocess

import pytest
from report import ROOT

pytestmark = pytest.mark.seconds(40)


@pytest.mark.parametrize("script", ["update_handouts", "mistakes_on_card"])
def test_the_tables_are_what_the_runs_give(script: str) -> None:
    done = subprocess.run(
        [f"common/testing/{script}.sh"],
        cwd=ROOT,
        env={**os.environ, "CHECK": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        pytest.fail(done.stdout, pytrace=False)
