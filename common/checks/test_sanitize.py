"""Checks that `make sanitize` prints the finding of every tool. Fake programs replace make and
compute-sanitizer, which needs a card."""

import os
import pathlib
import sys
from typing import NamedTuple

import pytest
from calls import call

pytestmark = pytest.mark.seconds(3)

MAKE = """#!/bin/sh
case "$*" in
    *KERNEL=*broken.cu*tests_program) echo 'broken.cu:3: error: expected a ;'; exit 2 ;;
    *tests_program) printf '  nvcc a.cu\\nbuild/gpu/tests\\n' ;;
    *KERNEL=*hangs.cu*) echo 'The kernel has not come back after two minutes.' ;;
    *) printf 'Findings: wrong-value\\n\\n1 passed, 1 failed\\n' ;;
esac
"""
# Prints the content of a file of the tool's name, and its own arguments.
SANITIZER = """#!/bin/sh
echo "$*" >>"$SAID/calls"
echo '========= COMPUTE-SANITIZER'
cat "$SAID/$2"
"""
NOTHING = "========= ERROR SUMMARY: 0 errors\n"
READ = """========= Invalid __global__ read of size 4 bytes
=========     at kernel(float*)+0x90 in /x/kernel.cu:26
=========     by thread (3,0,0) in block (1,0,0)
========= ERROR SUMMARY: 3 errors
"""
API = """========= Program hit cudaErrorInvalidValue (error 1) on CUDA API call to cudaMemcpy.
========= ERROR SUMMARY: 1 error
"""
RACE = """========= Error: Race reported between Write access at k()+0x1 in kernel.cu:31
=========     and Read access at k()+0x2 in kernel.cu:33 [4 hazards]
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""


class Ended(NamedTuple):
    status: int
    lines: list[str]


class Stand:
    """A folder with the fake programs, the tools' findings, and files to examine."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        for name, text in (("make", MAKE), ("compute-sanitizer", SANITIZER)):
            (folder / name).write_text(text, encoding="utf-8")
            (folder / name).chmod(0o755)
        self.find()

    def find(self, **found: str) -> None:
        for tool in ("memcheck", "racecheck", "initcheck", "synccheck"):
            (self.folder / tool).write_text(found.get(tool, NOTHING), encoding="utf-8")

    def sanitize(self, *names: str, **variables: str) -> Ended:
        """Runs the tool on known mistakes of these names."""
        files = [self.folder / f"{name}.cu" for name in names]
        for file in files:
            file.write_text("// Finding: race\n", encoding="utf-8")
        given = {"PATH": f"{self.folder}:{os.environ['PATH']}", "SAID": str(self.folder)}
        command = (sys.executable, "-E", "-S", "common/course/student.py", "sanitize")
        status, said = call(*command, "lab2_tiled", "kernel", *files, **(given | variables))
        return Ended(status, said.replace(f"{self.folder}/", "").splitlines())


@pytest.fixture
def stand(tmp_path: pathlib.Path) -> Stand:
    return Stand(tmp_path)


def test_each_tool_is_reported_with_its_finding(stand: Stand) -> None:
    stand.find(memcheck=READ, racecheck=RACE, initcheck=API)
    assert stand.sanitize("a") == Ended(
        1,
        [
            "a.cu",
            "  simulator  race",
            "  the card   wrong-value",
            "  memcheck   3: Invalid __global__ read of size 4 bytes, line 26",
            "  racecheck  1: race, Write access, line 31",
            "  initcheck  1: cudaErrorInvalidValue from cudaMemcpy",
            "  synccheck  nothing",
        ],
    )
    calls = (stand.folder / "calls").read_text(encoding="utf-8").splitlines()
    assert calls == [
        f"--tool {tool} --destroy-on-device-error kernel {more}build/gpu/tests"
        for tool, more in (
            ("memcheck", "--leak-check full "),
            ("racecheck", ""),
            ("initcheck", ""),
            ("synccheck", ""),
        )
    ]


def test_a_tool_that_does_not_run_is_status_2(stand: Stand) -> None:
    stand.find(memcheck=READ, synccheck="no device\n\n")
    ended = stand.sanitize("a")
    assert (ended.status, ended.lines[-1]) == (2, "  synccheck  did not run: no device")


def test_tools_that_find_nothing_are_status_0(stand: Stand) -> None:
    ended = stand.sanitize("a")
    assert (ended.status, ended.lines[3:]) == (
        0,
        [f"  {tool:9}  nothing" for tool in ("memcheck", "racecheck", "initcheck", "synccheck")],
    )


def test_a_finding_among_several_files_is_expected_and_they_come_in_order(
    stand: Stand,
) -> None:
    stand.find(racecheck=RACE)
    ended = stand.sanitize("b", "a", "hangs")
    assert ended.status == 0
    assert [line for line in ended.lines if line[0] != " "] == ["a.cu", "b.cu", "hangs.cu"]
    assert ended.lines.count("  racecheck  1: race, Write access, line 31") == 2
    assert ended.lines[-1] == "  synccheck  left out: the kernel hangs"
    stand.find(racecheck="")
    assert stand.sanitize("a", "b").status == 2


def test_a_file_that_does_not_compile_is_status_2_with_what_the_compiler_says(stand: Stand) -> None:
    assert stand.sanitize("broken") == Ended(
        2, ["broken.cu", "  simulator  race", "  broken.cu:3: error: expected a ;"]
    )


def test_compile_only_runs_no_tool(stand: Stand) -> None:
    said = ["a.cu", "  the card   compiled, not run (COMPILE_ONLY=1)"]
    assert stand.sanitize("a", COMPILE_ONLY="1") == Ended(0, said)
    assert not (stand.folder / "calls").exists()


def test_a_line_is_cut_for_the_terminal(stand: Stand) -> None:
    stand.find(memcheck=f"========= Leaked{' many' * 20} bytes\n{READ}")
    assert max(map(len, stand.sanitize("a").lines)) == 80


def test_without_compute_sanitizer_or_files_a_sentence_says_so(stand: Stand) -> None:
    assert stand.sanitize().status == 2
    (stand.folder / "compute-sanitizer").unlink()
    folders = os.environ["PATH"].split(":")
    path = [one for one in folders if not os.path.exists(f"{one}/compute-sanitizer")]
    ended = stand.sanitize("a", PATH=":".join(path), CUDA_HOME="/nowhere")
    assert ended.status == 2
    assert ended.lines == [
        "make sanitize: there is no compute-sanitizer; install the CUDA toolkit with its tools."
    ]
