"""Tests the files on a whole class: the page, the anonymous export, the feedback of all."""

import copy
import csv
import functools
import html
import io
import os
import re
import tempfile
import unittest
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import model
import points
from forms import anonymous, class_page
from grade import class_files, students
from reports_fixture import KERNEL, result, verdict

LAB = "lab1_naive"
NAMES = [test.name for test in points.load(LAB).parts["kernel"].tests]
GUARD = next(name for name in NAMES if name.startswith("TODO(2)"))
SAID = "4711 wrong\n  Guard the access (if (Row <\n  ... && Col < ...))."  # which no_guard says
HIDDEN = next(name for name in NAMES if name.startswith("hidden: "))


def student(name: str, failed: dict, waiting: int = 0) -> dict:
    """Returns the result of a student of lab 1; `failed` has the finding of each test that failed."""
    verdicts = {
        test: verdict("failed", SAID, [failed[test]]) if test in failed else verdict("passed")
        for test in NAMES
    }
    verdicts |= {test: verdict("waiting") for test in NAMES[-waiting:] if waiting}
    part = model.part_result(
        points.load(LAB).parts["kernel"], "kernel.cu", "graded", verdicts=verdicts
    )
    return model.student_result(name, [model.lab_result(LAB, [part])], 1, [f"remark on {name}"])


