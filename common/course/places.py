"""Returns the paths of a lab's parts and of a student's results, relative to the course's root."""

import hashlib
import os
import re
import sys
from typing import NoReturn

from course import facts

PROGRESS = "build/progress"
# One byte per character: a compiler's output may have any encoding.
BYTES = {"encoding": "ascii", "errors": "surrogateescape"}


def say_and_exit(status: int, sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr)
    sys.exit(status)


def text_of(file: str) -> str:
    """Returns the text of a file, "" if it cannot be read."""
    try:
        with open(file, **BYTES) as lines:
            return lines.read()
    except OSError:
        return ""


def stored(lab: str, part: str) -> str:
    """Returns the last results of a part; see state.py."""
    return text_of(f"{PROGRESS}/{lab}/{part}.jsonl")


def source_of(lab: str, part: str) -> str:
    return f"{lab}/answers.h" if part == "answers" else f"{lab}/{part}.cu"


def judged_files(lab: str, part: str) -> list[str]:
    """Returns the files that are built: answers are compared with the student's own kernel."""
    return [source_of(lab, part)] + ([f"{lab}/kernel.cu"] if part == "answers" else [])


def folder_of(lab: str, part: str) -> str:
    """Returns the folder of the tests and hints of a part."""
    return lab if part == "kernel" else f"{lab}/{part}"


def parts_of(lab: str) -> list[facts.Part]:
    """Returns a lab's parts in the order of the way; ends the program if lab.toml is wrong."""
    try:
        parts = facts.load(lab, os.getcwd()).parts
    except facts.FactsError as error:
        say_and_exit(2, str(error))
    # Not every lab has questions.
    return [part for part in parts if part.name != "answers" or os.path.isdir(f"{lab}/answers")]


def named_part(lab: str, name: str) -> facts.Part:
    parts = {part.name: part for part in parts_of(lab)}
    if name not in parts:
        say_and_exit(2, f"PART={name}: {lab} has no such part; it has {' '.join(parts)}.")
    return parts[name]


def all_labs() -> list[str]:
    return facts.labs(os.getcwd())


def digest_of(file: str) -> str:
    """Returns the sha256 of a file, "" if it cannot be read."""
    try:
        with open(file, "rb") as data:
            return hashlib.sha256(data.read()).hexdigest()
    except OSError:
        return ""


def judged_digest(lab: str, part: str) -> str:
    """Returns the digests with which the results of a part are stored."""
    return "+".join(digest_of(file) for file in judged_files(lab, part))


def tests_digest(lab: str) -> str:
    """Returns a digest of the sources of a lab's tests: if it changes, all tests run again."""
    found = [f"{folder}/{name}" for folder, _, names in os.walk(lab) for name in names]
    is_test = re.compile(r".*/(test_[^/]*\.cpp|[^/]*(?<!/answers)\.h)").fullmatch
    tests = filter(is_test, found)
    lines = "".join(f"{digest_of(file)}  {file}\n" for file in sorted(tests))
    return hashlib.sha256(lines.encode()).hexdigest()
