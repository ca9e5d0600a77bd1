"""Tests the Gradescope autograder's zip; and with a stand-in that it always leaves results.json."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

import model
from reports_fixture import result

GRADING = Path(model.__file__).resolve().parent
ROOT = GRADING.parents[1]
WRITES = "\t@mkdir -p '$(OUT)/students/student' && cp '$(AUTOGRADER)/known.json' "
WRITES += "'$(OUT)/students/student/result.json'\n"


def goal(name: str, **variables):
    """Runs a goal as make does."""
    env = {key: value for key, value in os.environ.items() if key not in ("OUT", "LABS", "SEED")}
    env.update(variables, PYTHONPATH=str(GRADING))
    command = [sys.executable, "-m", name]
    return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))


class Zip(Folder):
    def test_it_holds_the_course_the_grader_and_hidden_tests_but_no_solutions(self):
        out = self.folder / "a.zip"
        done = goal("gradescope", OUT=str(out), LABS="lab1", SEED="s3cret")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with zipfile.ZipFile(out) as archive:
            names = archive.namelist()
            self.assertEqual(archive.read("settings.sh"), b"LABS='lab1_naive'\nSEED='s3cret'\n")
            executable = archive.getinfo("run_autograder").external_attr >> 16 & 0o111
            self.assertTrue(executable)
        for name in ("setup.sh", "course/common/grading/points.py", "course/lab1_naive/kernel.cu"):
            self.assertIn(name, names)
        self.assertIn("course/solutions/hidden/lab1_naive/test_hidden.cpp", names)
        others = [name for name in names if "solutions/" in name and "/hidden/" not in name]
        self.assertEqual(others, [])
        self.assertEqual([name for name in names if "/lab2_tiled/" in name], [])

    def test_the_same_seed_gives_the_same_zip(self):
        for name in ("a.zip", "b.zip"):
            goal("gradescope", OUT=str(self.folder / name), LABS="lab1", SEED="x")
        pair = [(self.folder / name).read_bytes() for name in ("a.zip", "b.zip")]
        self.assertEqual(pair[0], pair[1])

    def test_what_cannot_be_done_is_said_and_leaves_nothing(self):
        out = str(self.folder / "a.zip")
        for words, variables in (
            ("OUT is missing", {}),
            ("ends with .zip", {"OUT": str(self.folder / "a")}),
            ("no such lab", {"OUT": out, "LABS": "lab9"}),
            ("SEED=: up to 64 letters", {"OUT": out, "SEED": "'; rm -rf x"}),
        ):
            done = goal("gradescope", **variables)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)
        self.assertEqual(os.listdir(self.folder), [])


class Autograder(Folder):
    def setUp(self):
        super().setUp()
        self.course = self.folder / "source/course"
        (self.course / "common").mkdir(parents=True)
        (self.course / "common/grading").symlink_to(GRADING)
        model.save(self.folder / "submission/kernel.cu", "// mine\n")
        model.save(self.folder / "source/settings.sh", "LABS=lab1\nSEED=7\n")
        model.write(self.folder / "known.json", result())

    def start(self, recipe: str, seconds: str):
        """Runs run_autograder with this recipe as the grader's goal."""
        model.save(self.course / "Makefile", f"grade:\n{recipe}")
        env = {**os.environ, "AUTOGRADER": str(self.folder), "GRADE_SECONDS": seconds}
        env.update(LABS="", TMPDIR=str(self.folder), PYTHONDONTWRITEBYTECODE="1")
        script = ROOT / "solutions/gradescope/run_autograder"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(["bash", script], env=env, **quiet)

    def results(self):
        return json.loads((self.folder / "results/results.json").read_bytes())

    def run_with(self, recipe: str, seconds: str = "60"):
        self.start(recipe, seconds).wait()
        self.assertEqual(list(self.folder.glob("tmp.*")), [], "temporary folders are left")
        return self.results()

    def is_no_verdict(self, report: dict, words: str = "ended without a result"):
        self.assertEqual((report["score"], report["tests"]), (0, []))
        self.assertIn(words, report["output"])
        self.assertIn("tell your teacher", report["output"])

    def test_the_result_of_the_grader_becomes_the_report(self):
        report = self.run_with(WRITES)
        self.assertEqual(report["score"], result()["score"])
        self.assertEqual(len(report["tests"]), 7)

    def test_a_student_who_fails_still_gets_the_report(self):
        self.assertEqual(self.run_with(WRITES + "\t@exit 1\n")["score"], result()["score"])

    def test_the_grader_gets_the_submission_the_labs_and_the_seed(self):
        check = (
            '\t@test "$(LABS) $(SEED)" = "lab1 7" && test -f "$(SUBMISSIONS)/student/kernel.cu"\n'
        )
        self.assertEqual(self.run_with(check + WRITES)["score"], result()["score"])

    def test_a_grader_that_writes_nothing_gives_no_verdict(self):
        self.is_no_verdict(self.run_with("\t@true\n"))

    def test_a_grader_that_crashes_gives_no_verdict(self):
        self.is_no_verdict(self.run_with("\t@kill -9 $$$$\n"))

    def test_a_result_that_is_broken_gives_no_verdict(self):
        broken = "\t@mkdir -p '$(OUT)/students/student'\n"
        broken += "\t@echo '{\"score\": 1000}' > '$(OUT)/students/student/result.json'\n"
        self.is_no_verdict(self.run_with(broken))

    def test_a_grader_that_hangs_is_stopped(self):
        late = "\t@sleep 300; touch '$(AUTOGRADER)/woken'\n"
        self.is_no_verdict(self.run_with(late, "1"), "stopped after 1 seconds")
        self.assertFalse((self.folder / "woken").exists())

    def test_settings_that_are_missing_give_no_verdict(self):
        (self.folder / "source" / "settings.sh").unlink()
        self.is_no_verdict(self.run_with(WRITES))

    def test_a_script_that_is_killed_leaves_a_message_behind(self):
        running = self.start("\t@touch '$(AUTOGRADER)/here'; sleep 2\n", "60")
        while not (self.folder / "here").exists() and running.poll() is None:
            time.sleep(0.05)
        running.kill()
        running.wait()
        self.is_no_verdict(self.results(), "stopped before it finished")
