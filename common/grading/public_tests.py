#!/usr/bin/env python3
"""Runs the public tests of the labs on a student's files and writes their reports, on GitHub.
usage: public_tests.py --out FOLDER [--labs LAB...] [--course FOLDER] [--submission FOLDER]
                       [--classroom50 FILE]

The student's code could change these reports, so they are for practice; marks come from make grade.
Status 0 if the tests ran, whatever their results.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import model
import points
import scoring
from forms import classroom50, feedback, junit, wording

HERE = Path(__file__).resolve().parents[2]
LONGEST = 300  # seconds for a part
FORMS: dict[str, Callable[[dict], str]] = {
    "junit.xml": junit.text,
    "feedback.md": feedback.text,
}


def take(submission: Path, course: Path, labs: list) -> None:
    """Puts a student's files in the place of the course's; a file that the student lacks goes."""
    for lab in labs:
        for part in points.load(lab, course).parts.values():
            name = f"{lab}/{points.file_of(part.name)}"
            (course / name).unlink(missing_ok=True)
            if (submission / name).is_file():
                shutil.copyfile(submission / name, course / name)


def run_part(course: Path, lab: str, part: points.Part, out: Path) -> dict:
    file = points.file_of(part.name)
    if not (course / lab / file).exists():
        return model.part_result(part, file, "missing", hidden=False)
    results = out / f"{lab}-{part.name}.results"
    results.unlink(missing_ok=True)
    command = ["make", "--no-print-directory", "-f", "common/lab_rules.mk"]
    command += [f"LAB={lab}", f"PART={part.name}", "test"]
    into = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    env = {**os.environ, "LAB_RESULTS": str(results)}
    try:
        done = subprocess.run(command, cwd=course, env=env, **into, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        reason = f"It took longer than {LONGEST} seconds."
        return model.part_result(part, file, "stopped", reason, hidden=False)
    if not results.exists():
        said = done.stdout.decode("utf-8", "replace")[-3000:]
        return model.part_result(part, file, "does not compile", said, hidden=False)
    with open(results, encoding="utf-8") as lines:
        verdicts = scoring.verdicts_of(lines)
    return model.part_result(part, file, "graded", verdicts=verdicts, hidden=False)


def judged(course: Path, labs: list, out: Path) -> dict:
    start = time.monotonic()
    tested = []
    for lab in (points.load(name, course) for name in labs):
        parts = [run_part(course, lab.name, part, out) for part in lab.parts.values()]
        tested.append(model.lab_result(lab.name, parts))
    student = os.environ.get("GITHUB_ACTOR", "public tests")
    return model.student_result(student, tested, round(time.monotonic() - start, 3), [])


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the public tests, writes their reports.")
    parser.add_argument("--out", required=True, type=Path, help="folder for the reports")
    parser.add_argument("--labs", nargs="+", help="only these")
    parser.add_argument("--course", type=Path, default=HERE, help="where the labs lie")
    parser.add_argument("--submission", type=Path, help="a copy with the student's files")
    parser.add_argument("--classroom50", metavar="FILE", help="also write Classroom 50's result")
    asked = parser.parse_args()
    there = sorted(file.parent.name for file in asked.course.glob("*/lab.toml"))
    labs = asked.labs or there
    unknown = [name for name in labs if name not in there]
    if unknown:
        parser.error(f"--labs {unknown[0]}: there is no such lab; there are {', '.join(there)}")
    if not (asked.course / "common" / "lab_rules.mk").exists() or not labs:
        print(f"{asked.course}: no labs and common/lab_rules.mk are here.", file=sys.stderr)
        return 2
    try:
        out = asked.out.resolve()
        out.mkdir(parents=True, exist_ok=True)
        if asked.submission:
            take(asked.submission, asked.course, labs)
        result = judged(asked.course, labs, out)
        model.write(out / "result.json", result)
        for file, form in FORMS.items():
            model.save(out / file, form(result))
        if asked.classroom50:
            model.save(asked.classroom50, classroom50.report(result))
    except (points.PointsError, model.ModelError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{wording.of(result['score'], result['max_score'])} points; {wording.counts(result)}")
    print(f"{asked.out}/feedback.md says more.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
