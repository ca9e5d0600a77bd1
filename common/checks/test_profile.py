"""Checks `make profile`: the simulated counts are those of a card, and the values of Nsight Compute
are shown beside them. A script replaces ncu, which needs a card."""

import os
import pathlib
import re
import sys

import profile_on_card
import pytest
from calls import ROOT, ended, make

sys.path.append(str(ROOT / "common"))
from course import metrics, nsight, profile

pytestmark = pytest.mark.seconds(20)

LOADS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
STORES = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"
PASSES = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
STORED = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"


def shown(said: str) -> dict[str, list[str]]:
    """Returns the cells of a table's lines by the metric's name; fails if a line is too long."""
    assert max(map(len, said.splitlines())) <= 80, said
    rows = re.findall(r"(?m)^\S.{51}((?: +[\d.,-]+)+)\n  (\S+)$", said)
    return {name: cells.split() for cells, name in rows}


@pytest.mark.parametrize(
    "lab, loads, sectors", [("lab1_naive", "70,000", "150,000"), ("lab2_tiled", "8,192", "32,768")]
)
def test_requests_and_sectors_are_those_that_an_h200_has_counted(
    lab: str, loads: str, sectors: str
) -> None:
    said = ended(make("-C", lab, "profile", "SOLUTION=1", seconds=200), 0)
    cells = shown(said)
    assert (cells[LOADS], cells[SECTORS]) == ([loads], [sectors]), said
    assert cells.get(CONFLICTS, ["0"]) == ["0"]
    assert "modelled on an H200, limited by " in said


@pytest.mark.full
def test_a_part_shows_each_kernel_of_its_tests_and_no_time_that_was_not_checked() -> None:
    said = ended(make("-C", "lab2_tiled", "profile", "SOLUTION=1", "PART=banks"), 0)
    assert re.findall(r"(?m)^(\w+), grid", said) == ["transposeKernel", "scaleRowsKernel"], said
    said = ended(make("-C", "lab4_memtypes", "profile", "SOLUTION=1", "PART=constant"), 0)
    assert shown(said)[metrics.TIME] == ["-"] and f"simulated: {metrics.NOT_CHECKED}" in said, said


@pytest.mark.full
def test_a_wrong_kernel_is_profiled_and_named_wrong() -> None:
    words = "-C", "lab1_naive", "profile", "MISTAKE=result_transposed"
    said = ended(make(*words), 2, "The product is wrong, or a test fails: make test says why.")
    assert shown(said)[STORES] == ["350"]


REFUSED = {
    "WIDTH=0": "WIDTH=0: write a whole number from 1 to 512.",
    "SHAPE=1,2": "SHAPE=1,2: write three whole numbers, as in 64,48,32, from 1 to 512.",
    "TEST=xyz": "TEST=xyz: no test of this part has that in its name.",
    "PART=answers": "PART=answers: the questions run nothing; make profile is for .cu files.",
}


@pytest.mark.parametrize("word", REFUSED)
def test_a_wrong_value_is_refused_with_a_sentence(word: str) -> None:
    said = ended(make("-C", "lab1_naive", "profile", "SOLUTION=1", word), 2)
    assert said.splitlines()[0] == REFUSED[word]


def count(**fields: int) -> dict[str, int]:
    names = (
        "requests units conflicts plainUnits distinctBytes repeated repeatedUnits neighbouringUnits"
    )
    return {**dict.fromkeys(names.split(), 0), **fields}


def launch(**more: object) -> metrics.Launch:
    """Returns a launch of a tiled kernel, as the simulated device describes it."""
    return {
        "kernel": "aKernel", "file": "a.cu", "line": 7, "grid": [8, 8, 1], "block": [16, 16, 1],
        "completed": True, "warps": 512, "divergentWarps": 0, "warpsThatFit": 64, "mostWarps": 64,
        "tensorOperations": 0, "card": "an H200", "nanoseconds": 8200, "limitedBy": "latency",
        "globalLoads": count(requests=1000, units=4000, plainUnits=4000, distinctBytes=128000),
        "globalStores": count(requests=100, units=400),
        "sharedLoads": count(requests=800, units=800, repeatedUnits=100, neighbouringUnits=300),
        "sharedStores": count(requests=200, units=200), **more,
    }  # fmt: skip


