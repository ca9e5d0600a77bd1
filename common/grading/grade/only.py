"""ONLY=: which students are graded again, and the results of all others, which stay as they are."""

import csv
import glob
import os

from forms import table
from release.contents import Refused

from . import students
from .submission import NOTHING

LEFT_OUT = "Not graded yet: ONLY= named other students."


def chosen(names, everybody):
    """Returns the students whom ONLY= names; all of them if it is empty."""
    if not names.strip():
        return everybody
    known = {one.folder: one for one in everybody} | {one.name: one for one in everybody}
    words = names.split("," if "," in names else None)
    words = [names] if names in known else [word.strip() for word in words if word.strip()]
    for word in words:
        if word not in known:
            near = students.near(word, [one.name for one in everybody])
            advice = f"Names like it: {', '.join(near)}.\n" if near else ""
            raise Refused(
                f"ONLY={names}: SUBMISSIONS has no student '{word}'.\n{advice}"
                "Write commas between names that have blanks."
            )
    wanted = {known[word] for word in words}
    return [one for one in everybody if one in wanted]


def rows_of(out):
    """Returns the status of each student in grades.csv, by the name that a table writes."""
    path = os.path.join(out, "grades.csv")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        reader = csv.DictReader(file)
        if "student" not in (reader.fieldnames or ["student"]):
            raise Refused(f"{path}:1: has no column 'student'; grade without ONLY= to write it.")
        return {row["student"]: row.get("status") for row in reader}


def others(grader, everybody, again):
    """Returns the result of each other student in SUBMISSIONS or grades.csv, and sentences on
    them."""
    out = grader.options.out
    there = glob.glob(os.path.join(glob.escape(out), "students/*/result.json"))
    folders = [os.path.basename(os.path.dirname(path)) for path in sorted(there)]
    found = [(folder, grader.kept_result(students.Student("", folder, ""))) for folder in folders]
    folder_of = {table.cell(result["student"]): folder for folder, result in found if result}
    kept = {table.cell(result["student"]): result for _, result in found if result}
    rest = {table.cell(one.name): one for one in everybody if one not in again}
    named = {table.cell(one.name) for one in again}
    rows = rows_of(out)
    for name in rows:
        if name not in named:
            one = students.Student(name.removeprefix("'"), folder_of.get(name, ""), "")
            rest.setdefault(name, one)

    def without_result(name, one):
        if rows.get(name) == NOTHING:
            return grader.nothing(one.name)
        return grader.failed(one, LEFT_OUT)

    results = {one: kept.get(name) or without_result(name, one) for name, one in rest.items()}
    for name in kept.keys() & {*rest, *named}:
        labs = [lab["lab"] for lab in kept[name]["labs"]]
        if labs != grader.course.labs:
            raise Refused(
                f'ONLY= goes with the labs of the results in OUT: LABS="{" ".join(labs)}".'
            )
    said = [f"ONLY: {len(again)} graded again; the results of {len(rest)} others stay."]
    if missing := len(rest.keys() - kept.keys()):
        said.append(f"{missing} of the others are not graded yet.")
    ours = {**grader.inputs(), "files": {}}
    theirs = [{**kept[name].get("inputs", {}), "files": {}} for name in rest.keys() & kept.keys()]
    if old := sum(inputs != ours for inputs in theirs):
        said.append(f"{old} of the others had another course, seed or limits.")
    return results, said
