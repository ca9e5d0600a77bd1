#!/usr/bin/env python3
"""Runs a lab's test program and judges it by a complete set of results.

usage: run_tests.py sim|gpu FACTS PART PROGRAM

The lab's facts list the tests that must end, and the results file (see results_file.h) tells how
they ended. Nothing else counts, since a program can print anything and end early with any status.
On a card a failed kernel leaves the card unusable to its process, and a crash ends the process. The
tests then go on in a new one, and the report reads like that of a single run.

Exit status 0: all passed; 1: a test failed, or the tests did not finish; 2: wrong usage,
or no card. Imports little, because every test of a lab waits for it.
"""

import json
import os
import re
import signal
import sys
import textwrap
from collections.abc import Callable

CARD_UNUSABLE = 3  # see device_gpu.cpp
END = "the tests did not finish"
NOTHING = "Nothing was judged: {} ended with status 2.\n"
AT_START = """The code under test ends it: check what the initial value, or the constructor, of a
global variable calls."""
IN_TEST = """The code under test ends it: look for a call that ends or replaces a program,
such as _exit or execl, also in threads and in what they call."""
AT_EXIT = """The code under test does that: check the destructors of its global variables, and what it
gives to atexit."""


class WrongUsage(Exception):
    """Says why nothing was judged; empty if the program has said it."""


def facts_of(path: str, part: str) -> dict:
    """Returns what lab.toml says about a part, from the JSON of common/course/facts.py. Raises
    WrongUsage if it has no such part."""
    with open(path, encoding="utf-8") as file:
        parts = json.load(file)
    if part not in parts:
        toml = next(iter(parts.values()))["file"]
        raise WrongUsage(f'{toml} has no part {part}: add a [[part]] with name = "{part}".\n')
    return parts[part]


class Results:
    """Holds what a program has written to its results file."""

    def __init__(self, path: str) -> None:
        self.closed = os.path.exists(path)
        self.end, self.tests = None, {}  # from a test's name to how it ended
        self.failed: list[dict] = []
        try:
            with open(path if self.closed else f"{path}.new", encoding="utf-8") as file:
                lines = file.read().split("\n")
        except FileNotFoundError:
            self.began = False
            return
        self.began = True
        for line in filter(None, lines):
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # cut off at the end of the program
            if "end" in entry:
                self.end = entry
            else:
                self.tests[entry["test"]] = entry["status"]
                if entry["status"] == "failed":
                    self.failed.append(entry)

    def count(self, status: str) -> int:
        return list(self.tests.values()).count(status)

    def complete(self) -> bool:
        words = ("passed", "failed", "left_out")
        counts = {word: self.count(word.replace("_", " ")) for word in words}
        return self.closed and self.end == {"end": True} | counts

    def of_wrong_usage(self, status: int) -> bool:
        """Tells whether the program found no card, could not write its results, or the like."""
        return status == 2 and (not self.tests or (self.end is not None and not self.closed))


