#!/usr/bin/env python3
"""Measures how well the tests protect the product: plants defects of one line, each in a copy of the
course, and says which check of `make test`, or else of `make check`, finds it.

usage: planted.py draw [--seed WORD] [--count N]   prints N defects, one line of JSON each
       planted.py try [--ring quick|full] [--jobs N] [--folder FOLDER] [--limit SECONDS]
                  [--checks WORDS] LIST [NAME...]
           LIST: the file with the output of draw; NAME: FILE:LINE of those to try, else all
           --checks: the files of checks to run; all if it is not given
       planted.py table [--folder FOLDER] LIST     prints the table of the results

A person who reads LIST may add "equal": "WHY" to a defect that changes nothing: it is not tried, and
has a column of its own. First all checks run without a defect; those that fail then are left out,
and listed. A failure must repeat, else it does not count. If no check ends within --limit seconds,
more than any check allows its commands, the defect hangs: it is not found, and the ring would not
end.

The folder (build/planted) keeps the copies, results.jsonl and the output of each run; an
interrupted run continues where it stopped. It belongs to one state of the course. Exit status 2:
nothing was measured."""

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).parents[1] / "kit"))
import chosen  # noqa: E402
import course_copy  # noqa: E402
import planted_log  # noqa: E402
import run_report  # noqa: E402
from planted_lines import ROOMS, Defect, drawn, with_line  # noqa: E402
from run_report import ROOT  # noqa: E402

RINGS = {"quick": "not full", "full": "full"}
FOLDERS = "common/checks common/grading/tests"
# The unit tests of a room, as pytest chooses them; they come before all else is built.
UNITS = {name: name for name in ("simulator", "testing", "verdict")}
UNITS["matrix"] = "matrix or harness"
# The checks that come next, by a pattern: these most likely find a defect of the room.
NEAR = {
    "simulator": r"test_(program|heard|fault|model)",
    "testing": r"test_(results|reports|answers|own_files)",
    "labs": r"test_(parts|reports|hidden|mutants)\.py.*\[{lab}",
    "verdict": r"test_(record|gate|attacks|heard|hidden)",
    "grading": r"grading/tests|test_(grading|class|release|leftovers|similarity|slurm)",
    "course": r"test_(usage|student|facts|watch|doctor|editor|compile_help|counting|in_turn)",
    "explorer": r"test_(explore|figures|tours|shown_run|site)",
    "matrix": r"test_(fuzz|own_files|commands)\.",
}
# The results of a defect: judged to be equal, found (by a build, or a check of a ring), or not.
CAME = ("equal", "build", "quick", "full", "hangs", "missed", "open")


class Unmeasured(Exception):
    """A sentence that says why nothing can be measured."""


def environment() -> dict[str, str]:
    """Returns the environment of checks: one job each, and the same drawn in each run."""
    own = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "GNUMAKEFLAGS", "LABS", "PART", "JOBS"}
    env = {name: it for name, it in os.environ.items() if name not in own}
    env |= {"CHECKED_LABS": "", "CHECKED_PART": "", "DRAW": chosen.seed(), "OMP_NUM_THREADS": "1"}
    return env | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}


