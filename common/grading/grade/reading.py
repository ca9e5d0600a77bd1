"""Has submissions read, each by a process of its own (see common/grading/reader), and takes what it
answers for a stranger's: its length, its types and its lengths are checked."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field

from points import file_of

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "reader")
COMMAND = [sys.executable, "-I", "-S", "-B", os.path.join(PROGRAM, "__main__.py")]
SECONDS = 65  # a little more than the reader gives itself
MOST_HEAD = 1 << 20  # bytes of the answer without the files
MOST_FILE = 1 << 20
MOST_SENTENCES, LONGEST = 200, 4000


@dataclass
class Chosen:
    """The file handed in for a part."""

    path: str
    data: bytes | None
    refused: str = ""  # why the file is not judged
    unchanged: bool = False  # from the skeleton
    told: list = field(default_factory=list)  # to the teacher, of its code


@dataclass
class HandedIn:
    """What the reader found; `problem` says why nothing is judged, `advice` is the student's."""

    chosen: dict = field(default_factory=dict)  # {(lab, part): Chosen}
    remarks: list = field(default_factory=list)
    advice: list = field(default_factory=list)
    problem: str = ""


def sentences(value):
    """Returns a list of texts as it is; raises ValueError for anything else."""
    if not isinstance(value, list) or len(value) > MOST_SENTENCES:
        raise ValueError(value)
    return [text_of(one) for one in value]


def text_of(value):
    if not isinstance(value, str) or len(value) > LONGEST:
        raise ValueError(value)
    return value


def parsed(answer, parts):
    """Returns what an answer says; raises ValueError, KeyError or TypeError if it is none."""
    head, _, rest = answer.partition(b"\n")
    told, at = json.loads(head), 0
    found = HandedIn(
        {}, sentences(told["remarks"]), sentences(told["advice"]), text_of(told["problem"])
    )
    for one in told["files"]:
        key, size, data = (one["lab"], one["part"]), one["size"], None
        if key not in parts or key in found.chosen or one["unchanged"] not in (True, False):
            raise ValueError(key)
        if size is not None:
            if not 0 <= size <= MOST_FILE or at + size > len(rest):
                raise ValueError(size)
            data, at = rest[at : at + size], at + size
        elif not one["refused"]:
            raise ValueError(key)
        texts = text_of(one["path"]), data, text_of(one["refused"])
        found.chosen[key] = Chosen(*texts, one["unchanged"], sentences(one["told"]))
    if at != len(rest):
        raise ValueError(at)
    return found


def why_ended(status):
    """Returns how a reader that gave no answer has ended."""
    if status == -signal.SIGXCPU:
        return "it takes more than 5 seconds to be read"
    return "it could not be read within the limits on time and memory"


class Reader:
    """Reads submissions to a course with these parts, {lab: names}. `names` are the files of the
    course that its own copies are held against."""

    def __init__(self, root, parts, names=(), other_labs=()):
        keys = [(lab, part) for lab, of_lab in parts.items() for part in of_lab]
        self.keys = frozenset(keys)
        self.request = {
            "root": str(root),
            "parts": [[lab, part, file_of(part)] for lab, part in keys],
            "names": sorted(names),
            "other_labs": sorted(other_labs),
        }
        self.most = MOST_HEAD + len(keys) * MOST_FILE

    def read(self, path, files=()):
        """Returns what a submission holds, or what is wrong with it; `files` are those of a student
        whose files lie loose: their names and paths."""
        asked = {"path": os.path.abspath(path)}
        asked["files"] = [(name, os.path.abspath(file)) for name, file in files]
        request = json.dumps({**self.request, **asked}).encode()
        for _ in range(2):
            answer, status = self.answer(request)
            with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
                if status == 0:
                    return parsed(answer, self.keys)
            if status == -signal.SIGXCPU:
                break  # other work on this machine costs no such seconds
        return HandedIn(problem=why_ended(status))

    def answer(self, request):
        """Returns what a process answers, and its exit status."""
        # A session of its own: Ctrl-C is the grader's alone, and must not look like a bad archive.
        with subprocess.Popen(
            COMMAND,
            cwd="/",
            env={"LANG": "C.UTF-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
                    pipe.write(request)
                answer = bounded(process.stdout.fileno(), self.most, time.monotonic() + SECONDS)
            except BaseException:
                process.kill()
                raise
            if answer is None:
                process.kill()
        return answer, process.returncode


def bounded(descriptor, most, until):
    """Returns all bytes; None if they are more than `most`, or not complete by `until`."""
    pieces, size = [], 0
    while select.select([descriptor], [], [], max(0, until - time.monotonic()))[0]:
        piece = os.read(descriptor, 1 << 16)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
        if size > most:
            return None
    return None
