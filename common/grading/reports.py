#!/usr/bin/env python3
"""Makes reports from the result of a submission: python3 common/grading/reports.py --help"""

import argparse
import sys
from collections.abc import Callable

import disk
import model
from forms import classroom50, feedback, gradescope, junit, table

FORMS: dict[str, tuple[Callable[[dict], dict | str], str]] = {
    "gradescope": (gradescope.report, "Gradescope's results.json"),
    "junit": (junit.text, "JUnit XML"),
    "classroom50": (classroom50.report, "Classroom 50's result.json, within its runner"),
    "feedback": (feedback.text, "the student's feedback, in Markdown"),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="reports.py", description="Reports of submissions.")
    written = parser.add_argument("--from", dest="results", nargs="+", required=True)
    written.metavar, written.help = "result.json", "what the grader wrote; several for --csv"
    for form, (_, meaning) in FORMS.items():
        parser.add_argument(f"--{form}", metavar="FILE", help=f"write {meaning}")
    parser.add_argument("--csv", metavar="FILE", help="write one line per student")
    asked = parser.parse_args()
    files = {form: getattr(asked, form.replace("-", "_")) for form in FORMS}
    wanted = {form: file for form, file in files.items() if file}
    if wanted and len(asked.results) > 1:
        parser.error("several results only make --csv; call this once for each of the other forms")
    if not wanted and not asked.csv:
        parser.error("name at least one form to write")
    try:
        results = [model.read(path) for path in asked.results]
        for form, file in wanted.items():
            model.save(file, FORMS[form][0](results[0]))
        if asked.csv:
            model.save(asked.csv, table.text(results))
    except model.ModelError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(disk.said(error), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
