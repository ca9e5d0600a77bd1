"""Checks the grader's Slurm engine on a cluster of one node: with tasks that stand in for the
grader's, each of which writes its student's name and the name's length, then with make grade."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
from typing import Iterator

import mistakes
import one_node
import pytest
from command_runs import make_grade, share_build
from shown_commands import ROOT

sys.path.append(str(ROOT / "common/grading"))
from slurm import job_array  # noqa: E402

pytestmark = [pytest.mark.seconds(100), pytest.mark.full]
if one_node.missing():
    pytest.skip(
        f"{one_node.missing()} is not installed: apt-get install slurm-wlm munge",
        allow_module_level=True,
    )

STAND_IN = """
import json, os, sys, time
name, result, mishap = sys.argv[1:]
if mishap == "slow":
    time.sleep(60)
if mishap == "dies":
    print("cannot go on")
    sys.exit(3)
os.makedirs(os.path.dirname(result), exist_ok=True)
with open(result + ".new", "w") as file:
    json.dump({"student": name, "score": len(name)}, file)
os.replace(result + ".new", result)
"""
CLASS = ["anna", "bert ' $HOME quote", "chloe", "dmitri \u00e4"]


@pytest.fixture(scope="module", autouse=True, name="node")
def cluster_of_one_node() -> Iterator[pathlib.Path]:
    """Takes arrays of at most three, so that four students need two; yields the node's folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(job_array, "SETTLING_SECONDS", 0.5)  # no network file system here
        patch.setattr(job_array, "ANSWER_SECONDS", 5)
        try:
            with one_node.cluster(array=4) as folder:
                yield folder
        except one_node.NoCluster as why:
            pytest.skip(f"no cluster of one node: {why}")


class Class:
    """A class in a folder, with mishaps for some students."""

    def __init__(self, folder: pathlib.Path, **mishaps: str) -> None:
        self.folder, self.mishaps = folder, mishaps
        self.told: list[tuple] = []

    def result_of(self, name: str) -> pathlib.Path:
        return self.folder / "students" / name / "result.json"

    def is_done(self, name: str) -> bool:
        return self.result_of(name).exists()

    def todo(self) -> dict[str, list[str]]:
        left = {name: self.result_of(name) for name in CLASS if not self.is_done(name)}
        begin, mishaps = [sys.executable, "-c", STAND_IN], self.mishaps
        return {name: [*begin, name, str(it), mishaps.get(name, "")] for name, it in left.items()}

    def grade(self, **more: int) -> dict[str, str]:
        arguments = {"jobs": 2, "seconds": 30, "tell": lambda *said: self.told.append(said)} | more
        return job_array.grade(self.todo(), self.folder, self.is_done, **arguments)

    def table(self) -> list[dict]:
        paths = sorted(self.folder.glob("students/*/result.json"))
        return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def test_a_class_is_graded_in_arrays_of_at_most_three(tmp_path: pathlib.Path) -> None:
    group, here = Class(tmp_path), Class(tmp_path / "here")
    assert group.grade(memory_mib=50) == {}
    assert any(done for done, _ in group.told), group.told
    for command in here.todo().values():
        subprocess.run(command, check=True)
    assert group.table() == here.table() and len(group.table()) == len(CLASS)
    assert len(list(tmp_path.glob("slurm/students-*.json"))) == 2


def test_a_task_that_dies_costs_its_students_result_alone_is_named_and_resumes(
    tmp_path: pathlib.Path,
) -> None:
    group = Class(tmp_path, chloe="dies")
    missing = group.grade()
    assert list(missing) == ["chloe"] and missing["chloe"].startswith("cannot go on"), missing
    assert len(group.table()) == 3
    group.mishaps = {}
    assert list(group.todo()) == ["chloe"] and group.grade() == {}
    assert len(group.table()) == 4


def test_ctrl_c_cancels_the_array_and_keeps_the_results_that_are_there(
    tmp_path: pathlib.Path,
) -> None:
    group = Class(tmp_path, chloe="slow")

    def press() -> None:
        one_node.until(lambda: group.is_done(CLASS[1]), 20)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        group.grade()
    signal.signal(signal.SIGINT, before)
    waiting = ["squeue", "--noheader", "--states=PENDING,RUNNING"]
    assert one_node.until(lambda: one_node.asked(*waiting) == "", 10), one_node.asked(*waiting)
    assert group.is_done("anna") and not group.is_done("chloe")