def class_of(number: int) -> list[dict]:
    """Returns a class of which a half has no guard, a tenth a leak, and one another hidden failure."""
    results = []
    for n in range(number):
        failed = {GUARD: "out-of-bounds"} if n % 2 else {}
        failed |= {NAMES[12]: "leak"} if n % 10 == 0 else {}
        failed |= {HIDDEN: "race"} if n == 2 else {}
        results.append(student(f"Student<{n}>", failed))
    return results


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        own = dict(attrs)
        self.tags.append(tag)
        self.links += [own[name] for name in ("href", "src") if name in own]
        self.ids += [own["id"]] if "id" in own else []
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class ClassPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = class_page.text(class_of(300), absent=16)
        cls.page = Page(cls.text)
        # As a person reads it, without markup.
        cls.words = html.unescape(re.sub(r"<[^>]*>", " ", cls.text.partition("</head>")[2]))
        cls.words = " ".join(cls.words.split())

    def test_it_is_whole_small_and_needs_nothing_else(self):
        self.assertEqual(self.page.open, [])
        self.assertLess(len(self.text.encode()), 200_000)
        self.assertEqual({"script", "link", "img"} & {*self.page.tags}, set())
        self.assertTrue(self.page.links)
        self.assertEqual({it.lstrip("#") for it in self.page.links} - {*self.page.ids}, set())
        self.assertEqual([it for it in self.page.links if not it.startswith("#")], [])
        self.assertIn("prefers-color-scheme: dark", self.text)

    def test_it_has_the_numbers_of_the_class(self):
        self.assertIn("Lab 1: 300 submissions", self.words)
        self.assertIn("16 students handed in nothing.", self.words)
        scores = sorted(one["score"] for one in class_of(300))
        most = class_of(1)[0]["max_score"]
        middle = points.total([(scores[149] + scores[150]) / 2])
        self.assertIn(f"Median {middle} of {most} points.", self.words)
        self.assertIn(f"300 students, from 0 to {most} points: {9 * '0, '}300", self.text)

    def test_what_most_students_share_is_explained_first_with_section_and_command(self):
        items = re.findall(r"<li>(.*?)</li>", self.text)
        self.assertEqual(len(items), 2)
        first, second = (html.unescape(re.sub(r"<[^>]*>", " ", item)) for item in items)
        for said in ("50 %, 150 of 300 students", "out-of-bounds", GUARD,
                     "lab1_naive/README.md, section 'The kernel', step 2",
                     'make -C lab1_naive explore MISTAKE=no_guard TEST="TODO(2):"'):  # fmt: skip
            self.assertIn(said, first)
        self.assertIn("10 %, 30 of 300 students", second)
        self.assertIn("make -C lab1_naive test MISTAKE=memory_leaked", second)
        named = re.findall(r"MISTAKE=(\w+)", self.text)
        for name in named:
            self.assertTrue(
                (class_page.MISTAKES / LAB / "kernel" / f"{name}.patch").is_file(), name
            )

    def test_a_test_that_waits_has_not_failed(self):
        few = [student("a", {GUARD: "out-of-bounds", NAMES[5]: "kernel-first"}, waiting=4)]
        part = class_page.Part(LAB, [few[0]["labs"][0]["parts"][0]])
        self.assertEqual(dict(part.failed), {GUARD: 1})
        waiting = {name for name in [NAMES[5], *NAMES[-4:]] if not name.startswith("hidden: ")}
        self.assertEqual(({*part.waiting}, len(waiting)), (waiting, 3))

    def test_no_name_and_no_result_of_a_hidden_test_is_on_it(self):
        for word in ("Student&lt;", "remark on", "4711", "hidden:", "race"):
            self.assertNotIn(word, self.text)
        hidden = sum(name.startswith("hidden: ") for name in NAMES)
        self.assertEqual(self.words.count("hidden"), 1)
        self.assertIn(f"Not shown, but counted in the points: {hidden} hidden tests.", self.words)

    def test_the_section_is_the_one_that_the_reports_name(self):
        said = "no\nread: a.md, section 'The\n  b'\n"
        test = {"test": GUARD, "findings": ["race"], "explanation": said}
        self.assertEqual(class_page.section_of(LAB, "kernel", test), "a.md, section 'The b'")
        test["explanation"] = "no"
        told = "lab1_naive/README.md, section 'The kernel', step 2"
        self.assertEqual(class_page.section_of(LAB, "kernel", test), told)

    def test_a_share_is_0_only_if_there_is_none(self):
        shares = [class_page.percent(*pair) for pair in ((0, 300), (1, 300), (150, 300), (0, 0))]
        self.assertEqual(shares, ["0 %", "&lt;1 %", "50 %", "-"])

    def test_text_of_a_submission_is_no_markup(self):
        text = class_page.text([student("a", {GUARD: "<script>alert(1)</script>"})])
        self.assertNotIn("<script", text)
        self.assertIn("&lt;script&gt;", text)

    def test_who_was_not_graded_does_not_count(self):
        lost = student("b", {}) | {"status": "not graded"}
        self.assertIn("Lab 1: 1 submission<", class_page.text([student("a", {}), lost]))
        self.assertIn("0 submissions", class_page.text([lost]))

    def test_the_best_known_mistake_says_what_students_read_or_names_their_step(self):
        one = class_page.Failure("lab2_tiled", "kernel", "race", "")
        asked = "TODO(6): a tile is overwritten only after all threads have read it"
        best = functools.partial(class_page.known_mistake, tests=[asked])
        self.assertEqual(best(one, said={}), "second_barrier_missing")
        self.assertEqual(best(one._replace(finding="none such"), said={}), "")
        one = one._replace(lab=LAB, finding="out-of-bounds")
        self.assertEqual(
            best(one, said={"Guard the access (if (Row < ... && Col < ...)).": 1}), "no_guard"
        )


