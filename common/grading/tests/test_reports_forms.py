"""Tests each form of report against its public description, with a reader of its own."""

import csv
import functools
import io
import json
import operator
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path
from unittest import mock

import model
import scoring
from forms import classroom50, feedback, gradescope, junit, table, wording
from reports_fixture import ADD, HOSTILE, result, verdict

REPORTS = Path(model.__file__).with_name("reports.py")


def schema_errors(report: dict) -> list:
    """Compares a results.json with Gradescope's description, field by field."""
    number, text = (int, float), str
    views = ("visible", "hidden", "after_due_date", "after_published")
    top = {"score": number, "execution_time": number, "output": text, "output_format": text}
    top.update({"visibility": text, "stdout_visibility": text, "tests": list})
    one: dict = {"score": number, "max_score": number, "status": text, "name": text, "number": text}
    one.update({"name_format": text, "output": text, "output_format": text, "visibility": text})
    formats = ("text", "html", "simple_format", "md", "ansi")
    errors = []
    for record, fields in [(report, top), *((test, one) for test in report["tests"])]:
        wrong = [key for key in record if not isinstance(record[key], fields.get(key, ()))]
        for key, known in (("visibility", views), ("output_format", formats)):
            wrong += [key] if record.get(key) not in known else []
        wrong += ["status"] if record.get("status", "passed") not in ("passed", "failed") else []
        errors += [f"{key} in {record}" for key in wrong]
    return errors


class HeldBack(unittest.TestCase):
    def test_a_student_reads_why_a_pass_does_not_count_yet(self):
        held = verdict("passed", "", [scoring.HANDED_OVER])
        part = model.part_result(ADD, "add.cu", "graded", verdicts={"the sum is right": held})
        text = feedback.text(model.student_result("ada", [model.lab_result("lab9", [part])], 1, []))
        self.assertIn("### Held back: the sum is right\n\n    It passes, but counts only", text)
        self.assertNotIn("waits for the tests above", text)


ADVICE = ["kernel (1).cu has another name: \x1b[31mhand it in as `kernel.cu`.", "And a second one."]


class Advice(unittest.TestCase):
    def test_what_to_hand_in_instead_stands_on_top_of_what_a_student_reads(self):
        told = {**result(), "advice": ADVICE}
        wanted = "kernel (1).cu has another name: hand it in as `kernel.cu`."
        self.assertIn(f"\n{wanted}\nAnd a second", gradescope.report(told)["output"])
        text = feedback.text(told)
        self.assertIn(f"## What was handed in\n\n    {wanted}\n    And a second one.\n", text)
        self.assertLess(text.index(wanted), text.index("## lab9/kernel.cu"))

    def test_without_advice_nothing_is_said_of_it(self):
        self.assertNotIn("What was handed in", feedback.text(result()))

    def test_advice_that_is_no_sentence_is_refused(self):
        for advice in ("text", [1]):
            with self.assertRaisesRegex(model.ModelError, "advice must be sentences"):
                model.check({**result(), "advice": advice})

    def test_text_that_turns_around_or_speaks_to_a_terminal_is_replaced(self):
        said = wording.clean("a\x1b]0;title\x07\x9b2Jb\u202ec\u2066d\te\r\nf")
        self.assertTrue(all(one.isprintable() for one in said.replace("\t", "").split("\n")), said)


class Gradescope(unittest.TestCase):
    def setUp(self):
        self.report = json.loads(json.dumps(gradescope.report(result())))

    def test_it_keeps_to_the_description(self):
        self.assertEqual(schema_errors(self.report), [])

    def test_the_tests_sum_up_to_the_score_and_to_the_maximum(self):
        tests = self.report["tests"]
        self.assertEqual(sum(test["score"] for test in tests), result()["score"])
        self.assertEqual(sum(test["max_score"] for test in tests), result()["max_score"])

    def test_hidden_tests_are_shown_after_the_grades_are_published(self):
        views = {test["name"]: test["visibility"] for test in self.report["tests"]}
        hidden = [name for name, view in views.items() if view == "after_published"]
        self.assertEqual(len(hidden), 2)
        self.assertTrue(all("hidden: " in name for name in hidden))
        self.assertNotIn("hidden tests passed", self.report["output"])

    def test_a_file_that_does_not_compile_is_told_with_its_points(self):
        entry = self.report["tests"][-1]
        self.assertEqual((entry["score"], entry["max_score"], entry["status"]), (0, 4, "failed"))
        self.assertIn("matrix_add.cu does not compile.\nmatrix_add.cu:3", entry["output"])


class JUnit(unittest.TestCase):
    def setUp(self):
        self.text = junit.text(result())
        self.root = ET.fromstring(self.text)

    def test_the_counts_are_those_of_the_cases(self):
        for kind, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            self.assertEqual(int(self.root.get(kind)), len(self.root.findall(f".//{tag}")))
        self.assertEqual(int(self.root.get("tests")), len(self.root.findall(".//testcase")))
        totals = [self.root.get(kind) for kind in ("tests", "failures", "errors")]
        self.assertEqual(totals, ["7", "2", "1"])

    def test_no_control_character_is_left_and_markup_is_text(self):
        self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe]", self.text))
        texts = [element.text for element in self.root.findall(".//failure")]
        self.assertTrue(any(']]> </failure> & "quotes"' in text for text in texts))

    def test_hidden_tests_have_a_class_of_their_own(self):
        names = {case.get("classname") for case in self.root.findall(".//testcase")}
        self.assertEqual(names, {"lab9.kernel", "lab9.kernel.hidden", "lab9.matrix_add"})


