"""Keeps two tests of one part, as `make test` beside `make watch`, from building and running the
same files at the same time."""

import contextlib
import fcntl
import os


def hold(stack: contextlib.ExitStack, lock: str) -> None:
    """Takes a lock, a file, until the stack is closed; where another process holds it, says so and
    waits."""
    os.makedirs(os.path.dirname(lock), exist_ok=True)
    held = stack.enter_context(open(lock, "a", encoding="ascii"))
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Another test of this part is running; waiting for its end ...", flush=True)
        fcntl.flock(held, fcntl.LOCK_EX)
    except OSError:
        pass  # a network folder that knows no locks
