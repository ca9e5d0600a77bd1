"""Turns verdicts into points: what each test of a part earns, and which failures only wait."""

import json

import points

NOT_RUN = "The run ended before this test."
# The finding of a pass that may be the host's work; in OUT, whose passes count all the same.
HANDED_OVER, GIVE = "handed-over", "give.txt"
HELD_BACK = (
    "It passes, but counts only after your teacher has looked at it: your host code makes as many"
    " numbers for the device as the result has, and without the numbers of the matrices the result"
    " is wrong. Copy the matrices as they are, and let the kernel compute."
)


def verdicts_of(lines) -> dict[str, dict]:
    """Returns the tests of a results file (LAB_RESULTS) by name; its last line holds no test."""
    tests = (json.loads(line) for line in lines if line.strip())
    return {test["test"]: test for test in tests if "test" in test}


def entry(test: points.Test, status: str, score: float, findings: list, explanation: str) -> dict:
    """Returns a test as the result model has it."""
    return {
        "test": test.name,
        "status": status,
        # A test that this machine cannot run also leaves the maximum, so it costs no points.
        "points": 0 if status == "left out" else test.points,
        "score": score,
        "hidden": test.hidden,
        "todo": test.todo,
        "findings": findings,
        "explanation": explanation,
    }


def is_held_back(verdict: dict) -> bool:
    return verdict["status"] == "passed" and HANDED_OVER in verdict.get("findings", [])


def judge(test: points.Test, verdict: dict, open_tests: set[str], given: bool) -> dict:
    """Returns the model's test for this verdict; `open_tests` have not passed."""
    status, explanation = verdict["status"], verdict.get("explanation", "")
    if status == "failed" and open_tests.intersection(test.parents):
        status, explanation = "waiting", ""
    elif is_held_back(verdict) and not given:
        status, explanation = "waiting", HELD_BACK
    elif status == "passed" and open_tests.intersection(test.needs):
        lacking = next(name for name in test.needs if name in open_tests)
        status, explanation = "waiting", f"It passes, but counts only if '{lacking}' passes."
    elif status == "waiting":
        explanation = NOT_RUN
    score = test.points if status == "passed" else 0
    return entry(test, status, score, list(verdict.get("findings", [])), explanation)


def score_tests(
    part: points.Part, verdicts: dict[str, dict], hidden: bool = True, given: bool = False
) -> list[dict]:
    """Returns the tests of a part as in the result model, in the order of lab.toml. One without a
    verdict was not reached: it waits. Hidden tests count where they were run; what is held back
    counts where the teacher has given it."""
    asked = [test for test in part.tests if hidden or not test.hidden]
    found = [verdicts.get(test.name, {"status": "waiting"}) for test in asked]
    done = [
        verdict["status"] in ("passed", "left out") and (given or not is_held_back(verdict))
        for verdict in found
    ]
    open_tests = {test.name for test, is_done in zip(asked, done) if not is_done}
    return [judge(test, verdict, open_tests, given) for test, verdict in zip(asked, found)]
