"""Checks that what a machine withholds is no verdict on a kernel: lab 1's solution, run where the
system starts no further thread, or has no address space left."""

import os
import pathlib
import shutil
import tempfile
from typing import Iterator

import pytest
from calls import ROOT, call, rules


@pytest.fixture(scope="module", name="tests")
def test_program() -> Iterator[str]:
    """Returns the path of a copy, as another user may not look into this checkout."""
    status, said = rules("lab1_naive", "-s", "SOLUTION=1", "PART=kernel", "tests_program")
    assert status == 0, said
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        shutil.copy(ROOT / said.splitlines()[-1], f"{folder}/tests")
        for path in (folder, f"{folder}/tests"):
            os.chmod(path, 0o755)
        yield f"{folder}/tests"


def ends(*command: str) -> tuple[int, str]:
    """Returns the exit status of a command and its last line."""
    status, said = call(*command, folder=pathlib.Path("/"), seconds=60)
    return status, (said.splitlines() or [""])[-1]


@pytest.fixture(name="user")
def command_for_a_user() -> list[str]:
    """Returns what to put before a command: no limit of processes holds for root, and it is a
    user's, whatever else of theirs runs."""
    if os.getuid() != 0:
        return []
    user = ["setpriv", "--reuid", "64321", "--regid", "64321", "--clear-groups"]
    if call(*user, "true", folder=pathlib.Path("/"))[0] != 0:
        pytest.skip("root cannot become another user here")
    return user


def test_without_address_space_there_is_one_sentence_and_status_2(tests: str) -> None:
    status, last = ends("bash", "-c", 'ulimit -v 300000; exec "$0"', tests)
    assert status == 2 and "raise the limit (ulimit -v)" in last


def test_without_a_thread_there_is_one_sentence_and_status_2(tests: str, user: list[str]) -> None:
    status, last = ends(*user, "prlimit", "--nproc=1", tests)
    assert status == 2 and "raise the limit on processes (ulimit -u)" in last


def test_with_one_thread_for_the_blocks_and_one_for_the_watchdog_the_solution_passes(
    tests: str, user: list[str]
) -> None:
    if not user:
        pytest.skip("only root can give a user no other process")
    status, last = ends(*user, "prlimit", "--nproc=2", tests)
    assert status == 0 and " passed, 0 failed" in last