def how(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    return f"was ended by {signal.Signals(-status).name} ({signal.strsignal(-status)})"


def not_listed(test: str, facts: dict, above: str, missing: list[str]) -> str:
    import difflib  # not needed in other runs

    file = facts["hidden_file" if test.startswith("hidden: ") else "file"]
    where = f"after '{above}'" if above else "first"
    like = difflib.get_close_matches(test, missing, n=1, cutoff=0.5)
    renamed = f", or replace '{like[0]}' by this name" if like else ""
    return f"{file} does not list the test '{test}': put it there, {where}{renamed}."


def complaint(
    status: int, results: Results, expected: list[str], facts: dict, running: str = ""
) -> str:
    """Returns why these results are incomplete, or nothing if they are complete."""
    failed = results.count("failed")
    missing = [name for name in expected if name not in results.tests]
    other = [name for name in results.tests if name not in expected]
    if results.closed and not results.end and failed:
        return ""  # the program has said that it could not go on
    if not results.began:
        return f"The program {how(status)} before its first test. {AT_START}"
    if other:
        before = list(results.tests)[: list(results.tests).index(other[0])]
        return not_listed(other[0], facts, before[-1] if before else "", missing)
    if missing and results.end:
        return f"The program left out {len(missing)} of its tests, such as '{missing[0]}'."
    if missing:
        return f"The program {how(status)} in the test '{first_of(missing, running)}'. {IN_TEST}"
    if not results.complete() or (status != 0 and not failed):
        return f"All tests had ended when the program {how(status)}. {AT_EXIT}"
    return ""


def first_of(names: list[str], running: str) -> str:
    """Returns the running test as the program says, if it is among the names, else the first."""
    return running if running in names else names[0]


def filled(text: str) -> str:
    return textwrap.fill(text, 73, break_on_hyphens=False)


class Runner:
    """Runs a program as often as needed, and does something else meanwhile. The program writes to a
    folder of the runner's."""

    def __init__(
        self, program: str, folder: str, facts: dict, meanwhile: Callable[[], object]
    ) -> None:
        self.program, self.folder, self.facts = program, folder, facts
        self.meanwhile = meanwhile
        self.results = os.environ.get("LAB_RESULTS") or f"{folder}/results"
        self.findings = f"{folder}/findings"
        self.passed = self.failed = 0
        self.told: list[dict] = []  # of each test that has failed, as editor_lines.py takes it
        # LAB_RUNNER makes the program leave the end of the report to this one.
        os.environ.update(
            LAB_RUNNER="1",
            LAB_RESULTS=self.results,
            LAB_FINDINGS=self.findings,
            LAB_RUNNING=f"{folder}/running",
            LAB_SECTIONS=facts["sections"],
        )

    def run(self, arguments: list[str], captured: bool) -> tuple[int, Results]:
        """Returns the exit status, or minus the signal that ended the program, and its results."""
        for old in (self.results, f"{self.results}.new"):
            if os.path.isfile(old):
                os.remove(old)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        streams = ((1, "report"), (2, "errors")) if captured else ()
        process = os.posix_spawn(
            self.program,
            [self.program, *arguments],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, stream, f"{self.folder}/{name}", flags, 0o600)
                for stream, name in streams
            ],
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],  # which Python ignores
        )
        self.meanwhile()
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        results = Results(self.results)
        self.passed += results.count("passed")
        self.failed += results.count("failed")
        self.told += results.failed
        return status, results

    def fail(self, name: str, why: str) -> None:
        print(f"FAIL  {name}\n{textwrap.indent(why.rstrip(), ' ' * 7)}", flush=True)
        self.failed += 1
        self.told.append({"test": name, "explanation": why, "found": []})
        with open(self.findings, "a", encoding="utf-8") as file:
            file.write("early-end\n")

    def simulated(self, expected: list[str]) -> None:
        status, results = self.run([], captured=False)
        if results.of_wrong_usage(status):
            raise WrongUsage(NOTHING.format(self.program))
        why = complaint(status, results, expected, self.facts, self.running())
        if why:
            print()  # the program's last line may lack its newline
            self.fail(END, filled(why))

    def on_card(self, rest: list[str]) -> None:
        while rest:
            status, results = self.run([specification(rest)], captured=True)
            print(self.report(), end="", flush=True)
            errors = self.text("errors")
            if self.failed:  # the first failure is explained, whichever process it is in
                os.environ["LAB_EXPLAINED"] = "1"
            left = [name for name in rest if name not in results.tests]
            # Only between two tests does the program end with this status.
            goes_on = status == CARD_UNUSABLE and results.tests and left
            if results.of_wrong_usage(status) or goes_on or results.complete():
                sys.stderr.write(errors)
            if results.of_wrong_usage(status):
                raise WrongUsage("" if errors else NOTHING.format(self.program))
            if not goes_on and left and results.began and not results.end:
                last = first_of(left, self.running())
                self.fail(last, f"The code under test ended the program in this test.\n{errors}")
                left.remove(last)
            elif not goes_on:
                why = complaint(status, results, rest, self.facts)
                if why:
                    self.fail(END, f"{filled(why)}\n{errors}")
                return
            rest = left

    def running(self) -> str:
        return self.text("running") if os.path.exists(f"{self.folder}/running") else ""

    def text(self, name: str) -> str:
        with open(f"{self.folder}/{name}", encoding="utf-8", errors="replace") as file:
            return file.read()

    def report(self) -> str:
        """Returns a process's report without its end."""
        own_end = re.compile(r"\n|Findings: |\d+ passed, \d+ failed\n")
        lines = self.text("report").splitlines(keepends=True)
        return "".join(line for line in lines if not own_end.match(line))

    def say_findings(self) -> None:
        if os.path.exists(self.findings):
            line = "Findings: " + ", ".join(sorted(set(self.text("findings").splitlines())))
            if sys.stdout.isatty():
                line = textwrap.fill(line, 80, subsequent_indent="  ", break_on_hyphens=False)
            print(f"\n{line}")

    def say_counts(self) -> None:
        print(f"\n{self.passed} passed, {self.failed} failed", flush=True)

    def say_editor_lines(self) -> None:
        if os.environ.get("LAB_EDITOR") and self.told:
            from testing import editor_lines

            lines = editor_lines.of_tests(self.told, os.environ["LAB_KERNEL"])
            print("\nFor the editor:", *lines, sep="\n", flush=True)


def specification(names: list[str]) -> str:
    """Returns names for Catch2's command line, in which commas and brackets need a backslash."""
    return ",".join(re.sub(r'([\[\],\\"])', r"\\\1", name) for name in names)


def main(
    device: str,
    facts_file: str,
    part: str,
    program: str,
    *,
    meanwhile: Callable[[], object] = lambda: None,
) -> int:
    folder = f"{program}.run.{os.getpid()}"
    os.makedirs(folder)
    try:
        facts = facts_of(facts_file, part)
        runner = Runner(program, folder, facts, meanwhile)
        if device == "sim":
            runner.simulated(facts["sim"])
        else:
            runner.on_card(facts["gpu"])
        runner.say_findings()
        runner.say_counts()
        runner.say_editor_lines()
        return 1 if runner.failed else 0
    except WrongUsage as said:
        sys.stderr.write(str(said))
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader is gone, as in make test | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    finally:
        for name in os.listdir(folder):
            os.remove(f"{folder}/{name}")
        os.rmdir(folder)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
