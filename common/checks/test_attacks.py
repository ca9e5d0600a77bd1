"""Checks that attacks on the grader, handed in among other submissions, gain no point and are told
to the teacher: each is graded as any submission is.

ATTACKS=all tries all of them, not a sample, which takes half an hour, and checks that the teacher
is told nothing of honest submissions.
"""

import os
import shutil
import subprocess
from typing import Iterator

import attacks
import honest
import mistakes
import pytest
from command_runs import grader_alone, make_grade, share_build
from shown_commands import ROOT

pytestmark = pytest.mark.seconds(300)
HERE, TOP = ROOT / attacks.ATTACKS, ROOT / "build/check/attacks"
ALL = os.environ.get("ATTACKS") == "all"
SAMPLE = """exits_in_a_call prints_to_descriptors deletes_files forks_by_computed_address
    closes_the_streams looks_for_the_solution renames_the_tests pragma_in_a_macro
    computes_on_the_host launders_by_fma functions_of_the_library computes_behind_a_store"""
# Limits that end what would not end by itself soon.
LIMITS = "MEMORY_GB=1", "BUILD_SECONDS=30", "RUN_SECONDS=15"


def files() -> list[str]:
    """Returns the attacks to try, below HERE."""
    if not ALL:
        return [f"lab1_naive/{name}.cu" for name in SAMPLE.split()]
    kernels = [path for path in HERE.rglob("*.cu") if path.parent.name != "bases"]
    answers = HERE.rglob("lab*/*.h")
    return sorted(str(path.relative_to(HERE)) for path in [*kernels, *answers])


TRIED = {name: attacks.Attack(str(HERE / name)) for name in files()}


def graded(name: str, hand_in, *words: str) -> subprocess.CompletedProcess:
    """Grades what hand_in() writes to a folder."""
    labs = hand_in(TOP / name)
    words = f"LABS={' '.join(labs)}", "SEED=attacked", *words
    with grader_alone():
        share_build(ROOT)
        return make_grade(TOP / name, TOP / f"{name}.out", *words)


@pytest.fixture(scope="module", name="ended")
def grade_attacks() -> Iterator[subprocess.CompletedProcess]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        shutil.rmtree(TOP, ignore_errors=True)
        tried = list(TRIED.values())
        yield graded("attacks", lambda folder: attacks.hand_in(folder, tried), *LIMITS)


def test_a_class_with_attacks_is_graded(ended: subprocess.CompletedProcess) -> None:
    assert ended.returncode == 0, ended.stdout


@pytest.mark.parametrize("attack", TRIED)
def test_an_attack_gains_nothing_and_is_told_to_the_teacher(attack: str, ended) -> None:
    wrong = attacks.wrong_with(TRIED[attack], TOP / "attacks.out")
    if wrong:
        pytest.fail(f"the attack {attack} {wrong}", pytrace=False)


if ALL:

    def test_of_honest_submissions_the_teacher_is_told_nothing(ended) -> None:
        mistakes.make_all()
        done = graded("honest", honest.hand_in)
        assert done.returncode == 0, done.stdout
        assert honest.told(TOP / "honest.out") == {}
