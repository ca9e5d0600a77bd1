"""Tests reading a roster, finding out whose each submission is, and the tables for Canvas and Moodle."""

import csv
import io
import os
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from forms import imports, table
from grade import class_files, roster, students
from release.contents import Refused
from reports_fixture import result

OWN = "id,name,email,section\n17,Ada Lovelace,ada@uni.edu,A\n18,Ben O'Brien,ben@uni.edu,B\n"
OF_EXCEL = '\ufeffID;Name;E-Mail;Section\r\n17;"Lovelace; Ada";ada@uni.edu;A\r\n;;;\r\n'
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Lab 9 (4711),Current Score
,,,,,Manual Posting,
    Points Possible,,,,,16,(read only)
"Lovelace, Ada",501,s17,ada,A,,
"O'Brien, Ben",502,s18,ben,B,3,
"Student, Test",999,,x9,A,,
"""
MOODLE = """Identifier,"Full name","ID number","Email address",Status,Grade
"Participant 7601","Ada Lovelace",s17,ada@uni.edu,Submitted,
"Participant 7602","Ben O'Brien",s18,ben@uni.edu,Submitted,
"""
BROKEN = {
    "": "1: no column is called id, name or email",
    "a,b\n1,2\n": "1: no column is called id, name or email",
    "id,email,E-Mail\n1,a,b\n": "1: the columns email and E-Mail mean the same",
    "id,name\n\n": "1: there is no person below this line",
    "id,name\n1,Lovelace, Ada\n": "2: 3 cells, but the first line has 2",
    'id,name\n1,Ada\n2,"Ben\n3,Cleo\n': "3: not CSV",
    'id,name\n1,"Ada\nBen"\n': "2: a cell goes on to line 3",
    "id,name,section\n1,Ada,A\n,,A\n": "3: no id, name or e-mail",
    "id,name\ns1,Ada\nS1,Ben\n": "3: 'S1' stands in line 2, too",
    "id,name\n1,Ada\n2,M\udcfcller\n": "3: not UTF-8",
}


class WithFolder(unittest.TestCase):
    def setUp(self):
        self.top = self.enterContext(tempfile.TemporaryDirectory())
        self.path = os.path.join(self.top, "people.csv")
        self.class_folder = os.path.join(self.top, "class")

    def roster(self, text):
        Path(self.path).write_bytes(text.encode("utf-8", "surrogateescape"))
        return roster.Roster(self.path)

    def join(self, text, *names):
        """Joins empty submissions, folders or files, of these names."""
        for name in names:
            path = Path(self.class_folder, name)
            if name.endswith((".zip", ".cu", ".h")):
                path.parent.mkdir(exist_ok=True)
                path.touch()
            else:
                path.mkdir(parents=True)
        self.roster(text)
        return roster.join(self.path, students.find(self.class_folder))

    def ids(self, text, *names):
        """Returns the ids of the people whom each submission joins."""
        joined = self.join(text, *names)
        return {student.name: person.id for student, person in joined.of.items()}


class Reading(WithFolder):
    def test_a_table_of_a_spreadsheet_is_read(self):
        ada = self.roster(OF_EXCEL).people
        self.assertEqual(
            [(one.id, one.name, one.section) for one in ada], [("17", "Lovelace; Ada", "A")]
        )

    def test_the_tables_of_canvas_and_moodle_are_read(self):
        for text, number in ((CANVAS, "501"), (MOODLE, "7601")):
            ada, ben = self.roster(text).people
            self.assertEqual((ada.id, ada.number, ben.id), ("s17", number, "s18"))
        (ada,) = self.roster("First name,Last name,Username\nAda,Lovelace,al\n").people
        self.assertEqual((ada.name, ada.login), ("Ada Lovelace", "al"))

    def test_a_broken_table_is_refused_with_its_line_the_cause_and_a_remedy(self):
        for text, cause in BROKEN.items():
            with self.subTest(cause), self.assertRaises(Refused) as refused:
                self.roster(text)
            said = str(refused.exception)
            self.assertIn(f"people.csv:{cause}", said)
            self.assertRegex(said, r"\n[A-Z].*[.]?$")
        for path in (self.top, f"{self.top}/nowhere"):
            with self.assertRaisesRegex(Refused, "Name a CSV file"):
                roster.Roster(path)


class Joining(WithFolder):
    def test_a_submission_may_be_named_after_its_person_in_many_ways(self):
        for name in (
            "17",
            "ada",
            "ADA@uni.edu",
            "ada lovelace",
            "Lovelace, Ada",
            "AdaLovelace.zip",
        ):
            with self.subTest(name):
                Path(self.class_folder).mkdir()
                self.assertEqual(list(self.ids(OWN, name).values()), ["17"])
                (path,) = Path(self.class_folder).iterdir()
                path.rmdir() if path.is_dir() else path.unlink()
                path.parent.rmdir()

    def test_the_downloads_of_canvas_belong_to_the_people_with_their_numbers(self):
        names = (
            "kingada_501_9001_kernel.cu",
            "obrienben_LATE_502_9002_lab.zip",
            "benobrien_77_1_a.zip",
        )
        joined = self.ids(CANVAS, *names)
        self.assertEqual(joined, {"kingada_501": "s17", "obrienben_502": "s18"})

    def test_the_downloads_of_moodle_belong_to_the_people_with_their_numbers(self):
        names = "A. King_7601_assignsubmission_file_", "Ben O'Brien_7602_assignsubmission_file"
        self.assertEqual(list(self.ids(MOODLE, *names).values()), ["s17", "s18"])

    def test_without_numbers_in_the_roster_downloads_belong_to_people_by_name(self):
        names = (
            "lovelaceada_501_9001_kernel.cu",
            "Ben O'Brien_18_assignsubmission_file_",
            "x_17_1_a.zip",
        )
        self.assertEqual(list(self.ids(OWN, *names).values()), ["18", "17"])

    def test_what_is_not_clear_is_told_and_never_guessed(self):
        text = (
            "id,name,email\n1,Ada King,ada@a.edu\n2,Ada Byron,ada@b.edu\n3,Ben,b@a.edu\n4,Cleo,\n"
        )
        joined = self.join(text, "ada", "3", "ben", "ben.zip", "dora")
        self.assertEqual(joined.of, {})
        self.assertEqual([one.name for one in joined.absent], ["Cleo"])
        said = " ".join(joined.unclear)
        self.assertIn("'ada': is it Ada King (line 2) or Ada Byron (line 3)?", said)
        self.assertIn("'3', 'ben', 'ben.zip': all of Ben.", said)
        self.assertIn("'dora': it has no line in the roster.", said)

    def test_the_teacher_reads_a_few_of_them_and_where_all_are(self):
        said = self.join(OWN, "17", *(f"stranger {n}" for n in range(30))).lines()
        self.assertEqual(len(said), 1 + roster.MOST_LISTED + 1)
        self.assertIn("and 20 more; OUT/summary.json", said[-1])
        self.assertLess(max(map(len, said[1:])), 81)


class Tables(WithFolder):
    def rows(self, text):
        return [(one, result(one.name)) for one in self.roster(text).people]

    def test_canvas_finds_its_columns_its_people_and_its_own_assignment(self):
        rows = self.rows(CANVAS)
        title = self.roster(CANVAS).title("lab9_naive")
        head, points, ada, _ = csv.reader(io.StringIO(imports.canvas(rows, {"lab9": title})))
        wanted = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 9 (4711)"]
        self.assertEqual(head, wanted)
        self.assertEqual(points, ["    Points Possible", "", "", "", "", "15.5"])
        self.assertEqual(ada, ["Lovelace, Ada", "501", "s17", "ada", "A", "5"])
        self.assertEqual(self.roster(OWN).title("lab9_naive"), "lab9_naive")

    def test_moodle_finds_people_by_id_number_or_email(self):
        head, ada, _ = csv.reader(io.StringIO(imports.moodle(self.rows(MOODLE), ["lab9"])))
        self.assertEqual(head[:3] + head[-1:], ["Full name", "ID number", "Email address", "lab9"])
        self.assertEqual(ada[:3] + ada[-1:], ["Ada Lovelace", "s17", "ada@uni.edu", "5"])

    def test_a_name_is_no_formula_in_any_table(self):
        for start in "=+-@":
            rows = self.rows(f'id,name\n1,"{start}1+1, x"\n')
            people = [{**it, "person": one} for one, it in rows]
            for text in (imports.canvas(rows, {"lab9": "lab9"}), imports.moodle(rows, ["lab9"]),
                         table.text(people)):  # fmt: skip
                cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
                self.assertIn(f"'{start}1+1, x", cells)
                self.assertNotIn(f"{start}1+1, x", cells)

    def test_grades_csv_has_the_people_of_the_roster_only_if_there_is_one(self):
        ada = self.roster(OWN).people[0]
        without = table.text([result("x")])
        both = table.text([result("x"), {**result("y"), "person": ada}])
        self.assertNotIn("email", without)
        stranger, known = csv.DictReader(io.StringIO(both))
        self.assertEqual((stranger["email"], known["email"]), ("", "ada@uni.edu"))
        self.assertEqual((known["id"], known["section"], known["lab9"]), ("17", "A", "5"))

    def test_who_was_not_graded_is_in_no_import_and_old_imports_are_removed(self):
        joined = self.join(OWN + "19,Cleo,,\n", "17", "18")
        results = {}
        for student, status in zip(joined.of, ("graded", "not graded")):
            results[student] = {**result(student.name), "status": status}
            folder = Path(self.top, "students", student.folder)
            folder.mkdir(parents=True)
            (folder / "feedback.md").touch()
        nothing = {**result(), "score": 0, "labs": []}
        course = SimpleNamespace(labs=["lab9"])
        grader = SimpleNamespace(course=course, nothing=lambda *_: nothing)
        said = class_files.write(self.top, "seed", results, joined, grader)
        self.assertIn("canvas.csv, moodle.csv: 2 of 3 people", said[-1])
        text = Path(self.top, "canvas.csv").read_text(encoding="utf-8")
        self.assertEqual(
            [(row["SIS User ID"], row["lab9"]) for row in csv.DictReader(io.StringIO(text))],
            [("", "15.5"), ("17", "5"), ("19", "0")],
        )
        class_files.write(self.top, "seed", results, None, grader)
        self.assertEqual(
            [*Path(self.top).glob("canvas.csv"), *Path(self.top).glob("moodle.csv")], []
        )