def refusal(folder: pathlib.Path, **more: int) -> str:
    """Returns what is said of a class that is not graded, on one line."""
    with pytest.raises(job_array.SlurmError) as error:
        Class(folder).grade(**more)
    lines = str(error.value).splitlines()
    assert [line for line in lines if len(line) >= 80 and "/" not in line] == []  # of a path
    return " ".join(lines)


def test_what_the_queue_refuses_is_said_with_sbatchs_reason(tmp_path: pathlib.Path) -> None:
    said = refusal(tmp_path, memory_mib=10**9)
    assert "sbatch refuses the job: " in said and "a smaller MEMORY_GB" in said, said


def test_a_partition_that_there_is_not_is_named_in_the_teachers_words(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SBATCH_PARTITION", "nosuch")
    assert "there is no such partition" in refusal(tmp_path)


@pytest.mark.parametrize("words", ["no sbatch here", "does not answer", "there is no such file"])
def test_where_slurm_is_not_there_a_sentence_says_so(
    words: str, node: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conf = (node / "slurm.conf").read_text(encoding="utf-8")
    other = conf.replace("SlurmctldPort=", "SlurmctldPort=1")
    (tmp_path / "slurm.conf").write_text(other, encoding="utf-8")
    name, value = {
        "no sbatch here": ("PATH", tmp_path),
        "does not answer": ("SLURM_CONF", tmp_path / "slurm.conf"),
        "there is no such file": ("SLURM_CONF", tmp_path / "none.conf"),
    }[words]
    monkeypatch.setenv(name, str(value))
    assert words in refusal(tmp_path)


# --- make grade ---

LAB = "lab1_naive"
WORDS = "LABS=lab1", "SEED=pomegranate", "MEMORY_GB=0.5", "JOBS=2"


class Graded:
    """Four students and one lab, graded by the local engine and by Slurm's."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.submissions, self.local, self.slurm = (folder / it for it in ("in", "local", "slurm"))
        for student in ("anna", "bert o'neil", "chloe", "dmitri"):
            (self.submissions / student / LAB).mkdir(parents=True)
        anna, bert, chloe = (
            self.submissions / student / LAB for student in ("anna", "bert o'neil", "chloe")
        )
        shutil.copy(ROOT / "solutions" / LAB / "kernel.cu", anna)
        for skeleton in (ROOT / LAB).glob("*.cu"):
            shutil.copy(skeleton, bert)
        shutil.copy(mistakes.make(*mistakes.found(LAB, "kernel", "no_guard")), chloe / "kernel.cu")
        share_build(ROOT)
        self.grade(self.local)
        self.grade(self.slurm, "ENGINE=slurm")

    def grade(self, out: pathlib.Path, *words: str) -> None:
        done = make_grade(self.submissions, out, *WORDS, *words)
        assert done.returncode == 0, done.stdout

    def tables(self) -> list[str]:
        return [(out / "grades.csv").read_text("utf-8") for out in (self.local, self.slurm)]


@pytest.fixture(scope="module", name="graded")
def graded_by_both(node: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> Graded:
    return Graded(tmp_path_factory.mktemp("slurm"))


def test_make_grade_on_slurm_gives_the_same_table_as_the_local_engine(graded: Graded) -> None:
    local, slurm = graded.tables()
    assert slurm == local


def test_the_secret_seed_is_in_no_file_for_the_nodes_but_its_own(
    graded: Graded, node: pathlib.Path
) -> None:
    files = [path for top in (graded.slurm / "slurm", node) for path in top.rglob("*")]
    read = [path for path in files if path.is_file()]
    assert read and [path for path in read if b"pomegranate" in path.read_bytes()] == []


def test_a_second_run_grades_only_those_without_a_result_and_merges_all(graded: Graded) -> None:
    shutil.rmtree(graded.slurm / "students/chloe")
    graded.grade(graded.slurm, "ENGINE=slurm")
    local, slurm = graded.tables()
    assert slurm == local
    assert (graded.slurm / "slurm/students-1.json").read_text("utf-8").count('"-m"') == 1
