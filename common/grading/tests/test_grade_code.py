"""Tests the teacher's remarks on a submission's source: attacks, and nothing of honest work."""

import glob
import time
import unittest
from pathlib import Path

import honest
from reader import telling_code

HONEST: tuple[str, ...] = (
    "solutions/lab*/*.cu",
    "solutions/lab*/answers.h",
    "solutions/styles/*/*.cu",
)
HONEST += ("solutions/styles/*/*/*.cu", "build/styles/**/*.cu", "build/mistakes/**/*.cu")
ATTACKS = {
    "__attribute__((constructor)) void f() {}": "runs code before",
    "  exit( 0 );": "ends the program",
    'system("id");': "calls the system",
    '#include "../../solutions/lab1_naive/kernel.cu"': "includes a file",
    'auto f = fopen("report", "w");': "opens files",
    'setenv("LD_PRELOAD", "x", 1);': "environment",
    'const char* s = "LAB_RESULTS";': "names what belongs",
    "#define TEST_CASE(name) static void f()": "names the tests",
    "#define while if": "redefines",
    "namespace cusim {": "adds to what belongs",
    "std::fclose(stdout);": "closes a stream",
    "  static int calls = 0;": "from call to call",
    "float t[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};": "table of numbers",
    "auto f = __builtin_frame_address(0);": "frames of its callers",
    "float f() { return s += M[i] * N[j]; }": "multiplies elements on the host",
    'printf("17 passed, 0 failed");': "looks like a report",
    "extern \"C\" int clock_gettime(int, void*) { return 0; }": "the clock",
    "ex\\\nit(0);": "ends the program",
    "system\n(\"id\");": "calls the system",
    "char c = '\"'; asm(\"nop\"); char d = '\"';": "assembly",
    'auto s = R"(//)"; fork();': "calls the system",
    "/* */ // \\\n nothing\nasm(\"nop\");": "assembly",
}  # fmt: skip
# Source at which a pattern that takes back what it has passed looks again and again.
LONG: tuple[str, ...] = (
    "// " + "1" * 60000,
    "1" * 60000,
    '"' + '\\"' * 30000,
    "/*" * 30000,
    'R"a(' * 15000,
)
LONG += ("__global__ " * 6000, "static int " * 6000, "+=" + "]*" * 30000, '#include "' * 6000)
LONG += ("constructor" + " " * 60000, "#include " * 7000, "1'" * 30000, "'" * 60000, "\\ " * 30000)
LONG += ("1, " * 20000, '"' + "1 passed, " * 6000, "namespace " * 6000, "a\\\n" * 20000)


class Telling(unittest.TestCase):
    def test_attacks_are_told_with_their_line(self):
        for text, wanted in ATTACKS.items():
            said = telling_code.look("kernel.cu", f"// harmless\n{text}\n".encode(), b"")
            self.assertEqual(len(said), 1, text)
            self.assertRegex(said[0], rf"^kernel.cu:[2-4] .*{wanted}", text)

    def test_no_source_takes_long(self):
        began = time.monotonic()
        for text in LONG:
            telling_code.look("kernel.cu", text.encode(), b"")
        self.assertLess(time.monotonic() - began, 5)

    def test_comments_are_nobodys_attack(self):
        text = b"/* system(1)\n exit(0) */ int a; // asm\n"
        self.assertEqual(telling_code.look("kernel.cu", text, b""), [])

    def test_what_a_kernel_multiplies_is_not_told(self):
        text = b"__global__ void k() {\n for (;;) {\n s += M[i] * N[j]; }\n }\nint after;\n"
        self.assertEqual(telling_code.look("kernel.cu", text, b""), [])
        said = telling_code.look("kernel.cu", text + b"void f() { s += M[i] * N[j]; }\n", b"")
        self.assertRegex(said[0], "^kernel.cu:6 multiplies")

    def test_what_the_skeleton_says_is_not_told(self):
        text = b'system("given");\n'
        self.assertEqual(telling_code.look("kernel.cu", text, text), [])

    def test_nothing_is_told_of_solutions_styles_and_known_mistakes(self):
        files = [name for pattern in HONEST for name in glob.glob(pattern, recursive=True)]
        self.assertGreater(len(files), 100)
        told = {name: telling_code.look(name, Path(name).read_bytes(), b"") for name in files}
        for name in (*honest.TELLING, honest.WITH_A_HEADER):
            told.pop(name, None)
        self.assertEqual({name: said for name, said in told.items() if said}, {})

    def test_a_long_list_is_cut(self):
        said = telling_code.look("kernel.cu", b'system("x");\n' * 50, b"")
        self.assertEqual(len(said), telling_code.MOST + 1)
        self.assertIn("45 lines more", said[-1])
