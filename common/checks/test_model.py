"""Checks the modelled time of a card: against the times of an H200, and where students see it.
Needs the build of `make test`."""

import csv
import functools
import re
import statistics
import sys

import pytest
from calls import ROOT, call, ended, rules

sys.path.append(str(ROOT / "solutions/model"))
import card_table  # noqa: E402

pytestmark = pytest.mark.full

LABS = ("lab1", "lab2", "lab3")
Key = tuple[str, str, str]


def key(row: dict[str, str]) -> Key:
    return row["lab"], row["kernel"], row["size"]


@functools.cache
def modelled() -> dict[Key, dict[str, str]]:
    status, said = call("build/modelled", *LABS)
    assert status == 0, said
    return {key(row): row for row in csv.DictReader(said.splitlines())}


def measured() -> dict[Key, dict[str, str]]:
    rows = card_table.read(ROOT / "solutions/model/results/h200.csv")
    return {key(row): row for row in rows if row["lab"] in LABS}


@pytest.mark.seconds(20)
def test_each_launch_of_the_cases_was_measured_and_half_are_within_a_tenth() -> None:
    beside = measured()
    assert set(beside) == set(modelled())
    times = {one: float(row["microseconds"]) for one, row in modelled().items()}
    errors = [abs(times[one] / float(row["microseconds"]) - 1) for one, row in beside.items()]
    assert statistics.median(errors) < 0.1 and max(errors) < 0.6, sorted(errors)


def test_what_limits_a_kernel_of_labs_1_to_3_is_what_the_cards_profile_shows() -> None:
    wrong = []
    for one, row in measured().items():
        shown, said = card_table.limit(row), modelled()[one]["limit"]
        idle = shown.startswith("no unit") and said in ("latency", "starting blocks")
        if said != shown and not idle:
            wrong.append((one, said, shown))
    assert wrong == []


def test_the_table_of_the_model_is_what_it_says_today() -> None:
    told = (ROOT / "solutions/model/results/h200.md").read_text(encoding="utf-8")
    rows = [line for line in told.splitlines() if re.match(r"\| lab[123] ", line)]
    again = card_table.table(list(measured().values()), list(modelled().values()))
    assert rows == [line for line in again.splitlines() if re.match(r"\| lab[123] ", line)]


def report(*words: str) -> str:
    return ended(rules("lab2_tiled", "SOLUTION=1", "run", *words, seconds=120), 0, "verdict  ok")


def test_a_report_shows_the_modelled_time_and_its_limit_and_no_time_of_the_simulation() -> None:
    said = report()
    found = re.search(
        r"\n  modelled on an H200: ([\d.]+) us, limited by ([a-zL2 ]+)\n    parts: \2 ([\d.]+), ",
        said,
    )
    assert found and float(found[1]) == pytest.approx(float(found[3]) + 2.5, abs=0.1), said
    assert " ms" not in said, said
    assert "modelled on a V100: " in report("PROFILE=v100")
    assert "modelled" not in report("CHECKS=counters")


def test_a_lab_whose_times_were_not_checked_shows_a_dash_and_the_reason() -> None:
    lab4 = ("lab4_memtypes", "SOLUTION=1", "run")
    said = ended(rules(*lab4, seconds=120), 0, "modelled time: - (it was checked for labs 1 to 3")
    assert "modelled on" not in said, said
    assert ended(rules(*lab4, "ARGS=--brief", seconds=120), 0).endswith("  -\n")
    words = f"ARGS=--set {ROOT}/build/datasets/square-016-integers --table"
    last = ended(rules(*lab4, words, seconds=120), 0).splitlines()[-2:]
    assert last[0].endswith("  -") and last[1].startswith("The modelled time is missing: "), last


def test_the_naive_kernel_takes_longer_than_the_tiled_one_for_the_same_product() -> None:
    sets = ROOT / "build/check/model_sets"
    ended(call("build/generate", "--out", str(sets)), 0)
    times = []
    for lab in ("lab1_naive", "lab2_tiled"):
        brief = f"ARGS=--set {sets}/square-256-integers --brief"
        said = ended(rules(lab, "SOLUTION=1", "run", brief, seconds=120), 0, " us, limited by ")
        line = said.splitlines()[-1]
        assert line.startswith(lab) and len(line) <= 80, said
        times.append(float(re.findall(r"([\d.]+) us", line)[0]))
    assert times[0] > times[1]
