"""Tests the GitHub workflow: it can be read, its commands exist, and its script writes the reports.
The script judges in the student's repository, for which this copy of the course stands in."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

import model
import points
import yaml
from forms import classroom50
from test_reports_autograder import ROOT, goal

WORKFLOW = ROOT / "solutions" / "github" / "tests.yml"
LAB = "lab1_naive"


class Workflow(unittest.TestCase):
    def test_it_is_yaml_with_the_steps_of_a_job(self):
        job = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["public-tests"]
        self.assertTrue(all("uses" in step or "run" in step for step in job["steps"]))

    def test_it_has_no_tabs_and_every_script_that_it_calls_is_there(self):
        text = WORKFLOW.read_text(encoding="utf-8")
        self.assertNotIn("\t", text)
        self.assertTrue(os.access(ROOT / "common" / "setup" / "install.sh", os.X_OK))
        scripts = re.findall(r"\.github/grading/(\S+\.py)", text)
        self.assertEqual(scripts, ["public_tests.py"])


class InACourse(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (cls.folder / "common").mkdir()
        (cls.folder / LAB).mkdir()
        shutil.copy(ROOT / LAB / "lab.toml", cls.folder / LAB)
        (cls.folder / "common/lab_rules.mk").touch()
        shutil.copy(ROOT / "common/VERSION", cls.folder / "common")
        cls.done = goal("github", OUT=str(cls.folder))

    def public_tests(self, *arguments):
        script = self.folder / ".github/grading/public_tests.py"
        env = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
        env.pop("PYTHONPATH", None)
        command = [sys.executable, str(script), "--out", str(self.folder / "out"), *arguments]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    def test_the_goal_puts_workflow_and_scripts_there_but_no_hidden_tests(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))
        github = self.folder / ".github"
        self.assertTrue((github / "workflows" / "tests.yml").exists())
        self.assertTrue((github / "grading" / "course" / "facts.py").exists())
        self.assertEqual(list(self.folder.rglob("solutions")), [])
        self.assertNotIn("hidden: ", (self.folder / LAB / "lab.toml").read_text(encoding="utf-8"))
        self.assertIn("is there already", goal("github", OUT=str(self.folder)).stderr)

    def test_the_goal_refuses_a_folder_that_is_no_course(self):
        with tempfile.TemporaryDirectory() as empty:
            done = goal("github", OUT=empty)
            self.assertEqual((done.returncode, os.listdir(empty)), (2, []))
            self.assertIn("is no copy of the course", done.stderr)

    def test_the_public_tests_run_and_all_reports_are_written(self):
        done = self.public_tests("--course", str(ROOT), "--labs", LAB)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("public tests passed: ", done.stdout)
        out = self.folder / "out"
        graded = model.read(out / "result.json")
        parts, judged = points.load(LAB).parts, graded["labs"][0]["parts"]
        self.assertEqual([part["part"] for part in judged], list(parts))
        self.assertEqual({part["state"] for part in judged}, {"graded"})
        public = [t for part in parts.values() for t in part.tests if not t.hidden]
        self.assertEqual(len(ET.parse(out / "junit.xml").findall(".//testcase")), len(public))

    def test_a_file_that_is_missing_or_does_not_compile_is_told(self):
        rules = self.folder / "common" / "lab_rules.mk"
        rules.write_text("test:\n\t@echo kernel.cu:3: expected a semicolon; exit 1\n", "utf-8")
        (self.folder / LAB / "kernel.cu").touch()
        self.assertEqual(self.public_tests().returncode, 0)
        parts = model.read(self.folder / "out" / "result.json")["labs"][0]["parts"]
        self.assertEqual([part["state"] for part in parts[:2]], ["does not compile", "missing"])
        self.assertIn("expected a semicolon", parts[0]["reason"])

    def test_the_autograder_of_classroom_50_judges_the_students_files_with_this_course(self):
        bundle = self.folder / "bundle"
        shutil.copytree(self.folder / ".github", bundle / ".github")
        shutil.move(bundle / ".github/grading/autograder.py", bundle)
        needed = ("common/setup/install.sh", "common/lab_rules.mk", "common/VERSION")
        for name in (*needed, f"{LAB}/lab.toml"):
            (bundle / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, bundle / name)
        (bundle / "common/setup/install.sh").write_text("#!/bin/sh\n", "utf-8")
        # It compiles no file: the reason shows whose kernel it took.
        (bundle / "common/lab_rules.mk").write_text("test:\n\t@cat $(LAB)/$(PART).cu; exit 1\n")
        (bundle / LAB / "matrix_add.cu").touch()
        student = self.folder / "student"
        (student / LAB).mkdir(parents=True)
        (student / LAB / "kernel.cu").write_text("the student's line\n", "utf-8")
        runner = {name: "submit/1" for name in classroom50.FROM_RUNNER.values()}
        command = [sys.executable, str(bundle / "autograder.py")]
        env = {**os.environ, **runner}
        done = subprocess.run(command, cwd=student, env=env, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        tests = json.loads((student / "result.json").read_bytes())["tests"]
        messages = {test["test-name"]: test["message"] for test in tests}
        self.assertIn("the student's line", messages[f"{LAB}/kernel.cu"])
        self.assertIn("was not handed in", messages[f"{LAB}/matrix_add.cu"])
        self.assertIn("the student's line", (student / "release-body.md").read_text("utf-8"))

    def test_without_labs_it_ends_with_status_2(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(self.public_tests("--course", empty).returncode, 2)
