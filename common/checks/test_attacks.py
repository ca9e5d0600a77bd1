"""Checks that attacks on the grader, submitted among other submissions, gain no point and are
reported to the teacher: each is graded like any submission.

ATTACKS=all tries all of them instead of a sample, which takes half an hour, and checks that the
teacher gets no remarks on honest submissions.
"""

import os
import shutil
import subprocess
from typing import Iterator

import attacks
import honest
import mistakes
import pytest
from calls import ROOT, make_grade, share_build
from grade import landlock

pytestmark = [pytest.mark.seconds(70), pytest.mark.full]
HERE, TOP = ROOT / attacks.ATTACKS, ROOT / "build/check/attacks"
ALL = os.environ.get("ATTACKS") == "all"
SAMPLE = """exits_in_a_call prints_to_descriptors deletes_files forks_by_computed_address
    closes_the_streams looks_for_the_solution renames_the_tests pragma_in_a_macro
    computes_on_the_host launders_by_fma functions_of_the_library computes_behind_a_store
    throws_anothers_file spells_the_hidden_tests asserts_at_anothers_line
    asks_for_a_file_by_a_macro"""
# Limits for submissions that would not end soon by themselves.
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
    share_build(ROOT)
    return make_grade(TOP / name, TOP / f"{name}.out", *words)


READERS = [name for name, attack in TRIED.items() if attack.said("Never")]


@pytest.fixture(scope="module", name="ended")
def grade_attacks() -> Iterator[subprocess.CompletedProcess]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        shutil.rmtree(TOP, ignore_errors=True)
        if ALL:  # some of them start from a mistake
            mistakes.make_all()
        tried = list(TRIED.values())
        yield graded("attacks", lambda folder: attacks.hand_in(folder, tried), *LIMITS)


@pytest.fixture(scope="module", name="beside")
def grade_without_bubblewrap(ended) -> subprocess.CompletedProcess:
    """Grades the attacks that read other files, without bubblewrap to hide these."""
    if not landlock.version():
        pytest.skip("this kernel has no Landlock")
    tried = [TRIED[name] for name in READERS]
    words = *LIMITS, "SANDBOX=landlock"
    return graded("readers", lambda folder: attacks.hand_in(folder, tried), *words)


def test_a_class_with_attacks_is_graded(ended: subprocess.CompletedProcess) -> None:
    assert ended.returncode == 0, ended.stdout
    assert "SEED= on make's command line can be read by every user" in ended.stdout


@pytest.mark.parametrize("attack", TRIED)
def test_an_attack_gains_nothing_and_is_reported_to_the_teacher(attack: str, ended) -> None:
    wrong = attacks.wrong_with(TRIED[attack], TOP / "attacks.out")
    if wrong:
        pytest.fail(f"the attack {attack} {wrong}", pytrace=False)


@pytest.mark.parametrize("attack", READERS)
def test_without_bubblewrap_an_attack_reads_nothing(attack: str, beside) -> None:
    assert attacks.wrong_with(TRIED[attack], TOP / "readers.out") == ""


def test_what_a_submission_links_to_is_not_read(ended) -> None:
    assert attacks.result_of(TOP / "attacks.out", attacks.LINKED)["score"] == 0
    feedback = TOP / "attacks.out/students" / attacks.LINKED / "feedback.md"
    assert attacks.VICTIMS_WORD not in feedback.read_text(encoding="utf-8")


if ALL:

    def test_honest_submissions_get_no_remarks(ended) -> None:
        done = graded("honest", honest.hand_in)
        assert done.returncode == 0, done.stdout
        assert honest.told(TOP / "honest.out") == {}
