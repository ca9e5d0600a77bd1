"""Grades a class. usage: SUBMISSIONS=folder OUT=folder [...] python3 -m grade [FOLDER]

With the name of a folder in OUT/students it grades that student only, as a Slurm task does.
"""

import os
import sys

import goals

from . import class_run
from . import options as asked


def main():
    # Other users build and run the submissions and must be able to read what the grader makes. OUT
    # alone is made with the teacher's umask.
    options = asked.read(os.umask(0o022))
    if sys.argv[1:]:
        class_run.grade_one(options, sys.argv[1])
    else:
        class_run.grade_class(options)


if __name__ == "__main__":
    stopped = "\nStopped; what is graded is kept. The same command goes on."
    if not goals.ended_well(main, stopped, "; what is graded is kept"):
        sys.stdout.flush()
        os._exit(2)  # no normal exit: workers may still wait for commands that are being ended
