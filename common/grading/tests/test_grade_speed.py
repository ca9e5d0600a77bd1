"""Tests points for speed on recorded times, and the stopwatch on real programs."""

import dataclasses
import itertools
import os
import subprocess
import tempfile
import types
import unittest
from unittest import mock

import model
import points
from grade import judge, sandbox, submission
from speed import marks
from speed.contest import Measured, Unmeasured, rounds
from speed.numbers import Numbers
from speed.stopwatch import Run, Stopwatch

MEASURED = "common/grading/speed/measured.cpp"
STAND_IN = "common/grading/tests/speed/stand_in.cpp"
WANTED = points.Performance(2, 0.9, 0.3, [], 64)
REFERENCE = [0.010, 0.011, 0.010, 0.010, 0.030]


class Points(unittest.TestCase):
    def test_points_lie_on_a_line_between_none_and_all(self):
        for relative, score in ((0.1, 0), (0.3, 0), (0.6, 1), (0.9, 2), (1.5, 2), (0.45, 0.5)):
            self.assertEqual(marks.score(relative, WANTED), score)

    def test_one_call_that_was_disturbed_changes_nothing(self):
        self.assertEqual(marks.ratio(REFERENCE, [0.020, 0.020, 0.500, 0.020, 0.020]), 0.5)

    def test_rounds_that_agree_need_no_further_one(self):
        self.assertFalse(marks.settled([0.6, 0.6], WANTED))
        self.assertTrue(marks.settled([0.6, 0.61, 0.6], WANTED))
        self.assertFalse(marks.settled([0.6, 0.8, 0.5], WANTED))
        self.assertTrue(marks.settled([0.6, 0.8, 0.5, 0.6, 0.4, 0.6, 0.5], WANTED))

    def test_rounds_that_disagree_are_not_repeated_where_the_points_are_sure(self):
        self.assertTrue(marks.settled([0.95, 1.3, 1.1], WANTED))
        self.assertTrue(marks.settled([0.1, 0.2, 0.15], WANTED))

    def test_noise_is_in_the_students_favour_and_said(self):
        quiet, noisy = marks.result([0.60, 0.62, 0.61]), marks.result([0.5, 0.8, 0.6] * 3)
        self.assertEqual((quiet.relative, quiet.noisy), (0.61, False))
        self.assertEqual((noisy.relative, noisy.noisy), (0.8, True))
        sure = marks.result([0.95, 1.3, 1.1])
        self.assertEqual((sure.relative, sure.noisy), (1.1, False))


class Rounds(unittest.TestCase):
    def rounds(self, reference, own):
        """Takes a list of runs for each side; the last run is repeated."""
        sides = (itertools.chain(runs, itertools.repeat(runs[-1])) for runs in (reference, own))
        return rounds(*(lambda *_, side=side: next(side) for side in sides), WANTED)

    def test_both_sides_take_turns_and_the_median_counts(self):
        own = [Run([0.02] * 5), Run([0.0202] * 5), Run([0.0198] * 5)]
        measured = self.rounds([Run([0.01] * 5)], own)
        self.assertEqual((measured.relative, measured.rounds, measured.noisy), (0.5, 3, False))

    def test_rounds_that_do_not_agree_are_repeated(self):
        own = [Run([0.02]), Run([0.016]), Run([0.02]), Run([0.016]), Run([0.02])]
        measured = self.rounds([Run([0.01])], own)
        self.assertEqual((measured.rounds, measured.noisy), (marks.MOST_ROUNDS, True))
        self.assertAlmostEqual(measured.relative, 0.625)

    def test_a_reference_that_fails_is_no_fault_of_the_submission(self):
        with self.assertRaisesRegex(Unmeasured, "no card"):
            self.rounds([Run(problem="no card")], [Run([0.01])])

    def test_a_submission_that_fails_has_no_speed(self):
        measured = self.rounds([Run([0.01])], [Run([0.01]), Run(problem="it crashed")])
        self.assertEqual((measured.relative, measured.problem), (0, "it crashed"))

    def test_what_takes_three_times_as_long_has_a_third_of_the_speed(self):
        measured = self.rounds([Run([0.02] * 3, 0.1)], [Run([0.06] * 3, 0.1)])
        self.assertAlmostEqual(measured.relative, 1 / 3)
        self.assertEqual((measured.seconds, measured.reference_seconds), (0.06, 0.02))
        self.assertFalse(measured.noisy)

    def test_a_noisy_program_is_measured_more_often(self):
        reference, quiet, noisy = (Run([seconds] * 3, 0.1) for seconds in (0.02, 0.02, 0.05))
        steady = self.rounds([reference], [quiet])
        measured = self.rounds([reference], [quiet, noisy] * 9)
        self.assertGreater(measured.rounds, steady.rounds)
        self.assertTrue(measured.noisy)
        self.assertEqual(measured.relative, 1)  # the best of them


