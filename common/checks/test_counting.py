"""Checks that long work shows its progress: one counting line on a terminal, a few lines elsewhere.
Fake programs replace the builds: a Makefile of steps, and a compiler that makes empty files."""

import contextlib
import os
import pathlib
import re
import shlex
import shutil
import sys

import calls
import pytest
from calls import ROOT, call, of_new_terminal

COUNTING = [sys.executable, "-I", "-S", str(ROOT / "common/setup/counting.py")]
MAKEFILE = """\
FILES := $(foreach n,$(shell seq $(N)),file$(n).cpp)
all: $(FILES)
$(FILES):
	$(info $()  compile  $@)
	@[ $@ != "$(WRONG)" ] || { printf '$(SAYS)' >&2; exit 1; }
	@$(SLEEP)
"""
ERROR = "file7.cpp:3:1: error: a long line that the compiler has to say, with ' more\\n  3 | x\n"


def elsewhere(command: list[str], **variables: str) -> tuple[int, str]:
    """Runs a command with its output in a pipe; returns the exit status and what it prints."""
    return call(*command, **variables)


def on_terminal(command: list[str], **variables: str) -> tuple[int, str]:
    """Runs a command on a pseudo-terminal; returns the exit status and its output there."""
    env = of_new_terminal(variables)
    process, ours = calls.on_terminal(command, cwd=ROOT, env=env)
    said = b""
    with contextlib.suppress(OSError):  # the last process has closed the terminal
        while data := os.read(ours, 1 << 16):
            said += data
    os.close(ours)
    return process.wait(), said.decode()


def screen(said: str) -> list[str]:
    """Returns the lines that a terminal shows at the end."""
    lines = []
    for text in said.replace("\r\n", "\n").split("\n"):
        line = ""
        for piece in text.split("\r"):
            assert len(piece) <= 80 or "[" not in piece, piece
            line = piece + line[len(piece) :]
        lines.append(line.rstrip())
    return lines[:-1] if lines[-1] == "" else lines


def counts(said: str) -> list[str]:
    return re.findall(r"\[ *(\d+/\d+)\]", said)


@pytest.fixture(name="make")
def make_of_echos(tmp_path: pathlib.Path):
    """Returns the command for a counted build of this many steps."""
    (tmp_path / "Makefile").write_text(MAKEFILE, encoding="utf-8")

    def command(steps: int, *arguments: str) -> list[str]:
        return [*COUNTING, "make", "-C", str(tmp_path), "-s", f"N={steps}", *arguments]

    return command


def test_a_long_build_counts_on_one_line_of_a_terminal(make) -> None:
    status, said = on_terminal(make(120))
    assert (status, screen(said)) == (0, []), said
    assert "\r[ 37/120] compile file37.cpp" in said
    assert counts(said) == [f"{step}/120" for step in range(1, 121)]


def test_a_step_that_takes_long_shows_its_seconds_on_a_terminal(make) -> None:
    status, said = on_terminal(make(20, "SLEEP=[ $@ != file5.cpp ] || sleep 7"))
    assert (status, screen(said)) == (0, []), said
    assert "\r[ 5/20] compile file5.cpp, 3 s\r" in said and "file5.cpp, 6 s\r" in said, said


def test_elsewhere_a_long_build_prints_its_first_and_its_last_step(make) -> None:
    wanted = "".join(f"[{n:3}/120] compile file{n}.cpp\n" for n in (1, 120))
    assert elsewhere(make(120)) == (0, wanted)


def test_elsewhere_a_long_build_prints_a_line_every_few_seconds(make) -> None:
    slow = "SLEEP=case $@ in file1?.cpp) sleep 0.6 ;; file20.cpp) sleep 7 ;; esac"
    status, said = elsewhere(make(25, slow))
    first, *between, still, last = said.splitlines()
    assert (status, first, last[:7]) == (0, "[ 1/25] compile file1.cpp", "[25/25]"), said
    assert between and re.fullmatch(r"\[20/25] compile file20.cpp, [36] s", still), said


def test_what_a_compiler_says_stays_whole_and_on_lines_of_its_own(make) -> None:
    arguments = ("WRONG=file7.cpp", f"SAYS={ERROR}".replace("'", "'\\''").replace("\n", "\\n"))
    status, said = on_terminal(make(20, *arguments))
    assert status == 2 and screen(said)[:2] == ERROR.replace("\\n", "\n").splitlines(), said
    assert "make: *** " in screen(said)[-1], said
    status, said = elsewhere(make(20, *arguments))
    assert status == 2 and ERROR.replace("\\n", "\n") in said, said


