"""Finds submissions that look alike."""

import os
import pathlib
import sys

import goals
import model
from grade import reading, students
from release.contents import ROOT, Refused

from . import report, score


def parts_of(lab):
    files = sorted((ROOT / lab).glob("*.cu"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}


def collected(submissions, labs):
    """Returns {(lab, part): {student: text}}, and sentences on what was not read."""
    texts, problems = {}, []
    reader = reading.Reader(ROOT, {lab: list(parts_of(lab)) for lab in labs})
    for student in students.find(submissions):
        found = (
            reader.read(student.path, student.files) if not student.problem else reading.HandedIn()
        )
        if problem := student.problem or found.problem:
            problems.append(f"{student.name}: {problem}")
        for (lab, part), chosen in found.chosen.items():
            if chosen.data is not None:
                text = chosen.data.decode("utf-8", "replace")
                texts.setdefault((lab, part), {})[student.name] = text
            else:
                problems.append(f"{student.name}: {lab}/{part}.cu: {chosen.refused}")
    return texts, problems


def main():
    submissions, out = os.environ.get("SUBMISSIONS"), pathlib.Path(os.environ.get("OUT", ""))
    if not (submissions and os.environ.get("OUT")):
        raise Refused('make similarity SUBMISSIONS=folder OUT=folder [LABS="lab1 lab2"]')
    texts, problems = collected(submissions, goals.chosen_labs())
    found, equal = [], {}
    for (lab, part), handed_in in sorted(texts.items()):
        skeleton, file = parts_of(lab)[part], f"{lab}/{part}.cu"
        groups = score.equal(handed_in, skeleton)
        equal |= {(file, first): group for first, group in groups.items()}
        # Each group counts once, so that equal files make nothing common.
        again = {student for group in groups.values() for student in group[1:]}
        once = {student: text for student, text in handed_in.items() if student not in again}
        found += [(file, pair) for pair in score.pairs(once, skeleton)]
    found.sort(key=lambda one: -one[1].rare)
    model.save(out / "similarity.csv", report.table(found, equal))
    model.save(out / "similarity.md", report.pages(found, texts, problems, equal))
    for problem in problems:
        print(f"not compared: {problem}")
    files = sum(len(handed_in) for handed_in in texts.values())
    shown = f"{out}/similarity.md shows the most similar, similarity.csv all."
    for (file, _), group in equal.items():
        print(f"{len(group)} students handed in the same {file}.")
    print(f"{files} files compared; {shown}")


if __name__ == "__main__" and not goals.ended_well(main, "Stopped."):
    sys.exit(2)