def contest(*said):
    """Returns a contest whose measurements end with these results or exceptions, in turn."""
    return types.SimpleNamespace(measure=mock.Mock(side_effect=said))


class Marks(unittest.TestCase):
    """Tests what a submission's result says about its speed."""

    MOST = {"the product": 3, "few loads": 1}
    TESTS = [points.Test(name, most, None, False, [], []) for name, most in MOST.items()]

    def setUp(self):
        out = self.enterContext(tempfile.TemporaryDirectory())
        self.options = types.SimpleNamespace(limits=sandbox.Limits(), out=out)
        self.remarks = []

    def grader(self, contest, wanted=WANTED):
        wanted = dataclasses.replace(wanted, needs=["the product"])
        part = points.Part("kernel", self.TESTS, wanted)
        course = types.SimpleNamespace(
            digest="",
            has_hidden=False,
            card=types.SimpleNamespace(name="a card"),
            points={"lab9": points.Lab("lab9", {"kernel": part})},
            references={("lab9", "kernel"): b"fast"},
            performance=lambda lab, part: wanted if contest else None,
        )
        return submission.Grader(self.options, course, "seed", contest), part

    def timed(self, contest, product="passed", state="graded"):
        grader, part = self.grader(contest)
        verdicts = {"the product": {"status": product}, "few loads": {"status": "failed"}}
        verdict = judge.Verdict(state, verdicts=verdicts if state == "graded" else {})
        one = types.SimpleNamespace(data=b"file")
        student = types.SimpleNamespace(name="a")
        test = grader.timed(student, "lab9", "kernel", one, verdict, self.remarks)
        result = model.part_result(part, "kernel.cu", state, "", verdict.verdicts, True, test)
        model.check(model.student_result("a", [model.lab_result("lab9", [result])], 1, []))
        return test, result

    def test_part_of_the_speed_earns_part_of_the_points(self):
        test, result = self.timed(contest(Measured(0.6, 0.02, 3, False, 0.02, 0.012)))
        self.assertEqual(test["test"], "performance: 0.60 of the reference's speed")
        self.assertEqual((test["status"], test["score"], test["points"]), ("failed", 1, 2))
        self.assertEqual((result["score"], result["max_score"]), (4, 6))
        self.assertIn("20.0 ms on the card", test["explanation"])
        self.assertEqual(self.remarks, [])

    def test_the_same_file_is_measured_once(self):
        asked = contest(Measured(1.0, 0.02, 3, False, 0.02, 0.02))
        self.assertEqual(self.timed(asked), self.timed(asked))
        self.assertEqual(asked.measure.call_count, 1)

    def test_without_the_tests_that_it_needs_speed_is_not_measured(self):
        asked = contest()
        test, result = self.timed(asked, product="failed")
        self.assertEqual((test["status"], test["score"]), ("waiting", 0))
        self.assertIn("after 'the product' passes", test["explanation"])
        self.assertEqual(result["max_score"], 6)
        test, result = self.timed(asked, state="missing")
        self.assertEqual((result["score"], result["max_score"], result["tests"]), (0, 6, []))
        self.assertEqual(asked.measure.call_count, 0)

    def test_without_a_card_there_are_no_such_points(self):
        test, result = self.timed(None)
        self.assertEqual((test, result["max_score"], len(result["tests"])), (None, 4, 2))

    def test_a_card_that_fails_costs_nobody_a_point_and_is_tried_again(self):
        fine = Measured(1.0, 0.02, 3, False, 0.02, 0.02)
        asked = contest(Unmeasured("the reference: no card"), fine)
        test, result = self.timed(asked)
        self.assertEqual((test["status"], result["max_score"]), ("left out", 4))
        self.assertIn("not measured: the reference: no card", self.remarks[0])
        self.assertEqual(self.timed(asked)[0]["status"], "passed")

    def test_a_wrong_product_on_the_card_earns_nothing_and_is_remarked(self):
        test, _ = self.timed(contest(Measured(problem="the product is wrong")))
        self.assertEqual((test["status"], test["score"]), ("failed", 0))
        self.assertIn("on the card: the product is wrong", self.remarks[0])

    def test_noise_is_remarked(self):
        self.timed(contest(Measured(0.8, 0.3, 7, True, 0.02, 0.02)))
        self.assertIn("7 rounds, which lie 30 % apart", self.remarks[0])


