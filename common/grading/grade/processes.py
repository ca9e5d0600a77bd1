"""The processes of a command, for the process that is their reaper."""

import os
import signal
import time

PAGE = os.sysconf("SC_PAGE_SIZE")


class Seen:
    def __init__(self):
        self.pids, self.count, self.memory = [], 0, 0


def children_by_parent():
    """Returns {parent: its children}, for kernels that do not list the children of a process."""
    table = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = int(file.read().rsplit(b")", 1)[1].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            table.setdefault(parent, []).append(int(name))
    return table


LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")


def children(pid, table):
    if table is not None:
        return table.get(pid, [])
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    except OSError:
        pass  # it has ended
    return found


def descendants():
    """Returns all processes below this one, their number of threads and their resident memory.
    Processes whose parent has ended are this one's children."""
    seen = Seen()
    table = None if LISTS_CHILDREN else children_by_parent()
    waiting, known = list(children(os.getpid(), table)), set()
    while waiting:
        pid = waiting.pop()
        if pid in known:
            continue
        known.add(pid)
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                memory = int(file.read().split()[1]) * PAGE
            threads = len(os.listdir(f"/proc/{pid}/task"))
        except (OSError, IndexError):
            continue
        seen.pids.append(pid)
        seen.memory += memory
        seen.count += threads
        waiting += children(pid, table)
    return seen


def of_user(uid):
    """Returns the number of a user's threads, as the kernel counts for its limit on processes."""
    count = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == uid:
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return count


def machine_is_full():
    """Returns whether memory is short on this machine. Some of it may belong to no process, such as
    that of files in memory."""
    kilobytes = {}
    with open("/proc/meminfo", "rb") as file:
        for line in file:
            name, value = line.split()[:2]
            kilobytes[name] = int(value)
    total = kilobytes.get(b"MemTotal:", 0)
    return kilobytes.get(b"MemAvailable:", total) < min(256 << 10, total // 20)


def kill(pid, number):
    try:
        os.kill(pid, number)
    except OSError:
        pass


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
    """Kills the command and all processes it left behind; returns the number of the latter."""
    left = 0
    if child.poll() is None:
        kill(child.pid, signal.SIGKILL)
        child.wait()
    # No limit on time here: a process left behind would take the machine from all others.
    while reap():
        pids = descendants().pids
        left = max(left, len(pids))
        if uid is not None:
            kill_user(uid)
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in pids:
                kill(pid, number)
        time.sleep(0.002)
    return left
