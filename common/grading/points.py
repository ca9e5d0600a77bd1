"""Which test counts how much: reads common/grading/points/LAB.json.

A teacher edits these files by hand, so that they state only what differs from the rule: a test
that begins with TODO(n) counts 2 points, any other test 1.

  {"test": "the whole name", "points": 3, "parents": [...], "needs": [...]}

parents  where one of them has not passed, a failure of this test is not told: it waits. Whoever
         passes keeps the points. Without the word: every TODO test for a test that has no TODO
         in its name, none for one that has.
needs    a pass counts only where these have passed as well: for what a skeleton passes already.

hidden   true for a teacher's own test, which students do not have; a name that begins with
         "hidden: " says so by itself.

A part may have "performance": points for its speed on a card; see points/README.md.

A name in either list is the beginning of test names and stands for all of them: "TODO(2)" for both
tests of that step, "TODO" for those of every step. Parents stand above the test in the file.
"""

import difflib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional

FOLDER = Path(__file__).resolve().parent / "points"
ROOT = FOLDER.parents[2]
HIDDEN = "hidden: "
WORDS = {"test", "points", "parents", "needs", "hidden"}
PERFORMANCE_WORDS = {"points", "full_at", "none_below", "needs", "width"}


class PointsError(Exception):
    """A points file that cannot be used; the text says where, why, and what to do."""


@dataclass(frozen=True)
class Test:
    name: str
    points: float
    todo: Optional[int]
    hidden: bool
    parents: List[str]
    needs: List[str]


@dataclass(frozen=True)
class Performance:
    """Points for the speed on a card; speeds are relative to the reference's, which is 1."""

    points: float
    full_at: float
    none_below: float
    needs: List[str]
    width: int


@dataclass(frozen=True)
class Part:
    name: str
    tests: List[Test]
    performance: Optional[Performance] = None

    def max_score(self) -> float:
        return total(test.points for test in self.tests)


@dataclass(frozen=True)
class Lab:
    name: str
    parts: Dict[str, Part]


def total(points) -> float:
    """A sum that prints as people write it: 17, 2.5."""
    value = round(sum(points), 4)
    return int(value) if value == int(value) else value


def todos_of(name: str) -> List[int]:
    """The steps whose test this is: "TODO(1): ..." or "TODO(1) and TODO(2): ..."."""
    match = re.match(r"TODO\(\d+\)(?: and TODO\(\d+\))*", name)
    return [int(number) for number in re.findall(r"\d+", match.group(0))] if match else []


def todo_of(name: str) -> Optional[int]:
    return next(iter(todos_of(name)), None)


class Source:
    """A points file's text, to say in which line something stands."""

    def __init__(self, path: Path):
        # As a teacher would write it.
        self.path = path.relative_to(ROOT) if ROOT in path.parents else path
        try:
            self.text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PointsError(f"{path}: cannot be read: {error}. Each lab needs a file here.")

    def parsed(self):
        try:
            return json.loads(self.text)
        except json.JSONDecodeError as error:
            raise PointsError(
                f"{self.path}:{error.lineno}: not JSON: {error.msg}. Look for a comma too many or "
                "too few at the end of the line above."
            )

    def error(self, part: str, text: str, cause: str) -> PointsError:
        """`text` is searched for behind the head of the part, to give its line."""
        start = max(self.text.find(f'"part": {json.dumps(part)}'), 0)
        at = self.text.find(json.dumps(text, ensure_ascii=False), start)
        line = self.text.count("\n", 0, at if at >= 0 else start) + 1
        return PointsError(f"{self.path}:{line}: part {part}: {cause}")