class Copy:
    """A copy of the course, with the files of its runs beside it: NAME.log and NAME.checks."""

    def __init__(self, asked: argparse.Namespace, name: str) -> None:
        self.asked, self.folder = asked, asked.folder / name
        self.log, self.checks = (asked.folder / f"{name}.{end}" for end in ("log", "checks"))
        self.env = environment() | {"PLANTED_CHECKS": str(self.checks)}
        self.env["PLANTED_BASELINE"] = str(asked.folder / "baseline.checks")

    def take(self, plain: "Copy") -> None:
        """Copies the course and its build, with times, unless an interrupted run has done so."""
        if not self.folder.exists():
            new = self.folder.with_name(f"{self.folder.name}.new")
            subprocess.run(["rm", "-rf", new], check=True)
            subprocess.run(["cp", "-a", "--reflink=auto", plain.folder, new], check=True)
            new.rename(self.folder)

    def remove(self) -> None:
        subprocess.run(["rm", "-rf", self.folder], check=True)

    def call(self, *command: str, watched: pathlib.Path | None = None) -> int | None:
        """Runs a command in the copy; returns its status, or None if it hangs: the command does
        not end, and does not write to the watched file, by default the log."""
        with open(self.log, "ab") as log:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        last, file = time.time(), watched or self.log
        while process.poll() is None:
            time.sleep(0.2)
            last = max(last, os.path.getmtime(file) if file.exists() else 0)
            if time.time() - last > self.asked.limit:
                for one in [*run_report.descendants(process.pid), process.pid]:
                    try:
                        os.kill(one, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                process.wait()
                return None
        return process.returncode

    def make(self, *goals: str, jobs: int = 1) -> int | None:
        return self.call("make", f"-j{jobs}", "--no-print-directory", *goals)

    def build_parts(self, ring: str) -> int | None:
        return self.call(self.asked.python, "-B", "common/checks/kit/build_parts.py", ring, "", "")

    def pytest(self, *words: str) -> int | None:
        command = [self.asked.python, "-B", "-m", "pytest", "-c", "common/checks/pytest.ini"]
        command += [
            "--rootdir=.",
            "-p",
            "common.checks.tools.planted_log",
            "-p",
            "xdist.plugin",
            "-q",
        ]
        return self.call(*command, *words, watched=self.checks)

    def note(self, how: str, name: str) -> None:
        with open(self.checks, "a", encoding="utf-8") as file:
            file.write(f"{how} 0 {name}\n")

    def fails_again(self, name: str) -> bool:
        """Tells whether a check fails when it runs alone, too; if not, it counts as passed."""
        self.note("begun", name)
        status = self.pytest("-n0", name)
        return status != 0 or planted_log.read(self.checks)[name][0] != "passed"


def failed(checks: dict[str, tuple[str, float]]) -> list[str]:
    """Returns the checks of a run that did not pass; one that ended the run is among them."""
    return [name for name, (how, _) in checks.items() if how in ("failed", "begun")]


# Without a defect.


def state() -> str:
    """Returns a word for the contents of all files of the course."""
    words = hashlib.sha256()
    for name in sorted(course_copy.files()):
        path = ROOT / name
        words.update(name.encode() + (path.read_bytes() if path.is_file() else b""))
    return words.hexdigest()[:16]


def begin(asked: argparse.Namespace, defects: list[Defect]) -> None:
    """Makes the folder, or checks that it and the list belong to this state of the course."""
    for one in defects:
        lines = (ROOT / one.file).read_text(encoding="utf-8").splitlines()
        if lines[one.line - 1 : one.line] != [one.before]:
            raise Unmeasured(f"{one.name} is another line than the list says.")
    asked.folder.mkdir(parents=True, exist_ok=True)
    mark, asked.state = asked.folder / "state", f"{state()} {chosen.seed()} {asked.checks}"
    if not mark.exists():
        mark.write_text(asked.state, encoding="utf-8")
    elif mark.read_text(encoding="utf-8") != asked.state:
        raise Unmeasured(
            f"{asked.folder} is of another state of the course, of another DRAW or of other checks: "
            "remove it."
        )
    question = [str(ROOT / "common/setup/python.sh"), "pytest", "xdist", "yaml"]
    found = subprocess.run(question, stdout=subprocess.PIPE, text=True, check=False)
    asked.python = found.stdout.strip()
    if not asked.python:
        raise Unmeasured("No Python here has pytest, xdist and yaml.")


def built(asked: argparse.Namespace) -> Copy:
    """Returns a copy without a defect that is built for the ring."""
    plain, ready = Copy(asked, "plain"), asked.folder / f"plain.{asked.ring}"
    if ready.exists():
        return plain
    if not plain.folder.exists():
        there, new = (ROOT / "build/libsimulator.a").exists(), asked.folder / "plain.new"
        (course_copy.make if there else course_copy.copy_files)(new)
        if (ROOT / ".git").exists():
            subprocess.run(["cp", "-a", ROOT / ".git", new], check=True)
        new.rename(plain.folder)
    if plain.make("libraries", "units", "shared_by_checks", jobs=asked.jobs) != 0:
        raise Unmeasured(f"Without a defect the course cannot be built: see {plain.log}")
    plain.env.pop("OMP_NUM_THREADS")  # as many jobs as there are cores
    if plain.build_parts(asked.ring) != 0:
        raise Unmeasured(f"Without a defect the parts cannot be built: see {plain.log}")
    ready.touch()
    return plain


def make_baseline(asked: argparse.Namespace, plain: Copy, rings: list[str]) -> None:
    """Runs all checks without a defect, and returns those that do not pass."""
    copy = Copy(asked, "baseline")
    for ring in rings:
        ready = asked.folder / f"baseline.{ring}"
        if ready.exists():
            continue
        copy.take(plain)
        spread = [f"-n{asked.jobs}", "--dist", "loadgroup"]
        status = copy.pytest(*spread, "-m", RINGS[ring], *asked.checks.split())
        if status not in (0, 1, 5):  # 5: an interrupted run has run them all
            raise Unmeasured(f"Without a defect the {ring} ring comes to no end: see {copy.log}")
        for name in failed(planted_log.read(copy.checks)):
            if copy.fails_again(name):
                copy.note("failed", name)
        if "passed" not in {how for how, _ in planted_log.read(copy.checks).values()}:
            raise Unmeasured(f"Without a defect no check passes: see {copy.log}")
        ready.touch()
    copy.remove()
    there = planted_log.read(copy.checks)
    for how in "failed", "skipped":
        names = [name for name, (came, _) in there.items() if came == how]
        print(
            f"Left out: {len(names)} of {len(there)} checks {how} without a defect.",
            *names,
            sep="\n  ",
        )


# With one.


def key(defect: Defect) -> str:
    return f"{defect.name} {defect.after.strip()}"


class Trial(Copy):
    """A defect in a copy, and which check finds it."""

    def __init__(self, asked: argparse.Namespace, defect: Defect) -> None:
        self.defect = defect
        word = hashlib.sha256(key(defect).encode()).hexdigest()[:4]
        super().__init__(asked, f"{pathlib.Path(defect.file).name}-{defect.line}-{word}")
        self.once: list[str] = []  # checks that failed, and then did not
        self.env["PLANTED_FIRST"] = NEAR[defect.room].format(lab=defect.file.partition("/")[0])

    def plant(self) -> None:
        path = self.folder / self.defect.file
        text = path.read_text(encoding="utf-8")
        planted = with_line(text, self.defect.line - 1, self.defect.after)
        if planted != text:  # else an interrupted run has planted it, and perhaps built
            path.write_text(planted, encoding="utf-8")

    def checks_fail(self, ring: str, *words: str) -> tuple[str, str] | None:
        """Runs checks of a ring until one fails twice; returns the result, and the check."""
        while True:
            status = self.pytest("-n0", "-x", *words)
            ended = failed(planted_log.read(self.checks))
            last = ended[-1] if ended else f"pytest, which ends with status {status}"
            if status in (0, 5):
                return None
            if status is None or status < 0:
                return "open" if status else "hangs", last
            if status > 1 or not ended or self.fails_again(last):
                return ring, last
            self.once.append(last)

    def stages(self, rings: list[str]) -> tuple[str, str]:
        """Returns the result of the defect, and what found it."""
        for goals in ["libraries", "units"], ["shared_by_checks"]:
            status = self.make(*goals)
            if status != 0:
                return "hangs" if status is None else "build", f"make {' '.join(goals)}"
            if "units" in goals and (unit := UNITS.get(self.defect.room)):
                words = ["-k", f"units_of_common_pass and ({unit})", "common/checks/test_parts.py"]
                if came := self.checks_fail("quick", *words):
                    return came
        for ring in rings:
            if self.build_parts(ring) is None:
                return "hangs", "build_parts.py"
            if came := self.checks_fail(ring, "-m", RINGS[ring], *self.asked.checks.split()):
                return came
        return "missed", ""

    def run(self, plain: Copy, rings: list[str]) -> dict[str, object]:
        began = time.monotonic()
        self.take(plain)
        self.plant()
        came, by = self.stages(rings)
        self.remove()
        seconds = round(time.monotonic() - began)
        return {"came": came, "by": by, "seconds": seconds, "ring": rings[-1], "once": self.once}


def results(asked: argparse.Namespace) -> dict[str, dict[str, str]]:
    file = asked.folder / "results.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {one["defect"]: one for one in map(json.loads, lines)}


def try_all(asked: argparse.Namespace, defects: list[Defect]) -> None:
    begin(asked, defects)
    rings = list(RINGS)[: 1 + (asked.ring == "full")]
    plain = built(asked)
    make_baseline(asked, plain, rings)
    there, lock = results(asked), threading.Lock()

    def one(defect: Defect) -> None:
        line = {"defect": key(defect)} | Trial(asked, defect).run(plain, rings)
        with lock, open(asked.folder / "results.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(line["came"], line["seconds"], "s", line["defect"], line["by"], flush=True)

    def is_open(defect: Defect) -> bool:
        came = there.get(key(defect), {"came": "open", "ring": ""})
        return came["came"] == "open" or (came["came"] == "missed" and came["ring"] != rings[-1])

    todo = [defect for defect in defects if not defect.equal and is_open(defect)]
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, defect) for defect in todo]):
            done.result()


