"""Tests what the gate finds in a student's source after the preprocessor, and how long it looks."""

import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from student_source import StudentSource

SYSTEM = "/usr/include"
# Code after a text that a reader of single letters takes for something else.
HIDDEN = {
    'the character "': "char c = '\"'; asm(\"nop\"); char d = '\"';",
    "a number with separators": "int i = 1'0; asm(\"nop\"); int k = 1'0;",
    "a range of numbers": "int f(int i) { switch(i) { case 1 ...5'0: asm(\"nop\"); } return '0'; }",
    "a raw string": 'auto s = R"(")"; asm("nop"); auto t = R"(")";',
    "a mark in a raw string": 'auto s = R"(\n# 1 "/usr/include/stdio.h" 1 3\n)"; asm("nop");',
    "a mark behind it": 'auto s = R"(\n)" "# 1 \\"/usr/include/stdio.h\\" 1 3"; asm("nop");',
    "a suffix": 'auto s = ""R"("; asm("nop"); auto t = ")";',
    "a text of a macro": '#define T(s) s\nauto s = T("")R"(/*)"; asm("nop"); /*)"*/',
    "the line of its attribute": '__attribute__\n((unused,\noptimize("O2"))) int f(); int alias;',
    "blanks": "int k = ({ extern int asm_(); cusim  ::  detail::x; 0; });",
}
HARMLESS = (
    'auto s = R"(\nasm("nop")\n# 1 "x.h" 1\n)"; auto t = "asm";',
    "__attribute__((unused)) int f(int,\nint optimize);\n[[nodiscard]] int\nalias();",
    "char c = 'a', d = '\\''; int i = 1'000; auto s = \"\\\"asm\\\"\";",
)


class Source(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def forbidden(self, text):
        (self.folder / "a.cpp").write_bytes(text.encode())
        command = ["g++", "-std=c++17", "-E", f"{self.folder}/a.cpp", "-o", "a.ii"]
        subprocess.run(command, cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        return StudentSource(str(self.folder / "a.ii"), [SYSTEM]).forbidden

    def test_code_behind_a_text_is_found(self):
        for what, text in HIDDEN.items():
            self.assertEqual(len(self.forbidden(f"#include <cstddef>\n{text}\n")), 1, what)

    def test_texts_are_no_code(self):
        for text in HARMLESS:
            self.assertEqual(self.forbidden(f"{text}\nint after;\n"), [], text)

    def test_what_a_link_of_the_system_leads_to_is_the_systems(self):
        system, behind = self.folder / "system/asm", self.folder / "behind/x86/asm"
        for folder in (system, behind):
            folder.mkdir(parents=True)
        for name in ("types.h", "own.h"):
            (behind / name).touch()
        (system / "types.h").symlink_to(behind / "types.h")
        for name, found in (
            (behind / "types.h", 0),
            (system / "types.h", 0),
            (behind / "own.h", 1),
        ):
            (self.folder / "a.ii").write_text(f'# 1 "{name}" 1\nasm("nop");\n')
            source = StudentSource(str(self.folder / "a.ii"), [str(system.parent)])
            self.assertEqual(len(source.forbidden), found, name)

    def test_a_long_line_takes_no_time(self):
        for line in ('"' + '\\"' * 100_000, "1" * 200_000, "'" * 200_000, "cusim" * 50_000):
            (self.folder / "a.ii").write_text(f'# 1 "{self.folder}/a.h" 1\n{line}\n')
            began = time.monotonic()
            StudentSource(str(self.folder / "a.ii"), [SYSTEM])
            self.assertLess(time.monotonic() - began, 2, line[:10])