class Anonymous(unittest.TestCase):
    def rows(self, seed="secret", names=("ada", "ben", "cleo")):
        coded = [(anonymous.code(seed, name), result(name)) for name in names]
        return list(csv.DictReader(io.StringIO(anonymous.text(coded))))

    def test_a_code_is_the_same_each_time_and_another_one_with_another_seed(self):
        codes, again, other = ({row["code"] for row in self.rows(seed)} for seed in ("a", "a", "b"))
        self.assertEqual(codes, again)
        self.assertEqual((len(codes), codes & other), (3, set()))

    def test_the_rows_are_in_the_order_of_the_codes_and_name_nobody(self):
        codes = [row["code"] for row in self.rows()]
        self.assertEqual(codes, sorted(codes))
        self.assertEqual(self.rows(), self.rows(names=("cleo", "ada", "ben")))
        said = " ".join(" ".join(row.values()) for row in self.rows())
        for word in ("ada", "ben", "cleo", "overwrite", "kernel.cu:12"):
            self.assertNotIn(word, said)

    def test_it_has_the_points_of_each_test_and_the_findings(self):
        row = self.rows()[0]
        tests = {test.name: row[f"lab9/kernel.cu: {test.name}"] for test in KERNEL.tests}
        self.assertEqual([*tests.values()], ["2", "0", "0", "0", "3", "0"])
        self.assertEqual((row["score"], row["lab9/matrix_add.cu"]), ("5", "does not compile"))
        self.assertEqual(row["findings"], "lab9/kernel.cu: race; lab9/kernel.cu: wrong-element")

    def test_the_columns_of_a_file_stand_together_even_if_its_tests_ran_for_few(self):
        none = copy.deepcopy(result())
        none["labs"][0]["parts"][0] |= {"tests": [], "state": "missing"}
        head = anonymous.text([("0", none), ("1", result())]).partition("\n")[0].split(",")
        self.assertEqual(head[4:6], ["lab9/kernel.cu", "lab9/kernel.cu: TODO(1): one"])
        self.assertEqual(head[-2:], ["lab9/matrix_add.cu", "findings"])

    def test_only_what_failed_has_findings(self):
        waits = copy.deepcopy(result())
        waits["labs"][0]["parts"][0]["tests"][2]["findings"] = ["handed-over"]
        self.assertNotIn("handed-over", anonymous.text([("code", waits)]))

    def test_a_finding_is_no_formula(self):
        wrong = copy.deepcopy(result())
        wrong["labs"][0]["lab"] = "=lab9"
        text = anonymous.text([("code", wrong)])
        self.assertIn("'=lab9/kernel.cu: race", text)


class Feedback(unittest.TestCase):
    MOODLE = "Ada Lovelace_7601_assignsubmission_file_"
    NAMES = MOODLE, "lovelaceada_LATE_501_9001_kernel-2.cu", "...zip", "failed"

    def setUp(self):
        self.top = self.enterContext(tempfile.TemporaryDirectory())
        for name in self.NAMES:
            path = Path(self.top, "class", name)
            (path.parent if path.suffix else path).mkdir(parents=True, exist_ok=True)
            if path.suffix:
                path.touch()

    def zipped(self):
        results = {}
        for student in students.find(os.path.join(self.top, "class")):
            folder = Path(self.top, "students", student.folder)
            folder.mkdir(parents=True, exist_ok=True)
            for name in ("feedback.md", "log.txt", "result.json"):
                if not (folder / name).exists():
                    (folder / name).write_text(f"{name} of {student.name}", encoding="utf-8")
            status = "not graded" if student.name == "failed" else "graded"
            results[student] = {"status": status}
        class_files.write_feedback(self.top, results)
        return Path(self.top, "feedback.zip").read_bytes()

    def test_it_holds_only_feedback_under_names_that_canvas_and_moodle_know(self):
        with zipfile.ZipFile(io.BytesIO(self.zipped())) as archive:
            texts = {name: archive.read(name).decode() for name in archive.namelist()}
        wanted = {
            f"{self.MOODLE}/feedback.md": f"feedback.md of {self.MOODLE}",
            "lovelaceada_LATE_501_9001_feedback.md": "feedback.md of lovelaceada_501",
            "%2E%2E/feedback.md": "feedback.md of ..",  # leads out of no folder
        }
        self.assertEqual(texts, wanted)

    def test_the_same_feedback_gives_the_same_bytes(self):
        before = self.zipped()
        for path in Path(self.top, "students").rglob("*"):
            os.utime(path, (1, 1))
        self.assertEqual(self.zipped(), before)
        self.assertEqual(list(Path(self.top).glob("*.new")), [])
