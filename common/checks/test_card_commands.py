"""Checks that every command shown for a card compiles and links here what a card would run."""

import os
import subprocess
import sys

import pytest
from command_runs import there_is
from shown_commands import ROOT, run

pytestmark = pytest.mark.seconds(130)


def test_every_command_for_a_card_compiles_and_links_what_it_would_run() -> None:
    if not there_is("cuda.sh", "nvcc"):
        pytest.skip("there is no nvcc")
    command = [sys.executable, "common/checks/on_card.py", "--compile-only"]
    done = run(command, ROOT)
    if done.returncode != 0:
        pytest.fail(done.stdout + done.stderr, pytrace=False)


def test_without_nvcc_compiling_for_a_card_ends_with_a_sentence() -> None:
    folders = [one for one in os.environ["PATH"].split(":") if not os.path.exists(f"{one}/nvcc")]
    done = subprocess.run(
        ["make", "-C", "lab1_naive", "test", "DEVICE=gpu", "COMPILE_ONLY=1"],
        cwd=ROOT,
        env={"PATH": ":".join(folders), "CUDA_HOME": "/nowhere"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "DEVICE=gpu: there is no nvcc; install the CUDA toolkit" in done.stderr
