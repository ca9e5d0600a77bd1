"""Each slip of compile_slips.txt gets its line of help from each compiler: under the first error,
or under the warning; right code gets none."""

import concurrent.futures
import dataclasses
import functools
import os
import pathlib
import re
import shlex
import shutil
import sys

import editor_tasks
import pytest
from calls import ROOT, call, on_terminal, rules, value_of

HELP = ROOT / "common/course/compile_help"
LAB = "lab2_tiled"
SOLUTION = ROOT / "solutions" / LAB / "kernel.cu"
FOLDER = ROOT / "build/check/compile_help"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
HELP_LINE = "(?m)^help: .{0,74}$"


@dataclasses.dataclass(frozen=True)
class Slip:
    """An edit (sed) of the solution, and the help for it; `only` names the compiler that sees it,
    '' if both do."""

    name: str
    edit: str
    help: str
    only: str = ""


LINES = (ROOT / "common/checks/compile_slips.txt").read_text(encoding="utf-8").splitlines()
SLIPS = [Slip(*line.split("\t")) for line in LINES if not line.startswith("#")]
TRIED = [(c, slip) for c in COMPILERS for slip in SLIPS if slip.only in ("", c)]


def python(module: str, *words: str | pathlib.Path, **variables: str) -> tuple[int, str]:
    return call(sys.executable, "-I", "-S", HELP / module, *words, **variables)


@functools.cache
def flags_of(compiler: str) -> list[str]:
    """Returns a kernel's flags without the hooks of the simulated device."""
    words = value_of("$(KERNEL_FLAGS)", LAB, f"CXX={compiler}")
    return [word for word in shlex.split(words) if re.match("-([WDI]|std)", word)]


@functools.cache
def headers(compiler: str) -> pathlib.Path:
    """Compiles the headers once, and returns the path to include."""
    file = FOLDER / compiler / "headers.h"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#include <cuda_runtime.h>\n#include <cstdio>\n#include <cstdlib>\n")
    flags = flags_of(compiler)
    assert call(compiler, *flags, "-x", "c++-header", file, "-o", f"{file}.gch") == (0, "")
    return file


def tried(compiler: str, slip: Slip) -> tuple[str, str]:
    """Returns what a student with a slip reads, and what an editor does."""
    cu = FOLDER / compiler / f"{slip.name}.cu"
    translated, said = cu.with_suffix(".cpp"), cu.with_suffix(".txt")
    edited_text, solved = call("sed", slip.edit, SOLUTION)[1], SOLUTION.read_text(encoding="utf-8")
    assert slip.name == "right" or edited_text != solved, f"{slip.name}: the edit changes nothing"
    cu.write_text(edited_text, encoding="utf-8")
    status, text = call("build/translate", cu, translated, cu)
    if status == 0:
        options = [*flags_of(compiler), "-include", str(headers(compiler))]
        status, text = call(compiler, *options, "-fsyntax-only", translated, LC_ALL="C")
    said.write_text(text, encoding="utf-8")
    shown = ["explain.py", LAB, str(status), str(said)]
    if status == 0:
        python("collect_warnings.py", said, cu, translated, compiler)
        shown = ["show_warnings.py", str(said)]
    of_editor = {"LAB_EDITOR": "1", "LAB_KERNEL": str(cu)}
    return python(*shown)[1], python(*shown, **of_editor)[1]


@pytest.fixture(scope="module", name="reports")
def reports_of_all_slips() -> dict[tuple[str, Slip], tuple[str, str]]:
    for compiler in COMPILERS:
        headers(compiler)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(TRIED, pool.map(lambda one: tried(*one), TRIED)))


@pytest.mark.parametrize("compiler, slip", TRIED, ids=[f"{s.name}, {c}" for c, s in TRIED])
def test_a_slip_gets_its_line_of_help(
    reports: dict[tuple[str, Slip], tuple[str, str]], compiler: str, slip: Slip
) -> None:
    report, of_editor = reports[compiler, slip]
    marks = editor_tasks.marks("test", of_editor)
    assert all(mark.lies_in(FOLDER / compiler / f"{slip.name}.cu") for mark in marks), of_editor
    if slip.help == "none":
        assert (report, of_editor) == ("", "")
    else:
        lines = re.findall(HELP_LINE, report)
        assert any(re.search(f"^help: .*({slip.help})", line) for line in lines), report
        assert report.count("error: ") <= 1, f"only the first:\n{report}"
        helped = [f"help: line {mark.line}: {mark.message}" for mark in marks]
        assert set(lines) <= set(helped), of_editor
        assert {mark.severity for mark in marks} & {"error", "warning"}, of_editor


