"""Writes the GitHub workflow of a released course, with the scripts that it calls.

usage: OUT=folder [LABS="lab1 lab2"] python3 -m github
Writes OUT/.github; OUT holds a release made by make release, or another copy of the course.
"""

import os
import shutil
import tempfile
from pathlib import Path

import files
from release.contents import ROOT, Refused

FACTS = "common/course/facts.py"
SCRIPTS = ("model.py", "points.py", "scoring.py", "public_tests.py")
WORKFLOW = "solutions/github/classroom.yml"


def fill(folder: Path) -> None:
    grading = folder / "grading"
    (folder / "workflows").mkdir()
    (grading / "course").mkdir(parents=True)
    shutil.copy2(ROOT / WORKFLOW, folder / "workflows" / "classroom.yml")
    reports = [name for name in files.below("common/grading/forms") if name.endswith(".py")]
    for name in [f"common/grading/{script}" for script in SCRIPTS] + reports:
        to = grading / Path(name).relative_to("common/grading")
        to.parent.mkdir(exist_ok=True)
        shutil.copy2(ROOT / name, to)
    shutil.copy2(ROOT / FACTS, grading / "course")


def main() -> None:
    out = files.target("github", "released-course")
    if not (out / "common" / "lab_rules.mk").exists():
        raise Refused(f"OUT={out}: is no copy of the course; make one with make release OUT={out}")
    target = out / ".github"
    if target.exists():
        raise Refused(f"{target}: is there already; remove it first.")
    labs = [lab for lab in files.chosen_labs() if (out / lab).is_dir()]
    new = Path(tempfile.mkdtemp(prefix=".github.new-", dir=out))
    try:
        fill(new)
        new.chmod(0o755)
        os.rename(new, target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    print(f"{target}: the workflow for {', '.join(labs)}; commit and push it with the course.")


if __name__ == "__main__":
    files.run(main)
