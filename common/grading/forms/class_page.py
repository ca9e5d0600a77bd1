"""Makes one page on a class, to show in the lecture: points, what failed, and what to explain.

No name is on it, and of the hidden tests only how many there are.
"""

import html
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import NamedTuple

import model
import points
from course.shown_run import OF_LAUNCHES, TILED, words_of
from forms import feedback, wording

ROOT, STYLE = feedback.ROOT, Path(__file__).with_name("class_page.css")
MISTAKES = ROOT / "solutions/mistakes"
# Findings of which make explore shows the access, or the launch.
SEEN = OF_LAUNCHES | {"out-of-bounds", "unset-read", "unset-output", "store-count", "load-count"}
BARS = 10
NUMBER = re.compile(r"[\d.]+( %| of [\d.]+)?|-")
FEWEST, MOST, LITTLE = 3, 5, 0.1  # what to explain: the fourth and fifth only above a tenth
RAN = "A waiting test has not failed. Shares in the tables are of the files whose tests ran."


def escaped(text: object) -> str:
    return html.escape(wording.line(str(text)))


def percent(count: int, of: int) -> str:
    return ("&lt;1 %" if 0 < 200 * count < of else f"{100 * count / of:.0f} %") if of else "-"


def section_of(lab: str, part: str, test: dict) -> str:
    """Returns the section of the handout that the report of a failure names."""
    told = re.search(r"(?m)^read: (.*(?:\n  .*)*)", test["explanation"])
    return wording.line(told[1]) if told else feedback.section_to_read(lab, part, test)


def heading_of(lab: str) -> str:
    """Returns the heading of the lab's handout."""
    handout = ROOT / lab / "README.md"
    if not handout.is_file():
        return lab
    with open(handout, encoding="utf-8") as file:
        return file.readline().strip("# \n")


class Failure(NamedTuple):
    """What is explained at once: a finding, and the section of the handout on it."""

    lab: str
    part: str
    finding: str  # "" for a test without one
    section: str


class Part:
    """What has become of one file in the class."""

    def __init__(self, lab: str, of_all: list[dict]) -> None:
        self.lab, self.part, self.of_all = lab, of_all[0]["part"], of_all
        self.title = wording.title({"lab": lab}, of_all[0])
        self.ran = [part["tests"] for part in of_all if part["tests"]]
        self.failed: Counter = Counter()
        self.waiting: Counter = Counter()
        self.findings: Counter = Counter()
        self.failures: dict[Failure, Counter] = defaultdict(Counter)  # the tests of each
        self.said: dict[Failure, Counter] = defaultdict(Counter)  # what their students read
        self.students: Counter = Counter()  # of each failure
        self.hidden: set[str] = set()
        for tests in self.ran:
            self.count(tests)
        known = dict.fromkeys(test["test"] for tests in self.ran for test in tests)
        self.names = [name for name in known if name not in self.hidden]

    def count(self, tests: list[dict]) -> None:
        """Adds the tests of one student."""
        kinds, failures = set(), set()
        for test in tests:
            name = test["test"]
            if test["hidden"]:
                self.hidden.add(name)
            elif test["status"] == "waiting" or feedback.KERNEL_FIRST in test["findings"]:
                self.waiting[name] += 1
            elif test["status"] == "failed":
                self.failed[name] += 1
                kinds |= set(test["findings"])
                finding = next(iter(test["findings"]), "")
                section = section_of(self.lab, self.part, test)
                failure = Failure(self.lab, self.part, finding, section)
                self.failures[failure][name] += 1
                self.said[failure][" ".join(test["explanation"].split())] += 1
                failures.add(failure)
        self.findings.update(kinds)
        self.students.update(failures)


def known_mistake(failure: Failure, tests: Iterable[str], said: Counter) -> str:
    """Returns the known mistake that shows a failure best, "" if there is none: one whose report says
    what most students read, then one with no other finding, then one that names the tests' step."""
    steps = [f"TODO({todo})" for name in tests for todo in points.todos_of(name)]
    found = []
    for path in sorted((MISTAKES / failure.lab / failure.part).glob("*.patch")):
        head = path.read_text(encoding="utf-8").partition("\n@@")[0]
        kinds = head.partition("\n")[0].removeprefix("Finding: ").split(", ")
        if failure.finding in kinds:
            words = re.findall(r"(?m)^Says: (.*)", head)
            alike = sum(n for text, n in said.items() if words and all(it in text for it in words))
            found.append((-alike, len(kinds), not any(it in head for it in steps), path.stem))
    return min(found)[-1] if found and failure.part != "answers" else ""


