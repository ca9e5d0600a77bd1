"""Tests EXPLAIN_HIDDEN=, the date from which feedback explains hidden tests."""

import datetime

from graded_class import WRONG, GradedClass
from release.contents import Refused

PAST, AHEAD = "2026-01-01", "2999-12-31"
PASSED = "| hidden: the product is right for other widths and other numbers | passed |"
FAILED = PASSED.replace("passed", "failed")
HEADING = "### Failed: hidden: the product is right for widths next to a multiple of 16\n\n    "
CONCEALED = "The reason is not shown"


class Explained(GradedClass):
    def setUp(self):
        super().setUp()
        self.hand_in("ada", "wrong")
        self.grade()

    def test_before_the_date_feedback_is_as_ever(self):
        before = self.feedback("ada")
        self.grade(EXPLAIN_HIDDEN=AHEAD)
        self.assertEqual((self.feedback("ada"), self.judged), (before, []))
        self.assertIn(f"Hidden tests: not explained before {AHEAD}", self.said)
        self.assertIn(CONCEALED, before)
        self.assertNotIn("| hidden test |", before)

    def test_from_the_date_on_each_hidden_test_is_told_and_explained_without_grading(self):
        result = self.result("ada")
        self.grade(EXPLAIN_HIDDEN=str(datetime.date.today()))
        self.assertEqual((self.judged, self.result("ada")), ([], result))
        self.assertIn(PASSED, self.feedback("ben"))
        said = self.feedback("ada")
        self.assertIn(FAILED, said)
        self.assertIn(HEADING + WRONG, said)
        self.assertNotIn(CONCEALED, said)

    def test_what_is_graded_after_the_date_is_explained_at_once(self):
        self.hand_in("ben", "wrong too")
        self.grade(EXPLAIN_HIDDEN=PAST)
        self.assertEqual(self.judged, ["wrong too"])
        self.assertIn(HEADING + WRONG, self.feedback("ben"))

    def test_a_later_date_conceals_them_again(self):
        before = self.feedback("ada")
        for date in (AHEAD, ""):
            self.grade(EXPLAIN_HIDDEN=PAST)
            self.grade(EXPLAIN_HIDDEN=date)
            self.assertEqual(self.feedback("ada"), before)

    def test_feedback_that_somebody_has_changed_stays_and_is_told(self):
        path = self.out / "students/ada/feedback.md"
        path.write_text(self.feedback("ada") + "See me.\n", encoding="utf-8")
        self.grade(EXPLAIN_HIDDEN=PAST)
        self.assertTrue(self.feedback("ada").endswith("See me.\n"))
        self.assertIn("stay, as somebody has changed them: ada.", self.said)
        path.unlink()
        self.grade(EXPLAIN_HIDDEN=PAST)
        self.assertIn(HEADING + WRONG, self.feedback("ada"))

    def test_a_wrong_date_is_refused_with_a_right_one(self):
        for date in ("24.12.2026", "2026-02-30", "20261224", "soon"):
            with self.assertRaisesRegex(Refused, f"EXPLAIN_HIDDEN={date}: write a date as year-"):
                self.grade(EXPLAIN_HIDDEN=date)
