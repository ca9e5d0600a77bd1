"""Tests that a student's feedback shows their own words: which files a source may name, and what of
a compiler's messages is shown."""

import glob
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from grade.compiler_said import first_error

sys.path.append("common/verdict/gate")
import named_files  # noqa: E402

HONEST: tuple[str, ...] = (
    "solutions/lab*/*.cu",
    "solutions/lab*/answers.h",
    "lab*/*.cu",
    "lab*/answers.h",
)
HONEST += ("solutions/styles/**/*.cu", "solutions/styles/**/*.h", "build/styles/**/*.cu")
LAB = "lab1_naive"
WITH_A_HEADER = "solutions/styles/lab3_boundary/course_kit.cu"  # which cannot be handed in
NAMING = [
    '#include "/etc/passwd"',
    "#include </etc/passwd>",
    "  #  include_next <../../x.h>",
    '%:include "/x"',
    '#inc\\\nlude \\\n "/x"',
    "#if __has_include(<x.h>) || __has_include(</x>)\n#endif",
    '#/**/include/* */"/x"',
    '/* a\n b */ #include "/x"',
    '#/* a\n b */include "/x"',
    '#define X "/x"\n#include X',
    "#include __FILE__",
    '#include "solutions/hidden/drawn.h"',
    '#include "./solutions/hidden/drawn.h"',
    "#include <.//./build/x.h>",
    '#include "../lab1_naive/./solutions/x.h"',
    '#import "a/../../x"',
    "#if __has_include(X)\n#endif",
    '#if __has_include ( "/x" )\n#endif',
    "#if defined(A) && __has_include(</x>)\n#endif",
    "#define H __has_include\n#if H(X)\n#endif",
    "#define P(a, b) a##b\n#define Q(x) P(__h, as_include)(x)\n#if Q(X)\n#endif",
    '#line 3 "/x"',
    '# 3 "/x"',
    '#define X "/x"\n# 1 X 1 3',
    "#line X",
    '#pragma GCC dependency "/x"',
    '/* x\n/*/ #include "/x"\n/* */',
    '/*\n/*/ #include "/x"',
    'R"(\n/*\n)"\n#include "/x"\n/* */',
    'int b; /* x */\n/* # */ #include "/x"',
    '#if 0 || /*\n*/ __has_include("/x")\n#endif',
    '#if __has_include/**/("/x")\n#endif',
    '#if __has_include "/x"\n#endif',
    '#define P(a, b) a##b\n#if P(__h, as_include)("/x")\n#endif',
    '#define P(a, b) a%:%:b\n#define Q(x) P(__h, as_include)(x)\n#if Q("/x")\n#endif',
    '#include <sys/cdefs.h>\n#if __CONCAT(__has_, include)("/x")\n#endif',
    '#include <sys/cdefs.h>\n#define E(x) x\n#if E(__CONCAT)(__has_, include)("/x")\n#endif',
    "#include <sys/cdefs.h>\n#define M (__has_, include)\n#define E(x) x\n"
    '#if E(__CONCAT M)("/x")\n#endif',
    '#include <sys/cdefs.h>\n#define definedQ __CONCAT(__has_, include)("/x")\n'
    "#if definedQ\n#endif",
    "#include <sys/cdefs.h>\n#define __has_Q(x) __CONCAT(__has_, include)(x)\n"
    '#if __has_Q("/x")\n#endif',
    '#include <sys/cdefs.h>\n#pragma pack(__CONCAT(__has_, include)("/x"))',
    '#inc\\\0\nlude "/x"',
    'int b;\r#include "/x"',
    '// b\r#include "/x"',
    '/* b */ //\r/*\n#include "/x"\n*/',
    '_Pragma("GCC dependency \\"/x\\"")',
    "#define P(x) _Pragma(#x)\nP(GCC dependency </x>)",
    '#pragma GCC/**/dependency"/x"',
    '#define Y R"(\n#include "/x"\n)"',
    '#include <a/*b>\n#include "/x"\n/**/',
    '#include <a"b> /*\n/*/\n#include "/x"\n/**/',
    '#include <cmath> <b/*>\n#include "/x"\n/**/',
    "int i = 1'.' /* ' */;\n/*/\n#include \"/x\"\n/**/",
    "int i = 0x1p+'/*';\n#include \"/x\"\n/**/",
    "int i = 1e+'/*';\n#include \"/x\"\n/**/",
    'auto s = ""R"(/*)";\n#include "/x"\n/**/',
    'auto s = $R"(";/*)";\n#include "/x"\n/*)"*/',
    'auto s = \u00b2R"(";/*)";\n#include "/x"\n/*)"*/',
    'auto s = R"x(/*)\\\nx";\n#include "/x"\n/*)x"*/',
    '#error "x" /*\n#include "/x"\n*/',
    '#include "../lab2_tiled/lab2.h"',
]
PLAIN = [
    "/* Steps:\n# 1. allocate\n# line up the threads\n#include what you need\n*/\nint a;",
    "int b; /* Steps:\n# 1. allocate\n# 2. copy */",
    '#include "./lab1.h"\n#include "lab1.h"\n#include <thrust/sort.h> // as usual\n#include <math.h>',
    "#ifdef __has_include\n#if __has_include(<cooperative_groups.h>)\n#endif\n#endif",
    "#define CAT(a, b) a##b\n#define WIDTH (16)\n#if WIDTH > 8\n#endif",
    'const char* s = "# include"; // #include "/etc/passwd"',
    "#line 30",
    "int b; /* Steps:\n#include what you need\n# 1. copy */",
    'auto s = R"(\n#include "/x"\n)";\n#include <cmath>',
    "#define WIDTH 16 /* as in\n#include the handout */\nint a; // '",
    '#include <cmath> /* for\n#include */\n#include "lab1.h"; // isn\'t',
    '#include "../lab1_naive/grid.h"',
    "#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 600 || !defined A)\n#elif 'a' == 1'0\n#endif",
    "#ifndef __has_builtin\n#define __has_builtin(x) 0\n#endif\n#if __has_builtin(f)\n#endif",
    "#ifndef __has_include\n#define __has_include(x) 0\n#endif",
    "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#if MIN(WIDTH, 8) > 4 && defined(A)\n#endif",
    "#define CAT(a, b) a##b\n#define N 0x1p-3 // '\n#pragma unroll (N)\n#pragma pack(push, 1)",
    '#define UNROLL _Pragma("unroll 4")\n#define P(x) _Pragma(#x)\nP(unroll)',
    "#if 0\nIt isn't \"done: f\u00fcr\n#error don't\n#endif\n/*\n# 1 x\n*/",
    "int a = 1'000'000; float b = 1e-5f, c = 1.e+5;\r\n#include <cmath>\r\n",
    '#error "needs __has_include"\nconst char* s = "__has_include(x)";',
]
OWN = {"lab1_naive/kernel.cu": b"int a;\n    int b = c;\n"}
SAID = """/elsewhere/x.cu:1:1: error: 'secret' does not name a type
    1 | secret hush
      | ^~~~~~
lab1_naive/kernel.cu:2:13: error: 'c' was not declared in this scope
    2 |     int b = c;
      |             ^
lab1_naive/kernel.cu:2:13: note: suggested
help: line 2: declare c.
"""


