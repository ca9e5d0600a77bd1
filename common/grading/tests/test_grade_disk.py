"""Tests what is said and kept if a disk is full. A small file system in memory is the disk."""

import errno
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import disk
import goals
import model
from grade import engine
from grade.judge import Verdict
from grade.sandbox import Limits
from grade.students import Student
from grade.submission import Grader
from reports_fixture import result

GRADING = Path(goals.__file__).parent


class FullDisk(unittest.TestCase):
    def setUp(self):
        self.disk = Path(self.enterContext(tempfile.TemporaryDirectory()))
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(self.disk)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            self.skipTest("a file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(self.disk)], check=True)

    def fill(self):
        with open(self.disk / "full", "wb", buffering=0) as file:
            while file.write(bytes(1 << 17)) == 1 << 17:
                pass

    def test_a_file_that_is_there_stays_and_is_named(self):
        path = self.disk / "result.json"
        model.write(path, result())
        self.fill()
        with self.assertRaises(OSError) as caught:
            model.save(path, "x" * (1 << 17))
        self.assertEqual(caught.exception.filename, str(path))
        self.assertEqual(model.read(path)["student"], "ada")
        self.assertEqual(sorted(os.listdir(self.disk)), ["full", "result.json"])

    def test_a_report_names_the_file_and_the_remedy(self):
        source = Path(self.enterContext(tempfile.TemporaryDirectory()), "result.json")
        model.write(source, result())
        self.fill()
        command = [sys.executable, str(GRADING / "reports.py"), "--from", str(source)]
        command += ["--feedback", str(self.disk / "ada.md")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(
            done.stderr,
            f"{self.disk}/ada.md:\nthe disk is full. Make room there, and give the same\n"
            "command again.\n",
        )

    def goal(self, name, **variables):
        kept = {key: it for key, it in os.environ.items() if key not in ("OUT", "LABS", "SEED")}
        env = {**kept, **variables, "PYTHONPATH": str(GRADING)}
        command = [sys.executable, "-m", name]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    def test_a_release_and_an_autograder_leave_nothing(self):
        for name, out in (("release", "course"), ("gradescope", "auto.zip")):
            done = self.goal(name, OUT=str(self.disk / out), LABS="lab1")
            self.assertEqual(done.returncode, 2, name)
            self.assertRegex(done.stderr, rf"^{self.disk}/\S+:\nthe disk is full; nothing was ")
            self.assertEqual(done.stderr.count("\n"), 3)
            self.assertEqual(os.listdir(self.disk), [])

    def test_marks_that_cannot_be_kept_stop_the_grader(self):
        everybody = [Student(str(number), str(number), "") for number in range(40)]

        def grade(student, judge, last):
            model.save(self.disk / student.folder / "result.json", "x" * 4000)
            return {}

        grader = SimpleNamespace(grade=grade, course=None, lab_seed=0, earlier=lambda student: None)
        place = SimpleNamespace(of=lambda worker: tempfile.gettempdir())
        running = engine.Engine(grader, None, place)
        with self.assertRaises(OSError) as caught:
            running.run(everybody, SimpleNamespace(engine="", jobs=2))
        self.assertEqual(caught.exception.errno, errno.ENOSPC)
        self.assertIn("result.json", caught.exception.filename)
        kept = list(self.disk.glob("*/result.json"))
        self.assertEqual(len(kept), len(running.results))
        self.assertGreater(len(kept), 5)

    def test_a_file_that_cannot_be_built_for_want_of_room_is_not_judged(self):
        options = SimpleNamespace(limits=Limits(), out=str(self.disk))
        grader = Grader(options, SimpleNamespace(digest=""), "seed")
        made = []
        with self.assertRaises(OSError) as caught:
            grader.kept(Verdict, "key", lambda: made.append(1), str(self.disk))
        self.assertEqual((caught.exception.filename, made), (str(self.disk), []))


class Said(unittest.TestCase):
    def test_a_quota_is_told_apart(self):
        error = OSError(errno.EDQUOT, os.strerror(errno.EDQUOT), "/home/ada/marks")
        said = disk.said(error, "; nothing was written")
        self.assertIn("/home/ada/marks:\nthe quota is used up; nothing was written.", said)

    def test_a_copy_names_what_was_written(self):
        error = OSError(errno.ENOSPC, "No space left on device", "from", None, "to")
        self.assertTrue(disk.said(error).startswith("to:\n"))

    def test_other_errors_are_told_as_ever(self):
        error = OSError(errno.EACCES, "Permission denied", "file")
        self.assertEqual(disk.said(error, "; x"), "file: Permission denied; x.")
