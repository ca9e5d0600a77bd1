"""Checks that the ladder's first ten rungs are right on the simulated device, asynchronous copies
and all: the card's own race checker does not come to an end on them. In the others, blocks share
tiles and wait for one another; a card and compute-sanitizer check these.
"""

import re
import subprocess

import pytest
from run_report import ROOT

LADDER = ROOT / "solutions/lab4_memtypes/ladder"


@pytest.mark.seconds(6)
def test_each_rung_is_right_and_free_of_races_on_the_simulated_device() -> None:
    done = subprocess.run(
        [str(ROOT / "build/simulated_ladder")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    run = set(re.findall(r"^(\w+) .*: 0 wrong, 0 found$", done.stdout, re.MULTILINE))
    assert run == {path.stem for path in LADDER.glob("[0-9]*.cu") if path.stem < "11"}