def command(part: Part, failure: Failure, test: str) -> str:
    """Returns the command that shows a failure of this test on a known mistake, "" if there is none."""
    name = known_mistake(failure, part.failures[failure], part.said[failure])
    own = "" if part.part == "kernel" else f" PART={part.part}"
    if failure.finding not in SEEN:
        return f"make -C {part.lab} test{own} MISTAKE={name}" if name else ""
    small = part.lab in TILED and part.part == "kernel" and failure.finding == "race"
    run = f'TEST="{words_of(test, part.names)[0]}"' + " TILE_WIDTH=2" * small
    return f"make -C {part.lab} explore{own} MISTAKE={name} {run}" if name else ""


def to_explain(parts: list[Part], students: int) -> list[str]:
    """Returns an item of the list for each of the failures that most students share."""
    shared = [(count, it, part) for part in parts for it, count in part.students.items()]
    items: list[str] = []
    for count, failure, part in sorted(shared, key=lambda one: (-one[0], one[1]))[:MOST]:
        if len(items) >= FEWEST and count < LITTLE * students:
            break
        tests = [name for name, _ in part.failures[failure].most_common()]
        more = f", and {wording.many(len(tests) - 1, 'other test')}" if tests[1:] else ""
        share = f"{percent(count, students)}, {count} of {wording.many(students, 'student')}"
        finding = f" (<code>{escaped(failure.finding)}</code>)" if failure.finding else ""
        lines = [
            f'<b>{share}</b>: <a href="#{anchor(part.title)}">{escaped(part.title)}</a>{finding}',
            f"Failed: {escaped(tests[0])}{more}.",
            f"Explain: {escaped(failure.section)}.",
        ]
        if shown := command(part, failure, tests[0]):
            lines.append(f"Show a kernel with this mistake: <code>{escaped(shown)}</code>")
        items.append(f"<li>{'<br>'.join(lines)}</li>")
    return items


def anchor(title: str) -> str:
    return re.sub(r"\W+", "-", title)


def counted(scores: list[float], most: float) -> list[int]:
    """Returns how many scores lie in each tenth of the points; full points are in the last."""
    bars = [0] * BARS
    for score in scores:
        bars[min(int(BARS * score / most), BARS - 1) if most else 0] += 1
    return bars


def histogram(scores: list[float], most: float) -> str:
    """Returns a picture of the points: a bar for each tenth."""
    bars, step, high = counted(scores, most), 60, 150
    lines = []
    for i, count in enumerate(bars):
        tall = high * count / max(bars)
        place = f'x="{step * i + 4}" y="{20 + high - tall:.1f}" width="{step - 8}"'
        lines.append(f'<rect class="bar" {place} height="{tall:.1f}"/>')
        if count:
            lines.append(f'<text x="{step * i + 30}" y="{14 + high - tall:.1f}">{count}</text>')
    for i in range(BARS + 1):
        at = min(max(step * i, 14), step * BARS - 14)
        lines.append(f'<text x="{at}" y="{high + 38}">{most * i / BARS:.3g}</text>')
    lines.append(f'<path class="axis" d="M0 {high + 20}h{step * BARS}"/>')
    told = f"{wording.many(len(scores), 'student')}, from 0 to {most:g} points: {', '.join(map(str, bars))}"
    return (
        f'<svg viewBox="0 0 {step * BARS} {high + 44}" width="{step * BARS}" role="img"'
        f' aria-label="{told}">{"".join(lines)}</svg>'
    )


