"""Checks make's messages about mistyped goals, variables and values, and about a first build; the
number of programs that a test starts, and the limits of the rules."""

import os
import pathlib
import re
import shutil
import subprocess

import course_copy
import pytest
from calls import ROOT, ended, environment, make

MOST_MAKES, MOST_PROGRAMS = 5, 60
LAB = ("-C", "lab1_naive", "test", "PART=kernel")
SLIPS = {
    "SCHEDUL=reverse": "SCHEDUL: did you mean SCHEDULE?",
    "kernel=a.cu": "kernel: did you mean KERNEL?",
    "WIDTH=32": "WIDTH: the labs have no such variable; make -C lab1_naive lists them.",
    "COMPILEONLY=1": "COMPILEONLY: did you mean COMPILE_ONLY?",
}
WRONG = {
    "COMPILE_ONLY=yes": "write 1 to compile without running; leave it out to run.",
    "SOLUTION=no": "write 1 for the solution; leave it out for your own file.",
    "EXPLAIN=some": "write all to see every failed test explained.",
    "DEVICE=cpu": "no such device; write DEVICE=sim or DEVICE=gpu.",
    "ARCH=9.0": "write the card's compute capability without its point, as in 90.",
    "TILE_WIDTH=0": "write a whole number from 1 to 32; a block has at most 1,024 threads.",
    "TILE_WIDTH=33": "write a whole number from 1 to 32; a block has at most 1,024 threads.",
    "SCHEDULE=back": "write forward, reverse or random:SEED.",
    "SCHEDULE=random:x": "the seed is a whole number, as in random:7.",
}


def refusal(*words: str, **variables: str) -> str:
    """Returns the first line of make's output for a command that it refuses."""
    return ended(make(*words, **variables), 2).splitlines()[0]


@pytest.mark.parametrize("given", SLIPS)
def test_a_mistyped_variable_is_named(given: str) -> None:
    assert refusal(*LAB, given) == SLIPS[given]


@pytest.mark.parametrize("given", WRONG)
def test_a_wrong_value_is_refused(given: str) -> None:
    assert refusal(*LAB, given) == f"{given}: {WRONG[given]}"


def test_a_value_of_the_environment_is_refused_too() -> None:
    assert refusal(*LAB, TILE_WIDTH="x").startswith("TILE_WIDTH=x: write a whole number")


def test_compile_only_is_refused_without_a_card() -> None:
    assert refusal(*LAB, "COMPILE_ONLY=1").startswith("COMPILE_ONLY=1 goes with DEVICE=gpu")


def test_a_file_that_is_not_there_is_named() -> None:
    assert "nowhere.cu: no such file; KERNEL= takes" in refusal(*LAB, "KERNEL=nowhere.cu")


def test_a_value_may_look_like_a_variable() -> None:
    status, said = make(*LAB, "SOLUTION=1", "ARGS=--sets SCHEDUL=1 KERNAL=2")
    assert status == 0 and re.search("(?m)^1[0-9] passed, 0 failed$", said), said


ELSEWHERE = {
    ("lab1", "SCHEDUL=reverse"): "SCHEDULE",
    ("progress", "TODOS=3"): "TODO",
    ("-C", "lab1_naive", "hint", "AGIN=1"): "AGAIN",
    ("grade", "SEDE=x"): "SEED",
    ("release", "LAB=x"): "LABS",
    ("similarity", "SUBMISSION=x"): "SUBMISSIONS",
    ("compare", "BEFOR=x"): "BEFORE",
}


@pytest.mark.parametrize("words", ELSEWHERE, ids=" ".join)
def test_every_goal_names_a_mistyped_variable(words: tuple[str, ...]) -> None:
    status, said = make(*words)
    slip = words[-1].partition("=")[0]
    assert status == 2 and f"{slip}: did you mean {ELSEWHERE[words]}?" in said.splitlines(), said


def test_a_goal_of_the_teachers_says_what_it_knows() -> None:
    ended(
        make("github", "WIDTH=32"), 2, "WIDTH: make github has no such variable; it has OUT LABS.\n"
    )


GOALS = {
    ("tset",): "tset: did you mean test?",
    ("tests",): "tests: did you mean test?",
    ("prgress",): "prgress: did you mean progress?",
    ("lab9",): "lab9: did you mean lab1?",
    ("realease",): "realease: did you mean release?",
    ("compile_all",): "compile_all: no such goal; make help lists them.",
    ("common",): "common: no such goal; make help lists them.",
    ("lab1_naive/",): "lab1_naive/: did you mean lab1_naive?",
    ("-C", "lab1_naive", "tset"): "tset: did you mean test?",
    ("-C", "lab1_naive", "Rest"): "Rest: did you mean test?",
    ("-C", "lab4_memtypes", "compile_all"): "compile_all: no such goal; make help lists them.",
}
PARTS = sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("lab*/*/") if file.name != "next")


