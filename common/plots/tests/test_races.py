import json
import re
import tempfile

import runs
import timeline
from example import tiled


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


def run_of(mistake):
    source = f"build/mistakes/lab2_tiled/kernel/{mistake}.cu"
    return runs.Kernel("lab2_tiled", source).trace((4, 4, 4), 2)


def check(mistake):
    run = run_of(mistake)
    places, conflicts = timeline.races(run.events)
    assert places and conflicts
    assert places == reported(run.source), (places, reported(run.source))


def test_first_barrier_missing():
    """without the first barrier a trace has the races that the device reports"""
    check("first_barrier_missing")


def test_second_barrier_missing():
    """so does a trace without the second barrier, and without both"""
    check("second_barrier_missing")
    check("both_barriers_missing")


def test_right_kernel():
    """the solution's trace has no race, and its picture no arrow"""
    assert timeline.races(tiled(4, 2).events) == ({}, [])
    data = timeline.collect(tiled(4, 2))
    assert (data["hazards"], data["arrows"]) == ({}, [])


def ends(data):
    """Returns each arrow's ends: thread, kind of the segment, and place."""
    result = []
    for arrow in data["arrows"]:
        shown = []
        for row, segment, part in arrow:
            it = data["rows"][row]["segments"][segment]
            text, races = it["parts"][part]
            assert races, (arrow, it)
            shown.append((*data["rows"][row]["thread"], it["kind"], text))
        result.append(shown)
    return result


def test_arrows():
    """an arrow leads from a store to another thread's load; what races, and only that, is marked"""
    both = ["Mds", "Nds"]
    hazards = {"first": {"read": both}, "second": {"overwritten": both}}
    for which, hazard in hazards.items():
        data = timeline.collect(run_of(f"{which}_barrier_missing"))
        assert data["hazards"] == hazard
        assert ends(data) == [
            [(0, 0, "M", "Mds[0][0]"), (1, 0, "product", "Mds[0][0]")],
            [(0, 0, "N", "Nds[0][0]"), (0, 1, "product", "Nds[0][0]")],
        ]
        for row in data["rows"]:
            parts = [part for s in row["segments"] for part in s["parts"]]
            assert not any(races for text, races in parts if text[0] in "MNP" and text[1] == "[")
    data = timeline.collect(run_of("both_barriers_missing"))
    assert data["hazards"] == {"read": both, "overwritten": both} and len(data["arrows"]) == 4


def test_zero_fills():
    """threads that fill in zeros without a load are as far as the others"""
    solved = (runs.ROOT / "solutions/lab3_boundary/kernel.cu").read_text()
    source = runs.OUT / "lab3_first_barrier_missing.cu"
    (runs.ROOT / source).write_text(solved.replace("__syncthreads();", "", 1))
    run = runs.Kernel("lab3_boundary", str(source)).trace((3, 3, 3), 2)
    assert list(timeline.collect(run, (0, 1))["hazards"]) == ["read"]


def test_another_block():
    """if another block races, that one is drawn"""
    run = run_of("first_barrier_missing")
    kept = [e for e in run.events if e["block"] != (0, 0, 0)]
    right = [e for e in tiled(4, 2).events if e["block"] == (0, 0, 0)]
    run.events = right + kept
    data = timeline.collect(run, (0, 0))
    assert data["block"] == [0, 1] and data["arrows"]
