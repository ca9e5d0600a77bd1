"""Tests the advice to a student whose files are not in their places."""

import unittest

from reader import slips

LABS = {"lab1_naive", "lab2_tiled"}
ONE = [("lab1_naive", "kernel.cu"), ("lab1_naive", "matrix_add.cu"), ("lab1_naive", "answers.h")]
TWO = [*ONE, ("lab2_tiled", "kernel.cu")]
# What was handed in for lab 1 alone, and the file that it was probably meant to be.
SLIPS = {
    "lab1_naive/kernel (1).cu": "kernel.cu",
    "kernel(2).cu": "kernel.cu",
    "Kernel.cu": "kernel.cu",
    "kernel_final.cu": "kernel.cu",
    "kernel-v2.cu": "kernel.cu",
    "Copy of kernel.cu": "kernel.cu",
    "kernel - Kopie.cu": "kernel.cu",
    "kernel.cpp": "kernel.cu",
    "kernel.c": "kernel.cu",
    "kernel.cu.txt": "kernel.cu",
    "kernal.cu": "kernel.cu",
    "kenrel.cu": "kernel.cu",
    "lab1/kernel.cu": "kernel.cu",
    "lab1_naive/src/kernel.cu": "kernel.cu",
    "solutions/lab1_naive/kernel.cu": "kernel.cu",
    "lab1_naive/answer.h": "answers.h",
    "answers.txt": "answers.h",
    "matrixadd.cu": "matrix_add.cu",
}


class Slips(unittest.TestCase):
    def advice(self, names, wanted=ONE, found=()):
        return slips.advice(names, wanted, set(found), LABS)

    def test_each_slip_is_told_with_the_place_where_the_file_belongs(self):
        for name, file in SLIPS.items():
            said = self.advice([name])[0]
            self.assertIn(f"hand it in as lab1_naive/{file}.", said, name)
            self.assertTrue(said.startswith(f"{name} "), name)

    def test_what_is_none_of_the_files_is_not_taken_for_one(self):
        for name in ("main.cu", "test.cu", "kernels.md", "README.md", "Makefile",
                     "lab2_tiled/kernel.cu", "__MACOSX/._kernel.cu", "kernel.o", "x" * 10000 + ".cu"):  # fmt: skip
            said = self.advice([name], found=[ONE[1]])
            self.assertEqual(said, [], name)

    def test_who_has_handed_in_all_files_is_told_nothing(self):
        self.assertEqual(self.advice(["old/kernel.cu", "kernel (1).cu", "a.zip"], ONE, ONE), [])

    def test_who_leaves_out_parts_is_told_nothing(self):
        self.assertEqual(self.advice(["notes.txt"], ONE, ONE[:1]), [])

    def test_of_several_labs_those_are_named_that_the_folder_may_mean(self):
        said = self.advice(["lab2/kernel.cu"], TWO)[0]
        self.assertIn("hand it in as lab2_tiled/kernel.cu.", said)
        said = self.advice(["kernel.cu"], TWO)[0]
        self.assertIn("as lab1_naive/kernel.cu or lab2_tiled/kernel.cu.", said)

    def test_an_archive_in_an_archive_is_told(self):
        said = slips.advice(["all.zip"], ONE, set(), LABS, ["all.zip"])
        self.assertIn("all.zip is an archive in your submission", said[0])
        self.assertIn("wanted are: lab1_naive/kernel.cu, ", said[1])

    def test_archives_that_are_not_read_have_their_kind_told(self):
        for name in ("ada.rar", "Ada.7z"):
            said = slips.not_a_submission(name, "is neither a folder nor an archive")
            self.assertIn(f".{name.lower()[4:]} are not read", said[0])
            self.assertIn(".zip", said[0])
        said = slips.not_a_submission("ada.docx", "is neither a folder nor an archive")
        self.assertEqual(said[0], "Your submission is neither a folder nor an archive.")

    def test_a_submission_without_files_says_what_is_wanted(self):
        self.assertIn("holds no file; wanted are: lab1_naive/kernel.cu", self.advice([])[0])

    def test_advice_on_many_files_is_short(self):
        self.assertLessEqual(len(self.advice([f"kernel ({n}).cu" for n in range(20000)])), 8)
