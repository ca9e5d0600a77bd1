"""The history of marks, OUT/history.csv: a line for each change of a student's mark; and why two
results of a student differ. Lines are only appended, by the one grader that holds OUT."""

import csv
import datetime
import json
import os

import disk
import model
import points
from forms import table, wording
from release.contents import Refused

NAME = "history.csv"
FIELDS: tuple[str, ...] = ("time", "student", "course", "points before", "points", "of", "cause")
FIELDS += ("reason", "given by", "inputs")
# What a result depends on, beside the files handed in (see Grader.inputs).
OTHERS = {
    "labs": "other labs",
    "course": "the course changed",
    "seed": "another seed",
    "limits": "other limits",
}
UNKNOWN = "not known: an older version of the course graded it"


def now():
    """Returns the time of day in UTC, as ISO 8601 writes it."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def inputs_of(result):
    """Returns what a result depends on; given: whether points were given back."""
    return {**result.get("inputs", {}), "given": "given" in result}


def changed_files(before, after):
    """Returns the names of files that differ, of labs that both results have."""
    labs = set(before["labs"]) & set(after["labs"])
    old, new = before["files"], after["files"]
    names = [name for name in {**old, **new} if name.partition("/")[0] in labs]
    return sorted(name for name in names if old.get(name) != new.get(name))


def causes(before, after):
    """Returns in words in what the inputs of two results differ."""
    if not all(isinstance(one, dict) and one.get("labs") for one in (before, after)):
        return [UNKNOWN]
    names = changed_files(before, after)
    found = [f"files changed ({', '.join(names)})"] if names else []
    found += [said for word, said in OTHERS.items() if before.get(word) != after.get(word)]
    if before.get("given") != after["given"]:
        found.append("points given back" if after["given"] else "points no longer given")
    return found


def last_lines(path):
    """Returns the last line of each student."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        reader = csv.DictReader(file, restval="")
        rows = {row["student"]: row for row in reader if row.get("student")}
    if reader.fieldnames and list(FIELDS) != reader.fieldnames:
        wanted = f"its columns are to be {','.join(FIELDS[:2])},...,{FIELDS[-1]}"
        raise Refused(f"{path}:1: is no history of this grader: {wanted}.\nGive it another name.")
    return rows


def line_of(result, last):
    """Returns the line for a result; None if the mark is that of the last line."""
    score, most = (str(points.total([result[of]])) for of in ("score", "max_score"))
    if last and (score, most) == (last["points"], last["of"]):
        return None
    inputs, given = inputs_of(result), result.get("given", {})
    cause = "graded"
    if last:
        try:
            before = json.loads(last["inputs"])
        except ValueError:
            before = {}
        cause = ": ".join(filter(None, ("graded again", ", ".join(causes(before, inputs)))))
    told = result.get("time", now()), table.cell(result["student"]), wording.course(result)
    reason = table.cell(given.get("reason", "")), table.cell(given.get("by", ""))
    marks = last["points"] if last else "", score, most, cause
    return dict(zip(FIELDS, (*told, *marks, *reason, json.dumps(inputs, sort_keys=True))))


def note(out, results):
    """Appends a line for each student whose mark has changed. What is not graded has no mark."""
    path = os.path.join(out, NAME)
    last = last_lines(path)
    graded = [result for result in results if result["status"] != model.NOT_GRADED]
    found = [line_of(one, last.get(table.cell(one["student"]))) for one in graded]
    if lines := [line for line in found if line]:
        is_new = not os.path.exists(path) or os.path.getsize(path) == 0
        lines.sort(key=lambda line: (line["time"], line["student"]))
        rows = [[line[field] for field in FIELDS] for line in lines]
        append(path, table.written([FIELDS] * is_new + rows).encode())


def append(path, data):
    """Appends to a file: all of it or nothing."""
    with disk.naming(path), open(path, "a+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size and os.pread(file.fileno(), 1, size - 1) != b"\n":
            data = b"\n" + data  # a line that was cut short
        try:
            while data:
                data = data[file.write(data) :]
        except OSError:
            file.truncate(size)
            raise
