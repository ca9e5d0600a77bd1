"""Writes the GitHub workflow of a released course, with the scripts that it calls.

usage: OUT=folder [LABS="lab1 lab2"] python3 -m github
Writes OUT/.github; OUT holds a release made by make release, or another copy of the course.
"""

import json
import os
import shutil
import tempfile
from pathlib import Path

import files
import points
from release.contents import ROOT, Refused

SCRIPTS = ("model.py", "points.py", "scoring.py", "public_tests.py")
WORKFLOW = "solutions/github/classroom.yml"


def public_points(lab: str) -> str:
    """Returns the points file without the hidden tests: students must not read their names."""
    data = json.loads((points.FOLDER / f"{lab}.json").read_text(encoding="utf-8"))
    hidden = {
        test.name for part in points.load(lab).parts.values() for test in part.tests if test.hidden
    }
    for part in data["parts"]:
        part["tests"] = [test for test in part["tests"] if test["test"] not in hidden]
    return json.dumps(data, indent=1) + "\n"


def fill(folder: Path, labs: list) -> None:
    grading = folder / "grading"
    (folder / "workflows").mkdir()
    (grading / "points").mkdir(parents=True)
    shutil.copy2(ROOT / WORKFLOW, folder / "workflows" / "classroom.yml")
    reports = [name for name in files.below("common/grading/report") if name.endswith(".py")]
    for name in [f"common/grading/{script}" for script in SCRIPTS] + reports:
        to = grading / Path(name).relative_to("common/grading")
        to.parent.mkdir(exist_ok=True)
        shutil.copy2(ROOT / name, to)
    for lab in labs:
        (grading / "points" / f"{lab}.json").write_text(public_points(lab), encoding="utf-8")


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
        fill(new, labs)
        new.chmod(0o755)
        os.rename(new, target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    print(f"{target}: the workflow for {', '.join(labs)}; commit and push it with the course.")


if __name__ == "__main__":
    files.run(main)
