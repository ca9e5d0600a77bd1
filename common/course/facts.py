"""Reads a lab's facts from LAB/lab.toml, which a teacher edits by hand.

  [[part]]             in the order of the way through the lab, the questions last
  name = "kernel"      of kernel.cu, or "answers" of answers.h
  further = true       the lab is done without this part
  tests = [...]        of each test its name, or {test = NAME, card = true, ...}
  performance = {...}  points for its speed on a card
  [part.read]          what to read about a TODO, a question, a kind of finding or "*", any other;
  KEY = "FILE / HEADING / step N"   of several lines that fit the first counts
  [part.blame]         which TODO an access of the kernel belongs to, by the name of a parameter or
  "reads M" = "TODO(2)"             of a shared array; "writes", "updates", "reads unset" as well

A test runs on the simulated device alone; with card = true on a card as well, with sim = false on
a card alone. What else a test may state is about its points: see common/grading/points.py.
HIDDEN/LAB/lab.toml lists the tests of a folder of hidden tests in the same way, for no student.

usage: facts.py LAB [HIDDEN]   prints what run_tests.py has to know of each part, as JSON
"""

import os
import re
import sys
from collections.abc import Iterator
from json import dumps
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PART_WORDS = {"name", "further", "tests", "performance", "read", "blame"}


class FactsError(Exception):
    """A lab.toml that cannot be used; the text says where, why, and what to do."""


class Source:
    """A file of facts, which finds the line of an entry."""

    def __init__(self, path: str, root: str) -> None:
        # As a teacher would write it.
        self.path = os.path.relpath(path, root) if path.startswith(f"{root}/") else path
        try:
            with open(path, encoding="utf-8") as file:
                self.text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            why = f"cannot be read: {getattr(error, 'strerror', error)}. Each lab needs this file."
            raise FactsError(f"{path}: {why}") from None

    def parsed(self) -> dict:
        import tomllib

        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            cause = re.sub(r" \(at .*", "", str(error))
            at = re.search(r"at line (\d+)", str(error))
            line = at[1] if at else self.text.count("\n") + 1
            look = "a missing or extra comma or quote here and in the line above"
            where = f"{self.path}:{line}: not TOML: {cause}"
            raise FactsError(f"{where}. Look for {look}.") from None

    def error(self, part: str, text: str, cause: str) -> FactsError:
        """Searches for `text` after the head of the part, to give its line."""
        start = max(self.text.find(f"name = {dumps(part)}"), 0)
        quoted = self.text.find(dumps(text, ensure_ascii=False), start)
        at = quoted if quoted >= 0 else self.text.find(f"{text} =", start)
        line = self.text.count("\n", 0, at if at >= 0 else start) + 1
        return FactsError(f"{self.path}:{line}: part {part}: {cause}")


class Test(NamedTuple):
    name: str
    sim: bool
    card: bool
    points: dict  # the words about its points
    source: Source


class Part(NamedTuple):
    name: str
    further: bool
    tests: list[Test]
    read: dict[str, str]
    blame: dict[str, str]
    performance: object  # as it is in the file; None if it is not
    source: Source

    def names(self, card: bool) -> list[str]:
        return [test.name for test in self.tests if (test.card if card else test.sim)]


class Lab(NamedTuple):
    name: str
    parts: list[Part]
    source: Source

    def part(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)

    def section(self, part: str, key: str) -> str:
        """Returns "LAB/README.md, section 'Steps', step 4" for a key, "" if it has no line."""
        return in_words(self.name, self.part(part).read.get(key, ""))


def in_words(lab: str, place: str) -> str:
    file, *pieces = place.split(" / ")
    if not pieces:
        return ""
    return f"{lab}/{file}, section '{pieces[0]}'" + "".join(f", {step}" for step in pieces[1:2])


def items_of(test: str) -> list[str]:
    """Returns the TODOs or questions that a test is named after: "TODO(1) and TODO(2): ..."."""
    item = r"(?:TODO\(\d+\)|Q\d+)"
    head = re.match(rf"{item}(?: and {item})*: ", test)
    return re.findall(item, head[0]) if head else []


def read_test(source: Source, part: str, entry: object) -> Test:
    words = {"test": entry} if isinstance(entry, str) else entry
    if not isinstance(words, dict) or not isinstance(words.get("test"), str):
        raise source.error(part, "tests", "each of its tests is a name, or {test = NAME, ...}.")
    name = words["test"]
    for word in ("sim", "card"):
        if not isinstance(words.get(word, False), bool):
            raise source.error(part, name, f"'{name}': {word} must be true or false.")
    points = {word: value for word, value in words.items() if word not in ("test", "sim", "card")}
    return Test(name, words.get("sim", True), words.get("card", False), points, source)


