"""Reads the people of a class, ROSTER=people.csv, and finds out whose each submission is.

Columns are found by their names: those of a teacher's own table, of Canvas's gradebook, and of
Moodle's lists of participants and grading worksheets. A submission that could belong to two people
is joined to neither, and the teacher reads both names.
"""

import csv
import io
import os
import re
import unicodedata
from dataclasses import dataclass, field

from forms import wording
from reader.tree import ARCHIVE
from release.contents import Refused

from .students import CANVAS

COLUMNS = {
    "id": ("id", "student id", "id number", "sis user id"),
    "name": ("name", "full name", "student"),
    "first": ("first name", "firstname"),
    "last": ("last name", "lastname", "surname"),
    "email": ("email", "e-mail", "email address", "e-mail address"),
    "login": ("login", "username", "sis login id"),
    "section": ("section", "group", "groups"),
    "number": ("identifier",),  # "Participant 7654321": Moodle's number in one assignment
}
FIELDS = {name: of for of, names in COLUMNS.items() for name in names}
OF_CANVAS = {"sis user id", "sis login id"}  # in a table with these, "ID" is Canvas's own number
UNIQUE = "id", "email", "login", "number"
# Canvas's row on the assignments, and its student as whom a teacher tries the course.
NOBODY = ("Points Possible", "Student, Test")
MOODLE = re.compile(r"(.+)_(\d+)_assignsubmission_[a-z]+(?:_.*)?")
MOST_LISTED = 10


@dataclass(frozen=True)
class Person:
    line: int  # of the roster
    id: str = ""
    name: str = ""
    email: str = ""
    login: str = ""
    section: str = ""
    number: str = ""  # Canvas's or Moodle's

    @property
    def identity(self):
        """Returns what stays the same from one assignment to the next, if the roster has it."""
        return self.id or self.email or self.login or self.number or self.name

    @property
    def called(self):
        return wording.line(self.name or self.identity)