class Programs(unittest.TestCase):
    """Runs real processes in the sandbox; the stand-in computes on the host, 20 ms a call."""

    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(os.umask, os.umask(0o022))  # as the grader does
        cls.top = cls.enterClassContext(tempfile.TemporaryDirectory())
        os.chmod(cls.top, 0o755)
        cls.box = sandbox.choose(sandbox.Limits(), "auto", cls.top)
        cls.numbers = Numbers(os.path.join(cls.top, "numbers"), WANTED.width, 1)
        cls.programs = {}
        # The same object for all programs.
        cls.same = os.path.join(cls.top, "measured.o")
        cls.compile("-c", MEASURED, "-o", cls.same)

    @staticmethod
    def compile(*words):
        subprocess.run(["g++", "-std=c++17", "-O1", "-Icommon", *words], check=True)

    def program(self, mode):
        if mode not in self.programs:
            folder = os.path.join(self.top, mode)
            os.mkdir(folder, 0o755)
            self.compile(f"-DMODE_{mode}=1", self.same, STAND_IN, "-o", f"{folder}/measured")
            self.programs[mode] = f"{folder}/measured"
        return self.programs[mode]

    def run_it(self, mode, calls=4, seconds=60.0):
        watch = Stopwatch(self.box, 3, self.top, self.numbers)
        return watch.run(self.program(mode), calls, 60, seconds)

    def test_each_call_is_timed(self):
        run = self.run_it("HONEST")
        self.assertEqual((run.problem, len(run.times)), ("", 4))
        # A busy machine makes calls longer, never shorter.
        self.assertTrue(all(0.02 <= seconds for seconds in run.times), run.times)

    def test_a_patched_clock_makes_no_call_shorter(self):
        run = self.run_it("PATCHES_CLOCK")
        self.assertEqual(run.problem, "")
        self.assertTrue(all(0.02 <= seconds for seconds in run.times), run.times)

    def test_work_that_is_left_out_is_a_wrong_product(self):
        for mode in ("AT_ONCE", "KEEPS_RESULTS", "EARLY_REPLY", "CUTS_FILE"):
            self.assertRegex(self.run_it(mode).problem, "product is wrong|ended in a call", mode)

    def test_a_crash_and_an_early_end_are_told(self):
        self.assertIn("ended in a call, with status", self.run_it("CRASHES").problem)
        self.assertIn("ended in a call, with status 0", self.run_it("EXITS").problem)

    def test_a_call_that_hangs_is_ended(self):
        self.assertIn("not come back after 0.5 s", self.run_it("HANGS", seconds=0.5).problem)

    def test_another_file_in_the_place_of_the_product_changes_nothing(self):
        self.assertEqual(self.run_it("OTHER_FILE").problem, "")
