"""Combines the state of each part: its TODOs and questions, from the lab's facts; whether its
stored results belong to the current files, from digests; what passed, from the results.

build/progress/LAB/PART.jsonl holds the last results of a part: a line with their digests, the lines
of testing/results_file.h, and {"end":false} if the run did not finish.
"""

import json
import os
import re
from typing import NamedTuple

from course.facts import Part, items_of
from course.places import all_labs, judged_digest, parts_of, source_of, stored, tests_digest
from course.skeleton import Skeletons


class Item(NamedTuple):
    """A TODO or a question."""

    name: str
    done: bool
    title: str


class PartState(NamedTuple):
    lab: str
    part: str
    further: bool
    source: str
    # skeleton: untouched, so nothing needs to run; changed: since the last test, or never
    # tested; tested; not-built; stopped: the tests did not finish; missing.
    condition: str
    done: bool
    next: str  # the item that the report begins with, else the first open one, or ""
    findings: list[str]  # of the first failed test, which the report explains
    items: list[Item]  # in the order of their numbers
    others: list[str]  # failed tests that belong to no item

    @property
    def kind(self) -> str:
        return "question" if self.part == "answers" else "TODO"

    def command(self, goal: str) -> str:
        return f"make -C {self.lab} {goal} PART={self.part}"


def number(item: str) -> int:
    return int(re.sub(r"\D", "", item) or 0)


class Results:
    """The stored results of a part. Results without a right first and last line do not count."""

    def __init__(self) -> None:
        self.judged = self.tests = ""
        self.built, self.ended = True, False
        self.first: dict = {}  # the first failed test, which the report explains
        self.seen: set[str] = set()
        self.failed: dict[str, str] = {}  # each item's first failed test
        self.blamed: set[str] = set()
        self.others: list[str] = []

    def note(self, result: dict) -> None:
        name = result["test"]
        own = items_of(name)
        self.seen.update(own)
        if result["status"] != "failed":
            return
        # A test of another TODO, or of the whole part, has found the fault there.
        self.blamed.add(result.get("begin", ""))
        if not self.first:
            self.first = result
            self.blamed.add(self.begins_with)
        for item in own:
            self.failed.setdefault(item, name)
        if not own:
            self.others.append(name)

    @property
    def begins_with(self) -> str:
        """Returns the item that the report's first explanation names; "" if it names none."""
        return self.first.get("todo", "")


def parsed(line: str) -> dict:
    try:
        value = json.loads(re.sub(r"\\u[0-9a-f]{4}", "?", line))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def results_in(text: str) -> Results:
    lines, results = [parsed(line) for line in text.split("\n") if line], Results()
    for line in lines:
        if "test" in line and "status" in line:
            results.note(line)
    if lines and "judged" in lines[0] and isinstance(lines[-1].get("end"), bool):
        results.judged, results.tests = lines[0]["judged"], lines[0].get("tests", "")
        results.built = lines[0].get("built", True)
        results.ended = lines[-1]["end"]
    return results


def condition_of(lab: str, part: str, results: Results, tests: str, skeletons: Skeletons) -> str:
    source = source_of(lab, part)
    if not os.path.exists(source):
        return "missing"
    if skeletons.untouched(source):
        return "skeleton"
    if results.judged != judged_digest(lab, part) or results.tests != tests:
        return "changed"
    if not results.built:
        return "not-built"
    return "tested" if results.ended else "stopped"


def state_of_part(lab: str, part: Part, tests: str, skeletons: Skeletons) -> PartState:
    tests_named = [(item, test) for test in part.names(card=False) for item in items_of(test)]
    titles = dict(reversed(tests_named))  # each item's first test
    results = results_in(stored(lab, part.name))
    condition = condition_of(lab, part.name, results, tests, skeletons)
    ran = condition in ("tested", "stopped")
    done = results.seen - set(results.failed) - results.blamed if ran else set()
    named = sorted(titles, key=number)
    shown = [Item(name, name in done, results.failed.get(name, titles[name])) for name in named]
    passed = condition == "tested" and not results.first
    told = results.begins_with if ran else ""
    following = told or next((item.name for item in shown if not item.done), "")
    findings = results.first.get("findings", []) if ran else []
    others = results.others if ran else []
    words = (lab, part.name, part.further, source_of(lab, part.name))
    return PartState(*words, condition, passed, following, findings, shown, others)


def state(labs: list[str] | None = None) -> list[PartState]:
    """Returns the state of each part of the labs, or of all labs, in the order of the way."""
    skeletons, found = Skeletons(), []
    for lab in all_labs() if labs is None else labs:
        tests = tests_digest(lab)
        found += [state_of_part(lab, part, tests, skeletons) for part in parts_of(lab)]
    return found


def part_at_hand(states: list[PartState]) -> PartState | None:
    """Returns the first part that is not done; parts that go further come after all others."""
    undone = [one for one in states if not one.done]
    return next((one for one in undone if not one.further), undone[0] if undone else None)
