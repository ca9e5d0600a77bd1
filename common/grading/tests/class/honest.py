"""Honest submissions for `make grade`, which must leave no remark for the teacher: solutions,
styles, skeletons that are begun, and mistakes."""

import glob
import json
import os
import pathlib
import re

# An endless loop or a crash is a fact, not an accusation.
FACT = re.compile("did not end|did not finish|was stopped after|program ended before")
EACH = 9  # one of this many mistakes of a part is handed in
# Known mistakes that keep a value from call to call, or end the program without an error.
TELLING = {
    "build/mistakes/lab1_naive/kernel/check_ends_with_success.cu",
    "build/mistakes/lab1_naive/kernel/last_row_on_the_host.cu",
    "build/mistakes/lab3_boundary/kernel/check_ends_with_success.cu",
    "build/mistakes/lab4_memtypes/constant/kept_by_address.cu",
    "build/mistakes/lab4_memtypes/qualifiers/value_copied_once.cu",
}
# Left out: it needs a header beside it, and headers cannot be handed in.
WITH_A_HEADER = "solutions/styles/lab3_boundary/course_kit.cu"


def place(path):
    """Returns (lab, the part's file) as which a file of the course is handed in."""
    *kinds, lab, name = path.split("/")
    if lab.startswith("lab") and kinds in ([], ["solutions"]):
        return lab, name
    lab, part = (path.split("/")[2:-1] + ["kernel"])[:2]
    return lab, "answers.h" if part == "answers" else f"{part}.cu"


def with_measured(path):
    """Returns a file with the kernel that it needs: answers are measured on the one beside them."""
    lab, name = place(path)
    return [path, f"solutions/{lab}/kernel.cu"] if name == "answers.h" else [path]


def submissions():
    """Returns {student: paths}."""
    styles = glob.glob("solutions/styles/**/*.*", recursive=True)
    styles += glob.glob("build/styles/**/*.cu", recursive=True)
    mistakes = []
    for folder, _, _ in sorted(os.walk("build/mistakes")):
        mistakes += sorted({*glob.glob(f"{folder}/*.cu")} - TELLING)[::EACH]
    alone = [path for path in sorted(styles) + mistakes if path.endswith((".cu", ".h"))]
    return {
        "solutions": glob.glob("solutions/lab*/*.cu") + glob.glob("solutions/lab*/answers.h"),
        "begun": glob.glob("lab*/*.cu"),
        **{path.replace("/", " "): with_measured(path) for path in alone if path != WITH_A_HEADER},
    }


def hand_in(folder):
    """Writes the submissions to a folder; returns the labs that they belong to."""
    labs = set()
    for student, paths in submissions().items():
        for path in paths:
            lab, name = place(path)
            to = pathlib.Path(folder, student, lab, name)
            to.parent.mkdir(parents=True, exist_ok=True)
            more = b"\nstatic int begun() { return 1; }\n" if student == "begun" else b""
            to.write_bytes(pathlib.Path(path).read_bytes() + more)
            labs.add(lab)
    return sorted(labs)


def told(out):
    """Returns the students of whom the teacher is told, or who lack points for what is right, with
    what is told and the parts that lack some."""
    found = {}
    for student in submissions():
        result = json.loads(pathlib.Path(out, "students", student, "result.json").read_bytes())
        accused = [remark for remark in result["remarks"] if not FACT.search(remark)]
        right = student != "begun" and "mistakes" not in student
        parts = [part for lab in result["labs"] for part in lab["parts"] if right]
        graded = [part for part in parts if part["state"] == "graded"]
        lacking = [part["part"] for part in graded if part["score"] < part["max_score"]]
        if accused or lacking or result["status"] != "graded":
            found[student] = accused + lacking or result["status"]
    return found
