"""Tests the history of marks, and points that are given back with a reason."""

import contextlib
import errno
import os
from unittest import mock

import history
from graded_class import FILE, GradedClass
from release.contents import Refused


class History(GradedClass):
    def lines(self, student="ada"):
        """Returns the student's lines as (before, points, cause)."""
        rows = [row for row in self.rows(history.NAME) if row["student"] == student]
        return [(row["points before"], row["points"], row["cause"]) for row in rows]

    def marks(self):
        return {row["student"]: row["score"] for row in self.rows()}

    def test_the_first_mark_is_a_line_and_a_run_without_a_change_adds_none(self):
        self.grade()
        first = (self.out / history.NAME).read_bytes()
        mark = self.marks()["ada"]
        self.assertEqual(self.lines(), [("", mark, "graded")])
        row = self.rows(history.NAME)[0]
        self.assertRegex(row["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertRegex(row["course"], r"^1\.\d+\.\d+")
        self.grade()
        self.course = "b"
        self.grade()
        self.assertEqual((self.out / history.NAME).read_bytes(), first)

    def test_a_change_is_appended_with_what_changed(self):
        self.grade()
        whole, first = self.marks()["ada"], (self.out / history.NAME).read_bytes()
        self.hand_in("ada", "wrong")
        self.grade()
        part = self.marks()["ada"]
        self.assertNotEqual(part, whole)
        self.hand_in("ada", "right again")
        self.course = "b"
        self.grade(SEED="t")
        self.assertEqual(
            self.lines()[1:],
            [
                (whole, part, f"graded again: files changed ({FILE})"),
                (
                    part,
                    whole,
                    f"graded again: files changed ({FILE}), the course changed, another seed",
                ),
            ],
        )
        self.assertEqual(len(self.lines("ben")), 1)
        self.assertTrue((self.out / history.NAME).read_bytes().startswith(first))

    def test_what_the_machine_could_not_grade_is_no_mark(self):
        self.grade()
        self.hand_in("ada", "machine")
        self.grade()
        self.assertEqual(self.rows()[0]["status"], "not graded")
        self.assertEqual(len(self.lines()), 1)

    def test_marks_of_a_run_that_was_killed_are_noted_by_the_next_one(self):
        with mock.patch.object(history, "note"), contextlib.suppress(KeyboardInterrupt):
            self.grade()
        self.hand_in("ada", "wrong")
        self.grade()
        self.assertEqual([cause for *_, cause in self.lines()][0], "graded")
        self.assertEqual(len(self.lines()), 2)

    def test_a_file_that_is_no_history_is_refused_and_stays(self):
        self.grade()
        path = self.out / history.NAME
        path.write_text("student;mark\nada;5\n", encoding="utf-8")
        with self.assertRaisesRegex(Refused, r"history\.csv:1: is no history"):
            self.grade()
        self.assertEqual(path.read_text(encoding="utf-8"), "student;mark\nada;5\n")

    def test_a_line_whose_inputs_a_spreadsheet_has_spoiled_has_no_known_cause(self):
        self.grade()
        for spoiled, words in (("5", "wrong"), ("{", "right"), ("", "wrong too")):
            text = (self.out / history.NAME).read_text(encoding="utf-8")
            told = [line.partition(',"{')[0] for line in text.splitlines()]
            text = "\n".join([told[0], *(f"{line},{spoiled}" for line in told[1:])])
            (self.out / history.NAME).write_text(text, encoding="utf-8")
            self.hand_in("ada", words)
            self.grade()
            self.assertIn("graded again: not known: ", self.lines()[-1][2])

    def test_a_full_disk_leaves_the_history_as_it_was(self):
        path = self.top / "history"
        path.write_bytes(b"a line cut sh")
        history.append(path, b"next\n")
        self.assertEqual(path.read_bytes(), b"a line cut sh\nnext\n")
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        file = mock.MagicMock(**{"seek.return_value": 0, "write.side_effect": [2, full]})
        opened = mock.MagicMock(**{"__enter__.return_value": file, "__exit__.return_value": None})
        with mock.patch("builtins.open", return_value=opened), self.assertRaises(OSError) as error:
            history.append(path, b"more\n")
        self.assertEqual(error.exception.filename, str(path))
        file.truncate.assert_called_once_with(0)


class GivenBack(GradedClass):
    REASON = "the kernel computes it, J.D."

    def setUp(self):
        super().setUp()
        self.hand_in("ada", "held")
        self.grade()
        self.held = self.result("ada")["score"]

    def give(self, text, **variables):
        (self.out / "give.txt").write_text(text, encoding="utf-8")
        self.grade(**{"LOGNAME": "drake", **variables})

    def test_points_are_given_with_the_reason_and_the_user(self):
        self.give(f"ada: {self.REASON}\n")
        self.assertEqual(self.judged, [])
        result = self.result("ada")
        self.assertGreater(result["score"], self.held)
        self.assertEqual(result["given"], {"reason": self.REASON, "by": "drake"})
        self.assertIn(f"given by drake: {self.REASON}.", self.rows()[0]["remarks"])
        last = self.rows(history.NAME)[-1]
        told = last["student"], last["cause"], last["reason"], last["given by"]
        cause = "graded again: points given back"
        self.assertEqual(told, ("ada", cause, self.REASON, "drake"))
        wanted = f"## Points given back\n\n    {'Your teacher has given you'}"
        self.assertIn(wanted, self.feedback("ada"))
        self.assertIn(f"    Reason: {self.REASON}\n", self.feedback("ada"))

    def test_each_form_of_a_line_gives_them(self):
        whole = self.result("ben")["score"]
        for line in ("ada", "ada  ok", "ada\tok", "ada:ok", "ben: no such points\n  ada  "):
            self.give("")
            self.assertEqual(self.result("ada")["score"], self.held, line)
            self.give(f"\ufeff{line}\n")
            self.assertEqual(self.result("ada")["score"], whole, line)
        self.assertNotIn("given", self.result("ben"))
        self.assertNotIn("Points given back", self.feedback("ben"))

    def test_who_gave_them_stays_if_another_user_grades_again(self):
        self.give("ada: ok\n")
        self.course = "b"
        self.give("ada: ok\n", LOGNAME="other")
        self.assertEqual(self.result("ada")["given"]["by"], "drake")

    def test_a_line_that_names_no_student_is_told_with_its_number(self):
        self.give("\nadda: ok\nada is fine\n")
        self.assertIn(
            "give.txt:2: there is no student 'adda'; did you mean 'ada: reason'?", self.said
        )
        self.assertIn("give.txt:3: there is no student 'ada is fine'; did you mean", self.said)
        (self.out / "give.txt").write_bytes(b"ada: ok\nben: f\xfcr dich\n")
        with self.assertRaisesRegex(Refused, r"give\.txt:2: is not UTF-8"):
            self.grade()

    def test_the_longest_name_counts(self):
        self.hand_in("ada: b", "held")
        self.give("ada: b: fine\n")
        self.assertEqual(self.result("ada")["score"], self.held)
        self.assertEqual(self.result("ada%3A b")["given"]["reason"], "fine")
