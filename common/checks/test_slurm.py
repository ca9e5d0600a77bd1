"""Checks the grader's Slurm engine on a cluster of one node, this machine: first with fake tasks,
each of which writes its student's name and the name's length, then with make grade.

The daemons listen on the loopback alone, on ports that are free, keep their files in a folder of
their own, and run as this user. An array has at most three tasks, so that four students need two.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator

import mistakes
import pytest
from calls import ROOT, make_grade, share_build
from slurm import job_array

PROGRAMS = "munged", "slurmctld", "slurmd", "sbatch"
# Debian installs the daemons in a folder that is not on a plain user's PATH.
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"
CONF = """ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
# No control groups, which a plain user may not make.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
KillWait=2
MinJobAge=10
MaxArraySize=4
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class NoCluster(Exception):
    """The cluster does not start; the message says why."""


def missing() -> str:
    """Returns the first program that is not installed, '' if all are."""
    return next((name for name in PROGRAMS if not shutil.which(name, path=PATH)), "")


def until(is_so: Callable[[], bool], seconds: float) -> bool:
    """Waits until a condition holds; tells whether it does."""
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.1)
    return is_so()


def asked(*command: str) -> str:
    """Returns what a Slurm command prints."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
        return done.stdout + done.stderr
    return "no answer"


def free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def configure(folder: pathlib.Path) -> None:
    host = socket.gethostname().partition(".")[0]
    controller, daemon = free_ports()
    user = asked("id", "-un").strip()
    cores = len(os.sched_getaffinity(0))
    (folder / "slurm.conf").write_text(CONF.format(**locals()), encoding="utf-8")
    (folder / "cgroup.conf").write_text("CgroupAutomount=no\nIgnoreSystemd=yes\n", encoding="utf-8")
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o600)
    for name in ("state", "spool"):
        (folder / name).mkdir()


def end_steps(folder: pathlib.Path) -> None:
    """Ends steps that slurmd has lost: their environment names the cluster."""
    for environ in pathlib.Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"SLURM_CONF={folder}/".encode() in environ.read_bytes():
                os.kill(int(environ.parent.name), signal.SIGKILL)


def stop(folder: pathlib.Path, daemons: list[subprocess.Popen]) -> None:
    """Ends jobs first, because they are no children of slurmd."""
    if (folder / "munge.socket").exists():
        asked("scancel", "--user", asked("id", "-un").strip())
        until(lambda: not asked("squeue", "--noheader"), 10)
    for daemon in daemons:
        daemon.terminate()
    for daemon in daemons:
        with contextlib.suppress(subprocess.TimeoutExpired):
            daemon.wait(5)
        daemon.kill()
        daemon.wait()
    end_steps(folder)
    shutil.rmtree(folder, ignore_errors=True)


def start(folder: pathlib.Path, daemons: list[subprocess.Popen]) -> None:
    """Adds the daemons that it starts; raises NoCluster."""

    def daemon(*command: str) -> None:
        with open(folder / f"{command[0]}.out.log", "ab") as log:
            streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
            daemons.append(subprocess.Popen(command, **streams))

    def check(is_so: Callable[[], bool], seconds: float, why: str) -> None:
        if not until(is_so, seconds):
            logs = [path.read_text(errors="replace") for path in sorted(folder.glob("*.log"))]
            last = [line for log in logs for line in log.splitlines()[-2:]]
            raise NoCluster(f"{why}: {' '.join(last)}")

    files = {"socket": "socket", "key-file": "key", "pid-file": "pid", "log-file": "log"}
    places = [f"--{option}={folder}/munge.{end}" for option, end in files.items()]
    seed = f"--seed-file={folder}/munge.seed"
    daemon("munged", "--foreground", "--num-threads=2", *places, seed)
    check((folder / "munge.socket").exists, 5, "munged does not start")
    daemon("slurmctld", "-D", "-c")
    daemon("slurmd", "-D")
    idle = lambda: asked("sinfo", "-h", "-o", "%t").startswith("idle")  # noqa: E731
    check(idle, 20, "the node does not become idle")


pytestmark = [pytest.mark.seconds(100), pytest.mark.full]
if missing():
    pytest.skip(
        f"{missing()} is not installed: apt-get install slurm-wlm munge",
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
    """Starts the cluster; yields its folder."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="one_node."))
    folder.chmod(0o711)  # munge checks that all users may enter
    daemons: list[subprocess.Popen] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(job_array, "SETTLING_SECONDS", 0.5)  # no network file system here
        patch.setattr(job_array, "ANSWER_SECONDS", 5)
        patch.setenv("PATH", PATH)
        patch.setenv("SLURM_CONF", f"{folder}/slurm.conf")
        try:
            configure(folder)
            start(folder, daemons)
            yield folder
        except NoCluster as why:
            pytest.skip(f"no cluster of one node: {why}")
        finally:
            stop(folder, daemons)


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
        until(lambda: group.is_done(CLASS[1]), 20)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        group.grade()
    signal.signal(signal.SIGINT, before)
    waiting = ["squeue", "--noheader", "--states=PENDING,RUNNING"]
    assert until(lambda: asked(*waiting) == "", 10), asked(*waiting)
    assert group.is_done("anna") and not group.is_done("chloe")


def refusal(folder: pathlib.Path, **more: int) -> str:
    """Returns the message about a class that is not graded, on one line."""
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
def test_without_slurm_a_sentence_says_so(
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
