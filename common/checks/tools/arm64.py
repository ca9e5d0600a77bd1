#!/usr/bin/env python3
"""Builds the units of common/ and every solution, style and known mistake for arm64, runs them
under qemu, and compares each report with this machine's. Prints a table that ends in the line
'N passed, N failed'; differences are shown, and stored in build/check as .diff.

usage: arm64.py [--jobs N] [--minutes N] [--only WORDS]    those whose name contains the words

Needs g++-aarch64-linux-gnu, qemu-user and the libboost_context.a of libboost-context1.74-dev:arm64,
or that of another release, and Catch2's if it is a library (see TO_INSTALL). Exit status 0: all
reports are the same; 1: one is not; 2: something is missing.
"""

import argparse
import difflib
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

sys.path.append(str(pathlib.Path(__file__).parents[1] / "kit"))
import judging  # noqa: E402
import mistakes  # noqa: E402
from run_report import LOGS, ROOT, begun, jobs  # noqa: E402

BUILD = pathlib.Path("build/arm64")
TRIPLET = "aarch64-linux-gnu"
CXX = BUILD / "tools/g++"
TO_INSTALL = f"""arm64.py needs {{}}. On Debian and Ubuntu:
  sudo apt-get install g++-{TRIPLET} qemu-user
  sudo dpkg --add-architecture arm64 && sudo apt-get update
  mkdir -p {BUILD} && cd {BUILD}
  apt-get download libboost-context1.74-dev:arm64
  dpkg -x libboost-context*.deb root   # Ubuntu 24.04: 1.83, and catch2:arm64"""
# Compiles, and replaces each linked program by a script that runs it under qemu.
COMPILER = f"""#!/bin/sh
{TRIPLET}-g++ -L"{ROOT / BUILD}/lib" "$@" || exit
for word; do before=$last last=$word; done
[ "$before" = -o ] && [ -f "$last" ] && [ -x "$last" ] || exit 0
mv "$last" "$last.arm64"
printf '#!/bin/sh\\nexec qemu-aarch64 -R 48G -L /usr/{TRIPLET} "%s" "$@"\\n' \\
    "$(realpath "$last.arm64")" >"$last"
chmod +x "$last"
"""
KINDS = ("unit", "solution", "style", "mistake")
UNITS = ["matrix", "simulator", "harness", "testing", "verdict"]
TO_BUILD = [f"CXX={CXX}", f"OBJCOPY={TRIPLET}-objcopy", f"BUILD={BUILD}"]
# Lines of make, lines with times, and counts that depend on a race: these differ from run to run.
IGNORED = re.compile(
    r"^(  (compile|link|archive) |make: | *[-0-9.e]+ s: )"
    r"|threads use [\d,]+ copies|[\d,]+ of [\d,]+ threads are the first to draw"
)


def libraries() -> list[str]:
    """Returns the libraries of Catch2 to link; Catch2 2.x is a header."""
    catch = any(
        os.path.exists(f"{root}/include/catch2/catch_all.hpp") for root in ("/usr", "/usr/local")
    )
    return ["libboost_context.a", *(["libCatch2.a"] if catch else [])]


def missing() -> str:
    """Returns what this machine lacks; installs the compiler and the library in their folders."""
    for program in (f"{TRIPLET}-g++", f"{TRIPLET}-objcopy", "qemu-aarch64"):
        if not shutil.which(program):
            return program
    (BUILD / "lib").mkdir(parents=True, exist_ok=True)
    CXX.parent.mkdir(exist_ok=True)
    CXX.write_text(COMPILER, encoding="utf-8")
    CXX.chmod(0o755)
    own = BUILD / "root/usr/lib"
    places = [own, own / TRIPLET, pathlib.Path("/usr/lib", TRIPLET)]
    for library in libraries():
        found = [at / library for at in places if (at / library).exists()]
        if not found:
            return f"{library} for arm64"
        shutil.copy(found[0], BUILD / "lib")
    return ""


class Work(NamedTuple):
    """A file to judge, or a unit of common/."""

    lab: str
    part: str
    kind: str
    name: str = ""
    variables: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(filter(None, (self.lab, self.part, self.kind, self.name)))

    def do(self) -> str:
        """Returns the verdict, as Report.tally() takes it."""
        return unit(self.part) if self.kind == "unit" else compared(self)


def unit(name: str) -> str:
    log = LOGS / f"unit-arm64-{name}.log"
    with open(log, "wb") as file:
        status = subprocess.run([BUILD / f"test_{name}"], stdout=file, stderr=file).returncode
    return f"FAIL common/{name} ({log.relative_to(ROOT)})" if status else f"ok common/{name}"


def lines(run: judging.Run) -> list[str]:
    return [line for line in run.report.splitlines() if not IGNORED.search(line)]


