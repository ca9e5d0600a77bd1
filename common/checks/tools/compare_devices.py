#!/usr/bin/env python3
"""Prints the verdicts of the simulated device and of a real card, side by side: for each known
mistake of the labs the required finding of the simulated device (its first line) and what the tests
of values find on the card. Solutions, and kernels in other right styles, must pass there, too; they
are printed if they do not. Needs a card. A kernel that hangs there takes two minutes.

usage: compare_devices.py LAB... >solutions/mistakes/results/CARD.csv

Then common/checks/tools/update_pages.py writes the result into solutions/mistakes/README.md.
Exit status: 0, or 1 if a right kernel fails on the card.
"""

import concurrent.futures
import functools
import os
import pathlib
import re
import sys
from collections.abc import Callable, Iterator

sys.path.append(str(pathlib.Path(__file__).parents[1] / "kit"))
import judging  # noqa: E402
import mistakes  # noqa: E402
from run_report import ROOT, own_make  # noqa: E402

LOGS = pathlib.Path("build/compare")


def words_of(report: str) -> str:
    """Returns the finding of a report of the card's tests, in a few words."""
    findings = re.findall(r"^Findings: (.*)", report, re.MULTILINE)
    if findings:
        return "\n".join(findings)
    if re.search(r"^\d+ passed, 0 failed$", report, re.MULTILINE):
        return "pass"
    if "none runs on a card" in report:
        return "no test of values"
    if "has not come back" in report:
        return "hangs"
    return f"end early: {(report.splitlines() or [''])[-1]}"


def card(lab: str, part: str, *variables: str) -> str:
    """Returns what the card's tests of a part find."""
    name = re.sub(r"\W", "-", " ".join(variables), flags=re.ASCII)[-59:]
    log = LOGS / f"{lab}-{part}-{name}.log"
    judging.make(lab, part, "DEVICE=gpu", *variables, "test", log=log)
    return words_of(log.read_text(encoding="utf-8", errors="replace"))


def right(lab: str, part: str, name: str, *variables: str) -> str:
    """Returns the line of a kernel that must pass, '' if it does."""
    verdict = card(lab, part, *variables)
    return "" if verdict in ("pass", "no test of values") else f"{lab}/{part};{name};pass;{verdict}"


def wrong(mistake: mistakes.Mistake) -> str:
    lab, part, findings = mistake.lab, mistake.part, mistake.head[0].removeprefix("Finding: ")
    verdict = card(lab, part, f"KERNEL={mistakes.make(mistake)}")
    return f"{lab}/{part};{mistake.name};{findings};{verdict}"


def runs(lab: str, part: str) -> Iterator[Callable[[], str]]:
    """Yields functions that return the line of each of a part's kernels."""
    yield functools.partial(right, lab, part, "solution", "SOLUTION=1")
    for width in judging.tile_widths(lab, part):
        yield functools.partial(right, lab, part, f"solution,{width}", "SOLUTION=1", width)
    for style in map(mistakes.file_of, mistakes.styles(lab, part)):
        yield functools.partial(right, lab, part, style.stem, f"KERNEL={style}")
    for mistake in mistakes.found(lab, part):
        yield functools.partial(wrong, mistake)


def main(labs: list[str]) -> int:
    own_make()
    LOGS.mkdir(parents=True, exist_ok=True)
    parts = [(lab, part) for lab in labs for part in judging.parts(lab)]
    for lab, part in parts:  # alone, to build the common objects for the others
        card(lab, part, "SOLUTION=1")
    print("part;kernel;simulated device;card", flush=True)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        lines = pool.map(lambda run: run(), [run for one in parts for run in runs(*one)])
        table = "".join(f"{line}\n" for line in sorted(filter(None, lines)))
    (LOGS / "table.csv").write_text(table, encoding="utf-8")
    print(table, end="")
    return 1 if ";pass;" in table else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