ERRORS = """\
a.cu:3:1: error: expected )
    3 | f(
      |  ^
a.cu:5:2: note: here
In file included from common/simulator/include/cuda_runtime.h:1:
a.cu:9:1: error: expected ;
"""
FIRST = """\
a.cu:3: error: expected )
    3 | f(
      |  ^
and 1 more; EXPLAIN=all shows it
"""
# A student's line, a compiler's message about it, and what the student reads.
KEYWORDS = {
    "__shared__ float a[n];": (
        "variable length array declaration cannot have 'static' storage duration",
        "cannot have '__shared__' storage",
    ),
    "__shared__ __shared__ float a;": ("duplicate 'thread_local'", "duplicate '__shared__'"),
    "static __shared__ float a[n];": ("twice 'static'", "twice 'static'"),
    "static float a[n];": ("cannot have 'static' storage", "cannot have 'static' storage"),
    "__global__ int x;": (
        "'patchable_function_entry' attribute only applies to functions",
        "'__global__' attribute only",
    ),
    "__forceinline__ int x;": ("'x' declared 'inline'", "'x' declared '__forceinline__'"),
    "k<<<1, 2>>>(a);": ("no matching function for 'cusimSignature_k(", "for 'k("),
    "atomicExch(&x, 0);": ("no matching function for 'atomicSets(", "for 'atomicExch("),
}
UNKNOWN_OPTION = (
    "cc1plus: note: unrecognized command-line option '-Wno-new' may have been intended to silence\n"
)
LONG = f"lab2_tiled/kernel.cu:44:20: error: {'a word ' * 60}\n"


@pytest.fixture(name="explain")
def explain_text(tmp_path: pathlib.Path):
    """Returns a function that explains the output of a command that has failed with status 7."""

    def explain(text: str, lab: str = LAB, **variables: str) -> str:
        said = tmp_path / "said"
        said.write_text(text, encoding="utf-8")
        status, shown = python("explain.py", lab, "7", said, **variables)
        assert status == 7, "the status of the command is kept"
        return shown

    return explain


def test_the_first_error_is_shown_without_its_notes(explain) -> None:
    assert explain(ERRORS) == FIRST


@pytest.mark.parametrize("line", KEYWORDS)
def test_a_keyword_is_called_as_the_student_has_written_it(
    explain, tmp_path: pathlib.Path, line: str
) -> None:
    file, (said, read) = tmp_path / "k.cu", KEYWORDS[line]
    file.write_text(f"\n  {line}\n", encoding="utf-8")
    text = explain(f"{file}:2:3: error: {said}\n")
    assert f"{file}:2: error: " in text and read in text, text


def test_explain_all_shows_every_error_whole(explain) -> None:
    assert explain(ERRORS, EXPLAIN="all") == ERRORS


def test_explain_all_shows_no_option_of_ours_that_the_compiler_does_not_know(explain) -> None:
    assert explain(ERRORS + UNKNOWN_OPTION, EXPLAIN="all") == ERRORS


def test_what_is_no_error_of_a_file_is_shown_as_it_is(explain) -> None:
    assert explain("cc: internal trouble\n") == "cc: internal trouble\n"


def test_what_goes_to_no_terminal_keeps_its_lines(explain) -> None:
    assert explain(LONG).count("\n") == 1


def test_what_goes_to_a_terminal_fits_80_columns(tmp_path: pathlib.Path) -> None:
    said = tmp_path / "said"
    said.write_text(LONG, encoding="utf-8")
    words = [sys.executable, "-I", "-S", str(HELP / "explain.py"), LAB, "7", str(said)]
    process, terminal = on_terminal(words)
    process.wait()  # a read before its end may get the first line alone
    lines = os.read(terminal, 10000).decode().splitlines()
    os.close(terminal)
    assert len(lines) > 1 and max(map(len, lines)) <= 80


def test_a_lab_may_have_rules_of_its_own(explain) -> None:
    text = explain("k.cu:3:1: error: storage size of 'Mds' isn't constant\n", "lab4_memtypes")
    assert re.search("help: line 3: .*extern and \\[\\] if the launch sets it", text), text


TYPES = "float const*, float const*, float*, int"
LINKERS = {
    "GNU ld": f"""\
/usr/bin/ld: a.o: in function `lab::f(int)':
/a/b.cpp:4: undefined reference to `std::f(int)'
/usr/bin/ld: b.o: in function `f()::{{lambda()#1}}::operator()() const':
/a/b.cpp:42:(.text+0x1): undefined reference to `tiledMatrixMul({TYPES})'""",
    "gold": f"/a/b.cpp:42: error: undefined reference to 'tiledMatrixMul({TYPES})'",
    "lld": f"ld.lld: error: undefined symbol: tiledMatrixMul({TYPES})\n>>> referenced by b.cpp:42",
    "names as they are": "b.cpp:(.text+0x1): undefined reference to `_Z14tiledMatrixMulPKfS0_Pfi'",
}
DECLARATION = "  void tiledMatrixMul(const float* M, const float* N, float* P, int Width);\n"
MISSING = (
    "undefined reference to tiledMatrixMul(...)\n"
    "help: the lab needs a function that the file does not define (check name and types):\n"
) + DECLARATION


