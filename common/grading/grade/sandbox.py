"""Builds and runs submissions apart from the teacher's files, within limits.

With bubblewrap a command sees the system's programs, the course (read-only) and its own folder; it
has no network and its own process IDs. With Landlock it can open no other files either. If the
grader is root, each worker's commands run as a user of their own. Without all three, only the
kernel's limits apply, and the teacher must ask for that.
"""

import atexit
import contextlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field

from . import landlock, processes, users

# The same in the sandbox and for what is built for it: with a compiler cache on one PATH only, make
# would decide differently in the two.
PATH = "/usr/local/bin:/usr/bin:/bin"
ENVIRONMENT = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": "/tmp"}

HERE = os.path.dirname(os.path.abspath(__file__))
SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
ETC = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
# Without bubblewrap a command gets these from the system, as far as they are there.
SEEN = (
    *("/usr", "/sys/devices/system/cpu", "/proc/self"),
    *(f"/dev/{name}" for name in ("zero", "random", "urandom")),
)
# A command on a busy machine may take so many times the seconds that it may be busy or sleep.
MOST_WALL = 4
# Tells confine.py that all around the command has been set up, and becomes the command.
BEGIN = [
    *("/bin/sh", "-c"),
    'eval "echo >&$BEGUN_FD; exec $BEGUN_FD>&-"; unset BEGUN_FD; exec "$@"',
    "sh",
]


@dataclass
class Limits:
    build_seconds: float = 60
    run_seconds: float = 60
    sleep_seconds: float = 6  # of a submission in all, while no thread of it runs or wants to
    memory: int = 4 << 30
    processes: int = 256
    file_bytes: int = 256 << 20
    output_bytes: int = 64 << 10
    record_bytes: int = 256 << 20
    folder_bytes: int = 256 << 20

    def wall_seconds(self, files):
        """Returns how long a submission of so many files may take on a busy machine: each may be
        judged twice, by a build, a run, and the run that gives the verdict."""
        return MOST_WALL * 2 * files * (self.build_seconds + 2 * self.run_seconds)


@dataclass
class Outcome:
    """The report of confine.py; `stopped` is empty if the command ended by itself."""

    status: int = 2
    stopped: str = ""
    began: bool = True  # the sandbox stood, and the command was called
    seconds: float = 0.0
    own_seconds: float = 0.0  # that it was busy or slept, at the last look
    slept: float = 0.0
    output_cut: bool = False
    stragglers: int = 0
    output: str = ""


@dataclass
class Job:
    command: list
    seconds: float
    writable: list = field(default_factory=list)  # folders
    readable: list = field(default_factory=list)  # folders and files
    covered: list = field(default_factory=list)  # in readable folders, and cannot be read
    cwd: str = "/tmp"
    env: dict = field(default_factory=dict)
    record: str = ""  # file that receives what the command writes to LAB_RECORD_FD
    sleep_seconds: float = 0  # at most, see Limits; 0: as many as there are
    devices: list = field(default_factory=list)  # of a card; no other devices
    address_space: int = 0  # 0: no limit, as the simulator reserves far more than it uses


SAYS = {
    "bubblewrap": "bubblewrap: a submission sees the course and its own folder, has no\n"
    "network and processes of its own",
    "landlock": "Landlock: a submission reads the course and its own folder alone; that\n"
    "other files are there can be seen. Install bubblewrap for more",
    "users": "submissions run as users of their own, and read what any user may read.\n"
    "Install bubblewrap for more",
    "limits": "the kernel's limits alone, as SANDBOX=limits asks: a submission could read\n"
    "your files and those of others. Install bubblewrap for more",
}


class SandboxFailed(RuntimeError):
    """A command has not been started as it should: that says nothing about a submission."""


