"""Writes the files on a whole class into OUT."""

import contextlib
import io
import os
import pathlib

import model
from forms import anonymous, class_page, imports, table

from .students import CANVAS, folder_name

IMPORTS = "canvas.csv", "moodle.csv"
ALWAYS = """\
  grades.csv      one line per student, with the remarks
  class.html      the class on one page without names, to show in the lecture
  feedback.zip    the feedback of each student
  history.csv     one line per change of a mark
  anonymous.csv   points and findings without names
  summary.json    the class in numbers
  students/NAME/  result.json, feedback.md, log.txt"""


def feedback_name(student):
    """Returns the name in the zip by which Canvas or Moodle finds the student."""
    if file := CANVAS.fullmatch(os.path.basename(student.path)):
        return folder_name(file[0][: file.start(4)]) + "feedback.md"
    return f"{student.folder}/feedback.md"


def write_feedback(out, results):
    """Writes the zip; the same feedback gives the same bytes."""
    import zipfile  # only now, as a grader that reads submissions loads nothing that unpacks

    graded = [one for one, result in results.items() if result["status"] != model.NOT_GRADED]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for student in sorted(graded, key=lambda student: student.folder):
            info = zipfile.ZipInfo(feedback_name(student), (2020, 1, 1, 0, 0, 0))
            info.external_attr = 0o100644 << 16
            file = pathlib.Path(out, "students", student.folder, "feedback.md")
            archive.writestr(info, file.read_bytes())
    model.save(os.path.join(out, "feedback.zip"), packed.getvalue())


def write_imports(out, roster, by_person, labs):
    """Writes what Canvas and Moodle import, in the order of the roster; returns a line on it. People
    without a verdict are left out, because an import would give them 0 points."""
    graded = {one: it for one, it in by_person.items() if it["status"] != model.NOT_GRADED}
    rows = [(one, graded[one]) for one in roster.people if one in graded]
    canvas = imports.canvas(rows, {lab: roster.title(lab) for lab in labs})
    for name, text in zip(IMPORTS, (canvas, imports.moodle(rows, labs))):
        model.save(os.path.join(out, name), text)
    return f"  {', '.join(IMPORTS)}: {len(rows)} of {len(roster.people)} people, to import"


def write(out, seed, results, joined, grader):
    """Writes all files but summary.json. Takes the result of each student, and the roster's people
    if there is a roster; returns lines that name the files."""

    def save(name, text):
        model.save(os.path.join(out, name), text)

    of, absent = (joined.of, joined.absent) if joined else ({}, [])
    rows = [(of.get(student), student.name, result) for student, result in results.items()]
    for one in absent:
        rows.append((one, one.called, grader.nothing(one.called)))
    save("grades.csv", table.text([result | {"person": one} for one, _, result in rows]))
    write_feedback(out, results)
    save("class.html", class_page.text(list(results.values()), len(absent)))
    coded = [
        (anonymous.code(seed, one.identity if one else name), result) for one, name, result in rows
    ]
    save("anonymous.csv", anonymous.text(coded))
    if joined:
        by_person = {one: result for one, _, result in rows if one}
        return [ALWAYS, write_imports(out, joined.roster, by_person, grader.course.labs)]
    for name in IMPORTS:  # of an earlier run, whose marks may be others
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(out, name))
    return [ALWAYS]
