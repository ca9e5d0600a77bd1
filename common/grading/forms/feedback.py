"""Makes a student's feedback: points, failures, what to read next; no remarks for the teacher."""

import math
import textwrap
from functools import lru_cache
from pathlib import Path

import points
import scoring
from points import facts
from forms import wording

ROOT = Path(__file__).resolve().parents[3]
KERNEL_FIRST = "kernel-first"  # of a question that cannot be measured yet: part["reason"] says why
GIVEN_BACK = "Your teacher has given you the points that were held back."
facts_of = lru_cache(facts.load)


def section_to_read(lab: str, part: str, test: dict) -> str:
    """Returns the section of the handout that LAB/lab.toml names for a step, a question or a finding."""
    try:
        of_lab = facts_of(lab, str(ROOT))
        read = of_lab.part(part).read
    except (facts.FactsError, StopIteration):
        return f"{lab}/README.md"
    keys = [f"TODO({todo})" for todo in points.todos_of(test["test"])] + test["findings"]
    keys += [test["test"].partition(":")[0], "*"]  # as in Q3: the ratio
    told = (of_lab.section(part, key) for key in read if key in keys)
    return next(filter(None, told), f"{lab}/README.md")


def block(text: str) -> list[str]:
    """Indents the text, so that nothing in it is markup."""
    return ["    " + one for one in text.split("\n")]


def filled(sentence: str) -> str:
    return textwrap.fill(sentence, 76, subsequent_indent="  ", break_on_hyphens=False)


def filled_block(test: dict) -> list[str]:
    return block(filled(wording.explained(test)))


def points_table(part: dict) -> list[str]:
    steps = {}
    for test in sorted(part["tests"], key=lambda test: test["todo"] or math.inf):
        step = "as a whole" if test["todo"] is None else f"TODO({test['todo']})"
        if test["hidden"]:
            step = "hidden tests"
        score, maximum = steps.get(step, (0, 0))
        steps[step] = (score + test["score"], maximum + test["points"])
    rows = [f"| {step} | {wording.of(*sums)} |" for step, sums in steps.items()]
    return ["| step | points |", "|---|---|", *rows, ""]


def hidden_table(part: dict) -> list[str]:
    tests = [test for test in part["tests"] if test["hidden"]]
    words = {"waiting": "waits for tests above"}
    told = [(wording.line(test["test"]), test["status"]) for test in tests]
    rows = [f"| {name} | {words.get(status, status)} |" for name, status in told]
    return ["| hidden test | result |", "|---|---|", *rows, ""] if rows else []


def of_part(lab: dict, part: dict, explain_hidden: bool) -> list[str]:
    score = wording.of(part["score"], part["max_score"])
    lines = [f"## {wording.title(lab, part)}: {score} points", ""]
    if reason := wording.why_not_run(part):
        sentence, _, details = reason.partition("\n")
        lines += [sentence, ""] + ([*block(details), ""] if details else [])
    elif part["reason"]:
        lines += [filled(wording.line(part["reason"])), ""]
    if part["tests"]:
        lines += points_table(part) + (hidden_table(part) if explain_hidden else [])
    wrong = [test for test in part["tests"] if test["status"] == "failed"]
    waiting = [test for test in wrong if KERNEL_FIRST in test["findings"]]
    if waiting:
        lines += [f"{len(waiting)} of the questions could not be measured.", ""]
    for test in wrong:
        if test in waiting:
            continue
        name, explained = wording.line(test["test"]), wording.explained(test, explain_hidden)
        lines += [f"### Failed: {name}", "", *block(explained), ""]
        # What is told may name a better section.
        if "\nread: " not in explained:
            lines += [f"Read {section_to_read(lab['lab'], part['part'], test)}.", ""]
    held_back = [test for test in part["tests"] if test["explanation"] == scoring.HELD_BACK]
    for test in held_back:
        lines += [f"### Held back: {wording.line(test['test'])}", "", *filled_block(test), ""]
    if count := sum(test["status"] == "waiting" for test in part["tests"]) - len(held_back):
        which = "1 test waits" if count == 1 else f"{count} tests wait"
        lines += [f"{which} for the tests above: correct those first.", ""]
    folder, word = ("", "") if part["part"] == "kernel" else (part["part"], f" PART={part['part']}")
    if wrong and (ROOT / lab["lab"] / folder / "hints.md").exists():
        lines += [f"Hints, one at a time: make -C {lab['lab']} hint{word}", ""]
    for test in part["tests"]:
        if test["status"] == "left out":
            explained = wording.explained(test, explain_hidden)
            lines += [f"{wording.line(test['test'])}: {explained}", ""]
    return lines


def text(result: dict, explain_hidden: bool = False) -> str:
    score = wording.of(result["score"], result["max_score"])
    lines = [f"# {wording.line(result['student'])}: {score} points", ""]
    lines += [wording.counts(result) + ".", ""]
    if advice := wording.advice(result):
        lines += ["## What was handed in", "", *block("\n".join(map(filled, advice))), ""]
    if "given" in result:
        reason = wording.line(result["given"]["reason"])
        said = [GIVEN_BACK] + [filled(f"Reason: {reason}")] * bool(reason)
        lines += ["## Points given back", "", *block("\n".join(said)), ""]
    for lab in result["labs"]:
        for part in lab["parts"]:
            lines += of_part(lab, part, explain_hidden)
    if course := wording.course(result):
        lines += [f"Judged by version {course} of the course."]
    return "\n".join(lines).rstrip("\n") + "\n"