def read_part(source: Source, entry: object) -> Part:
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(name, str):
        raise FactsError(f'{source.path}: each [[part]] needs its name = "kernel", or the like.')
    for word in entry:
        if word not in PART_WORDS:
            known = ", ".join(sorted(PART_WORDS))
            raise source.error(name, word, f"'{word}' is not known; known are {known}.")
    if not isinstance(entry.get("tests"), list):
        raise source.error(name, name, 'it needs tests = ["NAME", ...].')
    tests = [read_test(source, name, one) for one in entry["tests"]]
    read = entry.get("read", {})
    if not isinstance(read, dict) or not all(isinstance(place, str) for place in read.values()):
        raise source.error(name, "read", 'a line of [part.read] is KEY = "FILE / HEADING".')
    blame = entry.get("blame", {})
    items = {item for test in tests for item in items_of(test.name)}
    if not isinstance(blame, dict) or not all(todo in items for todo in blame.values()):
        raise source.error(name, "blame", 'a line of [part.blame] is "reads M" = "TODO(2)".')
    further = entry.get("further", False)
    if not isinstance(further, bool):
        raise source.error(name, "further", "further must be true or false.")
    return Part(name, further, tests, read, blame, entry.get("performance"), source)


def read_parts(source: Source) -> Iterator[Part]:
    entries = source.parsed().get("part")
    if not isinstance(entries, list):
        raise FactsError(f"{source.path}: has no [[part]]; each part of the lab needs one.")
    seen = set()
    for part in (read_part(source, entry) for entry in entries):
        if part.name in seen:
            raise source.error(part.name, part.name, "is listed twice: put its tests together.")
        seen.add(part.name)
        yield part


def load(lab: str, root: str = ROOT, hidden: str = "") -> Lab:
    """Reads a lab's facts; with `hidden`, a folder, those of its hidden tests after the others."""
    source = Source(f"{root}/{lab}/lab.toml", root)
    parts = list(read_parts(source))
    if hidden and os.path.exists(f"{hidden}/{lab}/lab.toml"):
        own = {part.name: part for part in parts}
        for part in read_parts(Source(f"{os.path.abspath(hidden)}/{lab}/lab.toml", root)):
            if part.name not in own:
                raise part.source.error(part.name, part.name, f"{source.path} has no such part.")
            own[part.name].tests.extend(part.tests)
    for part in parts:
        names = [test.name for test in part.tests]
        for test in part.tests:
            if names.count(test.name) > 1:
                twice = f"'{test.name}' is listed twice: remove one of the lines."
                raise test.source.error(part.name, test.name, twice)
    return Lab(lab, parts, source)


def labs(root: str = ROOT) -> list[str]:
    """Returns the labs of this copy, in their order; a release may have only some of them."""
    return sorted(name for name in os.listdir(root) if os.path.exists(f"{root}/{name}/lab.toml"))


def named(words: list[str], there: list[str]) -> list[str]:
    """Returns the labs that the words name, such as lab1_naive or lab1. Raises ValueError with a
    sentence if there is none of that name."""
    labs: list[str] = []
    for word in words:
        found = [lab for lab in there if word in (lab, lab.partition("_")[0])]
        if not found:
            raise ValueError(f"LABS={word}: there is no such lab; there are {', '.join(there)}.")
        labs += found
    return labs


def sections(lab: Lab, part: str) -> str:
    """Returns what to read, in the form of LAB_SECTIONS for the tests' program: a line per key."""
    read = lab.part(part).read
    lines = ((key, in_words(lab.name, place)) for key, place in read.items())
    told = "".join(f"{key}: {words}\n" for key, words in lines if words)
    blame = lab.part(part).blame.items()
    return told + "".join(f"blame {access}: {todo}\n" for access, todo in blame)


def main(lab: str, hidden: str = "") -> int:
    try:
        facts = load(lab, hidden=hidden)
    except FactsError as error:
        print(error, file=sys.stderr)
        return 2
    file, told = facts.source.path, {}
    files = {"file": file, "hidden_file": f"{hidden}/{lab}/lab.toml" if hidden else file}
    for part in facts.parts:
        names = {"sim": part.names(card=False), "gpu": part.names(card=True)}
        told[part.name] = files | names | {"sections": sections(facts, part.name)}
    print(dumps(told, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
