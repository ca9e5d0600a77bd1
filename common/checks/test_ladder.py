"""Checks that the ladder's rungs are right on the simulated device, including asynchronous copies
and blocks that wait for one another: the card's own race checker does not finish on them."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
from program_runs import call, cusim, write
from run_report import ROOT

LADDER = ROOT / "solutions/lab4_memtypes/ladder"
sys.path[:0] = [str(LADDER), str(LADDER / "tried")]
import choices  # noqa: E402
import tried  # noqa: E402

pytestmark = pytest.mark.full

RIGHT = re.compile(r"^(\w+) .*: 0 wrong, 0 differ$", re.MULTILINE)
NO_COPIES = "no asynchronous copies before compute capability 8.0; a card runs plain ones"
# Launches rung 9.
MAIN = """
int main() {
    float* all;
    cudaMalloc(&all, 3 * 128 * 128 * sizeof(float));
    cudaMemset(all, 0, 3 * 128 * 128 * sizeof(float));
    launch(all, all + 128 * 128, all + 2 * 128 * 128, 67, 37, 75);
    cudaFree(all);
}
"""


def simulated(device: str, *which: str) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [str(ROOT / "build/simulated_ladder"), *which],
        env={**os.environ, "CUSIM_PROFILE": device},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.mark.seconds(12)
def test_each_rung_is_right_and_free_of_races_on_the_simulated_device() -> None:
    done = simulated("h200")
    run = set(RIGHT.findall(done.stdout))
    rungs = {path.stem for path in LADDER.glob("[0-9]*.cu")}
    assert run >= rungs and len(run - rungs) == 24, done.stdout
    assert done.stderr == ""


@pytest.mark.seconds(8)
def test_a_copy_that_no_thread_waits_for_is_found_whatever_the_device(
    tmp_path: pathlib.Path,
) -> None:
    right = (LADDER / "09_async_copies.cu").read_text(encoding="utf-8")
    early = right.replace("__pipeline_wait_prior(kStages - 2)", "__pipeline_wait_prior(kStages)")
    assert early != right
    write(tmp_path, right_cu=right + MAIN, early_cu=early + MAIN)
    for name in ("right", "early"):
        done = cusim(tmp_path, f"-I{LADDER}", f"{name}.cu", "-o", name)
        assert done.returncode == 0, done.stderr
        for device in ("default", "h200"):
            told = call(str(tmp_path / name), cwd=tmp_path, CUSIM_PROFILE=device).stderr
            found = "race on Nds (shared): this line reads what the asynchronous copy" in told
            assert found == (name == "early"), told


def test_a_rung_says_what_a_device_lacks_and_what_runs_instead() -> None:
    lacks = "tiles take 74496 bytes, a block has 65536 here;"
    done = simulated("turing", "fallback")
    assert done.stderr == (
        f"09_async_copies: {NO_COPIES}\n"
        f"11_split_k: {lacks} 09_async_copies runs\n"
        f"12_stream_k: {lacks} 09_async_copies runs\n"
        f"14_chosen: {lacks} smaller ones run\n"
        f"10_tuned: {lacks} smaller ones run\n"
    )
    assert len(RIGHT.findall(done.stdout)) == 5
    assert simulated("default", "fallback").stderr == "".join(
        f"{rung}: {NO_COPIES}\n"
        for rung in ("09_async_copies", "11_split_k", "12_stream_k", "14_chosen", "10_tuned")
    )
    assert simulated("h200", "fallback").stderr == ""


def test_the_page_names_what_the_last_rung_chooses_and_the_times_that_it_expects() -> None:
    page = (LADDER / "README.md").read_text(encoding="utf-8")
    assert choices.table() in page, f"run {LADDER}/choices.py"
    shares = [expected / took for *_, expected, took in choices.chosen()]
    assert len(shares) == 50 and all(0.5 < share < 1.25 for share in shares)


def test_what_was_tried_on_rung_10_applies_to_it_and_stands_on_the_page() -> None:
    page = (LADDER / "README.md").read_text(encoding="utf-8")
    for name in tried.names():
        assert tried.patched(name) and f"| {tried.title(name)} |" in page, name