RUNNER = {name: f"the {name}" for name in classroom50.FROM_RUNNER.values()}


@mock.patch.dict("os.environ", RUNNER)
class Classroom50(unittest.TestCase):
    def test_it_has_the_fields_of_the_contract_in_whole_points(self):
        report = classroom50.report(result())
        texts = "schema classroom assignment assignment_type owner submission commit release review"
        for field in texts.split():
            self.assertTrue(isinstance(report.pop(field), str), field)
        self.assertRegex(report.pop("datetime"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        tests = report.pop("tests")
        # The half point of a test doubles all.
        expected = {"score": 2 * result()["score"], "max-score": 2 * result()["max_score"]}
        self.assertEqual(report, expected)
        for test in tests:
            fields = [(field, type(value)) for field, value in test.items() if field != "message"]
            kinds = (str, bool, int, int)
            self.assertEqual(fields, [*zip(("test-name", "passed", "score", "max-score"), kinds)])
        for field in ("score", "max-score"):
            self.assertEqual(sum(test[field] for test in tests), report[field])

    def test_a_part_that_did_not_run_is_a_test_that_failed(self):
        last = classroom50.report(result())["tests"][-1]
        self.assertEqual((last["passed"], last["score"], last["max-score"]), (False, 0, 8))
        self.assertIn("matrix_add.cu does not compile.", last["message"])

    def test_it_is_refused_outside_the_runner(self):
        with mock.patch.dict("os.environ", {"OWNER": ""}):
            self.assertRaisesRegex(model.ModelError, "OWNER: not set", classroom50.report, result())


class HiddenTests(unittest.TestCase):
    @mock.patch.dict("os.environ", RUNNER)
    def test_no_form_for_students_shows_what_the_run_of_a_hidden_test_has_said(self):
        asked, spelt = result() | {"course": ""}, "Width 5/3\nread: 5/3"  # as no date has it
        for _, _, test in model.tests_of(asked):
            if test["hidden"]:
                test.update(explanation=spelt, findings=["race", "unset-read"])
        for status in ("passed", "failed", "left out"):
            for test in asked["labs"][0]["parts"][0]["tests"][-2:]:
                test["status"] = status
            for form in (feedback.text, gradescope.report, junit.text, classroom50.report):
                said = str(form(asked))
                with self.subTest(form=form, status=status):
                    self.assertIn("hidden: large ones" if status == "failed" else "", said)
                    self.assertNotIn("5/3", said)
                    self.assertNotIn("unset-read", said)

    def test_a_failed_one_is_told_by_a_fixed_sentence_and_with_where_to_read_on(self):
        wanted = f"### Failed: hidden: large ones\n\n    {wording.OF_HIDDEN['failed']}\n\nRead lab9"
        self.assertIn(wanted, feedback.text(result()))


class Feedback(unittest.TestCase):
    def setUp(self):
        self.text = feedback.text(result())

    def test_it_names_public_and_hidden_tests_apart(self):
        self.assertIn("public tests passed: 1 of 3; hidden tests passed: 1 of 2; ", self.text)
        self.assertIn("; not run: lab9/matrix_add.cu.", self.text)
        self.assertNotRegex(self.text, r"(?i)all tests passed")
        self.assertRegex(self.text, r"\nJudged by version 1\.\d+\.\d+.* of the course\.\n$")

    def test_where_nothing_ran_no_test_is_counted(self):
        asked = result()
        del asked["labs"][0]["parts"][0]
        self.assertEqual(wording.counts(asked), "no test ran; not run: lab9/matrix_add.cu")

    def test_a_section_that_the_explanation_names_is_not_named_twice(self):
        asked, section = result(), "lab9/README.md, section 'The kernel', step 6"
        with mock.patch.object(feedback, "section_to_read", return_value=section):
            self.assertEqual(feedback.text(asked).count(f"Read {section}."), 2)
            test = asked["labs"][0]["parts"][0]["tests"][1]
            # A section of another step: the feedback maps the line to the TODO.
            test["explanation"] = "wrong\nread: lab9/README.md, section 'The\n  kernel', step 2"
            self.assertEqual(feedback.text(asked).count(f"Read {section}."), 1)

    def test_a_wrong_answer_is_told_where_to_read_on(self):
        test = {"test": "Q2: stores to global memory", "findings": []}
        self.assertRegex(feedback.section_to_read("lab1_naive", "answers", test), "step 4$")

    def test_a_failure_is_told_with_its_line_and_where_to_read_on(self):
        self.assertIn("### Failed: TODO(2): two", self.text)
        self.assertIn("lab9/kernel.cu:12:", self.text)
        self.assertIn("Read lab9/README.md", self.text)

    def test_waiting_tests_take_one_line_and_are_not_explained(self):
        self.assertIn("1 test waits for the tests above", self.text)
        self.assertNotIn("the product is wrong", self.text)

    def test_each_step_is_told_with_its_points(self):
        rows = "| TODO(1) | 2 of 2 |\n| TODO(2) | 0 of 2 |\n| as a whole | 0 of 1.5 |"
        self.assertIn(rows, self.text)
        self.assertIn("| hidden tests | 3 of 6 |", self.text)

    def test_what_the_grader_remarks_is_not_in_it(self):
        self.assertNotIn("overwrite", self.text)
        self.assertNotIn("overwrite", json.dumps(gradescope.report(result())))

    def test_what_a_program_prints_cannot_become_markup(self):
        self.assertNotIn("\x1b", self.text)
        lines = [line for line in self.text.split("\n") if "```" in line]
        self.assertTrue(lines and all(line.startswith("    ") for line in lines))


class Table(unittest.TestCase):
    def rows(self, *results):
        return list(csv.DictReader(io.StringIO(table.text(list(results)))))

    def test_it_has_a_line_a_student_and_columns_for_labs_and_parts(self):
        rows = self.rows(result("bob"), result("ada"))
        self.assertEqual([row["student"] for row in rows], ["ada", "bob"])
        row = rows[0]
        self.assertEqual([row[key] for key in ("score", "lab9", "lab9/kernel")], ["5", "5", "5"])
        self.assertEqual((row["max_score"], row["lab9/matrix_add"]), ("15.5", "0"))
        self.assertEqual(row["hidden tests passed"], "1 of 2")
        self.assertIn("overwrite", row["remarks"])
        self.assertRegex(row["course"], r"^1\.\d+\.\d+")

    def test_a_name_is_no_formula_and_takes_one_line(self):
        names = [row["student"] for row in self.rows(result("=1+1"), result('a,"b"\nc'))]
        self.assertEqual(names, ["'=1+1", 'a,"b" c'])

    def test_a_student_without_labs_has_a_line(self):
        empty = model.student_result("eve", [], 0, [], "nothing handed in")
        self.assertEqual(self.rows(empty, result())[1]["status"], "nothing handed in")


class Model(unittest.TestCase):
    def test_what_is_written_is_read_again_as_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            model.write(Path(folder, "new", "result.json"), result())
            again = model.read(Path(folder, "new", "result.json"))
        self.assertEqual(again, json.loads(json.dumps(result())))

    def test_a_result_whose_sums_are_wrong_is_refused(self):
        for path in ((), ("labs", 0), ("labs", 0, "parts", 0)):
            wrong = result()
            functools.reduce(operator.getitem, path, wrong)["score"] += 1
            with self.assertRaisesRegex(model.ModelError, "sum up to"):
                model.check(wrong)

    def test_a_value_of_a_wrong_kind_is_refused(self):
        nan = float("nan")
        for key, value in (("seconds", True), ("seconds", -1), ("labs", 1), ("score", nan)):
            with self.assertRaises(model.ModelError):
                model.check({**result(), key: value})

    def test_inputs_and_what_was_given_are_checked_where_they_are_there(self):
        for name, wrong in (("inputs", []), ("inputs", {"files": {}}), ("given", {"reason": 3})):
            with self.assertRaisesRegex(model.ModelError, name):
                model.check({**result(), name: wrong})

    def test_what_stands_for_a_record_and_is_none_is_refused(self):
        for path in (("labs",), ("labs", 0, "parts"), ("labs", 0, "parts", 0, "tests")):
            for other in (1.5, [], "word", None):
                wrong = result()
                functools.reduce(operator.getitem, path, wrong)[0] = other
                with self.assertRaises(model.ModelError):
                    model.check(wrong)

    def test_text_is_cut_where_it_floods(self):
        self.assertLess(len(wording.shortened("x" * 10**6)), 8100)
        self.assertNotIn("\x00", wording.clean(HOSTILE))


class CommandLine(unittest.TestCase):
    def call(self, *arguments):
        command = [sys.executable, str(REPORTS), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_all_forms_in_one_call(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        model.write(folder / "result.json", result())
        forms = ["gradescope", "junit", "feedback", "csv"]
        asked = [word for form in forms for word in (f"--{form}", folder / form)]
        done = self.call("--from", folder / "result.json", *asked)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(all((folder / form).stat().st_size > 100 for form in forms))
        self.assertEqual(list(folder.glob("*.new")), [])

    def test_a_file_that_is_no_result_is_refused_and_nothing_is_written(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        bad, out = folder / "result.json", folder / "out.json"
        for text in (b"", b"{", b"[]", b'{"student": 3}', b"[" * 100_000, b"\xff"):
            bad.write_bytes(text)
            done = self.call("--from", bad, "--gradescope", out)
            self.assertEqual(done.returncode, 2)
            self.assertIn("result.json: ", done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            self.assertFalse(out.exists())

    def test_wrong_usage_ends_with_status_2(self):
        self.assertEqual(self.call("--from", "a", "b", "--junit", "c").returncode, 2)
        self.assertEqual(self.call("--from", "a").returncode, 2)
