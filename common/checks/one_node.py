"""Starts a Slurm cluster of one node, this machine. Its daemons listen on the loopback alone, on
ports that are free, keep their files in a folder of their own, and run as this user."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from unittest import mock

PROGRAMS = "munged", "slurmctld", "slurmd", "sbatch"
# Debian keeps the daemons where a plain user does not look.
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
MaxArraySize={array}
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class NoCluster(Exception):
    """The cluster does not start; says why."""


def missing() -> str:
    """Returns the first program that is not installed, '' where all are."""
    return next((name for name in PROGRAMS if not shutil.which(name, path=PATH)), "")


def until(is_so: Callable[[], bool], seconds: float) -> bool:
    """Waits until something is so; returns whether it is."""
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


def configure(folder: pathlib.Path, array: int) -> None:
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
    """Ends steps that slurmd has not seen end: their environment names the cluster."""
    for environ in pathlib.Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"SLURM_CONF={folder}/".encode() in environ.read_bytes():
                os.kill(int(environ.parent.name), signal.SIGKILL)


def stop(folder: pathlib.Path, daemons: list[subprocess.Popen]) -> None:
    """Ends jobs first, as they are no children of slurmd's."""
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


@contextlib.contextmanager
def cluster(array: int = 1001) -> Iterator[pathlib.Path]:
    """Starts the cluster for the commands of this process, with arrays that are shorter than this;
    yields its folder. Raises NoCluster."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="one_node."))
    folder.chmod(0o711)  # munge checks that all may enter
    daemons: list[subprocess.Popen] = []
    with mock.patch.dict(os.environ, PATH=PATH, SLURM_CONF=f"{folder}/slurm.conf"):
        try:
            configure(folder, array)
            start(folder, daemons)
            yield folder
        finally:
            stop(folder, daemons)
