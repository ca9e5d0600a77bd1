"""Finds the students: each folder or archive in SUBMISSIONS is one."""

import hashlib
import os
import re
import stat
from dataclasses import dataclass

from reader.tree import ARCHIVE, printable
from release.contents import Refused

# Names that systems leave in any folder.
NOBODY = {".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".git", ".gitignore", ".gitkeep"}


@dataclass(frozen=True)
class Student:
    name: str  # printable
    folder: str  # in OUT/students; safe for every file system
    path: str
    problem: str = ""  # why it cannot be read


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
    if not ARCHIVE.search(entry.name):
        return "is neither a folder nor an archive (.zip, .tar, .tar.gz)"
    return "" if os.access(entry.path, os.R_OK) else "cannot be read: no permission"


def find(submissions):
    try:
        entries = [entry for entry in os.scandir(submissions) if entry.name not in NOBODY]
    except OSError as error:
        raise Refused(f"SUBMISSIONS={submissions}: {error.strerror}.") from None
    entries.sort(key=lambda entry: os.fsencode(entry.name))
    students, taken = [], set()
    for entry in entries:
        is_folder = entry.is_dir(follow_symlinks=False)
        name = entry.name if is_folder else ARCHIVE.sub("", entry.name)
        # If a folder and an archive share a name, the second row has the file's whole name.
        if not name or folder_name(name).casefold() in taken:
            name = entry.name
        folder, number = folder_name(name), 2
        while folder.casefold() in taken:
            folder, number = f"{folder_name(name)} ({number})", number + 1
        taken.add(folder.casefold())
        students.append(Student(printable(name), folder, entry.path, problem_of(entry)))
    if not students:
        raise Refused(f"SUBMISSIONS={submissions}: holds no folder and no archive.")
    return students
