"""Checks an editor's tasks in a copy of the course, on a terminal, as VS Code runs them: their
output becomes marks on the student's lines. test_parts.py, test_answers.py and test_compile_help.py
check the marks of all known mistakes and of many compiler errors."""

import contextlib
import json
import pathlib
import re
import shutil
import subprocess
from typing import Iterator

import editor_tasks
import pytest
import student_course
from calls import ROOT
from student_course import Student, Terminal

pytestmark = [pytest.mark.seconds(60), pytest.mark.full]
ADD, KERNEL = "lab1_naive/matrix_add.cu", "lab1_naive/kernel.cu"
SKELETON, SOLVED = ((ROOT / of / ADD).read_text(encoding="utf-8") for of in ("", "solutions"))
GUARD = re.compile(r"\(Row < .*\) \{")
UNGUARDED = GUARD.sub("(true) {", SOLVED)
CODES = re.compile(r"\033\[[0-9;]*[A-Za-z]")
# VS Code's words for a marker's severity; for other words it uses the matcher's severity.
SEVERITIES = {"error", "warning", "note"}


@pytest.fixture(scope="module", name="student")
def somebody_at_an_editor() -> Iterator[Student]:
    student = student_course.make(ROOT / "build/check/editor")
    yield student
    shutil.rmtree(student.course)


def said(student: Student, label: str, file: str) -> str:
    """Runs a task on a terminal; returns the lines that VS Code reads there, without colours."""
    terminal = Terminal(student, *editor_tasks.command(label, file))
    with contextlib.suppress(OSError):  # the terminal's end
        while terminal.process.poll() is None or terminal.read(0.2):
            terminal.read(1)
    terminal.close()
    return CODES.sub("", terminal.said)


def lines_with(text: str, words: str) -> set[int]:
    return {number for number, line in enumerate(text.splitlines(), 1) if words in line}


def test_one_key_tests_the_file_that_is_open() -> None:
    assert editor_tasks.TASKS["test"]["group"] == {"kind": "build", "isDefault": True}
    words = ["make", "-C", "lab1_naive", "test", "PART=matrix_add", "LAB_EDITOR=1"]
    assert editor_tasks.command("test", ADD) == words


def test_each_matcher_takes_the_same_lines_from_the_root_of_the_course() -> None:
    tasks = editor_tasks.TASKS
    assert set(tasks) == {"test", "hint", "watch", "run"}
    assert all(task["options"] == {"cwd": "${workspaceFolder}"} for task in tasks.values())
    matchers = [tasks[label]["problemMatcher"] for label in ("test", "watch", "run")]
    background = matchers[1]["background"]
    alike = [{**matcher, "background": background} for matcher in matchers]
    assert alike[0] == alike[1] == alike[2]
    assert matchers[0]["fileLocation"] == ["relative", "${workspaceFolder}"]


def test_each_todo_of_a_skeleton_is_marked(student: Student) -> None:
    student.has()
    marks = editor_tasks.marks("test", said(student, "test", ADD))
    todos = lines_with(SKELETON, "// TODO(")
    assert len(todos) == 5 and {mark.line for mark in marks} >= todos, marks
    assert {(mark.file, mark.severity) for mark in marks} == {(ADD, "error")}


def test_a_finding_is_marked_on_its_line_with_its_remedy(student: Student) -> None:
    student.has({ADD: UNGUARDED})
    (mark,) = editor_tasks.marks("test", said(student, "test", ADD))
    assert {mark.line} == lines_with(UNGUARDED, " + B["), mark
    assert "out of bounds: the kernel reads past the end of d_A. Guard" in mark.message


def test_a_compilers_error_is_marked_whole_with_its_help(student: Student) -> None:
    wrong = SOLVED.replace("threadIdx.x", "threadIDx.x")
    student.has({ADD: wrong})
    report = said(student, "test", ADD)
    error, note = editor_tasks.marks("test", report)
    assert {error.line} == {note.line} == lines_with(wrong, "threadIDx.x"), report
    assert (error.severity, note.severity) == ("error", "note") and error.file == note.file == ADD
    assert "; did you mean 'threadIdx'?" in error.message and "write threadIdx" in note.message


def test_a_function_that_is_missing_is_marked_in_the_file(student: Student) -> None:
    student.has({ADD: SOLVED.replace("\nvoid matrixAdd(", "\nvoid matrixadd(")})
    (mark,) = editor_tasks.marks("test", said(student, "test", ADD))
    assert (mark.file, mark.line) == (ADD, 1) and "void matrixAdd(const float" in mark.message


def test_a_run_marks_a_finding_and_the_call_that_tells_of_it(student: Student) -> None:
    solved = (ROOT / "solutions" / KERNEL).read_text(encoding="utf-8")
    wrong = GUARD.sub("(true) {", solved)
    student.has({KERNEL: wrong})
    marks = editor_tasks.marks("run", said(student, "run", KERNEL))
    assert {mark.file for mark in marks} == {KERNEL}
    found = [mark for mark in marks if mark.message.startswith("out of bounds: ")]
    assert {mark.line for mark in found} == lines_with(wrong, "Pvalue +="), marks


def test_the_hint_is_about_the_file_that_is_open(student: Student) -> None:
    student.has()
    assert f"TODO(1) of {ADD}, hint 1 of" in said(student, "hint", ADD)


