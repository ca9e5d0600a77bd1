"""Checks the rules of make: how many programs a test starts, and what the rules leave to others."""

import pathlib
import re
import shutil
import subprocess

import course_copy
import pytest
from command_runs import environment
from shown_commands import ROOT

MOST_MAKES, MOST_PROGRAMS = 3, 60


def rules() -> list[pathlib.Path]:
    """Returns the course's own files of make."""
    files = [ROOT / name for name in course_copy.files()]
    here = [path for path in files if path.exists()]
    return [path for path in here if path.suffix == ".mk" or path.name == "Makefile"]


def started(trace: str) -> list[str]:
    """Returns the names of the programs in what strace says."""
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
