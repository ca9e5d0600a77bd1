"""Joins what is known of each part: its TODOs and questions, from the lab's facts; whether its
stored results speak of the files that are there, from digests; what passed, from the results.

build/progress/LAB/PART.jsonl holds the last results of a part: a line that says of what, the lines
of testing/results_file.h, and {"end":false} if the run did not come to its end.
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
    findings: list[str]  # of its first failing test
    title: str


class PartState(NamedTuple):
    lab: str
    part: str
    further: bool
    source: str
    # skeleton: untouched, so that nothing needs to be run; changed: since the last test, or never
    # tested; tested; not-built; stopped: the tests did not finish; missing.
    condition: str
    done: bool
    next: str  # the item with which to go on; "" where none is open
    items: list[Item]  # in the order of their numbers
    others: list[str]  # failing tests that belong to no item

    @property
    def kind(self) -> str:
        return "question" if self.part == "answers" else "TODO"

    def command(self, goal: str) -> str:
        return f"make -C {self.lab} {goal} PART={self.part}"

    def next_findings(self) -> list[str]:
        return next((item.findings for item in self.items if item.name == self.next), [])


def number(item: str) -> int:
    return int(re.sub(r"\D", "", item) or 0)


class Results:
    """The stored results of a part. What does not begin and end as it must does not count."""

    def __init__(self) -> None:
        self.judged = self.tests = ""
        self.built, self.ended = True, False
        self.failures = 0
        self.seen: set[str] = set()
        self.failed: dict[str, tuple[str, list[str]]] = {}  # its title, findings
        self.waits_for: dict[str, str] = {}
        self.blamed: set[str] = set()
        self.others: list[str] = []

    def note(self, result: dict, items: dict[int, str]) -> None:
        name, findings, begin = result["test"], result.get("findings", []), result.get("begin", "")
        own = items_of(name)
        self.seen.update(own)
        if result["status"] != "failed":
            return
        self.failures += 1
        told = number(begin) in items
        for item in own:
            if item not in self.failed:
                self.failed[item] = (name, findings)
                if told and begin != item:
                    self.waits_for[item] = begin
        # A test of another TODO, or of the whole part, has found what is wrong there.
        if told:
            self.blamed.add(begin)
        if not own:
            self.others.append(name)


def parsed(line: str) -> dict:
    try:
        value = json.loads(re.sub(r"\\u[0-9a-f]{4}", "?", line))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def results_of(lab: str, part: str, items: dict[int, str]) -> Results:
    lines, results = [parsed(line) for line in stored(lab, part).split("\n") if line], Results()
    for line in lines:
        if "test" in line and "status" in line:
            results.note(line, items)
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


def next_of(condition: str, items: dict[int, str], done: set[str], waits: dict) -> str:
    """Returns the first open item; one that can only be judged after another comes after it."""
    for _, name in sorted(items.items()):
        if name in done:
            continue
        for _ in range(max(items)):
            if condition not in ("tested", "stopped") or name not in waits:
                break
            name = waits[name]
        return name
    return ""


def state_of_part(lab: str, part: Part, tests: str, skeletons: Skeletons) -> PartState:
    tests_named = [(item, test) for test in part.names(card=False) for item in items_of(test)]
    titles = dict(reversed(tests_named))  # each item's first test
    items = {number(item): item for item in titles}
    results = results_of(lab, part.name, items)
    condition = condition_of(lab, part.name, results, tests, skeletons)
    ran = condition in ("tested", "stopped")
    done = results.seen - set(results.failed) - results.blamed if ran else set()
    shown = []
    for _, name in sorted(items.items()):
        title, findings = results.failed.get(name, (titles[name], []))
        hidden = name in done or condition == "skeleton"
        shown.append(Item(name, name in done, [] if hidden else findings, title))
    passed = condition == "tested" and results.failures == 0
    following = next_of(condition, items, done, results.waits_for)
    others = results.others if ran else []
    named = (lab, part.name, part.further, source_of(lab, part.name))
    return PartState(*named, condition, passed, following, shown, others)


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
