#!/usr/bin/env python3
"""Honest submissions: written to a folder for `make grade`, and held against its results, in which
the teacher must be told of none.

    honest.py hand-in FOLDER    solutions, styles, skeletons that somebody has begun with, mistakes
    honest.py judge OUT         a line each: 'ok ...' or 'FAIL ...'
"""

import glob
import json
import os
import re
import sys

# An endless loop or a crash is a fact, not an accusation.
FACT = re.compile("did not come to an end|was stopped after|program ended before")
EACH = 9  # one of this many mistakes of a part is handed in
# Left out: it needs a header beside it, and headers cannot be handed in.
WITH_A_HEADER = "solutions/styles/lab3_boundary/course_kit.cu"


def place(path):
    """Returns (lab, the part's file) as which a file of solutions/ or build/ is handed in."""
    kind, *folders, name = path.split("/")[1:]
    if kind.startswith("lab"):
        return kind, name
    lab, part = folders[0], (folders[1:] or ["kernel"])[0]
    return lab, "answers.h" if part == "answers" else f"{part}.cu"


def submissions():
    """Returns {student: [(lab, file, path)]}."""
    solutions = sorted(glob.glob("solutions/lab*/*.cu") + glob.glob("solutions/lab*/answers.h"))
    begun = sorted(glob.glob("lab*/*.cu"))
    found = {
        "solutions": [(*place(path), path) for path in solutions],
        "begun": [(*path.split("/"), path) for path in begun],
    }
    styles = glob.glob("solutions/styles/**/*.*", recursive=True)
    mistakes = []
    for folder, _, names in sorted(os.walk("build/mistakes")):
        files = sorted(name for name in names if name.endswith(".cu"))
        mistakes += [f"{folder}/{name}" for name in files[::EACH]]
    for path in sorted(styles) + mistakes:
        if path != WITH_A_HEADER and path.endswith((".cu", ".h")):
            found[path.replace("/", " ")] = [(*place(path), path)]
    return found


def hand_in(folder):
    labs = set()
    for student, files in submissions().items():
        for lab, name, path in files:
            with open(path, "rb") as file:
                data = file.read()
            to = os.path.join(folder, student, lab, name)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            if student == "begun":
                data += b"\nstatic int begun() { return 1; }\n"
            with open(to, "wb") as out:
                out.write(data)
            labs.add(lab)
    print(" ".join(sorted(labs)))


def judge(out):
    students = sorted(submissions())
    told = {}
    for student in students:
        with open(os.path.join(out, "students", student, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
        accused = [remark for remark in result["remarks"] if not FACT.search(remark)]
        if accused or result["status"] != "graded":
            told[student] = accused or result["status"]
    for student, remarks in told.items():
        print(f"FAIL the teacher is told of {student}, who has tried nothing: {remarks}")
    if not told:
        print(f"ok of {len(students)} honest submissions the teacher is told nothing")


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("hand-in", "judge"):
        print(__doc__, file=sys.stderr)
        return 2
    {"hand-in": hand_in, "judge": judge}[sys.argv[1]](sys.argv[2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