def nearest(name: str, names: List[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f" The nearest name is '{close[0]}'." if close else ""


def matching(source: Source, part: str, test: str, word: str, beginnings, names) -> List[str]:
    if not isinstance(beginnings, list) or not all(isinstance(b, str) for b in beginnings):
        raise source.error(part, test, f"'{test}': {word} must be a list of names.")
    found = []
    for beginning in beginnings:
        several = [name for name in names if name.startswith(beginning) and name != test]
        if not several:
            where = "above it " if word == "parents" else ""
            raise source.error(
                part,
                beginning,
                f"'{test}' has '{beginning}' among its {word}, and no test {where}has a name that "
                f"begins so.{nearest(beginning, names)}",
            )
        found += [name for name in several if name not in found]
    return found


def parse_test(source: Source, part: str, entry, above: List[str], names: List[str]) -> Test:
    name = entry["test"]
    for word in entry:
        if word not in WORDS:
            known = ", ".join(sorted(WORDS))
            raise source.error(part, word, f"'{name}': '{word}' is not known; known are {known}.")
    todo = todo_of(name)
    points = entry.get("points", 1 if todo is None else 2)
    if isinstance(points, bool) or not isinstance(points, (int, float)) or not 0 <= points < 1e6:
        raise source.error(part, name, f"'{name}': points must be a number from 0 upwards.")
    if "parents" in entry:
        parents = matching(source, part, name, "parents", entry["parents"], above)
    else:
        parents = [] if todo else [other for other in above if todo_of(other)]
    needs = matching(source, part, name, "needs", entry.get("needs", []), names)
    hidden = entry.get("hidden", name.startswith(HIDDEN))
    if not isinstance(hidden, bool):
        raise source.error(part, name, f"'{name}': hidden must be true or false.")
    return Test(name, points, todo, hidden, parents, needs)


def parse_performance(source: Source, part: str, entry, names: List[str]) -> Performance:
    def refused(cause: str) -> PointsError:
        return source.error(part, "performance", f"performance: {cause}")

    if not isinstance(entry, dict):
        raise refused('it must be {"points": 2, "full_at": 0.9, "none_below": 0.3}.')
    for word in entry:
        if word not in PERFORMANCE_WORDS:
            known = ", ".join(sorted(PERFORMANCE_WORDS))
            raise refused(f"'{word}' is not known; known are {known}.")
    for word in ("points", "full_at", "none_below"):
        value = entry.get(word)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e6:
            raise refused(f"{word} must be a number from 0 upwards.")
    if not entry["none_below"] < entry["full_at"]:
        raise refused("none_below must be less than full_at.")
    width = entry.get("width", 4096)
    whole = isinstance(width, int) and not isinstance(width, bool)
    if not whole or width % 32 or not 32 <= width <= 16384:
        raise refused("width must be a multiple of 32, up to 16384.")
    needs = names
    if "needs" in entry:
        needs = matching(source, part, "performance", "needs", entry["needs"], names)
    return Performance(entry["points"], entry["full_at"], entry["none_below"], needs, width)


def check_circles(source: Source, part: str, tests: List[Test]) -> None:
    needs = {test.name: test.needs for test in tests}
    for start in needs:
        seen, row = set(), [start]
        while row:
            for name in needs[row.pop()]:
                if name == start:
                    raise source.error(
                        part, start, f"'{start}' needs itself, by way of its needs: remove one."
                    )
                if name not in seen:
                    seen.add(name)
                    row.append(name)


def parse_part(source: Source, entry) -> Part:
    if not isinstance(entry, dict) or not isinstance(entry.get("part"), str):
        raise PointsError(f'{source.path}: each of "parts" is {{"part": NAME, "tests": [...]}}.')
    part = entry["part"]
    entries = entry.get("tests")
    if not isinstance(entries, list) or not all(
        isinstance(one, dict) and isinstance(one.get("test"), str) for one in entries
    ):
        raise source.error(part, part, 'it needs "tests": [{"test": NAME}, ...].')
    names = [one["test"] for one in entries]
    for name in names:
        if names.count(name) > 1:
            raise source.error(part, name, f"'{name}' is listed twice: remove one of the lines.")
    tests = [parse_test(source, part, one, names[:i], names) for i, one in enumerate(entries)]
    check_circles(source, part, tests)
    performance = None
    if "performance" in entry:
        performance = parse_performance(source, part, entry["performance"], names)
    return Part(part, tests, performance)


def load(lab: str, folder: Path = FOLDER) -> Lab:
    """The points of a lab, with all defaults filled in."""
    source = Source(Path(folder) / f"{lab}.json")
    data = source.parsed()
    if not isinstance(data, dict) or data.get("lab") != lab or not isinstance(
        data.get("parts"), list
    ):
        raise PointsError(f'{source.path}: must hold {{"lab": "{lab}", "parts": [...]}}.')
    parts = [parse_part(source, entry) for entry in data["parts"]]
    for part in parts:
        if [one.name for one in parts].count(part.name) > 1:
            raise source.error(part.name, part.name, "is listed twice: put its tests together.")
    return Lab(lab, {part.name: part for part in parts})


def compare_names(
    lab: Lab, part: str, run: List[str], hidden: bool = True, folder: Path = FOLDER
) -> List[str]:
    """What does not fit between the points of a part and the names of the tests that ran; `hidden`
    says whether the teacher's own were among them."""
    source = Source(Path(folder) / f"{lab.name}.json")
    if part not in lab.parts:
        return [f'{source.path}: {lab.name} has a part {part}: add {{"part": "{part}", ...}}.']
    listed = [test.name for test in lab.parts[part].tests if hidden or not test.hidden]
    problems = []
    for name in listed:
        if name not in run:
            others = [other for other in run if other not in listed]
            problems.append(
                str(source.error(part, name, f"no test is named '{name}': was it renamed?"))
                + nearest(name, others)
                + " Write the new name here, or remove the line."
            )
    for name in run:
        if name not in listed:
            above = [other for other in run[: run.index(name)] if other in listed]
            where = f"below '{above[-1]}'" if above else "first"
            problems.append(
                f"{source.path}: part {part}: the test '{name}' is not listed: "
                f'put {{"test": {json.dumps(name)}}} {where}.'
            )
    return problems
