"""Compares the results in two OUTs of make grade: which students are new or missing, whose points
differ, by which tests, and why."""

import os
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import goals
import history
import model
import points
from forms import table, wording
from grade import only, students
from release.contents import Refused

SHOWN = 4  # tests of a student, on the terminal
FIELDS = ("student", "change", "before", "of before", "after", "of after", "because", "tests")
WORDS = {"points": "with other points", "new": "new", "missing": "missing"}


class Change(NamedTuple):
    student: str
    kind: str  # one of WORDS
    before: dict | None  # results
    after: dict | None
    because: list  # in words
    tests: list  # sentences


def results_in(name):
    """Returns the folder that a variable names, and {folder name: result} of its students: those in
    grades.csv; all if a run was interrupted before it wrote this file."""
    given = os.environ.get(name, "")
    if not given:
        raise Refused(f"make compare BEFORE=../marks OUT=../marks2: {name} is missing.")
    top = Path(os.path.abspath(given))
    paths = sorted(top.glob("students/*/result.json"))
    if not paths:
        raise Refused(f"{name}={given}: is no OUT of make grade: no students/NAME/result.json.")
    try:
        results = {path.parent.name: model.read(path) for path in paths}
    except model.ModelError as error:
        raise Refused(f"{name}={given}: {error}.") from None
    rows = only.rows_of(top)
    named = {table.cell(one["student"]): folder for folder, one in results.items()}
    if rows:
        results = {folder: results[folder] for row, folder in named.items() if row in rows}
    for name in (row.removeprefix("'") for row in rows if row not in named):
        empty = model.student_result(name, [], 0, [], model.NOT_GRADED)
        results[students.folder_name(name)] = empty | {"course": ""}
    return top, results


def parts_of(result):
    return {wording.title(lab, part): part for lab in result["labs"] for part in lab["parts"]}


def scores(part):
    """Returns the points of each test. The name of that of speed holds what was measured."""
    named = [(wording.line(test["test"]), test["score"]) for test in part["tests"]]
    return {"speed" if name.startswith("performance: ") else name: it for name, it in named}


def signed(difference):
    return f"{points.total([difference]):+g}"


def differing_tests(before, after):
    """Yields a sentence for each test, or file that was not judged to its end, with other points."""
    old_parts, new_parts = parts_of(before), parts_of(after)
    for title in {**old_parts, **new_parts}:
        nothing = {"state": "not asked for", "score": 0, "tests": []}
        old, new = (parts.get(title, nothing) for parts in (old_parts, new_parts))
        if not (old["tests"] and new["tests"]):
            if difference := new["score"] - old["score"]:
                yield f"{title}: {old['state']}, now {new['state']}: {signed(difference)}"
            continue
        old, new = scores(old), scores(new)
        for test in {**old, **new}:
            if difference := new.get(test, 0) - old.get(test, 0):
                yield f"{title}: {test}: {signed(difference)}"


def why_of(old, new):
    """Returns in words why two results of a student differ."""
    for result, when in ((old, "before"), (new, "now")):
        if result["status"] == model.NOT_GRADED:
            return [f"not graded {when}: the machine failed, or ONLY= left it out"]
    return history.causes(history.inputs_of(old), history.inputs_of(new)) or ["graded again"]


def changes_of(before, after):
    """Yields the changes between {folder name: result} and another one."""
    for folder in sorted({**before, **after}):
        old, new = before.get(folder), after.get(folder)
        student = (new or old)["student"]
        if not (old and new):
            yield Change(student, "missing" if old else "new", old, new, [], [])
        elif any(abs(old[of] - new[of]) > 1e-6 for of in ("score", "max_score")):
            why, tests = why_of(old, new), list(differing_tests(old, new))
            yield Change(student, "points", old, new, why, tests)


def marks(result):
    """Returns the points and their maximum as text."""
    return (
        [str(points.total([result[of]])) for of in ("score", "max_score")] if result else ["", ""]
    )


def text_of(changes):
    """Returns the changes as CSV."""
    rows = [FIELDS]
    for one in changes:
        told = ["; ".join(map(table.cell, words)) for words in (one.because, one.tests)]
        both = *marks(one.before), *marks(one.after)
        rows.append((table.cell(one.student), one.kind, *both, *told))
    return table.written(rows)


def filled(text, indent):
    return textwrap.fill(text, 80, initial_indent=indent, subsequent_indent=f"{indent}  ")


def lines_of(change):
    """Yields what the terminal shows of a change, in 80 columns."""
    both = (" of ".join(filter(None, marks(it))) or "-" for it in (change.before, change.after))
    told = "" if change.kind == "points" else change.kind
    student = textwrap.shorten(wording.line(change.student), 36, placeholder="...")
    yield "{:36} {:>14} {:>14}  {}".format(student, *both, told).rstrip()
    for why in change.because:
        yield filled(why, "    ")
    for test in change.tests[:SHOWN]:
        yield filled(test, "    ")
    if (more := len(change.tests) - SHOWN) > 0:
        yield f"    and {more} more"


def courses(results):
    found = sorted({wording.course(result) for result in results.values()} - {""})
    of_course = f"course {' and '.join(found) or 'not known'}"
    return f"{wording.many(len(results), 'student')}, {of_course}"


def main():
    (_, before), (out, after) = results_in("BEFORE"), results_in("OUT")
    found = sorted(changes_of(before, after), key=lambda one: list(WORDS).index(one.kind))
    print(f"Before: {courses(before)}\nAfter:  {courses(after)}")
    if found:
        print("\n{:36} {:>14} {:>14}".format("student", "before", "after"))
    for change in found:
        print(*lines_of(change), sep="\n")
    counts = [(sum(one.kind == kind for one in found), said) for kind, said in WORDS.items()]
    print("\n" + ", ".join(f"{count} {said}" for count, said in counts) + ".")
    model.save(out / "compare.csv", text_of(found))
    print(f"{out}/compare.csv has the same, with all tests.")


if __name__ == "__main__" and not goals.ended_well(main, "Stopped."):
    sys.exit(2)
