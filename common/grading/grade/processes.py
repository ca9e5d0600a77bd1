"""The processes of a command, for the process that is their reaper."""

import contextlib
import os
import signal
import time
from dataclasses import dataclass, field

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Seen:
    pids: list = field(default_factory=list)
    threads: int = 0
    memory: int = 0  # bytes
    used: float = 0  # seconds of processor time, with that of children that were waited for
    wants: bool = False  # a thread runs, or wants a processor or a disk


def fields(path):
    """Returns what a file named stat says after the name of a process or thread."""
    with open(path, "rb") as file:
        return file.read().rsplit(b")", 1)[1].split()


def children_by_parent():
    """Returns {parent: its children}, for kernels that do not list the children of a process."""
    table = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, IndexError, ValueError):
            table.setdefault(int(fields(f"/proc/{name}/stat")[1]), []).append(int(name))
    return table


LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")


def children(pid, table):
    if table is not None:
        return table.get(pid, [])
    found = []
    with contextlib.suppress(OSError):  # it has ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def descendants(busy=False):
    """Returns what is Seen of the processes below this one, which is the reaper of all of them; how
    busy they are costs as much again, and is left out unless it is asked for."""
    seen = Seen()
    table = None if LISTS_CHILDREN else children_by_parent()
    waiting, known = list(children(os.getpid(), table)), set()
    while waiting:
        pid = waiting.pop()
        if pid in known:
            continue
        known.add(pid)
        with contextlib.suppress(OSError, IndexError):
            with open(f"/proc/{pid}/statm", "rb") as file:
                memory = int(file.read().split()[1]) * PAGE
            threads = os.listdir(f"/proc/{pid}/task")
            seen.threads += len(threads)
            seen.memory += memory
            seen.pids.append(pid)
            waiting += children(pid, table)
            if not busy:
                continue
            seen.used += sum(map(int, fields(f"/proc/{pid}/stat")[11:15])) / TICKS
            for thread in threads:
                seen.wants = seen.wants or fields(f"/proc/{pid}/task/{thread}/stat")[0] in b"RD"
    return seen


def of_user(uid):
    """Returns the number of a user's threads, as the kernel counts for its limit on processes."""
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid == uid:
                count += len(os.listdir(f"/proc/{name}/task"))
    return count


def machine_is_full():
    """Returns whether the machine's memory is short, also by files in it, which no process has."""
    with open("/proc/meminfo", "rb") as file:
        kilobytes = {name: int(value) for name, value, *_ in map(bytes.split, file)}
    total = kilobytes.get(b"MemTotal:", 0)
    return kilobytes.get(b"MemAvailable:", total) < min(256 << 10, total // 20)


def kill_user(uid):
    """Kills all processes of a user at once, so that none can fork in the meantime."""
    helper = os.fork()
    if helper == 0:
        try:
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(helper, 0)


def reap():
    """Reaps ended processes; returns False when no child is left."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True


def end_all(child, uid):
    """Kills the command and all processes that it left; returns the number of the latter."""
    left = 0
    if child.poll() is None:
        child.kill()
        child.wait()
    # No limit on time here: a process left running would take the machine from all others.
    while reap():
        pids = descendants().pids
        left = max(left, len(pids))
        if uid is not None:
            kill_user(uid)
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in pids:
                with contextlib.suppress(OSError):
                    os.kill(pid, number)
        time.sleep(0.002)
    return left