@pytest.mark.parametrize("run", [elsewhere, on_terminal])
def test_a_build_of_a_few_files_looks_as_without_counting(make, run) -> None:
    plain = make(3)[len(COUNTING) :]
    assert run(make(3)) == run(plain)
    assert "  compile  file2.cpp" in run(make(3))[1]
    assert run(make(0)) == run(make(0)[len(COUNTING) :])


def test_a_long_build_is_shown_and_not_made_with_n(make) -> None:
    status, said = elsewhere(make(120), MAKEFLAGS="n")
    assert status == 0 and said.count("printf") == 120, said


def test_the_jobs_of_a_make_above_reach_a_build_that_is_counted(
    make, tmp_path: pathlib.Path
) -> None:
    above = tmp_path / "above.mk"
    above.write_text("all:\n\t@$(COUNTED) $(MAKE) -C '$(FOLDER)' -s N=12\n", encoding="utf-8")
    command = ["make", "-j2", "-f", str(above), f"COUNTED={shlex.join(COUNTING)}"]
    status, said = elsewhere([*command, f"FOLDER={tmp_path}"])
    assert status == 0 and "jobserver" not in said, said
    assert counts(said)[-1] == "12/12", said


STAND_IN = """\
#!/bin/sh
# Plays the compiler: makes an empty file, and one of what it depends on.
case " $* " in *' --version '* | *-print-file-name*) exec g++ "$@" ;; esac
while [ $# != 0 ]; do
    case $1 in -o | -MF) : >"$2" ;; esac
    shift
done
"""


@pytest.fixture(name="first_test")
def first_test_of_a_student(tmp_path: pathlib.Path) -> list[str]:
    """Returns the command for a test that is stopped after the first build."""
    compiler = tmp_path / "compiler"
    compiler.write_text(STAND_IN, encoding="utf-8")
    compiler.chmod(0o755)
    build = "build/check/first_test"  # make accepts no folder with a blank
    shutil.rmtree(ROOT / build, ignore_errors=True)
    command = ["env", f"PATH={tmp_path}:{os.environ['PATH']}", "make", "--no-print-directory"]
    command += ["-C", "lab1_naive", "test", "PART=matrix_add"]
    return [*command, f"BUILD={build}", "CXX=compiler", "OBJCOPY=true"]


def test_a_students_first_test_counts_what_it_builds(first_test: list[str]) -> None:
    status, said = on_terminal(first_test)
    assert status == 2 and counts(said), said
    done, steps = counts(said)[-1].split("/")
    assert done == steps and int(steps) > 20, said
    assert screen(said)[0].startswith("The first build may take a minute"), said
    assert "compile " not in "".join(screen(said)), said
    assert not counts(on_terminal(first_test)[1]), "a later test must not count"


DEMO = ["make", "--no-print-directory", "-f", "common/lab_rules.mk", "LAB=lab1_naive"]
DEMO += ["SOLUTION=1", "run", "ARGS=--table"]


def test_make_demo_says_on_a_terminal_which_data_set_of_which_lab_it_is_at() -> None:
    elsewhere(DEMO)  # builds what is missing
    status, said = on_terminal(DEMO)
    sets = len(screen(said)) - 3
    assert status == 0 and sets > 1, said
    assert counts(said) == [f"{n}/{sets}" for n in range(1, sets + 1)], said
    assert said.count("] lab1_naive, ") == sets and "[" not in "".join(screen(said)), said
    assert not counts(elsewhere(DEMO)[1])


BUILD = """\
import sys, types
sys.path.insert(0, "common/grading")
from grade import course, steps
steps.building = lambda *_: [["make", "-s", "-C", sys.argv[1], f"N={n}"] for n in (30, 40)]
it = course.Course.__new__(course.Course)
it.path, it.parts, it.has_hidden = sys.argv[1], {"lab": []}, False
it.solved, it.references = {}, {}
with open(f"{it.path}.lock", "w", encoding="ascii") as lock:
    it._build("lab", print, lock)
"""


def test_the_build_of_a_course_counts_too_and_its_log_holds_all(
    make, tmp_path: pathlib.Path
) -> None:
    command = [sys.executable, "-B", "-c", BUILD, str(tmp_path)]
    status, said = elsewhere(command)
    assert (status, len(counts(said)), counts(said)[-1:]) == (0, 2, ["40/40"]), said
    status, said = on_terminal(command)
    assert (status, screen(said)) == (0, []) and len(counts(said)) == 40, said
    log = pathlib.Path(f"{tmp_path}.log").read_text(encoding="utf-8")
    assert len(re.findall("^  compile  file", log, re.MULTILINE)) == 70, log
