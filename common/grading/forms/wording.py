"""Sentences that all reports share, and helpers that make text safe to print."""

import re

import model
import points

ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
# Characters that XML 1.0 does not allow, that a terminal acts on, or that turn the direction of
# text around and so show other words than are there.
CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
STATES = {
    "missing": "{file} was not handed in.",
    "unchanged": "{file} is as it was handed out.",
    "refused": "{file} was not accepted.",
    "does not compile": "{file} does not compile.",
    "stopped": "The run of {file} was stopped before it finished.",
    "not graded": "{file} has not been graded.",
}
# For hidden tests. What they have found can spell what the student's program has seen of them.
OF_HIDDEN = {
    "failed": "It failed. The reason is not shown: try other sizes and other numbers.",
    "left out": "Left out, and not counted.",
}


def many(count: int, what: str) -> str:
    """Returns for example "1 student" or "2 students"."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def clean(text: str) -> str:
    """Returns text of a student's program without control characters."""
    text = ANSI.sub("", str(text)).replace("\r\n", "\n").replace("\r", "\n")
    return CONTROL.sub("\ufffd", text)


def shortened(text: str, limit: int = 8000) -> str:
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n... ({len(text) - limit} characters more)"


def line(text: str, limit: int = 400) -> str:
    """Returns the text in one line, for names and headings."""
    return " ".join(shortened(clean(text), limit).split())


def of(score: float, maximum: float) -> str:
    return f"{points.total([score])} of {points.total([maximum])}"


def title(lab: dict, part: dict) -> str:
    return line(f"{lab['lab']}/{part['file']}")


def why_not_run(part: dict) -> str:
    """Returns why a part was not judged to its end; empty if it was."""
    if part["state"] == "graded":
        return "" if part["tests"] else f"No test of {line(part['file'])} ran."
    reason = shortened(clean(part["reason"])).strip()
    sentence = STATES[part["state"]].format(file=line(part["file"]))
    return f"{sentence}\n{reason}" if reason else sentence


def explained(test: dict, hidden: bool = False) -> str:
    """Returns what a student reads about a test; empty if it passed. The explanation of a hidden
    test is only for students who may see `hidden` ones."""
    if test["hidden"] and not hidden and test["status"] in OF_HIDDEN:
        return OF_HIDDEN[test["status"]]
    text = shortened(clean(test["explanation"])).strip("\n")
    if test["status"] == "waiting":
        return text or "Waits: a test that it needs has not passed."
    if test["status"] == "left out":
        return f"Left out, and not counted: {text or 'this machine cannot show it.'}"
    if test["status"] == "failed":
        return text or "The test failed and gave no reason."
    return ""


def passed_of(result: dict, hidden: bool) -> str | None:
    """Returns "17 of 17" of the public or of the hidden tests; None if there are none."""
    tests = [test for _, _, test in model.tests_of(result) if test["hidden"] == hidden]
    counted = [test["status"] for test in tests if test["status"] != "left out"]
    return f"{counted.count('passed')} of {len(counted)}" if counted else None


def course(result: dict) -> str:
    """Returns the version of the course that judged, such as "1.0.0 (8a8626d3)"."""
    return line(str(result.get("course", "")))


def advice(result: dict) -> list[str]:
    """Returns what the student may do about files that were not found or not read, a line each."""
    return [line(sentence) for sentence in result.get("advice", [])]


def counts(result: dict, hidden: bool = True) -> str:
    """Returns the counts of public and hidden tests, apart, because the public ones are not all."""
    of_public, of_hidden = passed_of(result, False), passed_of(result, True)
    told = [f"public tests passed: {of_public}" if of_public else "no test ran"]
    if hidden and of_hidden:
        told.append(f"hidden tests passed: {of_hidden}")
    parts = [(lab, part) for lab in result["labs"] for part in lab["parts"]]
    not_run = [title(lab, part) for lab, part in parts if not part["tests"]]
    if not_run:
        told.append(f"not run: {', '.join(not_run)}")
    return "; ".join(told)
