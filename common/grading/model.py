"""The result of one submission: builds, checks, reads and writes it.

All reports are made from this model, the file result.json of a student:

  {"student", "status", "score", "max_score", "seconds", "labs": [...], "remarks": [...],
   "course", "advice": [...], "time", "inputs": {...}, "given": {"reason", "by"}}: remarks are the
   teacher's, advice the student's; the course is its version and commit; inputs are what the result
   depends on; given is there if points were given back; all from the course on may be missing
  a lab:  {"lab", "score", "max_score", "parts": [...]}
  a part: {"part", "file", "state", "reason", "score", "max_score", "tests": [...]}
  a test: {"test", "status", "points", "score", "hidden", "todo", "findings", "explanation"}
"""

import contextlib
import json
import os

import disk
import points
import scoring

STATES = (
    *("graded", "missing", "unchanged", "refused", "does not compile", "stopped"),
    "not graded",  # the grader or its machine failed
)
NOT_GRADED = STATES[-1]  # also a student's status, if the machine has failed for one file at least
STATUSES = ("passed", "failed", "waiting", "left out")

# More is no result; its reading would take long.
MOST_BYTES, MOST_DIGITS = 16 << 20, 30

Kinds = tuple[type, ...]  # one of which a value has to be
TEXT: Kinds = (str,)
NUMBER: Kinds = (int, float)
LIST: Kinds = (list,)
STUDENT_FIELDS = {"student": TEXT, "status": TEXT, "score": NUMBER, "max_score": NUMBER}
STUDENT_FIELDS.update({"seconds": NUMBER, "labs": LIST, "remarks": LIST})
OF_INPUTS = {"files": (dict,), "labs": LIST}
OPTIONAL: dict[str, dict] = {"inputs": OF_INPUTS, "given": {"reason": TEXT, "by": TEXT}}
LAB_FIELDS = {"lab": TEXT, "score": NUMBER, "max_score": NUMBER, "parts": LIST}
PART_FIELDS = {"part": TEXT, "file": TEXT, "state": TEXT, "reason": TEXT, "score": NUMBER}
PART_FIELDS.update({"max_score": NUMBER, "tests": LIST})
TEST_FIELDS = {"test": TEXT, "status": TEXT, "points": NUMBER, "score": NUMBER, "hidden": (bool,)}
TEST_FIELDS.update({"todo": (int, type(None)), "findings": LIST, "explanation": TEXT})


class ModelError(Exception):
    """A result that cannot be used; the text says where and why."""


def part_result(
    part: points.Part,
    file: str,
    state: str,
    reason: str = "",
    verdicts: dict | None = None,
    hidden: bool = True,
    performance: dict | None = None,
    given: bool = False,
) -> dict:
    """Returns a judged part; without points if no test ran. performance is the test that
    speed/marks.py makes of a measurement; None without a card. If it is given, what was held
    back counts."""
    tests = scoring.score_tests(part, verdicts, hidden, given) if verdicts else []
    counted = tests or [{"points": t.points} for t in part.tests if hidden or not t.hidden]
    if performance and tests:
        tests.append(performance)
    elif performance:
        counted.append(performance)
    return {
        "part": part.name,
        "file": file,
        "state": state,
        "reason": reason,
        "score": points.total(test["score"] for test in tests),
        "max_score": points.total(test["points"] for test in counted),
        "tests": tests,
    }


def summed(record: dict, items: list[dict]) -> dict:
    return record | {of: points.total(item[of] for item in items) for of in ("score", "max_score")}


def lab_result(lab: str, parts: list[dict]) -> dict:
    return summed({"lab": lab, "parts": parts}, parts)


def student_result(
    student: str, labs: list[dict], seconds: float, remarks: list[str], status: str = "graded"
) -> dict:
    record = {"student": student, "status": status, "seconds": seconds, "labs": labs}
    record |= {"remarks": remarks, "course": points.version.of(str(points.ROOT))}
    return summed(record, labs)


