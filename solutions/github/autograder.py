"""Grades a submission for Classroom 50, whose runner calls it in the student's repository.

It lies in the root of a released course with .github, runs that course's public tests on the
student's files, and writes result.json and release-body.md, as Classroom 50's wiki describes on the
page "Advanced Autograding".
"""

import shutil
import subprocess
import sys
from pathlib import Path

COURSE = Path(__file__).resolve().parent
OUT = COURSE / "build/public"

subprocess.run(["common/setup/install.sh"], cwd=COURSE, check=True)
command = [
    sys.executable,
    str(COURSE / ".github/grading/public_tests.py"),
    "--course",
    str(COURSE),
    "--out",
    str(OUT),
]
subprocess.run([*command, "--submission", ".", "--classroom50", "result.json"], check=True)
shutil.copyfile(OUT / "feedback.md", "release-body.md")
