"""Checks that every command shown for a card compiles and links here what a card would run."""

import os
import sys

import pytest
from calls import call, make
from command_runs import there_is

pytestmark = pytest.mark.seconds(130)


def test_every_command_for_a_card_compiles_and_links_what_it_would_run() -> None:
    if not there_is("cuda.sh", "nvcc"):
        pytest.skip("there is no nvcc")
    status, said = call(sys.executable, "common/checks/on_card.py", "--compile-only")
    if status != 0:
        pytest.fail(said, pytrace=False)


def test_without_nvcc_compiling_for_a_card_ends_with_a_sentence() -> None:
    folders = [one for one in os.environ["PATH"].split(":") if not os.path.exists(f"{one}/nvcc")]
    words = ("-C", "lab1_naive", "test", "DEVICE=gpu", "COMPILE_ONLY=1")
    status, said = make(*words, PATH=":".join(folders), CUDA_HOME="/nowhere")
    assert status == 2 and "DEVICE=gpu: there is no nvcc; install the CUDA toolkit" in said, said
