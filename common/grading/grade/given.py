"""Who gives points back that were held back, and why: lines of OUT/give.txt, `name` or
`name: reason`; two blanks or a tab serve as the colon."""

import getpass
import os
import re

import scoring
from forms import wording
from release.contents import Refused

from . import students

REASON = re.compile(r"(?::|\s\s|\t)\s*(.*)")


def read(out, names):
    """Returns {name: reason} of the students with these names, and sentences on other lines."""
    path, given, unknown = os.path.join(out, scoring.GIVE), {}, []
    try:
        with open(path, "rb") as file:
            lines = file.read().decode("utf-8-sig").splitlines()
    except FileNotFoundError:
        return given, unknown
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        raise Refused(f"{path}:{number}: is not UTF-8; save the file as UTF-8.") from None
    for number, line in enumerate(map(str.strip, lines), 1):
        found = [name for name in names if line.startswith(name)]
        rest = {name: REASON.fullmatch(line, len(name)) for name in found}
        fitting = [name for name in found if rest[name] or name == line]
        if fitting:
            name = max(fitting, key=len)
            given[name] = wording.line(rest[name][1]) if rest[name] else ""
        elif line:
            name = REASON.split(line)[0]
            near = students.near(name, names)
            advice = f"; did you mean '{near[0]}: reason'?" if near else ""
            said = f"there is no student '{wording.line(name)}'{advice}"
            unknown.append(f"{scoring.GIVE}:{number}: {said}")
    return given, unknown


def login():
    """Returns the name of the user who runs the grader."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # the user has no name
        return f"user {os.getuid()}"


def remark(given):
    reason = f": {given['reason']}" if given["reason"] else ""
    return f"Points that were held back are given by {given['by']}{reason}."
