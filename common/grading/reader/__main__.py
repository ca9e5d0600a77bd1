"""Reads one submission in a process of its own, so that nothing of a student's is read where others
are graded: python3 -I -S -B common/grading/reader/__main__.py <request >answer

The request is JSON: what the course looks for, and the submission's path. The answer is a line of
JSON, followed by the bytes of the chosen files (see grade/reading.py). The limits come first: who
exceeds one of them ends this process and nothing else.
"""

import json
import os
import resource
import signal
import sys

GRADING = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [GRADING, os.path.dirname(GRADING)]
from reader import answer, parts  # noqa: E402

CPU_SECONDS, WALL_SECONDS, MEMORY = 5, 60, 512 << 20
LIMITS = (
    (resource.RLIMIT_CPU, CPU_SECONDS),
    (resource.RLIMIT_AS, MEMORY),
    (resource.RLIMIT_FSIZE, 0),
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_NOFILE, 64),
)


def limit():
    for what, most in LIMITS:
        # The soft limit on seconds shows the grader what ended this process, the hard one does not.
        hard = resource.getrlimit(what)[1]
        wanted = most + 1 if what == resource.RLIMIT_CPU else most
        hard = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(what, (min(most, hard), hard))
    signal.alarm(WALL_SECONDS)


def main():
    limit()
    request = json.loads(sys.stdin.buffer.read())
    path, files = request.pop("path"), request.pop("files", ())
    said, data = answer.answer_to(path, parts.Course(**request), MEMORY, files)
    out = sys.stdout.buffer
    out.write(json.dumps(said).encode() + b"\n")
    for one in data:
        out.write(one)
    out.flush()


if __name__ == "__main__":
    main()
