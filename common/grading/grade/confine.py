"""Runs commands within limits, one after the other, and ends each with all processes it started.

A process of this program is the reaper of every process that a command leaves behind, and ends the
command when the grader is killed. Reads a line of JSON for each command from stdin (see run() in
sandbox.py), takes the end of stdin for the end of the grader, and writes a line of JSON to stdout
when the command and all its processes have ended.
"""

import contextlib
import ctypes
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time

import landlock
import processes

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LOOK_EVERY = 0.02  # seconds between two checks of time, memory and processes
BUSY_EVERY = 0.2  # seconds between two looks at whether the processes run or sleep, at most
# Bytes a command may print; more than is kept, but reading them costs the grader time.
MOST_OUTPUT = 64 << 20
# Name the descriptors that a command gets.
VARIABLES = {"begun": "BEGUN_FD", "record": "LAB_RECORD_FD"}
libc = ctypes.CDLL(None, use_errno=True)


class Channel:
    """Copies what the command writes to a pipe to a file, up to `keep` bytes; `most` end it."""

    def __init__(self, path, keep, most):
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.reading, False)
        self.file = open(path, "wb")
        self.keep, self.most, self.total = keep, most, 0

    def copy(self):
        """Copies what the pipe holds; returns False at its end."""
        try:
            data = os.read(self.reading, 1 << 20)
        except BlockingIOError:
            return True
        if self.total < self.keep:
            self.file.write(data[: self.keep - self.total])
        self.total += len(data)
        return bool(data)

    def close(self):
        """Copies the rest of the pipe after the last writer has ended."""
        before = -1
        while before < self.total <= self.most:
            before = self.total
            self.copy()
        self.file.close()
        os.close(self.reading)


def at_most(what, value):
    hard = resource.getrlimit(what)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(what, (value, value))


def limit(spec):
    """Sets the limits in the new process, before the command."""
    os.setsid()
    at_most(resource.RLIMIT_CORE, 0)
    at_most(resource.RLIMIT_FSIZE, spec["file_bytes"])
    at_most(resource.RLIMIT_NOFILE, 256)
    # A safety net only: the limit on own time is shorter.
    at_most(resource.RLIMIT_CPU, int(spec["seconds"] * ((os.cpu_count() or 1) + 1)) + 10)
    if spec.get("address_space"):
        at_most(resource.RLIMIT_AS, spec["address_space"])
    os.nice(10)
    with contextlib.suppress(OSError):
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")  # out of memory, the kernel ends this process first
    if spec.get("opens"):
        landlock.restrict(spec["opens"])
    uid = spec.get("uid")
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    if spec.get("limit_processes"):
        at_most(resource.RLIMIT_NPROC, spec["limit_processes"])
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # last, because a change of user resets it


def start(spec, channels):
    writing = {name: channel.writing for name, channel in channels.items()}
    passed = {name: writing[name] for name in ("begun", "record") if name in writing}
    told = {VARIABLES[name]: str(descriptor) for name, descriptor in passed.items()}
    child = subprocess.Popen(
        spec["command"],
        cwd=spec["cwd"],
        env={**spec["env"], **told},
        stdin=subprocess.DEVNULL,
        stdout=writing["output"],
        stderr=writing["output"],
        pass_fds=passed.values(),
        preexec_fn=lambda: limit(spec),
    )
    for descriptor in writing.values():
        os.close(descriptor)
    return child


def reason_to_stop(spec, seconds, own, slept, seen, channels):
    reasons = {
        "time": min(own, seconds) > spec["seconds"] or seconds > spec["wall_seconds"],
        "sleep": 0 < spec["sleep_seconds"] < slept,
        **{name: channel.total > channel.most for name, channel in channels.items()},
        "processes": seen.threads > spec["processes"],
        "memory": seen.memory > spec["memory"],
        "machine": processes.machine_is_full(),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def watch(spec, child, channels):
    """Waits until the command ends or must be ended; returns the reason, how many seconds it has
    kept itself busy or slept until then, for other work has taken the rest from it, and how many it
    slept."""
    began = looked = time.monotonic()
    own = slept = 0.0
    selector = selectors.PollSelector()
    for channel in channels.values():
        selector.register(channel.reading, selectors.EVENT_READ, channel)
    selector.register(0, selectors.EVENT_READ)
    next_look = began
    # A command with little time to sleep is sampled often: one sample decides nothing.
    busy_every = min(BUSY_EVERY, spec["sleep_seconds"] / 3 or BUSY_EVERY)
    while True:
        for key, _ in selector.select(LOOK_EVERY):
            if key.fd == 0:
                if not os.read(0, 1024):
                    return "grader ended", own, slept
            elif not key.data.copy():
                selector.unregister(key.fd)
        if child.poll() is not None:
            return "", own, slept
        if time.monotonic() < next_look:
            continue
        seen = processes.descendants()
        now = time.monotonic()
        next_look = now + LOOK_EVERY
        reason = reason_to_stop(spec, now - began, own, slept, seen, channels)
        if reason or now - looked > busy_every:
            seen = processes.descendants(busy=True)
            slept += 0.0 if seen.wants else now - looked
            own, looked = seen.used + slept, now
        if reason:
            return reason, own, slept


def run(spec):
    """Runs a command; returns the report on it."""
    # The first one, as a shell may know the descriptors 0 to 9 alone.
    channels = {"begun": Channel(os.devnull, 0, MOST_OUTPUT)}
    channels["output"] = Channel(spec["output"], spec["output_bytes"], MOST_OUTPUT)
    if spec.get("record"):
        channels["record"] = Channel(spec["record"], spec["record_bytes"], spec["record_bytes"])
    began = time.monotonic()
    child = start(spec, channels)
    report = dict(zip(("stopped", "own_seconds", "slept"), watch(spec, child, channels)))
    report["seconds"] = round(time.monotonic() - began, 3)
    report["stragglers"] = processes.end_all(child, spec.get("uid"))
    report["status"] = child.returncode
    for channel in channels.values():
        channel.close()
    report["began"] = channels["begun"].total > 0
    report["output_cut"] = channels["output"].total > channels["output"].keep
    return report


def main():
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    # Ctrl-C reaches the whole foreground group; the grader decides which commands end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        print(json.dumps(run(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
