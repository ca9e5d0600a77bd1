"""Tests the points in lab.toml: what they may state, and the messages for unusable ones."""

import json
import tempfile
import unittest
from pathlib import Path

import points
import scoring

LABS = points.facts.labs()


def inline(value) -> str:
    """Returns a value as TOML has it; a None, which TOML has not, as a list."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{word} = {inline(one)}" for word, one in value.items()) + "}"
    return json.dumps([] if value is None else value)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, *lines):
        (self.folder / "lab9").mkdir(exist_ok=True)
        (self.folder / "lab9/lab.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def load(self, *tests, performance=()):
        entries = [f"  {inline(test)}," for test in tests]
        self.write("[[part]]", 'name = "kernel"', *performance, "tests = [", *entries, "]")
        return points.load("lab9", self.folder).parts["kernel"].tests

    def says(self, words, *tests):
        with self.assertRaisesRegex(points.PointsError, words):
            self.load(*tests)

    def test_a_step_counts_two_points_and_another_test_one(self):
        tests = self.load("TODO(1): a", "the product", "hidden: b", "Q1: c")
        self.assertEqual([test.points for test in tests], [2, 1, 1, 1])
        self.assertEqual([test.todo for test in tests], [1, None, None, None])
        self.assertEqual([test.hidden for test in tests], [False, False, True, False])

    def test_a_test_of_two_steps_belongs_to_both(self):
        self.assertEqual(points.todos_of("TODO(2) and TODO(13): a"), [2, 13])
        self.assertEqual(points.todos_of("a TODO(2)"), [])

    def test_a_fact_of_the_whole_waits_for_every_step_above_it(self):
        tests = self.load("TODO(1): a", "TODO(2): b", "the product", "TODO(3): c")
        self.assertEqual(tests[2].parents, ["TODO(1): a", "TODO(2): b"])
        self.assertEqual(tests[3].parents, [])

    def test_the_beginning_of_a_name_stands_for_all_tests_that_begin_so(self):
        last = {"test": "the end", "parents": ["TODO(1)"], "needs": ["the"]}
        test = self.load("TODO(1): a", "TODO(1): b", "the product", last)[3]
        self.assertEqual(test.parents, ["TODO(1): a", "TODO(1): b"])
        self.assertEqual(test.needs, ["the product"])

    def test_a_parent_that_comes_later_is_refused_with_its_line(self):
        first = {"test": "a", "parents": ["b"]}
        cause = r"lab9/lab\.toml:4: part kernel: 'a' has 'b' among its parents.*above it"
        self.says(cause, first, "b")

    def test_needs_that_run_in_a_circle_are_refused(self):
        circle = [{"test": "a", "needs": ["b"]}, {"test": "b", "needs": ["a"]}]
        self.says("needs itself", *circle)

    def test_a_test_that_is_listed_twice_is_refused(self):
        self.says("'a' is listed twice", "a", "a")

    def test_words_and_values_that_mean_nothing_are_refused(self):
        self.says(
            "'pionts' is not known; known are card, hidden, needs", {"test": "a", "pionts": 2}
        )
        for value in (-1, True, "2", None):
            self.says("points must be a number", {"test": "a", "points": value})
        self.says("must be a list of names", {"test": "a", "parents": "b"})
        self.says("hidden must be true or false", {"test": "a", "hidden": 1})

    def test_points_for_speed_are_checked(self):
        def load(**entry):
            self.load("a", performance=[f"performance = {inline(entry)}"])
            return points.load("lab9", self.folder).parts["kernel"]

        good = {"points": 2, "full_at": 0.9, "none_below": 0.3}
        part = load(**good)
        self.assertEqual(part.performance, points.Performance(2, 0.9, 0.3, ["a"], 4096))
        self.assertEqual(part.max_score(), 1)
        for wrong, cause in (
            ({"full": 1}, r"lab9/lab\.toml:3: part kernel: performance: 'full' is not known"),
            ({"points": "2"}, "points must be a number"),
            ({"none_below": 0.9}, "none_below must be less than full_at"),
            ({"width": 100}, "width must be a multiple of 32"),
            ({"needs": ["b"]}, "no test has a name that begins so"),
        ):
            with self.assertRaisesRegex(points.PointsError, cause):
                load(**{**good, **wrong})

    def test_a_comma_too_many_is_told_with_its_line(self):
        self.write("[[part]]", 'name = "kernel"', "tests = [", '  "a",,', "]")
        with self.assertRaisesRegex(points.PointsError, r"lab9/lab\.toml:4: not TOML: "):
            points.load("lab9", self.folder)

    def test_hidden_tests_stand_in_a_file_of_their_own_behind_the_others(self):
        hidden = self.folder / "solutions/hidden/lab9"
        hidden.mkdir(parents=True)
        text = '[[part]]\nname = "{}"\ntests = ["hidden: b"]\n'
        (hidden / "lab.toml").write_text(text.format("kernel"), encoding="utf-8")
        self.assertEqual([test.name for test in self.load("TODO(1): a")][1], "hidden: b")
        (hidden / "lab.toml").write_text(text.format("other"), encoding="utf-8")
        self.says(r"hidden/lab9/lab\.toml:2: part other: lab9/lab\.toml has no such part", "a")


class Shipped(unittest.TestCase):
    def test_every_lab_has_points_and_every_file_is_read(self):
        there = sorted(path.parent.name for path in points.ROOT.glob("lab*/Makefile"))
        self.assertEqual(LABS, there)
        for lab in LABS:
            self.assertGreater(len(points.load(lab).parts), 0)

    def scored(self, status):
        """Yields each part with its tests scored where all of them have this status."""
        for part in (part for lab in LABS for part in points.load(lab).parts.values()):
            verdicts = {test.name: {"status": status} for test in part.tests}
            yield part, scoring.score_tests(part, verdicts)

    def test_what_fails_everything_earns_nothing_and_what_passes_everything_all(self):
        for status in ("failed", "passed"):
            for part, tests in self.scored(status):
                score = part.max_score() if status == "passed" else 0
                self.assertEqual(sum(test["score"] for test in tests), score)

    def test_where_all_fails_only_what_waits_for_nothing_is_told(self):
        for part, tests in self.scored("failed"):
            statuses = [test["status"] for test in tests]
            roots = [test for test in part.tests if not test.parents]
            self.assertEqual(statuses.count("failed"), len(roots))
            self.assertEqual(statuses[0], "failed")


class Scoring(unittest.TestCase):
    def score(self, parents=(), needs=(), **statuses):
        """Scores a test of a step and another one, which has these parents and needs."""
        tests = [points.Test("a", 2, 1, False, [], [])]
        tests.append(points.Test("b", 1, None, False, parents, needs))
        verdicts = {name: {"status": it, "explanation": name} for name, it in statuses.items()}
        return scoring.score_tests(points.Part("kernel", tests), verdicts)

    def test_one_mistake_is_told_once(self):
        a, b = self.score(parents=["a"], a="failed", b="failed")
        self.assertEqual((a["status"], a["explanation"]), ("failed", "a"))
        self.assertEqual((b["status"], b["explanation"], b["score"]), ("waiting", "", 0))

    def test_who_passes_keeps_the_points_though_a_parent_failed(self):
        scored = self.score(parents=["a"], a="failed", b="passed")
        self.assertEqual([test["score"] for test in scored], [0, 1])

    def test_a_pass_that_needs_another_counts_with_it_alone(self):
        b = self.score(needs=["a"], a="failed", b="passed")[1]
        self.assertEqual((b["status"], b["score"]), ("waiting", 0))
        self.assertIn("counts only if 'a' passes", b["explanation"])
        self.assertEqual(self.score(needs=["a"], a="passed", b="passed")[1]["score"], 1)

    def test_nobody_loses_by_what_this_machine_cannot_show(self):
        a, b = self.score(parents=["a"], needs=["a"], a="left out", b="passed")
        self.assertEqual((a["points"], b["score"]), (0, 1))

    def test_a_test_that_was_not_reached_earns_nothing(self):
        b = self.score(a="passed")[1]
        self.assertEqual((b["status"], b["points"], b["score"]), ("waiting", 1, 0))

    def test_what_needs_a_test_that_was_not_reached_does_not_count(self):
        self.assertEqual(self.score(needs=["a"], b="passed")[1]["score"], 0)

    def test_a_pass_that_may_be_the_hosts_work_is_held_back_until_it_is_given(self):
        tests = [points.Test("a", 2, 1, False, [], []), points.Test("b", 1, None, False, [], ["a"])]
        found = {"status": "passed", "findings": [scoring.HANDED_OVER]}
        verdicts = {"a": found, "b": {"status": "passed"}}
        part = points.Part("kernel", tests)
        held, of_it = scoring.score_tests(part, verdicts)
        self.assertEqual((held["status"], held["score"], of_it["score"]), ("waiting", 0, 0))
        given = scoring.score_tests(part, verdicts, given=True)
        self.assertEqual([test["score"] for test in given], [2, 1])
