"""Tests the files on a whole class: the feedback of all."""

import io
import os
import tempfile
import unittest
import zipfile
from pathlib import Path

from grade import class_files, students


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
