"""Finds the students: each folder or archive in SUBMISSIONS is one, and so are the loose files of a
name that Canvas has given them, and any other loose .cu file."""

import difflib
import hashlib
import os
import re
import stat
from dataclasses import dataclass, field

from reader.tree import ARCHIVE, printable
from release.contents import Refused

# Names that systems leave in any folder.
NOBODY = {".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".git", ".gitignore", ".gitkeep"}
NOBODY |= {"scores.csv"}  # Classroom 50's
# NAME[_LATE]_USER_SUBMISSION_FILE, as Canvas calls a file; -1 after FILE's name if it came again.
CANVAS = re.compile(r"([^_]+)_(LATE_)?(\d+)_\d+_(.+?)(?:-\d+)?(\.\w+)$")
SOURCE = re.compile(r"\.(cu|h)$")


@dataclass(frozen=True)
class Student:
    name: str  # printable
    folder: str  # in OUT/students; safe for every file system
    path: str
    problem: str = ""  # why it cannot be read
    # Of loose files the names that they had, and their paths.
    files: list = field(default_factory=list, compare=False)

    @property
    def late(self):
        """Whether Canvas marks one of the files as late."""
        names = map(os.path.basename, [self.path, *(path for _, path in self.files)])
        return any(canvas and canvas[2] for canvas in map(CANVAS.fullmatch, names))


def folder_name(text):
    """Returns a safe folder name, another one for each text."""
    safe = printable(text).replace("%", "%25")
    for unsafe in (r"[^\w .,@+=-]", r"^[. -]", r"[. ]$"):
        safe = re.sub(unsafe, lambda c: f"%{ord(c[0]):X}", safe)
    if len(os.fsencode(safe)) > 150:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        while len(os.fsencode(safe)) > 120:
            safe = safe[:-1]
        safe += "." + digest[:16]
    return safe


def problem_of(entry):
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if stat.S_ISLNK(mode):
        return "is a link; hand in the folder or the archive itself"
    if stat.S_ISDIR(mode):
        return "" if os.access(entry.path, os.R_OK | os.X_OK) else "cannot be read: no permission"
    if not stat.S_ISREG(mode):
        return "is neither a folder nor a file"
    if not (ARCHIVE.search(entry.name) or named(entry)[1]):
        return "is neither a folder nor an archive (.zip, .tar, .tar.gz)"
    return "" if os.access(entry.path, os.R_OK) else "cannot be read: no permission"


def named(entry):
    """Returns the student's name, and for a loose source the name that it had. One that Canvas has
    not named is its student's kernel.cu."""
    if entry.is_dir(follow_symlinks=False):
        return entry.name, ""
    if canvas := CANVAS.fullmatch(entry.name):
        file = canvas[4] + canvas[5]
        return f"{canvas[1]}_{canvas[3]}", file if SOURCE.search(file) else ""
    name = entry.name.removesuffix(".cu")
    return ARCHIVE.sub("", name), "kernel.cu" if name != entry.name else ""


def near(text, names):
    """Returns up to three of the names that are like a mistyped one, or lie in it, or it in them."""
    text = text.casefold()
    inside = [name for name in names if text in name.casefold() or name.casefold() in text]
    return list(dict.fromkeys(difflib.get_close_matches(text, names, n=3) + inside))[:3]


def find(submissions):
    try:
        entries = [entry for entry in os.scandir(submissions) if entry.name not in NOBODY]
    except OSError as error:
        raise Refused(f"SUBMISSIONS={submissions}: {error.strerror}.") from None
    entries.sort(key=lambda entry: os.fsencode(entry.name))
    students, taken, loose = [], set(), {}
    for entry in entries:
        name, file = named(entry)
        files = loose.setdefault(name, []) if file else []
        files += [(file, entry.path)] if file else []
        if len(files) > 1:
            continue  # the student has a row
        # If a folder and an archive share a name, the second row has the file's whole name.
        if not name or folder_name(name).casefold() in taken:
            name = entry.name
        folder, number = folder_name(name), 2
        while folder.casefold() in taken:
            folder, number = f"{folder_name(name)} ({number})", number + 1
        taken.add(folder.casefold())
        students.append(Student(printable(name), folder, entry.path, problem_of(entry), files))
    if not students:
        raise Refused(f"SUBMISSIONS={submissions}: holds no folder and no archive.")
    return students