SOME_REPEATED = count(requests=1000, units=4000, repeated=10, repeatedUnits=40)
# Differences: the launch, the card's count, and the rule that explains it.
EXPLAINED = {
    "fewer loads than a register can save": (launch(), LOADS, 487, "no rule"),
    "at most one less per warp": (launch(), LOADS, 488, "value not used"),
    "as many as one can": (launch(globalLoads=SOME_REPEATED), LOADS, 990, "kept in a register"),
    "one less": (launch(globalLoads=SOME_REPEATED, warps=1), LOADS, 989, "no rule"),
    "more loads": (launch(), LOADS, 1001, "no rule"),
    "more loads of diverged warps": (launch(divergentWarps=9), LOADS, 1001, "branches run apart"),
    "the same word again": (launch(), PASSES, 700, "kept in a register"),
    "half the stores of diverged warps": (launch(divergentWarps=9), STORED, 100, "branches joined"),
    "fewer than half of them": (launch(divergentWarps=9), STORED, 99, "no rule"),
    "words beside each other": (launch(), PASSES, 400, "one wide access"),
    "fewer than both explain": (launch(warps=1), PASSES, 399, "no rule"),
    "no load at all": (launch(warps=1), PASSES, 0, "value not used"),
    "a quarter of the loads of fragments": (launch(tensorOperations=1), LOADS, 250, "fragments"),
    "fewer than that": (launch(tensorOperations=1, warps=1), LOADS, 249, "no rule"),
    "many more passes of fragments": (launch(tensorOperations=1), STORED, 800, "fragments"),
    "even more": (launch(tensorOperations=1), STORED, 801, "no rule"),
    "within 2 %": (launch(), PASSES, 790, None),
    "a few more passes": (launch(), STORED, 250, "L1 was busy"),
    "many more passes": (launch(), STORED, 400, "no rule"),
    "a few conflicts": (launch(), CONFLICTS, 90, "L1 was busy"),
    "other bytes": (launch(), metrics.USED, 70, "no rule"),
    "fewer warps fit": (launch(), metrics.FIT, 62.5, "registers"),
    "more warps fit": (launch(warpsThatFit=32), metrics.FIT, 100, "other limits"),
    "a time": (launch(), metrics.TIME, 4, None),
}


@pytest.mark.parametrize("what", EXPLAINED)
def test_a_difference_is_explained_only_as_far_as_the_counts_allow(what: str) -> None:
    counted, name, there, rule = EXPLAINED[what]
    found = metrics.explained(counted, {name: there})
    assert [one.name for one in found.values()] == ([rule] if rule else [])


def test_as_many_requests_of_diverged_warps_may_have_fewer_sectors() -> None:
    for warps, rule in (9, "rounds lined up"), (0, "no rule"):
        found = metrics.explained(launch(divergentWarps=warps), {LOADS: 1000.0, SECTORS: 3000.0})
        assert [one.name for one in found.values()] == [rule]


def test_a_kernel_that_stores_nothing_on_a_card_may_do_nothing_there() -> None:
    nothing = dict.fromkeys([STORES, STORES.replace("requests", "sectors"), LOADS, STORED], 0.0)
    unused = launch(globalStores=count())
    assert {one.name for one in metrics.explained(unused, nothing).values()} == {"value not used"}
    nothing[STORES] = 1
    assert metrics.explained(unused, nothing)[STORED].name == "no rule"


def test_each_rule_is_among_these_differences_and_fits_the_table() -> None:
    follows = metrics.explained(launch(), {LOADS: 900, metrics.USED: 70})[metrics.USED]
    named = {rule for *_, rule in EXPLAINED.values()} | {follows.name, "rounds lined up"}
    assert named - {None} == {rule.name for rule in (*metrics.RULES, metrics.NO_RULE)}