def compared(work: Work) -> str:
    """Judges a file on both machines."""
    what = "-".join(filter(None, (work.kind, work.name)))
    place = (work.lab, work.part)
    here = judging.Run(*place, f"x86-64-{what}", *work.variables)
    there = judging.Run(*place, f"arm64-{what}", *work.variables, *TO_BUILD)
    if not re.search(r"^\d+ passed, \d+ failed$", here.report, re.MULTILINE):
        return f"FAIL {work}: no report on x86-64 ({here.log.relative_to(ROOT)})"
    if lines(here) == lines(there):
        return f"ok {work}"
    diff = there.log.with_suffix(".diff")
    told = difflib.unified_diff(lines(here), lines(there), "x86-64", "arm64", n=1, lineterm="")
    diff.write_text("\n".join(told) + "\n", encoding="utf-8")
    kind = "findings differ" if here.findings != there.findings else "the report differs"
    return f"FAIL {work}: {kind} ({diff.relative_to(ROOT)})"


def of_part(lab: str, part: str) -> Iterator[Work]:
    """Yields the solution, the styles and the known mistakes of a part."""
    # The questions are about the solution's kernel.
    also = ("SOLUTION=1",) if part == "answers" else ()
    yield Work(lab, part, "solution", "", ("SOLUTION=1",))
    styles = [mistakes.file_of(style) for style in mistakes.styles(lab, part)]
    if part == "answers":
        styles = [*(mistakes.STYLES / lab / part).glob("*.h")]
    for style in sorted(styles):
        yield Work(lab, part, "style", style.stem, (*also, f"KERNEL={style}"))
    for mistake in mistakes.found(lab, part):
        made = mistakes.make(mistake)
        yield Work(lab, part, "mistake", mistake.name, (*also, f"KERNEL={made}"))


def make(*words: str) -> None:
    command = ["make", "--no-print-directory", *words]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
        sys.exit(f"{' '.join(command)} failed")


def build(parallel: str, works: list[Work]) -> None:
    """Builds what several files share, so that no two of them build it at the same time."""
    parts = dict.fromkeys((work.lab, work.part) for work in works if work.kind != "unit")
    for more in (), TO_BUILD:
        make(parallel, *more, "libraries")
        for lab, part in parts:
            rules = ["-f", "common/lab_rules.mk", f"LAB={lab}", f"PART={part}", "SOLUTION=1"]
            make(parallel, *rules, *more, "tests_program")
    programs = [f"{BUILD}/test_{work.part}" for work in works if work.kind == "unit"]
    make(parallel, *TO_BUILD, "libraries", *programs)


def table(came: dict[Work, bool]) -> str:
    """Returns a line per part: how many of its files get the same report."""
    text = [f"{'the same on arm64':32}" + "".join(f"{kind + 's':>12}" for kind in KINDS)]
    for place in sorted({(work.lab, work.part) for work in came}):
        cells = []
        for kind in KINDS:
            same = [ok for work, ok in came.items() if (*place, kind) == work[:3]]
            cells.append(f"{sum(same)} of {len(same)}" if same else "")
        text.append(f"{' '.join(place):32}" + "".join(f"{cell:>12}" for cell in cells))
    return "\n".join(line.rstrip() for line in text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares arm64's reports with x86-64's.")
    parser.add_argument("--jobs", type=int, default=jobs())
    parser.add_argument("--minutes", type=int, default=600)
    parser.add_argument("--only", default="", metavar="WORDS")
    asked = parser.parse_args()
    os.chdir(ROOT)
    lacking = missing()
    if lacking:
        print(TO_INSTALL.format(lacking), file=sys.stderr)
        return 2
    report, came = begun(), {}
    parts = [(lab, part) for lab in judging.labs() for part in [*judging.parts(lab), "answers"]]
    # All parts in turn, so that an interrupted run has judged some files of each.
    turns = [(n, work) for one in parts for n, work in enumerate(of_part(*one))]
    turns.sort(key=lambda turn: (KINDS.index(turn[1].kind), turn[0]))
    works = [Work("common", name, "unit") for name in UNITS] + [work for _, work in turns]
    todo = [work for work in works if asked.only in str(work)]
    build(f"-j{asked.jobs}", todo)
    end = time.monotonic() + 60 * asked.minutes

    def do(work: Work) -> str:
        if time.monotonic() > end:
            return f"left out: {work}: {asked.minutes} minutes are over"
        verdict = work.do()
        came[work] = verdict.startswith("ok ")
        return verdict

    for verdict in report.each(asked.jobs, {str(one): functools.partial(do, one) for one in todo}):
        report.tally(verdict)
    report.say(table(came))
    return report.summary()


if __name__ == "__main__":
    sys.exit(main())
