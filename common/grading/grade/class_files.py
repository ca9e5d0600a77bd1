"""Writes the files on a whole class into OUT."""

import contextlib
import os
import pathlib
import zipfile

import disk
import model
from forms import anonymous, class_page, table

from .students import CANVAS, folder_name
from .submission import NOT_GRADED

FILES = """\
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
    path = os.path.join(out, "feedback.zip")
    new = f"{path}.new"
    graded = [student for student, result in results.items() if result["status"] != NOT_GRADED]
    try:
        with disk.naming(path), zipfile.ZipFile(new, "w") as archive:
            for student in sorted(graded, key=lambda student: student.folder):
                info = zipfile.ZipInfo(feedback_name(student), (2020, 1, 1, 0, 0, 0))
                info.external_attr = 0o100644 << 16
                file = pathlib.Path(out, "students", student.folder, "feedback.md")
                archive.writestr(info, file.read_bytes())
        os.replace(new, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(new)


def write(out, seed, results):
    """Writes all files but summary.json, from the result of each student; returns lines that name
    the files."""

    def save(name, text):
        model.save(os.path.join(out, name), text)

    save("grades.csv", table.text([*results.values()]))
    write_feedback(out, results)
    save("class.html", class_page.text([*results.values()]))
    own = [(anonymous.code(seed, student.name), result) for student, result in results.items()]
    save("anonymous.csv", anonymous.text(own))
    return [FILES]