def squeezed(text):
    """Returns a text in small letters, without blanks."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def words_of(name):
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", name).casefold())


def named(header):
    """Returns the names of columns as COLUMNS has them."""
    return [" ".join(cell.casefold().replace("_", " ").split()) for cell in header]


class Roster:
    """The people in a file; raises Refused for one that cannot be used."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            raise Refused(f"ROSTER={path}: {error.strerror}. Name a CSV file.") from None
        try:
            rows = self.rows(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise self.refused(line, "not UTF-8", "Save it as 'CSV UTF-8'.") from None
        line, self.header = next(rows, (1, []))
        self.fields = self.fields_of(self.header)
        self.of_canvas = bool(OF_CANVAS & set(named(self.header)))
        self.check_header(line)
        people = [self.person(*row) for row in rows]
        self.people = [person for person in people if person]
        if not self.people:
            raise self.refused(line, "there is no person below this line", "Export it again.")
        self.check_unique()

    def refused(self, line, cause, remedy):
        return Refused(f"ROSTER={self.path}:{line}: {cause}.\n{remedy}")

    def rows(self, text):
        """Yields each row that is not empty, with its line."""
        first = next(filter(str.strip, text.splitlines()), "")
        cells = {mark: next(csv.reader([first], delimiter=mark), []) for mark in ",;\t"}
        mark = max(cells, key=lambda mark: sum(map(bool, self.fields_of(cells[mark]))))
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
        while True:
            line = reader.line_num + 1
            try:
                row = next(reader, None)
            except csv.Error as error:
                remedy = 'Look there for a quote (") without its partner.'
                raise self.refused(line, f"not CSV: {error}", remedy) from None
            if row is None:
                return
            if reader.line_num > line:
                cause = f"a cell goes on to line {reader.line_num}"
                raise self.refused(line, cause, 'Close its quote (").')
            if any(map(str.strip, row)):
                yield line, [" ".join(cell.split()) for cell in row]

    @staticmethod
    def fields_of(header):
        """Returns the field of each column; "" for one that is not used."""
        names = named(header)
        fields = [FIELDS.get(name, "") for name in names]
        if OF_CANVAS & set(names):
            fields = ["number" if name == "id" else of for name, of in zip(names, fields)]
        return fields

    def check_header(self, line):
        twice = [one for one in self.fields if one and self.fields.count(one) > 1]
        if twice:
            names = [cell for cell, of in zip(self.header, self.fields) if of == twice[0]]
            cause = f"the columns {' and '.join(names)} mean the same"
            raise self.refused(line, cause, "Remove or rename one of them.")
        if not {"name", "last", *UNIQUE} & set(self.fields):
            cause = "no column is called id, name or email"
            remedy = "The first line names the columns, as in: id,name,email,section"
            raise self.refused(line, cause, remedy)

    def person(self, line, cells):
        """Returns the person of a row, None for a row of Canvas's that is no person's."""
        if any(cells[len(self.fields) :]):
            cause = f"{len(cells)} cells, but the first line has {len(self.fields)}"
            raise self.refused(line, cause, 'Put a cell that holds the separator in quotes (").')
        row = {of: cell for of, cell in zip(self.fields, cells) if of}
        first, last = row.pop("first", ""), row.pop("last", "")
        row.setdefault("name", f"{first} {last}".strip())
        row["number"] = re.search(r"\d*$", row.get("number", ""))[0]
        person = Person(line, **row)
        if row["name"] in NOBODY or (self.of_canvas and not person.identity):
            return None
        if not person.identity:
            remedy = "Add one, or remove the line."
            raise self.refused(line, "no id, name or e-mail", remedy)
        return person

    def check_unique(self):
        for of in UNIQUE:
            seen = {}
            for person in self.people:
                value = getattr(person, of)
                other = seen.setdefault(squeezed(value), person) if value else person
                if other is not person:
                    cause = f"'{wording.line(value)}' stands in line {other.line}, too"
                    raise self.refused(person.line, cause, "Remove or correct one of the lines.")

    def title(self, lab):
        """Returns what an assignment is called: as in Canvas's table, if one there has the lab's
        name, such as "Lab 1 (4711)"; else the lab."""
        names = {"".join(words_of(name)) for name in (lab, lab.partition("_")[0])}
        bare = {cell: re.sub(r"\s*\(\d+\)$", "", cell) for cell in self.header}
        found = [cell for cell in self.header if "".join(words_of(bare[cell])) in names]
        return found[0] if len(found) == 1 else lab


class Index:
    """Finds people by the name of a submission."""

    def __init__(self, people):
        self.keys, self.names, self.numbers = {}, {}, {}
        for one in people:
            mail = [text.partition("@")[0] for text in (one.email, one.login)]
            for key in (one.id, one.login, one.email, *mail, one.number):
                self.keys.setdefault(squeezed(key), set()).add(one)
            words = words_of(one.name)
            for i in range(len(words)):  # "Ada Lovelace" is "Lovelace, Ada", too
                self.names.setdefault("".join(words[i:] + words[:i]), set()).add(one)
            if one.number:
                self.numbers[one.number] = {one}
        self.keys.pop("", None)

    def named(self, name):
        return self.names.get("".join(words_of(name)), set())

    def people_of(self, student):
        """Returns all people whose this submission could be."""
        file = os.path.basename(student.path)
        canvas, moodle = CANVAS.fullmatch(file), MOODLE.fullmatch(student.name)
        if canvas or moodle:
            name, number = (canvas[1], canvas[3]) if canvas else (moodle[1], moodle[2])
            # With numbers in the roster, a name proves nothing.
            return self.numbers.get(number, set()) if self.numbers else self.named(name)
        name = ARCHIVE.sub("", student.name)
        return self.keys.get(squeezed(name), set()) | self.named(name)


@dataclass
class Joined:
    roster: Roster
    of: dict = field(default_factory=dict)  # the person of each student
    absent: list = field(default_factory=list)  # people without a submission
    unclear: list = field(default_factory=list)  # a sentence for each submission that is not joined

    def summary(self):
        counts = {"people": len(self.roster.people), "joined": len(self.of)}
        return counts | {"nothing_handed_in": len(self.absent), "not_joined": self.unclear}

    def lines(self):
        """Returns what the teacher should know before anything is graded."""
        listed = self.unclear[:MOST_LISTED]
        if more := len(self.unclear) - len(listed):
            listed.append(f"and {more} more; OUT/summary.json will list all")
        head = f"ROSTER={self.roster.path}: graded, but not in canvas.csv and moodle.csv:"
        return [head, *(f"  {one}" for one in listed)] if listed else []


def join(path, students):
    """Reads a roster, and joins the students to its people."""
    joined = Joined(Roster(path))
    index, seen, theirs = Index(joined.roster.people), set(), {}
    for student in students:
        found = index.people_of(student)
        seen |= found
        name = wording.line(student.name, 200)
        if len(found) == 1:
            theirs.setdefault(found.pop(), []).append(student)
        elif found:
            who = " or ".join(f"{one.called} (line {one.line})" for one in sorted_people(found))
            joined.unclear.append(f"'{name}': is it {who}? Name it after the id or e-mail.")
        else:
            joined.unclear.append(f"'{name}': it has no line in the roster.")
    for person, several in theirs.items():
        if len(several) == 1:
            joined.of[several[0]] = person
        else:
            names = ", ".join(f"'{wording.line(one.name, 200)}'" for one in several)
            joined.unclear.append(f"{names}: all of {person.called}. Remove all but one.")
    joined.absent = [person for person in joined.roster.people if person not in seen]
    return joined


def sorted_people(people):
    return sorted(people, key=lambda person: person.line)