def show_table(defects: list[Defect], there: dict[str, dict[str, str]]) -> None:
    total: collections.Counter[str] = collections.Counter()
    print("\n" + f"{'room':10} planted" + "".join(f"{word:>8}" for word in CAME))
    came = {
        one: "equal" if one.equal else there.get(key(one), {"came": "open"})["came"]
        for one in defects
    }
    for room in [*ROOMS, "all"]:
        count = collections.Counter(came[one] for one in defects if room in (one.room, "all"))
        numbers = "".join(f"{count[word]:8}" for word in CAME)
        print(f"{room:10} {count.total():7}{numbers}")
        total = count
    tried = total.total() - total["equal"] - total["open"]
    quick = total["build"] + total["quick"]
    for goal, number in (("make test", quick), ("with make check", quick + total["full"])):
        print(f"{goal}: {number} of {tried} found, {100 * number / max(tried, 1):.0f} %")
    for word in "missed", "hangs", "equal":
        for one in defects:
            if came[one] == word:
                print(f"{word}: {one.name} {one.equal}\n  - {one.before.strip()}")
                print(f"  + {one.after.strip()}")


def stop(_number: int, _frame: object) -> None:
    run_report.end_all()
    os._exit(130)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("goal", choices=("draw", "try", "table"))
    parser.add_argument("list", nargs="?", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seed", default="1", metavar="WORD")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--ring", choices=RINGS, default="quick")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS")
    parser.add_argument("--checks", default=FOLDERS, metavar="WORDS")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/planted")
    asked = parser.parse_intermixed_args()
    if asked.goal == "draw":
        for room, (number, *_) in ROOMS.items():
            for defect in drawn(room, round(number * asked.count / 60) or 1, asked.seed):
                print(json.dumps(dataclasses.asdict(defect)), flush=True)
        return 0
    asked.folder = asked.folder.resolve()
    try:
        text = asked.list.read_text(encoding="utf-8") if asked.list else ""
        there = [Defect(**json.loads(line)) for line in text.splitlines()]
        defects = [one for one in there if not asked.names or one.name in asked.names]
        if not defects:
            raise Unmeasured("The list has no such defect; planted.py draw prints one.")
        if asked.goal == "try":
            try_all(asked, defects)
    except (Unmeasured, OSError, subprocess.CalledProcessError) as why:
        print(why, file=sys.stderr)
        return 2
    show_table(defects, results(asked))
    return 0


if __name__ == "__main__":
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    sys.exit(main())
