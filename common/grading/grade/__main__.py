"""Grades a class. usage: SUBMISSIONS=folder OUT=folder [...] python3 -m grade [FOLDER]

With the name of a folder in OUT/students it grades that student only, as a Slurm task does.
"""

import os
import signal
import sys

from . import class_run
from . import options as asked
from .errors import Refused


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Other users build and run the submissions and must be able to read what the grader makes. OUT
    # alone is made with the teacher's umask.
    umask = os.umask(0o022)
    try:
        options = asked.read(umask)
        if sys.argv[1:]:
            class_run.grade_one(options, sys.argv[1])
        else:
            class_run.grade_class(options)
    except Refused as reason:
        print(reason, file=sys.stderr)
    except KeyboardInterrupt:
        print("\nStopped; what is graded is kept. The same command goes on.", file=sys.stderr)
    except OSError as error:
        print(f"{error.filename or 'The system'}: {error.strerror}.", file=sys.stderr)
    else:
        return
    sys.stdout.flush()
    os._exit(2)  # no normal exit: workers may still wait for commands that are being ended


if __name__ == "__main__":
    main()
