"""Makes the result.json that Classroom 50 collects, by its contract classroom50/result/v1.

Its wiki describes the fields on the page "Advanced Autograding". Who submitted what comes from the
environment, which its runner sets.
"""

import datetime
import math
import os
from fractions import Fraction

import model
from forms import wording

FROM_RUNNER = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}
LONGEST = 2000  # characters of an explanation


def rows_of(result: dict):
    """Yields name, whether it passed, score, points and explanation of each test, and of each part
    that did not run."""
    for lab in result["labs"]:
        for part in lab["parts"]:
            title = wording.title(lab, part)
            if reason := wording.why_not_run(part):
                yield title, False, 0, 0 if part["tests"] else part["max_score"], reason
            for test in part["tests"]:
                if test["status"] != "left out":
                    name, passed = wording.line(test["test"]), test["status"] == "passed"
                    counted = test["score"], test["points"], wording.explained(test)
                    yield f"{title}: {name}", passed, *counted


def report(result: dict) -> dict:
    """Returns the record; raises ModelError outside Classroom 50's runner. Its points are whole
    numbers: if a test has half a point, all points are doubled."""
    if missing := [name for name in FROM_RUNNER.values() if not os.environ.get(name)]:
        raise model.ModelError(f"{missing[0]}: not set; Classroom 50's runner sets it")
    record: dict = {"schema": "classroom50/result/v1"}
    record |= {field: os.environ[name] for field, name in FROM_RUNNER.items()}
    record["assignment_type"] = os.environ.get("ASSIGNMENT_TYPE") or "individual"
    record["review"] = os.environ.get("REVIEW_URL") or record["commit"]
    now = datetime.datetime.now(datetime.timezone.utc)
    record["datetime"] = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    rows = list(rows_of(result))
    exact = [Fraction(str(number)) for row in rows for number in row[2:4]]
    times = math.lcm(*(number.denominator for number in exact))
    fields, tests = ("test-name", "passed", "score", "max-score", "message"), []
    for name, passed, score, points, text in rows:
        whole = (int(Fraction(str(number)) * times) for number in (score, points))
        entry = (name, passed, *whole, wording.shortened(text, LONGEST))
        tests.append(dict(zip(fields, entry)))
    sums = {field: sum(test[field] for test in tests) for field in ("score", "max-score")}
    return {**record, **sums, "tests": tests}
