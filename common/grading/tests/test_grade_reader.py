"""Tests the process that reads a submission: attacks by archives, and its own failures."""

import io
import lzma
import os
import resource
import subprocess
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import test_grade_files
from grade import reading
from grade.sandbox import Limits
from grade.students import Student
from grade.submission import Grader
from reader import answer, folders

KERNEL = "lab1_naive/kernel.cu"
MUCH = 64 << 20


def tar_block(name, kind, size):
    member = tarfile.TarInfo(name)
    member.type, member.size = kind, size
    return member.tobuf(tarfile.GNU_FORMAT)


def cpu_seconds():
    """Returns the seconds of the processes that were waited for: other work does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def with_kernel(path, mode):
    with tarfile.open(path, mode) as archive:
        member = tarfile.TarInfo(KERNEL)
        member.size = 4
        archive.addfile(member, io.BytesIO(b"mine"))


class WithReader(test_grade_files.WithFolder):
    def setUp(self):
        super().setUp()
        of_lab = ["kernel", "matrix_add", "answers"]
        (Path(self.root) / "lab1_naive/matrix_add.cu").write_bytes(b"skeleton")
        (Path(self.root) / "lab1_naive/answers.h").write_bytes(b"skeleton")
        course = test_grade_files.COURSE
        self.reader = reading.Reader(self.root, {"lab1_naive": of_lab}, course, {"lab2_tiled"})

    def found(self, path=None):
        before = cpu_seconds()
        found = self.reader.read(path or self.top)
        self.assertLess(cpu_seconds() - before, 2)
        return found

    def kernel_of(self, path):
        return self.found(path).chosen["lab1_naive", "kernel"]


class Reading(WithReader):
    """Each submission costs the process that reads it little, and the grader nothing."""

    def test_what_it_answers_is_what_was_handed_in(self):
        self.put(KERNEL, b'mine \xff\n\nsystem("x");\n')
        self.put("lab1_naive/matrix_add.cu", b"skeleton\r\n")
        found = self.found().chosen
        self.assertEqual(found["lab1_naive", "kernel"].data, b'mine \xff\n\nsystem("x");\n')
        self.assertIn("kernel.cu:3 calls the system", found["lab1_naive", "kernel"].told[0])
        self.assertTrue(found["lab1_naive", "matrix_add"].unchanged)

    def test_a_header_that_unpacks_to_much_is_not_unpacked(self):
        for kind in (b"x", b"L", b"K", b"g"):
            data = tar_block("name", kind, MUCH) + bytes(MUCH)
            path = self.put("a.tar.xz", lzma.compress(data, preset=0))
            self.assertIn("a name in the archive takes 67,108,864", self.found(path).problem)

    def test_headers_without_an_end_come_to_one(self):
        block = tar_block("name", b"L", 1) + b"x".ljust(512, b"\0")
        path = self.put("a.tar.gz", zlib.compress(block * 100_000, wbits=31))
        self.assertIn("more than 20,000 files", self.found(path).problem)

    def test_a_window_of_gigabytes_is_not_made(self):
        data = bytearray(lzma.compress(bytes(4096)))
        size = 4 * (data[12] + 1)
        self.assertEqual(data[14], 0x21)  # the filter LZMA2, followed by the size of its window
        data[16] = 40
        data[12 + size - 4 : 12 + size] = zlib.crc32(data[12 : 12 + size - 4]).to_bytes(4, "little")
        self.assertIn("512 MB to be read", self.found(self.put("a.tar.xz", data)).problem)

    def test_a_hundred_thousand_members_are_not_listed(self):
        path = os.path.join(self.top, "a.zip")
        with zipfile.ZipFile(path, "w") as archive:
            for number in range(25000):
                archive.writestr(str(number), b"")
        self.assertIn("more than 20,000 files", self.found(path).problem)
        block = tar_block("x", b"0", 0)
        path = self.put("a.tar", block * 100_000)
        self.assertIn("more than 20,000 files", self.found(path).problem)

    def test_many_files_beside_the_lab_hide_none_of_its_own(self):
        self.put(KERNEL, b"mine")
        for number in range(60):
            self.put(f"a{number}")
        with mock.patch.object(folders, "MOST_FILES", 50):
            said, data = answer.answer_to(self.top, self.course, 0)
        self.assertEqual(data, [b"mine"])
        self.assertIn("Hand in the lab's files alone", said["advice"][0])

    def test_a_file_that_is_saved_as_utf_16_is_read_and_told(self):
        code = "// Größe\nint main() {}\n"
        marked = [b"\xff\xfe" + code.encode("utf-16-le"), b"\xfe\xff" + code.encode("utf-16-be")]
        plain = "// Size\nint main() {}\n"
        for data in [*marked, plain.encode("utf-16-le"), plain.encode("utf-16-be")]:
            self.put(KERNEL, data)
            said, data = answer.answer_to(self.top, self.course, 0)
            self.assertIn(data, [[code.encode()], [plain.encode()]])
            self.assertIn("is saved as UTF-16", said["advice"][-1])
        for data in (
            code.encode("latin-1"),
            b"\xff\xfe\xff",
            b"",
            b"a",
            b"\0\0\0\0",
            b"\xef\xbb\xbfx",
        ):
            self.put(KERNEL, data)
            said, found = answer.answer_to(self.top, self.course, 0)
            self.assertEqual(found, [data])
            self.assertNotIn("UTF-16", str(said["advice"]))

    def test_a_member_that_comes_twice_with_other_contents_is_refused(self):
        path = os.path.join(self.top, "a.zip")
        with zipfile.ZipFile(path, "w") as archive, self.assertWarns(UserWarning):
            archive.writestr(KERNEL, b"one")
            archive.writestr(KERNEL, b"other")
        self.assertIn("more than once", self.kernel_of(path).refused)
        tar = os.path.join(self.top, "a.tar")
        for mode in ("w", "a"):
            with_kernel(tar, mode)
        self.assertEqual(self.kernel_of(tar).data, b"mine")

    def test_all_ways_to_write_a_tar_are_read(self):
        short, long = ["", "x" * 90 + "/"], ["ümläut " * 20 + "/"]
        forms = {tarfile.USTAR_FORMAT: short, tarfile.GNU_FORMAT: short + long}
        for form, tops in {**forms, tarfile.PAX_FORMAT: short + long}.items():
            for top in tops:
                path = os.path.join(self.top, "a.tar.bz2")
                with tarfile.open(path, "w:bz2", format=form) as archive:
                    for name, data in ((f"{top}other", b"x" * 3000), (top + KERNEL, b"mine")):
                        member = tarfile.TarInfo(name)
                        member.size = len(data)
                        archive.addfile(member, io.BytesIO(data))
                self.assertEqual(self.kernel_of(path).data, b"mine", (form, top))

    def test_a_tar_of_zeros_of_a_size_that_no_disk_holds_is_left(self):
        path = self.put("a.tar", tar_block(KERNEL, b"0", 4) + b"mine".ljust(512, b"\0"))
        with open(path, "ab") as file:
            file.write(tar_block("rest", b"0", 1 << 50))
            file.truncate(1 << 40)
        self.assertIn("unpacks to more than 512 MB", self.found(path).problem)

    def test_a_folder_that_turns_into_a_link_after_it_was_listed_is_not_entered(self):
        self.put("lab1_naive/mine.cu")
        other = self.put("other/kernel.cu", b"somebody else's")
        listed = folders.listed

        def exchanged(folder, first):
            entries = listed(folder, first)
            if not os.path.islink(f"{self.top}/lab1_naive"):
                os.rename(f"{self.top}/lab1_naive", f"{self.top}/was")
                os.symlink(os.path.dirname(other), f"{self.top}/lab1_naive")
            return entries

        with mock.patch.object(folders, "listed", exchanged):
            tree = self.read()
        self.assertNotIn(KERNEL, tree.files)
        self.assertTrue(any("lab1_naive cannot be read" in one for one in tree.remarks))

    def test_names_of_any_kind_and_length_are_answered(self):
        path = os.path.join(self.top, "a.zip")
        with zipfile.ZipFile(path, "w") as archive:
            for name in ("\x1b[2J.cu", "\u202e.cu", "x" * 60000 + ".cu", "\n", "a/" * 11 + "k.cu"):
                archive.writestr(name, b"x")
        found = self.found(path)
        self.assertEqual(found.problem, "")
        self.assertTrue(all(one.isprintable() for one in found.remarks + found.advice), found)

    def test_an_archive_that_asks_for_a_password_says_so(self):
        with zipfile.ZipFile(os.path.join(self.top, "a.zip"), "w") as archive:
            archive.writestr(KERNEL, b"mine")
        data = bytearray(Path(self.top, "a.zip").read_bytes())
        for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
            data[data.index(mark) + place] |= 1
        self.assertIn("asks for a password", self.found(self.put("b.zip", data)).problem)


class Failing(WithReader):
    """A reader that fails affects its own submission only."""

    def answered(self, program):
        self.put(KERNEL, b"mine")
        command = [sys.executable, "-I", "-S", "-c", program]
        with (
            mock.patch.object(reading, "COMMAND", command),
            mock.patch.object(reading, "SECONDS", 1),
        ):
            return self.found()

    def test_any_end_but_an_answer_is_a_problem(self):
        head = '{"problem": "", "remarks": [], "advice": [], "files": %s}\\n'
        one = '[{"lab": "lab1_naive", "part": "kernel", "path": "", "refused": "", "unchanged": 0,'
        one += ' "told": [], "size": %s}]'
        for program in (
            "import time; time.sleep(60)",
            "import os, signal; os.kill(0, signal.SIGKILL)",
            "raise SystemExit(1)",
            "print('[' * 200000)",
            "print('{}')",
            "while True: print('x' * 65536)",
            f"print('{head % one % 5}')",
            f"print('{head % one % -1}')",
            f"print('{head % one % 'null'}')",
            f"print('{head % one}' % 0, end='too much')",
        ):
            found = self.answered(program)
            self.assertIn("could not be read within", found.problem, program)
            self.assertEqual(found.chosen, {})

    def test_seconds_of_its_own_are_told(self):
        program = "import resource as r; r.setrlimit(r.RLIMIT_CPU, (1, 2))\nwhile True: pass"
        with mock.patch.object(reading, "bounded", lambda *_: None):
            with mock.patch.object(subprocess.Popen, "kill", lambda self: self.wait()):
                self.assertIn("more than 5 seconds", self.answered(program).problem)

    def test_what_has_no_result_yet_is_not_read_before_it_is_graded(self):
        options = SimpleNamespace(limits=Limits(), out=self.top)
        reader = SimpleNamespace(read=lambda *_: self.fail("it is read"))
        grader = Grader(options, SimpleNamespace(digest="", reader=reader), "seed")
        self.assertIsNone(grader.earlier(Student("ada", "ada", self.top)))

    def test_the_grader_itself_loads_nothing_that_unpacks_or_scans(self):
        code = "import sys, grade.class_run, similarity.__main__; print(*sys.modules)"
        loaded = subprocess.check_output([sys.executable, "-S", "-c", code], text=True).split()
        those = {"zipfile", "tarfile", "reader.tars", "reader.archives", "reader.telling_code"}
        self.assertEqual(those.intersection(loaded), set())