class Sandbox:
    def __init__(self, limits, kind, folder):
        self.limits, self.kind = limits, kind
        self.bubblewrap = kind == "bubblewrap"
        # Replaces a file that a submission may not read. Its time is older than all builds, for
        # make.
        self.empty = os.path.join(folder, "empty")
        with open(self.empty, "w", encoding="ascii"):
            os.utime(self.empty, (0, 0))
        self.root = os.geteuid() == 0

    def describe(self):
        return SAYS[self.kind]

    def _system(self, devices):
        args = ["--ro-bind", "/usr", "/usr", "--dir", "/etc"]
        for path in SYSTEM:
            if os.path.islink(path):
                args += ["--symlink", os.readlink(path), path]
            elif os.path.isdir(path):
                args += ["--ro-bind", path, path]
        for path in ETC:
            args += ["--ro-bind-try", path, path]
        args += ["--proc", "/proc", "--dev", "/dev"]
        for path in devices:
            args += ["--dev-bind", path, path]
        if devices:
            # The driver reads the card's place on the bus from /sys.
            args += ["--ro-bind", "/sys", "/sys"]
        args += ["--remount-ro", "/dev"]
        return args + f"--perms 1777 --size {self.limits.folder_bytes} --tmpfs /tmp".split()

    def _bubblewrap(self, job, uid):
        args = [shutil.which("bwrap"), "--new-session", "--die-with-parent"]
        args += [f"--unshare-{what}" for what in ("ipc", "pid", "net", "uts", "cgroup-try")]
        inner = []
        if self.root:
            # Root's rights end in the sandbox; a limit on processes would not apply to root.
            args += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
            inner = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
            inner += ["--inh-caps=-all", "--"]
        else:
            args += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
        # Since Linux 5.14 processes are counted in each user namespace apart.
        version = [int(number) for number in re.findall(r"\d+", platform.release())[:2]]
        if (self.root or version >= [5, 14]) and shutil.which("prlimit"):
            inner = ["prlimit", f"--nproc={self.limits.processes}", "--", *inner]
        args += self._system(job.devices)
        # By default only their owner could enter the folders above.
        paths = job.readable + job.writable
        ways = {str(way) for path in paths for way in pathlib.Path(path).parents}
        for way in sorted(ways - {"/", "/usr", "/tmp"}):
            args += [] if way.startswith("/usr/") else ["--dir", way]
        for path in job.readable:
            args += ["--ro-bind", path, path]
        for path in job.writable:
            args += ["--bind", path, path]
        for path in job.covered:
            args += ["--tmpfs", path] if os.path.isdir(path) else ["--ro-bind", self.empty, path]
        args += ["--remount-ro", "/", "--chdir", job.cwd]
        return [*args, "--", *inner, *BEGIN, *job.command]

    def _landlock(self, job):
        """Returns the rules by which a command opens files."""
        system = [path for path in (*SYSTEM, *ETC, *SEEN) if os.path.exists(path)]
        written = [*job.writable, *job.devices, "/dev/null", "/dev/full"]
        if job.devices:
            # The driver of a card reads its place on the bus, and names its threads.
            system += ["/proc", "/sys"]
            written.append("/proc/self")
        return landlock.rules([*system, *job.readable], written, job.covered)

    def run(self, job, worker, log, started=lambda end: None):
        """Runs a command as this worker's, with its output in the file log. Calls started(end) when
        it runs; calling `end` ends the command. Raises SandboxFailed where it has not begun."""
        uid = users.of(worker) if self.root else None
        for path in job.writable if self.root else ():
            os.chown(path, uid, uid)
        spec = {
            "env": {**ENVIRONMENT, **job.env},
            "cwd": "/" if self.bubblewrap else job.cwd,
            "seconds": job.seconds,
            "wall_seconds": MOST_WALL * job.seconds,
            "sleep_seconds": job.sleep_seconds,
            "memory": self.limits.memory,
            "processes": self.limits.processes,
            "file_bytes": self.limits.file_bytes,
            "output": log,
            "output_bytes": self.limits.output_bytes,
            "record": job.record,
            "record_bytes": self.limits.record_bytes,
            "address_space": job.address_space,
        }
        if self.bubblewrap:
            spec["command"] = self._bubblewrap(job, uid)
        else:
            # The kernel counts all processes of a user, confine.py those of each command. The limit
            # is wide where submissions run as the teacher, so that one cannot keep others from
            # starting processes.
            most = self.limits.processes
            if not self.root:
                most = processes.of_user(os.geteuid()) + 4 * most
            spec.update(command=[*BEGIN, *job.command], uid=uid, limit_processes=most)
            if self.kind == "landlock":
                spec["opens"] = self._landlock(job)
        outcome = confine(spec, started)
        if not outcome.began:
            raise SandboxFailed(outcome.output.strip() or "the command did not begin")
        return outcome