def test_a_difference_stands_below_its_metric_with_the_rule() -> None:
    card = nsight.Counted("bKernel", (8, 8, 1), (16, 16, 1), {LOADS: 1000.0, PASSES: 400.0})
    said = profile.table("lab2_tiled", launch(), card, True)
    assert shown(said)[LOADS] == ["1,000", "1,000"] and shown(said)[PASSES] == ["800", "400"]
    assert said.count("differs: ") == 1 and f"{PASSES}\n    differs: one wide access. " in said
    assert profile.ENDED in profile.table("lab2_tiled", launch(completed=False), card, True)


def test_of_launches_with_the_same_grid_those_are_paired_that_count_the_same() -> None:
    ours = [launch(globalLoads=count(requests=n)) for n in (5, 6, 6, 7, 8)]
    theirs = [nsight.Counted("k", (8, 8, 1), (16, 16, 1), {LOADS: float(n)}) for n in (5, 6, 8)]
    pairs = profile.paired(ours, theirs)
    assert [card and card.metrics[LOADS] for _, card in pairs] == [5, 6, None, None, 8]
    pairs = profile.paired(ours[1:2], theirs)
    assert [card and card.metrics[LOADS] for _, card in pairs] == [6]


def test_launches_are_paired_by_grid_and_block_in_their_order() -> None:
    ours = [launch(grid=[n, 1, 1], warps=n) for n in (1, 2, 3, 3)]
    theirs = [nsight.Counted("k", (n, 1, 1), (16, 16, 1), {}) for n in (1, 3, 3, 5)]
    pairs = profile.paired(ours, theirs)
    assert [card and card.grid[0] for _, card in pairs] == [1, None, 3, 3]
    assert [one["warps"] for one, _ in profile.chosen(pairs)] == [3, 2]


DETAILS = """==PROF== Connected to process 7
"ID","Kernel Name","Block Size","Grid Size","Section Name","Metric Name","Metric Unit","Metric Value"
"0","void (anonymous namespace)::one<(int)16>(float *)","(8, 4, 1)","(2, 1, 1)","","a__b.sum","","1,234"
"0","void (anonymous namespace)::one<(int)16>(float *)","(8, 4, 1)","(2, 1, 1)","","c__d.pct","%","n/a"
"1","two(float *)","(1, 1, 1)","(1, 1, 1)","","gpu__time_duration.sum","ns","4,500"
==PROF== Disconnected
"""
RAW = """"ID","Kernel Name","Block Size","Grid Size","a__b.sum","gpu__time_duration.sum"
"","","","","","usecond"
"0","two(float *)","(1, 1, 1)","(1, 1, 1)","7","4.50"
"""


def test_both_pages_of_ncu_are_read() -> None:
    time = {metrics.TIME: 4.5}
    two = ("two", (1, 1, 1), (1, 1, 1))
    assert nsight.read(DETAILS) == [
        ("one", (2, 1, 1), (8, 4, 1), {"a__b.sum": 1234.0}),
        (*two, time),
    ]
    assert nsight.read(RAW) == [(*two, {"a__b.sum": 7.0, **time})]
    assert nsight.read("==ERROR== no\n") == []


# Knows all metrics except one, and prints those that it was asked for.
NCU = """#!/bin/sh
case "$*" in *gone__metric*) echo "==ERROR== Failed to find metric gone__metric"; exit 1 ;; esac
printf '"ID","Kernel Name","here__metric.sum"\\n"","",""\\n"0","k(int)","3"\\n'
"""


