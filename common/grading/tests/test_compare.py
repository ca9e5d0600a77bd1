"""Tests make compare, which lists what differs between two OUTs."""

import os
import shutil
import subprocess
import sys

import model
from graded_class import FILE, LAB, GradedClass

TEST = f"{FILE}: hidden: the product is right for other widths and other numbers"


class Compared(GradedClass):
    def setUp(self):
        super().setUp()
        self.grade()
        self.before = self.top / "before"
        shutil.copytree(self.out, self.before)

    def compare(self, status=0, **variables):
        """Returns what make compare prints."""
        given = {"BEFORE": str(self.before), "OUT": str(self.out), **variables}
        command = [sys.executable, "-B", "-m", "compare"]  # as the Makefile starts it
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        done = subprocess.run(command, env={**os.environ, **given}, check=False, **pipes)
        self.assertEqual(done.returncode, status, done.stdout)
        short = [line for line in done.stdout.splitlines() if str(self.top) not in line]
        self.assertEqual([line for line in short if len(line) > 80], [])
        return done.stdout

    def rows(self, name="compare.csv"):
        return super().rows(name)

    def because(self):
        return {row["student"]: row["because"] for row in self.rows()}

    def test_equal_marks_are_no_change_and_say_so(self):
        self.course = "b"
        self.grade()
        self.assertIn("0 with other points, 0 new, 0 missing.", self.compare())
        self.assertEqual(self.rows(), [])

    def test_who_is_new_or_missing_is_listed(self):
        shutil.rmtree(self.top / "class/cem")
        self.hand_in("dora", "right")
        self.grade()
        said = self.compare()
        self.assertRegex(said, r"\ndora +- +29 of 29  new\ncem +29 of 29 +-  missing\n")
        kinds = [(row["student"], row["change"]) for row in self.rows()]
        self.assertEqual(kinds, [("dora", "new"), ("cem", "missing")])

    def test_points_are_listed_with_the_tests_and_the_cause(self):
        self.hand_in("ada", "wrong")
        self.hand_in("ben", "right, but other bytes")
        self.grade()
        said = " ".join(self.compare().split())
        score = self.result("ada")["score"]
        self.assertIn(f"ada 29 of 29 {score} of 29 files changed ({FILE})", said)
        self.assertIn("more 1 with other points, 0 new, 0 missing.", said)
        (row,) = self.rows()
        numbers = [row[of] for of in ("before", "of before", "after", "of after")]
        self.assertEqual(numbers, ["29", "29", str(score), "29"])
        self.assertIn(f"{TEST}: -1", row["tests"].split("; "))

    def test_each_cause_is_told(self):
        for student in ("ada", "ben", "cem"):
            self.hand_in(student, "held")
        self.grade()
        shutil.rmtree(self.before)
        shutil.copytree(self.out, self.before)
        (self.out / "give.txt").write_text("ada: ok\n", encoding="utf-8")
        self.hand_in("ben", "right")
        self.hand_in("cem", "machine")
        self.course = "b"
        self.grade(SEED="t", RUN_SECONDS="7")
        path = self.out / "students/cem/result.json"
        path.unlink()
        self.compare()
        others = "the course changed, another seed, other limits".replace(", ", "; ")
        self.assertEqual(
            self.because(),
            {
                "ada": f"{others}; points given back",
                "ben": f"files changed ({FILE}); {others}",
                "cem": "not graded now: the machine failed, or ONLY= left it out",
            },
        )

    def test_a_result_of_an_older_version_has_no_known_cause(self):
        path = self.before / "students/ada/result.json"
        old = model.read(path)
        old.pop("inputs")
        model.write(path, old)
        self.hand_in("ada", "wrong")
        self.grade()
        self.compare()
        self.assertRegex(self.because()["ada"], "^not known: ")

    def test_a_file_that_is_no_longer_judged_is_one_line(self):
        path = self.out / "students/ada/result.json"
        result = model.read(path)
        (lab,) = result["labs"]
        (part,) = lab["parts"]
        part |= {"state": "does not compile", "tests": [], "score": 0}
        model.write(path, model.summed(result, [model.lab_result(LAB, [part])]) | {
            "labs": [model.lab_result(LAB, [part])]
        })  # fmt: skip
        self.compare()
        self.assertEqual(self.rows()[0]["tests"], f"{FILE}: graded, now does not compile: -29")
        self.assertEqual(self.because(), {"ada": "graded again"})

    def test_a_folder_of_a_student_without_a_row_is_not_compared(self):
        shutil.copytree(self.out / "students/ada", self.out / "students/gone")
        path = self.out / "students/gone/result.json"
        model.write(path, {**model.read(path), "student": "gone"})
        self.assertIn("0 new", self.compare())

    def test_what_is_no_out_is_refused(self):
        for words, variables in (
            ("BEFORE is missing", {"BEFORE": ""}),
            ("OUT is missing", {"OUT": ""}),
            ("is no OUT of make grade", {"BEFORE": str(self.top / "class")}),
            ("is no OUT of make grade", {"OUT": str(self.top / "nowhere")}),
        ):
            self.assertIn(words, self.compare(2, **variables))
        (self.before / "students/ada/result.json").write_text("{", encoding="utf-8")
        said = self.compare(2)
        self.assertRegex(said, "^BEFORE=.*students/ada/result.json: cannot be read")
        self.assertFalse((self.out / "compare.csv").exists())