@pytest.mark.parametrize("words", GOALS, ids=" ".join)
def test_a_mistyped_goal_is_named(words: tuple[str, ...]) -> None:
    assert refusal(*words) == GOALS[words]


@pytest.mark.parametrize("folder", PARTS)
def test_make_in_a_folder_of_a_part_names_the_command_in_the_lab(folder: str) -> None:
    part = folder.partition("/")[2]
    for goals, shown in (((), "test"), (("run",), "run")):
        sentence = f"make works in the lab above: make -C .. {shown} PART={part}"
        assert refusal("-C", folder, *goals) == sentence


@pytest.mark.parametrize("goal", ["figures", "progress"])
def test_a_lab_that_is_not_there_is_named(goal: str) -> None:
    there = "there are lab1_naive, lab2_tiled, lab3_boundary, lab4_memtypes."
    assert refusal(goal, "LABS=lab9") == f"LABS=lab9: there is no such lab; {there}"


def test_make_clean_leaves_what_make_reset_has_kept(tmp_path: pathlib.Path) -> None:
    build = tmp_path / "build"
    mine, built = build / "kept/lab1_naive/kernel-1.cu", build / "obj/a.o"
    for file in (mine, built):
        file.parent.mkdir(parents=True)
        file.touch()
    assert "kept stays" in ended(make("clean", f"BUILD={build}"), 0)
    assert mine.exists() and [path.name for path in build.iterdir()] == ["kept"]
    shutil.rmtree(build / "kept")
    assert ended(make("clean", f"BUILD={build}"), 0) == "" and not build.exists()


def test_a_first_build_says_that_it_takes_longer(tmp_path: pathlib.Path) -> None:
    build = os.path.relpath(tmp_path, ROOT)  # make accepts no blank
    assert make(*LAB, "-n", f"BUILD={build}")[1].count("The first build") == 1


def test_a_later_build_does_not_even_if_make_test_passes_its_folder_on() -> None:
    assert "The first build" not in make(*LAB, "-n", BUILD="build")[1]


def rules() -> list[pathlib.Path]:
    """Returns the course's own files of make."""
    files = [ROOT / name for name in course_copy.files()]
    here = [path for path in files if path.exists()]
    return [path for path in here if path.suffix == ".mk" or path.name == "Makefile"]


def started(trace: str) -> list[str]:
    """Returns the names of the programs in strace's output."""
    return re.findall(r'execve\("(?:[^"]*/)?([^"/]+)".* = 0$', trace, re.MULTILINE)


def test_a_second_test_of_a_lab_starts_few_programs_and_makes(tmp_path: pathlib.Path) -> None:
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    log = tmp_path / "trace"
    test = ["make", "-C", "lab1_naive", "test"]
    quiet = {"cwd": ROOT, "env": environment(), "stdout": subprocess.DEVNULL}
    subprocess.run(test, stderr=subprocess.DEVNULL, **quiet)
    traced = ["strace", "-f", "-qq", "-e", "trace=execve", "-o", str(log), *test]
    done = subprocess.run(traced, stderr=subprocess.PIPE, text=True, **quiet)
    if "ptrace" in done.stderr:
        pytest.skip("no process may be traced here")
    programs = started(log.read_text(encoding="utf-8", errors="replace"))
    assert programs[0] == "make" and "tests" in programs, programs
    assert programs.count("make") <= MOST_MAKES and len(programs) <= MOST_PROGRAMS, programs


def test_no_file_of_make_reads_what_make_was_called_with() -> None:
    assert len(rules()) > 20
    told = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in rules()
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\$[({]-*(MAKEFLAGS|MFLAGS)\b|\$[({][a-z].*\bMAKEFLAGS", line)
    ]
    assert told == []


def test_the_rules_of_a_lab_call_no_make() -> None:
    files = [ROOT / "common" / name for name in ("lab.mk", "lab_rules.mk", "program.mk", "gpu.mk")]
    files += [*ROOT.glob("lab*/rules.mk"), *ROOT.glob("common/grading/lab.mk")]
    told = [path.name for path in files if "$(MAKE)" in path.read_text(encoding="utf-8")]
    assert told == []
