"""Tells which test counts how much, from the lab's facts (see common/course/facts.py).

A teacher edits LAB/lab.toml by hand, so that it states only what differs from the rule: a test
that begins with TODO(n) counts 2 points, any other test 1.

  {test = "the whole name", points = 3, parents = [...], needs = [...]}

parents  if one of them has not passed, a failure of this test is not reported: it waits. A
         passed test keeps its points. Without the word: every TODO test for a test that has no TODO
         in its name, none for one that has.
needs    a pass counts only where these have passed as well: for what a skeleton passes already.

hidden   true for a teacher's own test, which students do not have; a name that begins with
         "hidden: " says so by itself.

A part may have "performance": points for its speed on a card; see solutions/points.md.

A name in either list is the beginning of test names and stands for all of them: "TODO(2)" for both
tests of that step, "TODO" for those of every step. Parents stand above the test in the file.
"""

import difflib
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "common"))
from course import facts  # noqa: E402
from course.facts import FactsError as PointsError  # noqa: E402
from course.facts import Source  # noqa: E402
from course import version  # noqa: E402, F401

HIDDEN = "hidden: "
WORDS = {"points", "parents", "needs", "hidden"}
PERFORMANCE_WORDS = {"points", "full_at", "none_below", "needs", "width"}


@dataclass(frozen=True)
class Test:
    name: str
    points: float
    todo: int | None
    hidden: bool
    parents: list[str]
    needs: list[str]


@dataclass(frozen=True)
class Performance:
    """Points for the speed on a card; speeds are relative to the reference's, which is 1."""

    points: float
    full_at: float
    none_below: float
    needs: list[str]
    width: int


@dataclass(frozen=True)
class Part:
    name: str
    tests: list[Test]
    performance: Performance | None = None

    def max_score(self) -> float:
        return total(test.points for test in self.tests)


@dataclass(frozen=True)
class Lab:
    name: str
    parts: dict[str, Part]


def total(points) -> float:
    """A sum that prints as people write it: 17, 2.5."""
    value = round(sum(points), 4)
    return int(value) if value == int(value) else value


def file_of(part: str) -> str:
    """Returns the name of the file that a student hands in for a part."""
    return "answers.h" if part == "answers" else f"{part}.cu"


def todos_of(name: str) -> list[int]:
    """The steps whose test this is: "TODO(1): ..." or "TODO(1) and TODO(2): ..."."""
    match = re.match(r"TODO\(\d+\)(?: and TODO\(\d+\))*", name)
    return [int(number) for number in re.findall(r"\d+", match[0])] if match else []


def is_amount(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, (int, float)) and 0 <= value < 1e6


def matching(source: Source, part: str, test: str, word: str, beginnings, names) -> list[str]:
    if not isinstance(beginnings, list) or not all(isinstance(b, str) for b in beginnings):
        raise source.error(part, test, f"'{test}': {word} must be a list of names.")
    found: dict[str, None] = {}
    for beginning in beginnings:
        several = [name for name in names if name.startswith(beginning) and name != test]
        if not several:
            where = "above it " if word == "parents" else ""
            why = f"no test {where}has a name that begins so."
            for close in difflib.get_close_matches(beginning, names, n=1, cutoff=0.5):
                why += f" The nearest name is '{close}'."
            cause = f"'{test}' has '{beginning}' among its {word}, and {why}"
            raise source.error(part, beginning, cause)
        found.update(dict.fromkeys(several))
    return list(found)


def parse_test(test: facts.Test, part: str, above: list[str], names: list[str]) -> Test:
    name, entry, source = test.name, test.points, test.source
    for word in entry:
        if word not in WORDS:
            known = ", ".join(sorted({*WORDS, "card", "sim", "test"}))
            raise source.error(part, word, f"'{name}': '{word}' is not known; known are {known}.")
    todo = next(iter(todos_of(name)), None)
    points = entry.get("points", 1 if todo is None else 2)
    if not is_amount(points):
        raise source.error(part, name, f"'{name}': points must be a number from 0 upwards.")
    if "parents" in entry:
        parents = matching(source, part, name, "parents", entry["parents"], above)
    else:
        parents = [] if todo else list(filter(todos_of, above))
    needs = matching(source, part, name, "needs", entry.get("needs", []), names)
    hidden = entry.get("hidden", name.startswith(HIDDEN))
    if not isinstance(hidden, bool):
        raise source.error(part, name, f"'{name}': hidden must be true or false.")
    return Test(name, points, todo, hidden, parents, needs)


def parse_performance(source: Source, part: str, entry, names: list[str]) -> Performance:
    def refused(cause: str) -> PointsError:
        return source.error(part, "performance", f"performance: {cause}")

    if not isinstance(entry, dict):
        raise refused("it must be {points = 2, full_at = 0.9, none_below = 0.3}.")
    for word in entry:
        if word not in PERFORMANCE_WORDS:
            known = ", ".join(sorted(PERFORMANCE_WORDS))
            raise refused(f"'{word}' is not known; known are {known}.")
    for word in ("points", "full_at", "none_below"):
        if not is_amount(entry.get(word)):
            raise refused(f"{word} must be a number from 0 upwards.")
    if not entry["none_below"] < entry["full_at"]:
        raise refused("none_below must be less than full_at.")
    width = entry.get("width", 4096)
    if type(width) is not int or width not in range(32, 16385, 32):
        raise refused("width must be a multiple of 32, up to 16384.")
    needs = names
    if "needs" in entry:
        needs = matching(source, part, "performance", "needs", entry["needs"], names)
    return Performance(entry["points"], entry["full_at"], entry["none_below"], needs, width)


def check_circles(source: Source, part: str, tests: list[Test]) -> None:
    needs = {test.name: test.needs for test in tests}
    for start in needs:
        row = list(needs[start])
        for name in row:  # which grows
            row += [other for other in needs[name] if other not in row]
        if start in row:
            cause = f"'{start}' needs itself, by way of its needs: remove one."
            raise source.error(part, start, cause)


def parse_part(part: facts.Part) -> Part:
    names, performance = [test.name for test in part.tests], part.performance
    tests = [parse_test(one, part.name, names[:i], names) for i, one in enumerate(part.tests)]
    check_circles(part.source, part.name, tests)
    if performance is not None:
        performance = parse_performance(part.source, part.name, performance, names)
    return Part(part.name, tests, performance)


def load(lab: str, root: Path = ROOT) -> Lab:
    """Returns the points of a lab, with all defaults filled in, in the order of `make test`."""
    read = facts.load(lab, str(root), hidden=f"{root}/solutions/hidden")
    parts = [parse_part(part) for part in read.parts]
    parts.sort(key=lambda part: (part.name != "kernel", part.name == "answers", part.name))
    return Lab(lab, {part.name: part for part in parts})
