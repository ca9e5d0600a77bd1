"""Runs a command; where another holds the same lock, when that has ended, and says so. Two tests of
one part would build and run the same files, as `make test` beside `make watch` does.

usage: alone.py LOCK COMMAND...
"""

import fcntl
import os
import signal
import subprocess
import sys


def main(lock: str, *command: str) -> int:
    os.makedirs(os.path.dirname(lock), exist_ok=True)
    with open(lock, "a", encoding="ascii") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another test of this part is running; waiting for its end ...", flush=True)
            fcntl.flock(held, fcntl.LOCK_EX)
        except OSError:
            pass  # a network folder that knows no locks
        return subprocess.call(command, close_fds=False)  # make hands on some


if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)  # the command ends by it, and then this
    status = main(*sys.argv[1:])
    sys.exit(status if status >= 0 else 128 - status)
