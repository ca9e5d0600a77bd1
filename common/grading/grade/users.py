"""Users of their own for the workers of all graders on this machine, if the grader is root: the end
of one worker's command ends all processes of its user."""

import socket
import threading

FIRST, LAST = 64100, 65500
_held: dict[int, tuple[int, socket.socket]] = {}  # by worker: its user, and what holds it
_lock = threading.Lock()


def of(worker: int) -> int:
    """Returns the number of this worker's user, which no other grader gets while this one runs."""
    with _lock:
        if worker not in _held:
            _held[worker] = _free()
        return _held[worker][0]


def _free() -> tuple[int, socket.socket]:
    for number in range(FIRST, LAST):
        # A name without a file, which the kernel gives to one process, and frees when it ends.
        held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            held.bind(f"\0course-grader-user-{number}")
            return number, held
        except OSError:
            held.close()
    raise RuntimeError(f"no user from {FIRST} to {LAST} is free for a worker")