@pytest.fixture(name="ncu")
def stand_in(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Returns a script that replaces ncu."""
    file = tmp_path / "ncu"
    file.write_text(NCU, encoding="utf-8")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.chdir(ROOT)
    return file


def test_a_metric_that_this_ncu_does_not_know_is_left_out(ncu: pathlib.Path) -> None:
    names = ("here__metric.sum", "gone__metric.sum")
    found = nsight.counted(["program"], f"{ncu}.log", names)
    assert [one.metrics for one in found] == [{"here__metric.sum": 3.0}]


@pytest.mark.parametrize(
    "says, told",
    [
        ("==ERROR== ERR_NVGPUCTRPERM - no", "options nvidia NVreg_RestrictProfilingToAdminUsers=0"),
        ("==ERROR== LibraryNotLoaded", "ncu has counted nothing: LibraryNotLoaded"),
        ("Killed", "ncu has counted nothing: Killed"),
    ],
)
def test_why_the_card_has_counted_nothing_is_said(ncu: pathlib.Path, says: str, told: str) -> None:
    ncu.write_text(f"#!/bin/sh\necho '{says}'\nexit 1\n", encoding="utf-8")
    with pytest.raises(nsight.NoCounts, match=re.escape(told)):
        nsight.counted(["program"], f"{ncu}.log", ["a__b.sum"])


def test_the_check_on_a_card_takes_every_solution_and_the_same_mistakes_for_a_seed() -> None:
    drawn = profile_on_card.programs(2, "a seed")
    names = [one.name for one in drawn]
    files = len(list(ROOT.glob("lab*/*.cu")))
    assert names[:files] == ["solution"] * files == [one for one in names if one == "solution"]
    assert len(drawn) == files + 2 * profile_on_card.SPARE and all(
        (ROOT / one.source).is_file() for one in drawn
    )
    assert drawn == profile_on_card.programs(2, "a seed") != profile_on_card.programs(2, "another")


def test_what_no_rule_explains_fails_the_check_on_a_card(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OUT", str(tmp_path))
    found = profile_on_card.Compared(profile_on_card.Program("lab", "kernel", "solution", "a.cu"))
    card = nsight.Counted("k", (8, 8, 1), (16, 16, 1), {PASSES: 400.0})
    found.add(launch(), card)
    assert profile_on_card.report([found]) == 0
    assert "one wide access: " in capsys.readouterr().out
    card.metrics[LOADS] = 1001.0
    found.add(launch(), card)
    assert profile_on_card.report([found]) == 1
    told = capsys.readouterr().out
    assert f"{LOADS}: simulated 1,000, card 1,001" in told and "0 passed, 1 failed" in told
    assert len((tmp_path / "differences.csv").read_text(encoding="utf-8").splitlines()) == 1 + 3


@pytest.mark.full
def test_on_a_card_both_columns_stand_side_by_side(tmp_path: pathlib.Path) -> None:
    """Uses nvcc, but a fake card and a fake ncu, which reports lab 1's loads."""
    cells = '"0","aKernel(float *)","(16, 16, 1)","(7, 7, 1)","70,000","400,000"'
    head = f'"ID","Kernel Name","Block Size","Grid Size","{LOADS}","{SECTORS}"'
    lines = f'==PROF== Connected\n{head}\n"","","","","request","sector"\n{cells}'
    (tmp_path / "ncu").write_text(f"#!/bin/sh\ncat <<'E'\n{lines}\nE\n", encoding="utf-8")
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\necho 'NVIDIA H200, 9.0, 580.1'\n")
    for name in ("ncu", "nvidia-smi"):
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    words = ("-C", "lab1_naive", "profile", "SOLUTION=1", "DEVICE=gpu", "ARCH=90")
    status, said = make(*words, PATH=path)
    if "there is no nvcc" in said:
        pytest.skip("there is no nvcc")
    assert status == 0 and shown(said)[LOADS] == ["70,000", "70,000"], said
    assert "differs: no rule. No rule explains this difference." in said
    (tmp_path / "ncu").write_text("#!/bin/sh\necho '==ERROR== ERR_NVGPUCTRPERM - no'\nexit 1\n")
    said = ended(make(*words, PATH=path), 2, "options nvidia NVreg_RestrictProfilingToAdminUsers=0")
    assert shown(said)[LOADS] == ["70,000"]