def test_a_task_for_a_file_that_is_no_part_says_so(student: Student) -> None:
    report = said(student, "test", "lab1_naive/README.md")
    assert "PART=README: lab1_naive has no such part; it has kernel matrix_add" in report


def test_watch_marks_between_the_patterns_of_its_begin_and_its_end(student: Student) -> None:
    student.has({KERNEL: (ROOT / "solutions" / KERNEL).read_text(encoding="utf-8")})
    background = editor_tasks.TASKS["watch"]["problemMatcher"]["background"]
    begins, ends = (re.compile(background[f"{one}Pattern"], re.M) for one in ("begins", "ends"))
    watch = Terminal(student, *editor_tasks.command("watch", ADD))
    wrong = SOLVED.replace("int Row", "int Rov")
    try:
        watch.shows("Waiting for the next save")
        for text, words in ((UNGUARDED, " + B["), (wrong, "Row < rows"), (SOLVED, "no such line")):
            watch.save(ADD, text)
            shown = CODES.sub("", watch.shows("Waiting for the next save"))
            begin, end = begins.search(shown), ends.search(shown)
            assert begin and end and begin.start() < end.start(), shown
            marks = editor_tasks.marks("watch", shown[begin.end() : end.start()])
            errors = {mark.line for mark in marks if mark.severity == "error"}
            assert errors == lines_with(text, words), shown
    finally:
        watch.close()


def test_the_patterns_mean_the_same_in_javascript(student: Student) -> None:
    node = shutil.which("node") or ""
    if not node:
        pytest.skip("node is not installed")
    student.has({ADD: UNGUARDED, KERNEL: "int main() { return x; }\n"})
    text = said(student, "test", ADD) + said(student, "test", KERNEL) + said(student, "run", KERNEL)
    pattern = editor_tasks.TASKS["test"]["problemMatcher"]["pattern"]
    script = """
        const [pattern, lines] = JSON.parse(require("fs").readFileSync(0));
        const found = lines.map(line => new RegExp(pattern.regexp).exec(line)).filter(one => one);
        console.log(JSON.stringify(found.map(one => [
            one[pattern.file], +one[pattern.line], one[pattern.severity] || "error",
            one[pattern.message]])));
    """
    given = json.dumps([pattern, text.splitlines()])
    done = subprocess.run([node, "-e", script], input=given, capture_output=True, text=True)
    marks = editor_tasks.marks("test", text)
    found = [[one.file, one.line, one.severity, one.message] for one in marks]
    assert len(marks) >= 3 and json.loads(done.stdout) == found, done.stderr
    assert {mark.severity for mark in marks} <= SEVERITIES


@pytest.fixture(scope="module", name="commands")
def compile_commands() -> list[dict]:
    if not shutil.which("clang++"):
        pytest.skip("clang is not installed")
    done = subprocess.run(["make", "editor"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads((ROOT / "build/compile_commands.json").read_text(encoding="utf-8"))


def checked(arguments: list[str], source: str = "") -> str:
    """Returns clang's output for a file with clangd's command; `source` replaces the file."""
    words = [*arguments[:-1], "-fsyntax-only", "-Werror", source or arguments[-1]]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True).stderr


def test_clang_has_nothing_against_a_lab_or_its_solutions(commands: list[dict]) -> None:
    files = {one["file"] for one in commands if one["file"].endswith((".cu", "answers.h"))}
    lab_files = {str(path.relative_to(ROOT)) for path in ROOT.glob("lab*/*.cu")}
    assert files >= lab_files | {f"solutions/{file}" for file in lab_files}
    said_of = {one["file"]: checked(one["arguments"]) for one in commands if one["file"] in files}
    assert {file: text for file, text in said_of.items() if text} == {}


WRONG = {
    "p[i] = host(i);": "no matching function for call to 'host'",
    "p[threadIDx.x] = 0;": "undeclared identifier 'threadIDx'",
    "threadIdx.x = 0;": "cannot assign to variable 'threadIdx'",
    "} void f() { kernel<<<1>>>(0, 1);": "too few execution configuration arguments",
    "} void f() { kernel(0, 1);": "call to global function 'kernel' not configured",
    "} void f() { kernel<<<1, 2>>>(0);": "too few arguments to function call",
}


@pytest.mark.parametrize("line", WRONG)
def test_clang_knows_what_cuda_forbids(
    commands: list[dict], line: str, tmp_path: pathlib.Path
) -> None:
    text = f"int host(int i);\n__global__ void kernel(float* p, int i) {{\n{line}\n}}\n"
    (tmp_path / "kernel.cu").write_text(text, encoding="utf-8")
    arguments = next(one["arguments"] for one in commands if one["file"] == KERNEL)
    report = checked(arguments, str(tmp_path / "kernel.cu"))
    assert re.search(rf"kernel.cu:3:\d+: error: .*{re.escape(WRONG[line])}", report), report


def test_clangd_shows_no_error_in_a_skeleton_or_its_solution(commands: list[dict]) -> None:
    clangd = shutil.which("clangd") or ""
    if not clangd:
        pytest.skip("clangd is not installed")
    for file in (KERNEL, f"solutions/{KERNEL}"):
        done = subprocess.run([clangd, f"--check={file}"], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0 and "-x cuda" in done.stderr, done.stderr
        assert "All checks completed, 0 errors" in done.stderr, done.stderr
