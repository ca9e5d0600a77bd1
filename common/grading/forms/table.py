"""Makes the marks of a class as CSV: a line a student, and columns for each lab and each part. A
result may have a "person": see grade/roster.py."""

import csv
import io
from collections.abc import Iterable

import points
from forms import wording

OF_PERSON = "id", "name", "email", "section"  # if there is a roster


def harmless(text: str) -> str:
    """Returns a text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def cell(text: str) -> str:
    return harmless(wording.line(text, 2000))


def written(rows: Iterable[Iterable]) -> str:
    """Returns rows as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def of_fields(fields: list[str], rows: Iterable[dict]) -> str:
    """Returns rows as CSV, after a line with the names of their fields."""
    return written([fields, *([row.get(field, "") for field in fields] for row in rows)])


def row_of(result: dict) -> dict:
    row = {
        "student": cell(result["student"]),
        "status": cell(result["status"]),
        "score": points.total([result["score"]]),
        "max_score": points.total([result["max_score"]]),
        "public tests passed": wording.passed_of(result, hidden=False) or "",
        "hidden tests passed": wording.passed_of(result, hidden=True) or "",
        "course": cell(wording.course(result)),
        "remarks": cell(" ".join(result["remarks"])),
    }
    if person := result.get("person"):
        row |= {of: cell(getattr(person, of)) for of in OF_PERSON}
    for lab in result["labs"]:
        row[lab["lab"]] = points.total([lab["score"]])
        for part in lab["parts"]:
            row[f"{lab['lab']}/{part['part']}"] = points.total([part["score"]])
    return row


def text(results: list[dict]) -> str:
    """Returns the table in the order of the names, so that equal marks give equal files."""
    results = sorted(results, key=lambda result: result["student"])
    names = {}
    for lab in (lab for result in results for lab in result["labs"]):
        parts = {f"{lab['lab']}/{part['part']}": None for part in lab["parts"]}
        names.setdefault(lab["lab"], {}).update(parts)
    columns = [column for lab, parts in sorted(names.items()) for column in (lab, *parts)]
    own = OF_PERSON if any(result.get("person") for result in results) else ()
    fields = ["student", *own, "status", "score", "max_score", *columns]
    fields += ["public tests passed", "hidden tests passed", "course", "remarks"]
    return of_fields(fields, map(row_of, results))