def share_bar(failed: int, waiting: int, of: int) -> str:
    """Returns a bar for a table: failed, and after it waiting, of a whole."""
    wide, rest = (140 * count / (of or 1) for count in (failed, waiting))
    return (
        '<svg viewBox="0 0 140 12" width="140" aria-hidden="true">'
        f'<rect class="bar" width="{wide:.1f}" height="12"/>'
        f'<rect class="wait" x="{wide:.1f}" width="{rest:.1f}" height="12"/></svg>'
    )


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Returns a table; a column whose first cell is a number is one of numbers."""
    looks = [' class="number"' if NUMBER.fullmatch(cell) else "" for cell in rows[0]]

    def row(cells: list[str], kind: str) -> str:
        return f"<tr>{''.join(f'<{kind}{of}>{it}</{kind}>' for of, it in zip(looks, cells))}</tr>"

    return f"<table>{row(heads, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"


def of_part(part: Part) -> list[str]:
    """Returns what failed in one file."""
    ran = len(part.ran)
    lines = [f'<h3 id="{anchor(part.title)}">{escaped(part.title)}</h3>']
    states = Counter(one["state"] for one in part.of_all if not one["tests"])
    lacking = "".join(f"; {count} {state}" for state, count in sorted(states.items()))
    lines.append(f"<p class=quiet>Tests ran for {wording.many(ran, 'file')}{lacking}.</p>")
    order = sorted(filter(part.failed.get, part.names), key=lambda name: -part.failed[name])
    if order:
        rows = [
            [
                percent(part.failed[name], ran),
                share_bar(part.failed[name], part.waiting[name], ran),
                escaped(name),
                str(part.waiting[name]),
            ]
            for name in order
        ]
        lines.append(table(["failed", "", "test", "waiting"], rows))
    if ran and (right := len(part.names) - len(order)):
        lines.append(f"<p class=quiet>{wording.many(right, 'test')} failed for no student.</p>")
    if part.findings:
        common = sorted(part.findings.items(), key=lambda pair: (-pair[1], pair[0]))
        said = ", ".join(f"<code>{escaped(it)}</code> {percent(n, ran)}" for it, n in common)
        lines.append(f"<p>Findings: {said}.</p>")
    return lines


def of_lab(records: list[dict], parts: list[Part]) -> list[str]:
    """Returns the points in one lab, and its files."""
    scores, most = [lab["score"] for lab in records], max(lab["max_score"] for lab in records)
    lines = [f"<h2>{escaped(heading_of(records[0]['lab']))}</h2>"]
    lines.append(f"<p>Median <b>{points.total([median(scores)])} of {most:g}</b> points.</p>")
    lines.append(histogram(scores, most))
    rows = []
    for part in parts:
        own = [one["score"] for one in part.of_all]
        of = max(one["max_score"] for one in part.of_all)
        ends = (percent(own.count(score), len(own)) for score in (0, of))
        link = f'<a href="#{anchor(part.title)}">{escaped(part.title)}</a>'
        rows.append([link, f"{points.total([median(own)])} of {of:g}", *ends])
    lines.append(table(["file", "median", "no points", "all points"], rows))
    return lines + [line for part in parts for line in of_part(part)]


def text(results: list[dict], absent: int = 0) -> str:
    """Returns the page on the results that are verdicts; `absent` people handed in nothing."""
    results = [result for result in results if result["status"] != model.NOT_GRADED]
    labs: dict[str, list[dict]] = defaultdict(list)
    found: dict[tuple[str, str], list[dict]] = defaultdict(list)
    for result in results:
        for lab in result["labs"]:
            labs[lab["lab"]].append(lab)
            for part in lab["parts"]:
                found[lab["lab"], part["part"]].append(part)
    parts = [Part(lab, of_all) for (lab, _), of_all in found.items()]
    heads = " and ".join(heading_of(lab).partition(":")[0] for lab in labs)
    title = f"{heads}: {wording.many(len(results), 'submission')}"
    body = [f"<h1>{escaped(title)}</h1>"]
    body += [f"<p>{wording.many(absent, 'student')} handed in nothing.</p>"] if absent else []
    items = to_explain(parts, len(results))
    body += ["<h2>Explain in the next lecture</h2>", f"<ol class=explain>{''.join(items)}</ol>"]
    body += [] if items else ["<p>No test failed.</p>"]
    for lab, records in labs.items():
        body += of_lab(records, [part for part in parts if part.lab == lab])
    hidden = sum(len(part.hidden) for part in parts)
    told = (
        f" Not shown, but counted in the points: {wording.many(hidden, 'hidden test')}."
        if hidden
        else ""
    )
    body.append(f"<p class=quiet>{RAN}{told}")
    body.append(f"Judged by version {escaped(wording.course(results[0])) if results else ''}.</p>")
    return PAGE.format(title=escaped(title), style=STYLE.read_text("utf-8"), body="\n".join(body))


PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
{style}</style></head><body>
{body}
</body></html>
"""
