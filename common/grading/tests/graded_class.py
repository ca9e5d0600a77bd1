"""A class that is graded as make grade does, with verdicts that stand in for those of real runs."""

import contextlib
import csv
import io
import json
import os
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import points
import scoring
from grade import class_run, reading
from grade import options as asked
from grade.judge import Judge, Verdict

LAB, FILE = "lab1_naive", "lab1_naive/kernel.cu"
WRONG = "lab1_naive/kernel.cu:7: 12 of 64 elements are wrong"


def verdict(data: bytes) -> Verdict:
    """Returns the verdict on a file of these words: right, wrong, held (back)."""
    words, verdicts = data.decode().split(), {}
    for test in points.load(LAB).parts["kernel"].tests:
        found = [scoring.HANDED_OVER] if "held" in words else []
        verdicts[test.name] = {"status": "passed", "findings": found, "explanation": ""}
        if "wrong" in words and not points.todos_of(test.name):
            verdicts[test.name] = {"status": "failed", "findings": ["x"], "explanation": WRONG}
    return Verdict(verdicts=verdicts)


class GradedClass(unittest.TestCase):
    """Grades students whose kernel.cu holds the words of verdict()."""

    def setUp(self):
        self.top = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.judged, self.said, self.course = [], "", "a"
        self.out = self.top / "out"
        for student in ("ada", "ben", "cem"):
            self.hand_in(student, "right")

    def hand_in(self, student, words):
        folder = self.top / "class" / student
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "kernel.cu").write_text(words, encoding="utf-8")

    def read(self, path, files):
        data = Path(path, "kernel.cu").read_bytes()
        return reading.HandedIn({(LAB, "kernel"): reading.Chosen(FILE, data)})

    @contextlib.contextmanager
    def working(self, options):
        lab = points.load(LAB)
        part = {"kernel": lab.parts["kernel"]}
        owner = types.SimpleNamespace(digest=self.course * 64, labs=[LAB], parts={LAB: ["kernel"]})
        owner.points, owner.has_hidden, owner.card = {LAB: points.Lab(LAB, part)}, True, None
        owner.references, owner.without_points, owner.prepare = {}, [], lambda say: None
        owner.performance = lambda lab, part: None
        owner.reader = types.SimpleNamespace(read=self.read)
        box = types.SimpleNamespace(kind="none", describe=lambda: "none", limits=options.limits)
        yield owner, box, types.SimpleNamespace(of=lambda worker: str(self.top))

    def grade(self, **variables):
        """Grades the class; what is printed is then in self.said."""

        def judged(judge, lab, part, data, kernel):
            self.judged.append(data.decode())
            if b"machine" in data:
                raise ValueError("x")
            return verdict(data)

        self.judged.clear()
        given = {"SUBMISSIONS": str(self.top / "class"), "OUT": str(self.out), "SEED": "s"}
        given |= {"JOBS": "1", "ONLY": "", "EXPLAIN_HIDDEN": "", **variables}
        stand_ins = {"working": self.working, "self_check": lambda *_: None}
        printed = io.StringIO()
        with (
            mock.patch.multiple(class_run, **stand_ins),
            mock.patch.object(Judge, "judge", judged),
            mock.patch.dict(os.environ, given),
            contextlib.redirect_stdout(printed),
        ):
            class_run.grade_class(asked.read(0o022))
        self.said = printed.getvalue()

    def rows(self, name="grades.csv"):
        with open(self.out / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def result(self, student):
        return json.loads((self.out / "students" / student / "result.json").read_bytes())

    def feedback(self, student):
        return (self.out / "students" / student / "feedback.md").read_text(encoding="utf-8")
