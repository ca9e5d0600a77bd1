import json
import re
import tempfile

import runs
import timeline
from example import MISTAKES, tiled


def reported(source):
    """Returns the races that the simulated device reports: {(array, line, other line): places}."""
    with tempfile.NamedTemporaryFile() as lines:
        runs.Kernel("lab2_tiled", source).run_set((4, 4, 4), 2, CUSIM_FINDINGS=lines.name)
        findings = [json.loads(line) for line in lines]
    result = {}
    for finding in findings:
        assert finding["kind"] == "race", finding
        array = re.search(r"race on (\w+)", finding["title"])[1]
        other = re.search(r"side: \S+?:(\d+)", finding["details"][0])
        lines = (finding["line"], int(other[1]) if other else finding["line"])
        result[(array, *sorted(lines))] = finding["count"]
    return result


def check(mistake):
    source = f"{MISTAKES}/{mistake}.cu"
    run = runs.Kernel("lab2_tiled", source).trace((4, 4, 4), 2)
    pairs, racing = timeline.races(run.events)
    assert pairs and racing
    assert pairs == reported(source), (pairs, reported(source))


def test_first_barrier_missing():
    """without the first barrier a trace has the races that the device reports"""
    check("first_barrier_missing")


def test_second_barrier_missing():
    """without the second barrier too, and without both"""
    check("second_barrier_missing")
    check("both_barriers_missing")


def test_right_kernel():
    """the solution's trace has no race"""
    assert timeline.races(tiled(4, 2).events) == ({}, set())
