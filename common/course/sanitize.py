"""Prints what the tests on a card and compute-sanitizer's four tools find in .cu files, beside what
the simulated device finds: a line each. Called by a lab's `make sanitize`.

usage: student.py sanitize LAB PART FILE...

COMPILE_ONLY=1 builds the tests for the card and runs nothing. Exit status: 1 if a tool finds
something in a single file; among several, the known mistakes, that is expected. 2 if
a tool did not run.
"""

import concurrent.futures
import dataclasses
import os
import re
import subprocess
import tempfile
from collections.abc import Callable

from course import lab_make
from course.places import BYTES, say_and_exit

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
# Left out of the first line of a tool's finding.
SHORTER = (
    (r"^Program hit (cuda[A-Za-z]*) .* call to (cuda[A-Za-z0-9_]*)\.*$", r"\1 from \2"),
    (r" at .*", ""),
    (r"^[EW][a-z]*: Race reported between", "race,"),
)


def lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def verdict(report: str) -> str:
    """Returns a summary of a report of the tests."""
    findings = re.findall(r"^Findings: (.+)", report, re.MULTILINE)
    if findings:
        return "\n".join(findings)
    if re.search(r"^\d+ passed, 0 failed$", report, re.MULTILINE):
        return "all tests pass"
    counts = re.findall(r"^\d+ passed, .*", report, re.MULTILINE)
    return "\n".join(counts) or f"the tests end early: {lines_of(report)[-1]}"


def found_by(log: str) -> tuple[int, str]:
    """Returns 2 if the tool did not run, 1 if it found something, else 0; and its finding."""
    lines = lines_of(log)
    count = re.search(r"^========= (?:ERROR|RACECHECK) SUMMARY: (\d+) ", log, re.MULTILINE)
    if not count:
        return 2, f"did not run: {next(filter(None, reversed(lines)), '')}"
    if count[1] == "0":
        return 0, "nothing"
    told = [line for line in lines if "COMPUTE-SANITIZER" not in line]
    what = next((line[10:] for line in told if re.match("========= [A-Z]", line)), "")
    for pattern, words in SHORTER:
        what = re.sub(pattern, words, what, count=1)
    line = re.search(r"\.cu:(\d*)", log)
    return 1, f"{count[1]}: {what}" + (f", line {line[1]}" if line else "")


@dataclasses.dataclass(frozen=True)
class Sanitizer:
    """Examines the files of one part of a lab; without a program it only compiles."""

    lab: str
    part: str
    program: str
    several: bool

    def make(self, target: str, file: str, device: str) -> "subprocess.CompletedProcess[str]":
        words = (f"LAB={self.lab}", f"PART={self.part}", "SOLUTION=", f"KERNEL={file}")
        said = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        return lab_make.run(*words, f"DEVICE={device}", target, **said, **BYTES)

    def simulator(self, file: str) -> str:
        """Returns what the simulated device finds; for a known mistake, its first line says so."""
        with open(file, **BYTES) as source:
            first = source.readline().rstrip("\n")
        if first.startswith("// Finding: "):
            return first.removeprefix("// Finding: ")
        if subprocess.call(["common/setup/boost_context.sh"], stdout=subprocess.DEVNULL):
            return "not there (make doctor)"
        return verdict(self.make("test", file, "sim").stdout)

    def tool(self, name: str, tests: str) -> tuple[int, str]:
        """Runs one of the sanitizer's tools on the tests; returns the result of found_by."""
        options = ["--tool", name, "--destroy-on-device-error", "kernel"]
        options += ["--leak-check", "full"] if name == "memcheck" else []
        with tempfile.TemporaryFile("w+", **BYTES) as log:
            command = ["timeout", "300", self.program, *options, tests]
            running = subprocess.Popen(command, stdout=log, stderr=log, close_fds=False)
            try:
                running.wait()
            except KeyboardInterrupt:
                running.terminate()  # timeout's process group gets no Ctrl-C
                raise
            log.seek(0)
            return found_by(log.read())

    def examine(self, file: str, say: Callable[[str], None]) -> int:
        """Prints what is found in a file; returns a status like the program's."""

        def row(name: str, words: str) -> None:
            for line in lines_of(f"  {name:<9}  {words}"):
                say(line[:80])

        say(file)
        if self.program:
            row("simulator", self.simulator(file))
        built = self.make("tests_program", file, "gpu")
        if built.returncode:
            for line in lines_of(built.stdout):
                say(f"  {line}")
            return 2
        if not self.program:
            row("the card", "compiled, not run (COMPILE_ONLY=1)")
            return 0
        report = self.make("test", file, "gpu").stdout
        row("the card", verdict(report))
        status = 0
        for name in TOOLS:
            # Each tool would wait two minutes more, although the reason is known.
            if self.several and "has not come back" in report:
                row(name, "left out: the kernel hangs")
                continue
            found, words = self.tool(name, lines_of(built.stdout)[-1])
            status = max(status, found)
            row(name, words)
        return status


def examine_all(sanitizer: Sanitizer, files: list[str]) -> int:
    """Examines several files at once and prints them in the order of their names."""

    def examine(file: str) -> tuple[int, list[str]]:
        lines: list[str] = []
        return sanitizer.examine(file, lines.append), lines

    # What they share is built once, before they build at the same time.
    sanitizer.make("tests_program", files[0], "gpu")
    status = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for found, lines in pool.map(examine, sorted(files)):
            print(*lines, sep="\n")
            status = max(status, found)
    return 2 if status == 2 else 0


def main(lab: str, part: str, *files: str) -> int:
    if not files:
        say_and_exit(2, f"make sanitize: {lab}, {part} has no known mistakes here.")
    command = ["common/setup/cuda.sh", "sanitizer"]
    program = subprocess.run(command, stdout=subprocess.PIPE, **BYTES).stdout.strip()
    only = os.environ.get("COMPILE_ONLY", "").removeprefix("0")
    if not program and not only:
        sentence = "there is no compute-sanitizer; install the CUDA toolkit with its tools."
        say_and_exit(2, f"make sanitize: {sentence}")
    sanitizer = Sanitizer(lab, part, "" if only else program, len(files) != 1)
    if sanitizer.several:
        return examine_all(sanitizer, list(files))
    return sanitizer.examine(files[0], print)