class Confiner:
    """A process of confine.py, which runs one command after the other."""

    idle: list = []  # those that wait for a command
    busy: set = set()

    def __init__(self):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = [sys.executable, "-Es", os.path.join(HERE, "confine.py")]
        self.process = subprocess.Popen(command, cwd="/", **pipes)

    def run(self, spec, started):
        """Returns the report on a command; calls started(end) when it runs."""
        process = self.process
        # stdin stays open, because its end shows confine.py that the grader has ended.
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(spec).encode() + b"\n")
            process.stdin.flush()
        started(process.stdin.close)
        report = process.stdout.readline()
        if not report:
            errors = process.stderr.read().decode(errors="replace")
            self.end()
            last = errors.strip().splitlines()[-1:] or [f"status {process.returncode}"]
            raise SandboxFailed(f"confine.py ended: {last[0]}")
        return json.loads(report)

    @classmethod
    def waiting(cls):
        """Returns one that waits for a command, which may be a new one."""
        while cls.idle:
            with contextlib.suppress(IndexError):  # another worker has taken the last
                confiner = cls.idle.pop()
                if confiner.process.poll() is None:
                    return confiner
                confiner.end()
        return cls()

    def end(self):
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        self.process.wait()


@atexit.register
def end_idle():
    while Confiner.idle:
        Confiner.idle.pop().end()


def end_all():
    """Ends all running commands when the grader is stopped; waits up to 5 seconds for them."""
    for confiner in list(Confiner.busy):
        with contextlib.suppress(OSError):
            confiner.process.stdin.close()
    until = time.monotonic() + 5
    while Confiner.busy and time.monotonic() < until:
        time.sleep(0.02)


def confine(spec, started):
    confiner = Confiner.waiting()
    Confiner.busy.add(confiner)
    try:
        outcome = Outcome(**confiner.run(spec, started))
    finally:
        Confiner.busy.discard(confiner)
    if confiner.process.stdin.closed:
        confiner.end()
    else:
        Confiner.idle.append(confiner)
    if spec["output"] != os.devnull:
        with open(spec["output"], "rb") as file:
            outcome.output = file.read().decode(errors="replace")
    return outcome


def kind_for(wish, works, root):
    """Returns the isolation for a wish where `works` holds what works here; "" where it has none.
    Less than users of their own is the teacher's word alone."""
    if wish == "limits":
        return wish
    if wish == "auto":
        best = [kind for kind in ("bubblewrap", "landlock") if kind in works]
        return (best + ["users"] * root + [""])[0]
    wanted = "bubblewrap" if wish == "required" else wish
    return wanted if wanted in works else ""


def bubblewrap_works(limits, folder):
    """Tries it twice, as a machine may be busy."""
    box = Sandbox(limits, "bubblewrap", folder)
    for _ in range(2):
        with contextlib.suppress(SandboxFailed):
            if box.run(Job(["/usr/bin/env", "true"], 20), 0, os.devnull).status == 0:
                return True
    return False


def choose(limits, wish, folder):
    """Returns the isolation that is wished for, auto the best that works here; None where it does
    not work. `folder` holds a file of the sandbox."""
    root, works = os.geteuid() == 0, {"landlock"} if landlock.version() else set()
    tools = ["bwrap"] + (["setpriv"] if root else [])
    if wish in ("auto", "required") and all(map(shutil.which, tools)):
        works |= {"bubblewrap"} if bubblewrap_works(limits, folder) else set()
    kind = kind_for(wish, works, root)
    return Sandbox(limits, kind, folder) if kind else None