def tests_of(result: dict):
    """Yields all tests of a result, each with its lab and part."""
    for lab in result["labs"]:
        for part in lab["parts"]:
            for test in part["tests"]:
                yield lab, part, test


def check_fields(record, fields: dict, where: str) -> None:
    if not isinstance(record, dict):
        raise ModelError(f"{where}: must be an object")
    for field, kinds in fields.items():
        value = record.get(field)
        if field not in record:
            raise ModelError(f"{where}: {field} is missing")
        # True is an int in Python, but not a number of points.
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ModelError(f"{where}: {field} is {json.dumps(value)}")
        # The comparison is false for NaN and infinity.
        if kinds is NUMBER and not 0 <= value < 1e9:
            raise ModelError(f"{where}: {field} is {value}; it must be 0 or more")


def check_sum(record: dict, items: list[dict], fields, where: str) -> None:
    for field, of in fields:
        value = points.total(item[of] for item in items)
        if abs(record[field] - value) > 1e-6:
            raise ModelError(f"{where}: {field} is {record[field]}, its items sum up to {value}")


def name_of(record, field: str):
    """Returns the field; of what is no record, itself."""
    return record.get(field) if isinstance(record, dict) else record


def check_part(part: dict, where: str) -> None:
    check_fields(part, PART_FIELDS, where)
    if part["state"] not in STATES:
        raise ModelError(f"{where}: state is '{part['state']}'; known are {', '.join(STATES)}")
    for test in part["tests"]:
        name = name_of(test, "test")
        check_fields(test, TEST_FIELDS, f"{where}, test '{name}'")
        if test["status"] not in STATUSES:
            raise ModelError(f"{where}, test '{name}': status is '{test['status']}'")
        if not all(isinstance(kind, str) for kind in test["findings"]):
            raise ModelError(f"{where}, test '{name}': findings must be words")
    if part["tests"]:
        check_sum(part, part["tests"], (("score", "score"), ("max_score", "points")), where)
    elif part["score"] != 0:
        raise ModelError(f"{where}: score is {part['score']}, and no test ran")


def check(result: dict, where: str = "result") -> dict:
    """Returns the result if it is complete, else raises ModelError."""
    sums = (("score", "score"), ("max_score", "max_score"))
    check_fields(result, STUDENT_FIELDS, where)
    advice = result.get("advice", [])
    for name, said in (("remarks", result["remarks"]), ("advice", advice)):
        if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
            raise ModelError(f"{where}: {name} must be sentences")
    for name, fields in OPTIONAL.items():
        if name in result:
            check_fields(result[name], fields, f"{where}: {name}")
    for lab in result["labs"]:
        check_fields(lab, LAB_FIELDS, f"{where}, a lab")
        for part in lab["parts"]:
            check_part(part, f"{where}, {lab['lab']}, part {name_of(part, 'part')}")
        check_sum(lab, lab["parts"], sums, f"{where}, {lab['lab']}")
    check_sum(result, result["labs"], sums, where)
    return result


def short_number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number has {len(digits)} digits")
    return int(digits)


def read(path) -> dict:
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES >> 20} MB")
        return check(json.loads(text.decode(), parse_int=short_number), str(path))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{path}: cannot be read: {error}")


def save(path, value) -> None:
    """Writes text, bytes, or anything else as JSON; the file whole or not at all."""
    path = os.fspath(path)
    new = path + ".new"
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    # ASCII only, because a student's output may hold half of a character pair.
    text = value if isinstance(value, (str, bytes)) else json.dumps(value, indent=1) + "\n"
    data = text if isinstance(text, bytes) else text.encode(errors="replace")
    try:
        with disk.naming(path):
            with open(new, "wb") as file:
                file.write(data)
            os.replace(new, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.remove(new)
        raise


def write(path, result: dict) -> None:
    save(path, check(result))
