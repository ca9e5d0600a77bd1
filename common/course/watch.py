"""Tests a part of a lab whenever its file is saved, until Ctrl-C: PART=, or else the one that was
saved last, at first the one at hand. Shows the first failed fact or the first compiler error.

Reads the digest of the files twice a second: on network folders and under WSL2 no event reports a
save and times may be coarse, and editors write a new file and rename it."""

import contextlib
import glob
import os
import signal
import subprocess
import sys
import time

from course import first_failure, places
from course.advice import advise
from course.places import PROGRESS, digest_of, judged_digest, source_of
from course.retest import of_digest, test_command, test_environment
from course.state import state
from course.wrap import columns_of

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
CODE = (".cu", ".cuh", ".h", ".cpp", ".txt")
WARNINGS = "common/course/compile_help/show_warnings.py"


def clear() -> None:
    if sys.stdout.isatty():
        print("\033[H\033[2J\033[3J", end="")


def code_beside(watched: list[str]) -> dict[str, tuple[int, int]]:
    """Returns the time and the size of each other file of code in a lab's folder."""
    found = {}
    for name in glob.glob("lab*/*"):
        if name.endswith(CODE) and name not in watched:
            with contextlib.suppress(OSError):  # removed at the same time
                of = os.stat(name)
                found[name] = (of.st_mtime_ns, of.st_size)
    return found


class Stopped(Exception):
    """Ctrl-C, or a request to end."""


class Watch:
    """The watched parts, and the test that runs."""

    def __init__(self, lab: str, parts: list[str]) -> None:
        self.lab, self.parts = lab, parts
        self.seen = {part: digest_of(source_of(lab, part)) for part in parts}
        self.gone: set[str] = set()  # parts whose files were missing at the last look
        self.others: dict[str, tuple[int, int]] | None = None  # at the last look
        self.job: subprocess.Popen | None = None
        self.part = self.digest = ""
        self.log = f"{PROGRESS}/{lab}/watch.log"

    def saved(self) -> str:
        """Returns the part whose file has changed since the last look; "" if there is none. A file
        is gone if it is missing at two looks, because an editor may move the old one away first."""
        found, gone = "", set()
        for part in self.parts:
            now = digest_of(source_of(self.lab, part))
            gone |= set() if now else {part}
            if self.seen[part] != now and (now or part in self.gone):
                self.seen[part] = now
                found = part
        self.gone = gone
        return found

    def report_others(self) -> None:
        """Names the files that were saved in a lab but are not watched."""
        watched = [source_of(self.lab, part) for part in self.parts]
        before, self.others = self.others, code_beside(watched)
        for name, seen in self.others.items():
            if before is not None and before.get(name) != seen:
                print(f"\n{name} was saved; this watches:\n{' '.join(watched)}", flush=True)

    def start(self, part: str) -> None:
        self.part, self.digest = part, judged_digest(self.lab, part)
        clear()
        print(f"Testing {source_of(self.lab, part)} ...", flush=True)
        with open(self.log, "wb") as log:
            streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
            command, env = test_command(self.lab), test_environment(part)
            # A group of its own, so that all processes of the tests end with them.
            self.job = subprocess.Popen(command, env=env, **streams, process_group=0)

    def stop(self) -> None:
        if self.job:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.job.pid, signal.SIGTERM)
            self.job.wait()
            self.job = None

    def show_verdict(self, status: int) -> None:
        columns = columns_of(1)
        clear()
        passed, at = "" if status else ": all tests pass", time.strftime("%H:%M:%S")
        print(f"{source_of(self.lab, self.part)}{passed} ({at})", flush=True)
        if status and not of_digest(self.lab, self.part, self.digest):
            print(first_failure.of_build(self.log, columns), end="")
        else:
            file = f"build/sim/{self.lab}/{self.part}/warnings"
            subprocess.call([sys.executable, "-I", "-S", WARNINGS, file])
            if status:
                results = places.stored(self.lab, self.part)
                print(first_failure.of_results(results, self.log, columns), end="")
            else:
                print(advise(state(), self.lab, self.part), end="")
        if sys.stdout.isatty():
            print("\nWaiting for the next save; Ctrl-C ends.")
        sys.stdout.flush()

    def step(self) -> None:
        part = self.saved()
        if part:
            self.stop()
            self.start(part)
        elif self.job and self.job.poll() is not None:
            status = self.job.returncode
            self.job = None
            self.show_verdict(status)
        elif not self.job:
            self.report_others()


def stop(*_: object) -> None:
    raise Stopped


def watch(lab: str) -> None:
    part = os.environ.get("PART", "")
    chosen = [places.named_part(lab, part)] if part else places.parts_of(lab)
    parts = [one.name for one in chosen]
    try:
        os.makedirs(f"{PROGRESS}/{lab}", exist_ok=True)
    except OSError:
        places.say_and_exit(2, f"{PROGRESS}/{lab} cannot be created; check its permissions.")
    watching = Watch(lab, parts)
    try:
        undone = [of.part for of in state([lab]) if of.part in parts and not of.done]
        watching.start((undone or parts)[0])
        while True:
            time.sleep(0.5)
            watching.step()
    except Stopped:
        pass
    finally:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        watching.stop()


def main(lab: str) -> int:
    if os.isatty(0):
        alone_on_terminal()
    for number in SIGNALS:
        signal.signal(number, stop)
    watch(lab)
    return 0


def alone_on_terminal() -> None:
    """Continues in a process that alone gets Ctrl-C: make, which has started this one, would end
    with an error on it."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        take_terminal(os.getpid())
        return
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    take_terminal(os.getpgrp())
    os._exit(status if status >= 0 else 128 - status)


def take_terminal(group: int) -> None:
    """Makes a process group the terminal's, also from the background."""
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.tcsetpgrp(0, group)
    signal.signal(signal.SIGTTOU, before)
