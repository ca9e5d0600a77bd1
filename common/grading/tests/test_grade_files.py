"""Tests reading submissions: folders, archives, hostile names, and the choice of judged files."""

import io
import os
import stat
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from grade import students
from reader import answer, archives, folders, parts, tree
from release.contents import Refused

PARTS = [
    ("lab1_naive", "kernel", "kernel.cu"),
    ("lab1_naive", "matrix_add", "matrix_add.cu"),
    ("lab1_naive", "answers", "answers.h"),
]
COURSE = {
    "lab1_naive/kernel.cu": b"skeleton",
    "lab1_naive/Makefile": b"LAB := lab1_naive\n",
    "lab1_naive/test_1_kernel.cpp": b"TEST_CASE\n",
    "lab2_tiled/kernel.cu": b"skeleton",
}


class WithFolder(unittest.TestCase):
    def setUp(self):
        self.top = self.enterContext(tempfile.TemporaryDirectory())
        self.root = self.enterContext(tempfile.TemporaryDirectory())
        for path, data in COURSE.items():
            os.makedirs(os.path.dirname(f"{self.root}/{path}"), exist_ok=True)
            Path(self.root, path).write_bytes(data)
        self.course = parts.Course(self.root, PARTS, COURSE, {"lab2_tiled"})

    def read(self, path=None):
        return answer.tree_of(path or self.top, self.course.first())

    def put(self, path, data=b"x"):
        path = Path(self.top, path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return str(path)

    def choose(self, path=None):
        return parts.choose(self.read(path), self.course)

    def kernel(self, path=None):
        return self.choose(path)[0]["lab1_naive", "kernel"]


class Folders(WithFolder):
    def test_a_whole_course_may_be_handed_in_at_any_depth(self):
        self.put("my work/course/lab1_naive/kernel.cu", b"mine")
        chosen, remarks = self.choose()
        self.assertEqual(chosen["lab1_naive", "kernel"].data, b"mine")
        self.assertEqual(remarks, [])

    def test_for_one_lab_the_files_may_lie_at_the_top_or_in_one_folder(self):
        for place in ("", "hand in/"):
            self.put(f"{place}matrix_add.cu", b"mine")
            self.assertEqual(self.choose()[0]["lab1_naive", "matrix_add"].data, b"mine")
            os.remove(os.path.join(self.top, f"{place}matrix_add.cu"))

    def test_what_a_mac_adds_and_a_second_copy_alike_are_no_remark(self):
        for path in (
            "a/lab1_naive/kernel.cu",
            "b/lab1_naive/kernel.cu",
            "a/lab1_naive/._kernel.cu",
        ):
            self.put(path)
        self.assertEqual(self.choose()[1], [])
        self.assertEqual(self.kernel().path, "a/lab1_naive/kernel.cu")

    def test_for_one_lab_a_file_in_another_labs_folder_is_not_taken(self):
        self.put("ada/lab2_tiled/kernel.cu")
        chosen, remarks = self.choose()
        self.assertEqual(chosen, {})
        self.assertIn("lab2_tiled/kernel.cu was not used", remarks[0])

    def test_for_several_labs_a_file_at_the_top_belongs_to_none(self):
        self.put("kernel.cu")
        self.course.alone = False
        chosen, remarks = self.choose()
        self.assertEqual(chosen, {})
        self.assertIn("kernel.cu was not used", remarks[0])

    def test_the_least_deep_file_counts(self):
        self.put("lab1_naive/kernel.cu", b"mine")
        self.put("backup/lab1_naive/kernel.cu", b"old")
        self.assertEqual(self.kernel().data, b"mine")

    def test_two_different_files_of_one_depth_are_refused(self):
        self.put("a/lab1_naive/kernel.cu", b"one")
        self.put("b/lab1_naive/kernel.cu", b"other")
        self.assertIsNone(self.kernel().data)
        self.assertIn("more than once", self.kernel().refused)
        self.assertIn("Hand in one of them", self.kernel().refused)
        self.assertEqual(self.choose()[1], [])

    def test_solutions_and_build_are_not_looked_into(self):
        self.put("solutions/lab1_naive/kernel.cu")
        self.put("build/lab1_naive/kernel.cu")
        self.assertEqual(self.choose()[0], {})

    def test_a_file_of_more_than_a_megabyte_is_refused(self):
        self.put("lab1_naive/kernel.cu", b"x" * ((1 << 20) + 1))
        self.assertIn("1,048,577 bytes", self.kernel().refused)

    def test_links_are_not_followed_but_remarked(self):
        os.makedirs(os.path.join(self.top, "lab1_naive"))
        os.symlink("/etc/passwd", os.path.join(self.top, "lab1_naive/kernel.cu"))
        os.symlink("/", os.path.join(self.top, "root"))
        chosen, remarks = self.choose()
        self.assertEqual(chosen, {})
        self.assertEqual(len([one for one in remarks if "is a link" in one]), 2)

    def test_a_pipe_does_not_stop_the_reader(self):
        os.makedirs(os.path.join(self.top, "lab1_naive"))
        os.mkfifo(os.path.join(self.top, "lab1_naive/kernel.cu"))
        chosen, remarks = self.choose()
        self.assertEqual(chosen, {})
        self.assertIn("no plain file", remarks[0])

    def test_a_changed_test_or_makefile_is_remarked_and_an_untouched_one_is_not(self):
        self.put("lab1_naive/kernel.cu")
        self.put("lab1_naive/Makefile", b"LAB := lab1_naive\r\n")
        self.put("lab1_naive/test_1_kernel.cpp", b"// nothing\n")
        self.put("lab2_tiled/kernel.cu", b"the work of next week")
        remarks = self.choose()[1]
        self.assertEqual(len(remarks), 1)
        self.assertIn("test_1_kernel.cpp is not the course's", remarks[0])

    def test_thousands_of_files_end_in_a_remark(self):
        self.put("lab1_naive/kernel.cu", b"mine")
        self.enterContext(mock.patch.object(folders, "MOST_FILES", 50))
        for number in range(60):
            self.put(f"deep/er/{number}.txt")
        chosen, remarks = self.choose()
        self.assertEqual(chosen["lab1_naive", "kernel"].data, b"mine")
        self.assertIn("the rest was not looked at", remarks[0])


class Archives(WithFolder):
    def zipped(self, members, name="a.zip"):
        path = os.path.join(self.top, name)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in members:
                archive.writestr(member, data)
        return path

    def tarred(self, members):
        path = os.path.join(self.top, "a.tar.gz")
        with tarfile.open(path, "w:gz") as archive:
            for member, data in members:
                archive.addfile(member, io.BytesIO(data))
        return path

    def member(self, name, size=0, kind=tarfile.REGTYPE, link=""):
        member = tarfile.TarInfo(name)
        member.size, member.type, member.linkname = size, kind, link
        return member

    def test_zip_and_tar_are_read(self):
        path = self.zipped([("x/lab1_naive/kernel.cu", b"mine")])
        self.assertEqual(self.kernel(path).data, b"mine")
        path = self.tarred([(self.member("lab1_naive/kernel.cu", 4), b"mine")])
        self.assertEqual(self.kernel(path).data, b"mine")

    def test_one_archive_in_a_students_folder_is_read(self):
        self.zipped([("lab1_naive/kernel.cu", b"mine")], "hand in.zip")
        self.assertEqual(self.kernel().data, b"mine")

    def test_names_that_lead_out_are_not_read(self):
        names = ["../lab1_naive/kernel.cu", "/lab1_naive/kernel.cu", "a/../../lab1_naive/kernel.cu"]
        for path in (
            self.zipped([(name, b"evil") for name in names]),
            self.tarred([(self.member(name, 4), b"evil") for name in names]),
        ):
            chosen, remarks = self.choose(path)
            self.assertEqual(chosen, {})
            self.assertEqual(len([one for one in remarks if "leads out" in one]), 3)

    def test_links_in_archives_are_not_read(self):
        link = zipfile.ZipInfo("lab1_naive/kernel.cu")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        self.assertEqual(self.choose(self.zipped([(link, b"/etc/passwd")]))[0], {})
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
            member = self.member("lab1_naive/kernel.cu", 0, kind, "/etc/passwd")
            chosen, remarks = self.choose(self.tarred([(member, b"")]))
            self.assertEqual(chosen, {})
            self.assertIn("link", remarks[0])

    def test_an_archive_that_unpacks_to_much_costs_nothing(self):
        path = self.zipped([("lab1_naive/kernel.cu", b"0" * (40 << 20))])
        self.assertIn("bytes", self.kernel(path).refused)
        self.enterContext(mock.patch.object(archives, "MOST_UNPACKED", 1 << 20))
        path = self.tarred([(self.member("junk", 4 << 20), b"0" * (4 << 20))])
        with self.assertRaisesRegex(tree.Unreadable, "unpacks to more"):
            self.read(path)

    def test_what_is_no_archive_says_so(self):
        good = self.zipped([("lab1_naive/kernel.cu", b"mine" * 1000)])
        half = Path(good).read_bytes()[:60]
        for data in (b"", b"PK\x03\x04 rubbish", b"\x1f\x8brubbish", b"text" * 300, half):
            with self.assertRaises(tree.Unreadable):
                self.read(self.put("bad.zip", data))


class Names(WithFolder):
    HOSTILE = ["two words", "-rf", "new\nline", "ümläut", "a'b\"c$(x)`y`", "..a", "%41", "A" * 250]

    def test_every_name_gets_a_row_and_a_folder_of_its_own(self):
        for name in self.HOSTILE:
            self.put(f"{name}/lab1_naive/kernel.cu")
        os.makedirs(os.path.join(os.fsencode(self.top), b"\xff\xfe"))
        found = students.find(self.top)
        self.assertEqual(len(found), len(self.HOSTILE) + 1)
        self.assertEqual(len({one.folder for one in found}), len(found))
        for one in found:
            self.assertTrue(one.name.isprintable() and one.folder.isprintable(), one)
            self.assertNotIn(one.folder[0], "-. ")
            os.makedirs(os.path.join(self.top, "out", one.folder))
            self.assertEqual(one.problem, "")

    def test_a_folder_and_an_archive_of_one_name_are_two_rows(self):
        self.put("anna/kernel.cu")
        self.put("anna.zip")
        self.assertEqual([one.name for one in students.find(self.top)], ["anna", "anna.zip"])

    def test_the_loose_files_of_canvas_are_one_row_a_student(self):
        self.put("lovelaceada_LATE_17_901_kernel-2.cu", b"hers")
        self.put("lovelaceada_17_902_answers.h", b"and hers")
        self.put("babbagecharles_18_903_lab1.zip")
        self.put("turing.cu", b"his")
        self.put("scores.csv")
        self.put("z.h")
        found = {one.name: one for one in students.find(self.top)}
        self.assertIn("neither a folder nor", found.pop("z.h").problem)
        self.assertEqual(list(found), ["babbagecharles_18", "lovelaceada_17", "turing"])
        self.assertEqual([one.problem for one in found.values()], ["", "", ""])
        ada, turing = found["lovelaceada_17"], found["turing"]
        self.assertEqual([name for name, _ in ada.files], ["answers.h", "kernel.cu"])
        self.assertEqual((ada.late, turing.late), (True, False))
        self.assertEqual(folders.loose(ada.files).files["kernel.cu"], b"hers")
        self.assertEqual(folders.loose(turing.files).files, {"kernel.cu": b"his"})

    def test_what_cannot_be_a_submission_says_why(self):
        self.put("notes.txt")
        os.symlink("/", os.path.join(self.top, "link"))
        os.mkfifo(os.path.join(self.top, "pipe.zip"))
        problems = {one.name: one.problem for one in students.find(self.top)}
        self.assertIn("neither a folder nor an archive", problems["notes.txt"])
        self.assertIn("is a link", problems["link"])
        self.assertIn("neither a folder nor a file", problems["pipe"])

    def test_an_empty_folder_is_wrong_usage(self):
        with self.assertRaisesRegex(Refused, "holds no folder"):
            students.find(self.top)
