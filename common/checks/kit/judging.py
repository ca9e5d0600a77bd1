"""Runs the tests of a part of a lab, and checks their report."""

import functools
import os
import pathlib
import re
import subprocess
import sys

from run_report import LOGS, ROOT

sys.path.append(str(ROOT / "common"))
from course import lab_make  # noqa: E402
from course import skeleton as skeleton_of  # noqa: E402
from text import uncaught  # noqa: E402, F401

SECONDS = "300"  # that a run may take
COMMITTED_ALONE = "has changed; commit it together with its solution or lab.toml"


def labs() -> list[str]:
    return sorted(path.parent.name for path in ROOT.glob("lab*/Makefile"))


def parts(lab: str) -> list[str]:
    """Returns a lab's parts that are code; the one after which the lab is named comes first."""
    names = sorted(path.stem for path in (ROOT / lab).glob("*.cu"))
    return sorted(names, key=lambda name: name != "kernel")


def tile_widths(lab: str, part: str) -> list[str]:
    """Returns the widths with which a part is tested, as words for make; none if it has no tile."""
    source = ROOT / "solutions" / lab / f"{part}.cu"
    has_tile = source.exists() and "\n#ifndef TILE_WIDTH" in source.read_text(encoding="utf-8")
    return [f"TILE_WIDTH={width}" for width in (2, 4, 8, 32)] if has_tile else []


def make(lab: str, part: str, *words: str, log: pathlib.Path | None = None) -> int:
    """Runs make for a part, from its variables and goal; returns its exit status."""
    command = ["timeout", SECONDS, *lab_make.RULES, f"LAB={lab}", f"PART={part}", *words]
    env = os.environ | ({"LAB_RESULTS": str(log.with_suffix(".results"))} if log else {})
    with open(log or os.devnull, "wb") as file:
        streams = {"stdin": subprocess.DEVNULL, "stdout": file, "stderr": subprocess.STDOUT}
        return subprocess.run(command, cwd=ROOT, env=env, **streams).returncode


class Run:
    """A run of the tests on one file; its results are left beside its log."""

    def __init__(self, lab: str, part: str, what: str, *variables: str) -> None:
        self.log = LOGS / f"{lab}-{part}-{what}.log"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.with_suffix(".results").unlink(missing_ok=True)
        self.passed = make(lab, part, *variables, "test", log=self.log) == 0

    @functools.cached_property
    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    @property
    def report(self) -> str:
        """Returns the text for a student, without lines for an editor."""
        return self.said.partition("\nFor the editor:\n")[0]

    @property
    def findings(self) -> str:
        """Returns the findings at the report's end; '' if there are none."""
        return "\n".join(re.findall(r"^Findings: (.*)", self.report, re.MULTILINE))

    def says(self, sentence: str) -> bool:
        """Tells whether the report contains a sentence, however it is broken into lines."""
        return " ".join(sentence.split()) in re.sub(r"[ \n]+", " ", self.report)

    def wide(self) -> str:
        """Returns the first line that a terminal would break, '' if there is none."""
        return next((line for line in self.report.splitlines() if len(line) > 80), "")


def todos(source: pathlib.Path) -> list[str]:
    text = source.read_text(encoding="utf-8")
    return sorted(set(re.findall(r"TODO\(\d*\)", text)))


def edited(source: str) -> bool:
    """Tells whether an exercise file differs from its original."""
    return not skeleton_of.Skeletons(str(ROOT)).untouched(source)


def skeleton(lab: str, part: str) -> str:
    """Judges an untouched skeleton; returns a line as Report.tally() takes it.

    A student's edited skeleton says nothing about the original. CI has no students: there an
    edited skeleton was committed without its solution. A copy without solutions is always a
    student's.
    """
    source = f"{lab}/{part}.cu"
    if edited(source):
        if os.environ.get("CI") and (ROOT / "solutions").is_dir():
            return f"FAIL {source} {COMMITTED_ALONE}"
        return f"left out: {lab}, {part}: the skeleton must fail ({source} has been edited)"
    run = Run(lab, part, "skeleton", "EXPLAIN=all")
    log = run.log.relative_to(ROOT)
    if run.passed:
        return f"FAIL {lab}, {part}: the untouched skeleton passes"
    silent = [
        todo
        for todo in todos(ROOT / source)
        if not re.search(rf"^ .*{re.escape(todo)}: ", run.report, re.MULTILINE)
    ]
    if silent:
        told = " ".join(silent)
        return f"FAIL {lab}, {part}: the skeleton's report has no sentence for {told} ({log})"
    return f"ok {lab}, {part}: the skeleton fails with a sentence for every TODO"


def scores(log: pathlib.Path, lab: str, part: str) -> list[dict]:
    """Returns the tests with their points and scores, from the results beside a run's log."""
    import points  # missing in a release
    import scoring

    with open(log.with_suffix(".results"), encoding="utf-8") as lines:
        verdicts = scoring.verdicts_of(lines)
    return scoring.score_tests(points.load(lab).parts[part], verdicts, hidden=False)


def earns_nothing(log: pathlib.Path, lab: str, part: str) -> None:
    """Fails if an untouched skeleton has points."""
    earned = [test["test"] for test in scores(log, lab, part) if test["score"] > 0]
    assert not earned, f"give '{earned[0]}' needs = [...], a test that the skeleton fails"
