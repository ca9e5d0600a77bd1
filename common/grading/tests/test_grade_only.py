"""Tests ONLY=, which grades some students again, and keeps all other rows."""

import fcntl
import json
import shutil
from unittest import mock

import model
from grade import class_run, engine, students
from grade import options as asked
from graded_class import GradedClass
from release.contents import Refused


class Only(GradedClass):
    def setUp(self):
        super().setUp()
        self.hand_in("ben", "wrong")
        self.grade()

    def files_of(self, student):
        folder = self.out / "students" / student
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}

    def refusal(self, **variables):
        before = {path: path.read_bytes() for path in self.out.rglob("*") if path.is_file()}
        with self.assertRaises(Refused) as refused:
            self.grade(**variables)
        self.assertEqual([path for path in before if path.read_bytes() != before[path]], [])
        return str(refused.exception)

    def test_one_that_is_up_to_date_is_judged_again_and_all_others_stay(self):
        rows, others = self.rows(), self.files_of("ben") | self.files_of("cem")
        before = self.files_of("ada")
        self.grade(ONLY="ada")
        self.assertEqual((self.judged, self.rows()), (["right"], rows))
        self.assertEqual(self.files_of("ben") | self.files_of("cem"), others)
        self.assertNotEqual(self.files_of("ada"), before)
        self.assertEqual(json.loads((self.out / "summary.json").read_bytes())["submissions"], 3)
        self.assertIn("ONLY: 1 graded again; the results of 2 others stay.", self.said)

    def test_several_are_separated_by_blanks_or_if_a_name_has_one_by_commas(self):
        self.hand_in("Ana María", "right n")
        for names, count in (("ada cem", 2), ("ada, Ana María", 2), ("Ana María", 1)):
            self.grade(ONLY=names)
            self.assertEqual(len(self.judged), count, names)

    def test_a_name_that_is_not_there_is_told_with_those_like_it_and_changes_nothing(self):
        said = self.refusal(ONLY="benn")
        self.assertIn("ONLY=benn: SUBMISSIONS has no student 'benn'.\nNames like it: ben", said)
        self.assertIn("no student 'x'", self.refusal(ONLY="ada x"))

    def test_others_without_a_result_are_not_graded_yet(self):
        shutil.rmtree(self.out / "students/cem")
        self.hand_in("new", "right")
        self.grade(ONLY="ada")
        states = {row["student"]: row["status"] for row in self.rows()}
        wanted = {"ada": "graded", "ben": "graded", "cem": "not graded", "new": "not graded"}
        self.assertEqual(states, wanted)
        self.assertIn("2 of the others are not graded yet.", self.said)
        self.grade()
        self.assertEqual({row["status"] for row in self.rows()}, {"graded"})

    def test_a_folder_with_one_late_submission_keeps_the_rows_of_all_others(self):
        shutil.rmtree(self.top / "class")
        self.hand_in("ada", "wrong late")
        no_row = {**self.result("ben"), "student": "dora"}
        model.write(self.out / "students/dora/result.json", no_row)
        (self.out / "give.txt").write_text("cem: ok\n", encoding="utf-8")
        before = {row["student"]: row for row in self.rows()}
        self.grade(ONLY="ada")
        after = {row["student"]: row for row in self.rows()}
        self.assertEqual(after.keys(), before.keys())
        self.assertEqual((after["ben"], after["cem"]), (before["ben"], before["cem"]))
        self.assertNotEqual(after["ada"], before["ada"])
        self.assertNotIn("there is no student", self.said)

    def test_that_others_had_another_seed_is_told(self):
        self.grade(ONLY="ada", SEED="t")
        self.assertIn("2 of the others had another course, seed or limits.", self.said)
        self.assertEqual(len(self.judged), 1)

    def test_other_labs_than_those_in_out_are_refused(self):
        path = self.out / "students/ben/result.json"
        text = path.read_text(encoding="utf-8").replace('"lab": "lab1_naive"', '"lab": "lab2"')
        path.write_text(text, encoding="utf-8")
        self.assertIn('LABS="lab2"', self.refusal(ONLY="ada"))

    def test_another_grader_at_work_in_out_is_waited_for_by_nobody(self):
        with open(self.out / ".lock", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("another grader is at work there", self.refusal(ONLY="ada"))

    def test_a_task_of_a_cluster_is_done_when_the_result_is_written_anew(self):
        """The result of the earlier run is up to date, and does not count."""
        seen = []

        def grade(commands, out, is_done, *_):
            for folder in commands:
                seen.append(is_done(folder))
                options = asked.read(0o022)
                class_run.grade_one(options, folder)
                seen.append(is_done(folder))
            return {}

        with mock.patch.object(engine.job_array, "grade", grade):
            self.grade(ONLY="ada", ENGINE="slurm")
        self.assertEqual((seen, self.judged), ([False, True], ["right"]))


class Names(GradedClass):
    def test_like_a_mistyped_name_are_close_ones_and_those_that_hold_it(self):
        names = ["lovelaceada_123", "turingalan_7", "ben"]
        self.assertEqual(students.near("Lovelace", names), ["lovelaceada_123"])
        self.assertEqual(students.near("turingalen_7", names), ["turingalan_7"])
        self.assertEqual(students.near("zzz", names), [])