class Names(unittest.TestCase):
    def test_a_file_that_names_others_than_its_headers_is_refused_with_its_line(self):
        for text in NAMING:
            self.assertIsNotNone(named_files.reason_against(f"int a;\n{text}\n", LAB), text)
        self.assertIsNotNone(named_files.reason_against('\ufeff#include "/x"'))
        found = named_files.reason_against('int a;\\\nint b;\n\n#include "/x"\n')
        self.assertEqual(found[0], 4)

    def test_headers_beside_the_file_and_of_the_system_may_be_named(self):
        for text in PLAIN:
            self.assertIsNone(named_files.reason_against(f"{text}\n", LAB), text)

    def test_solutions_and_styles_name_nothing_else(self):
        paths = {path for kind in HONEST for path in glob.glob(kind, recursive=True)}
        for path in sorted(paths - {WITH_A_HEADER}):
            text = Path(path).read_text(encoding="utf-8")
            lab = re.search(r"lab\d_\w+", path)[0]
            self.assertIsNone(named_files.reason_against(text, lab), path)
        self.assertGreater(len(paths), 30)

    def test_a_long_file_of_anything_is_read_at_once(self):
        began = time.process_time()
        pieces = [
            "#/*",
            "/*#",
            '#include "',
            "\\\n",
            "*/ #",
            "#if A(",
            "#define A(",
            "##",
            "a",
            " ",
        ]
        pieces += [
            "__has_include(",
            "__has_include( <x",
            "\n#",
            "\n#/**/",
            "\n*/ #if __has_include",
        ]
        for piece in pieces:
            many = piece * ((1 << 17) // len(piece))
            for text in (many, "#define " + many, "#if " + many):
                named_files.reason_against(text)
        self.assertLess(time.process_time() - began, 20)

    def test_no_compiler_asks_for_a_file_that_was_not_seen_to_be_named(self):
        with tempfile.TemporaryDirectory() as folder:
            asked = {text for text in (*NAMING, *PLAIN) if is_asked_for(text, Path(folder))}
        self.assertGreater(len(asked), len(NAMING) // 2)
        for text in asked:
            self.assertIsNotNone(named_files.reason_against(f"{text}\n", LAB), text)


def is_asked_for(text, folder):
    """Returns whether what a compiler says of a text depends on whether /x is there."""
    file, secret = folder / "a.cpp", folder / "x"
    text = text.replace("/x", str(secret)).replace("#endif", "int there;\n#endif")
    file.write_text(f"{text}\n", encoding="utf-8", newline="")
    for compiler in filter(shutil.which, ("g++", "clang++")):
        command, said = [compiler, "-std=c++17", "-E", str(file)], []
        for change in (secret.touch, secret.unlink):
            change()
            done = subprocess.run(command, capture_output=True, check=False)
            said.append((done.returncode, done.stdout, done.stderr))
        if said[0] != said[1]:
            return True
    return False


class Messages(unittest.TestCase):
    def test_the_first_error_in_an_own_file_is_shown_with_its_line_and_help(self):
        self.assertEqual(
            first_error(SAID, OWN),
            "lab1_naive/kernel.cu:2:13: error: 'c' was not declared in this scope\n"
            "    2 |     int b = c;\n      |             ^\nhelp: line 2: declare c.",
        )

    def test_a_line_that_is_not_the_files_is_not_drawn(self):
        said = SAID.replace("int b = c;", "hush")
        self.assertNotIn("hush", first_error(said, OWN))

    def test_nothing_is_shown_of_other_files_and_of_what_is_no_error(self):
        elsewhere = SAID.partition("lab1_naive")[0] + "lab1_naive/answers/read.cpp:5: error: hush\n"
        self.assertIn("is missing at its end", first_error(elsewhere, OWN))
        assembly = "x.s:3: Error: no such instruction: `hush'\n"
        self.assertIn("leave out asm()", first_error(assembly, OWN))
        self.assertNotIn("hush", first_error(elsewhere + assembly, OWN))
        self.assertEqual(first_error("Traceback: no error\n", OWN), "")

    def test_of_the_linkers_words_the_name_is_shown(self):
        said = (
            "/usr/bin/ld: k.o: in f:\nk.cu:3: undefined reference to `g(int)'\nhelp: hm:\n  g();\n"
        )
        self.assertEqual(
            first_error(said, {}),
            "g(int) is called, but not defined with these types\nhelp: hm:\n  g();",
        )
