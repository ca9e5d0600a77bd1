"""Writes Gradescope's results.json."""

import model
from forms import wording

# Students see after_published when the teacher publishes the grades.
VISIBILITY = {False: "visible", True: "after_published"}


def test_of(lab: dict, part: dict, test: dict, number: str) -> dict:
    entry = {
        "name": f"{wording.title(lab, part)}: {wording.line(test['test'])}",
        "name_format": "text",
        "number": number,
        "score": test["score"],
        "max_score": test["points"],
        "output": wording.explained(test),
        "output_format": "text",
        "visibility": VISIBILITY[test["hidden"]],
    }
    if test["status"] != "left out":
        entry["status"] = "passed" if test["status"] == "passed" else "failed"
    return entry


def not_run(lab: dict, part: dict, number: str) -> dict:
    """Returns one entry for a part that was not judged to its end; it holds the part's points where
    no test does."""
    return {
        "name": wording.title(lab, part),
        "name_format": "text",
        "number": number,
        "score": 0,
        "max_score": 0 if part["tests"] else part["max_score"],
        "status": "failed",
        "output": wording.why_not_run(part),
        "output_format": "text",
        "visibility": "visible",
    }


def tests_of(result: dict):
    for i, lab in enumerate(result["labs"], 1):
        for j, part in enumerate(lab["parts"], 1):
            if wording.why_not_run(part):
                yield not_run(lab, part, f"{i}.{j}")
            for k, test in enumerate(part["tests"], 1):
                yield test_of(lab, part, test, f"{i}.{j}.{k}")


def report(result: dict) -> dict:
    output = wording.counts(result, hidden=False)
    if wording.passed_of(result, hidden=True):
        output += "\nThe hidden tests are shown when the grades are published."
    return {
        "score": result["score"],
        "execution_time": result["seconds"],
        "output": output,
        "output_format": "text",
        "visibility": "visible",
        # The autograder prints for the teacher.
        "stdout_visibility": "hidden",
        "tests": list(tests_of(result)),
    }


def failure(message: str) -> dict:
    """Returns the student's report where the grader itself failed."""
    return {
        "score": 0,
        "output": f"{wording.shortened(wording.clean(message))}\n"
        "This is no mistake of yours, and no verdict on your work. Please tell your teacher.",
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [],
    }


def write(path, result: dict) -> None:
    model.write_json(path, report(result))
