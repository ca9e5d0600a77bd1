"""Grades a class. usage: SUBMISSIONS=folder OUT=folder [...] python3 -m grade [FOLDER]

With the name of a folder in OUT/students only that student is graded, as a task of Slurm's does.
"""

import os
import signal
import sys

from . import class_run
from . import options as asked
from .errors import Refused


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Submissions are built and run by users of their own; a new OUT keeps the teacher's umask.
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
    os._exit(2)  # workers may wait for what is being ended


if __name__ == "__main__":
    main()