@pytest.mark.parametrize("linker", LINKERS)
def test_a_function_that_a_linker_misses_is_named_with_its_types(explain, linker: str) -> None:
    assert explain(f"{LINKERS[linker]}\ncollect2: error: ld returned 1 exit status\n") == MISSING


def test_an_editor_marks_the_file_whose_function_a_linker_misses(explain) -> None:
    text = explain(LINKERS["GNU ld"], LAB_EDITOR="1", LAB_KERNEL=f"{LAB}/kernel.cu")
    (mark,) = editor_tasks.marks("test", text)
    assert (mark.file, mark.line) == (f"{LAB}/kernel.cu", 1)
    assert DECLARATION.strip() in mark.message, text


def test_objects_that_do_not_fit_the_sources_are_to_be_built_anew(explain) -> None:
    text = explain("b.cpp:42: undefined reference to `lab::run(int)'\n")
    assert re.search("help: .*make clean", text), text


def test_a_function_of_their_own_that_is_not_defined_is_named(explain) -> None:
    text = explain("kernel.cu:42: undefined reference to `helper(int)'\n")
    assert "help: the file uses" in text


def judge(file: pathlib.Path, *words: str) -> str:
    return rules(LAB, f"KERNEL={file}", *words, "test")[1]


def edited(name: str, source: pathlib.Path, old: str, new: str) -> pathlib.Path:
    """Writes a copy of a file with one piece replaced, and returns its path."""
    # Each path has its own build folder, so this path must be the same in all runs.
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = source.read_text(encoding="utf-8")
    assert old in text
    (FOLDER / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    return FOLDER / name


def test_a_function_that_the_linker_here_misses_is_named() -> None:
    file = edited("name.cu", SOLUTION, "\nvoid tiledMatrixMul(", "\nvoid tiledMatrixmul(")
    assert DECLARATION in judge(file)


@pytest.mark.skipif("g++" not in COMPILERS, reason="clang++ sees them without optimizing")
def test_unset_variables_are_looked_for_with_headers_that_are_compiled_already(
    tmp_path: pathlib.Path,
) -> None:
    header = "simulator/include/cuda_runtime.h.gch"
    if not (ROOT / "build/prelude" / header).exists():
        pytest.skip("no headers are compiled here, as with ccache")
    assert (ROOT / "build/prelude/unset" / header).exists()
    empty, out = tmp_path / "empty.cpp", tmp_path / "out"
    empty.write_text("int unset;\n", encoding="utf-8")
    options = ["-Winvalid-pch", "-Werror=invalid-pch"]
    said = python("collect_warnings.py", out, empty, empty, "g++", *options)
    assert (said, out.read_text(encoding="utf-8")) == ((0, ""), "")


def test_a_warning_is_shown_again_if_nothing_is_compiled() -> None:
    file = edited("unset.cu", SOLUTION, "float Pvalue = 0.0f", "float Pvalue")
    for text in (judge(file), judge(file)):
        assert len(re.findall("(?m)^help: line .*Pvalue is uninit", text)) == 1, text


RENAMED = {
    "Q2_tiles = UNANSWERED": 13,  # a slip
    "Q2_how_often = UNANSWERED": 13,
    "": 12,  # removed: the line of the question
}


@pytest.mark.parametrize("answer", RENAMED)
def test_an_answer_whose_name_has_changed_is_reported_in_the_students_file(answer: str) -> None:
    old = "constexpr Answer Q2_tiled = UNANSWERED;"
    new = f"constexpr Answer {answer};" if answer else ""
    file = edited("answers.h", ROOT / LAB / "answers.h", old, new)
    name, text = file.relative_to(ROOT), judge(file, "PART=answers")
    line = RENAMED[answer]
    assert f"{name}:{line}: error: there is no answer 'Q2_tiled'" in text, text
    assert f"help: line {line}: the tests read constexpr Answer Q2_tiled = ...;" in text, text
    assert "read.cpp" not in text, text


ANSWERS = {"Yes": "write yes, in small letters", "50 GFLOP/s": "write a number as 1024"}


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_that_is_no_number_and_no_known_word_gets_a_line_of_help(answer: str) -> None:
    file = edited("answers.h", ROOT / LAB / "answers.h", "= UNANSWERED", f"= {answer}")
    text = judge(file, "PART=answers")
    assert re.search(rf"(?m)^help: line \d+: {ANSWERS[answer]}", text), text
