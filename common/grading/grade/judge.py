"""Builds and runs a file in the sandbox; has its record judged by a program without its code."""

import os
import pathlib
import re
import shutil
import signal
import stat
from dataclasses import dataclass, field

import scoring
from points import file_of

from . import steps
from .compiler_said import first_error
from .sandbox import Job, SandboxFailed


# Messages of compiler, assembler and linker about a file that exceeds a limit.
TOO_MUCH = re.compile(
    r"^.*(?:out of memory|[Cc]annot allocate memory|virtual memory exhausted|File size limit"
    r"|[Ff]ile too large|nested too deeply|nesting depth|instantiation depth"
    r"|internal compiler error|Segmentation fault).*$",
    re.MULTILINE,
)
# What the machine lacks.
LACKS = re.compile(r"^.*(?:No space left|Resource temporarily|Killed signal).*$", re.MULTILINE)
# The status of a program that got no process or socket from its machine (see host_process.cpp).
NOT_SERVED = 75


# Seconds that a file may sleep whose submission has slept for all of its own.
LEAST_SLEEP = 0.1
# Seconds that a submission may sleep before it is put after all others.
FIRST_SLEEP = 1.0
# Kinds of findings, and what the teacher may want to look at if a test has one of them.
REMARKED = (
    ({"endless-kernel", "endless-host"}, "the program did not end by itself"),
    ({"host-function"}, "a kernel called a host function by a pointer"),
    ({"no-kernel"}, "the result was right, but no kernel has stored it"),
    (
        {scoring.HANDED_OVER},
        "the host made as many numbers for the device, beside the matrices, as the result may"
        " have, and the result is wrong if the host has none of the matrices' numbers: check that a"
        " kernel computes it. The points are held back; a line 'name: reason' in"
        f" {scoring.GIVE} gives them",
    ),
)


NO_MARK_LOST = (
    "The machine failed. Your teacher knows, and it will be graded again; no mark is lost."
)


@dataclass
class Verdict:
    state: str = "graded"
    reason: str = ""
    verdicts: dict = field(default_factory=dict)  # as scoring.verdicts_of returns them
    remarks: list = field(default_factory=list)
    log: str = ""
    again: bool = False  # the machine, or other work on it, may have caused this
    hurried: bool = False  # it was stopped early, for what the submission's other files had slept


class MachineFailed(Exception):
    """A program failed for what its machine lacks: that says nothing about a submission."""


def told(outcome, seconds, limits):
    """Returns how a command was ended; empty if it ended by itself."""
    if outcome.stopped:
        causes = {
            "time": f" after {seconds:g} seconds",
            "sleep": f" when it had waited for {limits.sleep_seconds:g} seconds, over all files",
            "memory": f" when it used more than {limits.memory >> 20} MB of memory",
            "processes": f" when it had more than {limits.processes} processes",
            "output": " when it had printed more than 64 MB",
            "record": f" when its results took more than {limits.record_bytes >> 20} MB",
            "machine": " when the machine's memory ran out",
        }
        return f"it was stopped{causes.get(outcome.stopped, '')}"
    number = -outcome.status if outcome.status < 0 else outcome.status - 128
    if number == signal.SIGXFSZ:
        return f"it was stopped when it wrote a file of more than {limits.file_bytes >> 20} MB"
    if number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL):
        return f"it crashed ({signal.Signals(number).name})"
    if number in (signal.SIGKILL, signal.SIGXCPU):
        return "it was killed"
    return ""


def may_be_of_others(outcome, seconds):
    """Tests whether other work on this machine may have caused the stop. A submission
    that has slept, or computed, for as long as it may is not run again."""
    return outcome.stopped == "machine" or (
        outcome.stopped == "time" and outcome.own_seconds < seconds
    )


class Judge:
    """Judges files; `folder` is this worker's own, and empty between two files."""

    def __init__(self, course, sandbox, seed, worker, folder):
        self.course, self.sandbox, self.seed = course, sandbox, seed
        self.worker, self.folder = worker, folder
        self.slept = 0.0  # seconds, by files of the submission under way
        self.last = True  # this submission is not graded once more

    @property
    def most_sleep(self):
        most = self.sandbox.limits.sleep_seconds
        return most if self.last else min(FIRST_SLEEP, most)

    @property
    def may_sleep(self):
        return max(LEAST_SLEEP, self.most_sleep - self.slept)

    def judge(self, lab, part, data, kernel=b""):
        """Returns the Verdict on a file. Answers are measured on `kernel`, the student's own; without
        it on the course's, or where that is not at hand on the skeleton."""
        self._empty()
        files, solved = {file_of(part): data}, ""
        if part == "answers":
            solved = "" if kernel else self.course.solved_kernel(lab)
            files |= {} if solved else {"kernel.cu": kernel or self.course.skeleton(lab, "kernel")}
        judging = Judging(self, lab, part, files, solved)
        try:
            return judging.judged()
        except (SandboxFailed, MachineFailed) as why:
            return judging.not_graded(str(why))
        finally:
            self._empty()

    def _empty(self):
        def loosen(function, path, _):
            os.chmod(os.path.dirname(path), 0o700)
            function(path)

        for name in os.listdir(self.folder):
            shutil.rmtree(os.path.join(self.folder, name), onerror=loosen)


class Judging:
    """The judging of one file."""

    def __init__(self, judge, lab, part, files, solved=""):
        self.solved = solved  # the built kernel on which answers are measured
        self.judge, self.course, self.limits = judge, judge.course, judge.sandbox.limits
        self.lab, self.part, self.files = lab, part, files
        self.file = f"{lab}/{file_of(part)}"
        self.verdict = Verdict()
        # Hidden tests have programs of their own, which end with this.
        self.kinds = ("", "-hidden") if self.course.tests_hidden(lab, part) else ("",)
        self.sources = self.course.hidden_sources()
        self.covered = self.sources + self.course.built_hidden()
        names = ("given", "out", "verdict", "log", os.path.join("given", lab))
        paths = [os.path.join(judge.folder, name) for name in names]
        self.given, self.out, self.results, self.log, of_lab = paths
        for path in paths:
            os.mkdir(path)
        for path, data in ((pathlib.Path(of_lab, name), data) for name, data in files.items()):
            path.write_bytes(data)
            path.chmod(0o644)
        os.chmod(self.log, 0o700)

    def plain(self, text):
        """Replaces this machine's paths by those that the student knows."""
        for path in (self.given, self.out, self.course.path, self.judge.folder):
            text = text.replace(f"{path}/", "")
        return text

    def run(self, title, command, seconds, spent=0, **rest):
        """Returns the outcome, in words how it was ended, and what it has printed."""
        sleep = self.judge.may_sleep
        job = Job(command, seconds - spent, cwd=self.course.path, sleep_seconds=sleep, **rest)
        job.readable += [self.course.path, self.given]
        text = os.path.join(self.log, "text")
        outcome = self.judge.sandbox.run(job, self.judge.worker, text)
        text = self.plain(outcome.output)
        if outcome.output_cut:
            text += f"\n[cut after {self.limits.output_bytes >> 10} KB]\n"
        self.verdict.log += f"--- {self.file}: {title}, {outcome.seconds:.1f} s\n{text}\n"
        self.verdict.again = self.verdict.again or may_be_of_others(outcome, seconds - spent)
        hurried = outcome.stopped == "sleep" and outcome.slept < self.limits.sleep_seconds
        self.verdict.hurried = self.verdict.hurried or hurried
        self.judge.slept += outcome.slept
        return outcome, told(outcome, seconds, self.limits), text

    def remark(self, said):
        """Adds a remark, for which both programs may give cause."""
        if f"{self.part}: {said}" not in self.verdict.remarks:
            self.verdict.remarks.append(f"{self.part}: {said}")

    def stopped(self, reason):
        self.verdict.state, self.verdict.reason = "stopped", reason
        self.remark(f"{reason[0].lower()}{reason[1:]}")
        return self.verdict

    def not_graded(self, why):
        """Returns a verdict that is none: the machine has failed, and the next run tries again."""
        self.verdict.state, self.verdict.reason, self.verdict.again = (
            "not graded",
            NO_MARK_LOST,
            True,
        )
        self.verdict.verdicts = {}
        self.remark(f"not graded: {why}")
        return self.verdict

    def judged(self):
        """Returns the verdict."""
        if not self.compiled():
            return self.verdict
        environment = steps.environment(self.lab, self.part, self.file, self.judge.seed)
        own = [os.path.join(self.given, self.lab, name) for name in self.files]
        environment["LAB_OWN_FILES"] = ":".join([*own, *self.course.own_files(self.lab)])
        verdicts, outcome, ended, how, spent = self.verdict.verdicts, None, "", "", 0
        for kind in self.kinds:
            # No hidden test is reached if the public ones have not finished.
            if ended or any("ended-early" in test["findings"] for test in verdicts.values()):
                pathlib.Path(self.kept(f"{kind}.bin")).touch()
            else:
                # What was endless once costs less next time.
                if any("endless-host" in test["findings"] for test in verdicts.values()):
                    environment["LAB_ENDLESS_HOST"] = "1"
                outcome, ended = self.recorded(kind, environment, spent)
                how = ended or f"by itself, with status {outcome.status}"
                spent = outcome.own_seconds
            found = self.replayed(kind, environment, ended)
            verdicts.update(found)
            if not ended:
                self.look_at_handed_over(kind, environment, found)
        for said in seen_in(verdicts, how):
            self.remark(said)
        return self.stopped(f"When it was run, {ended}.") if ended else self.verdict

    def look_at_handed_over(self, kind, environment, found):
        """Removes the suspicion from tests if all of them pass as well with decoys instead of
        the host's numbers: what it hands to the device is then no result of its own. If one
        fails, none is believed: tests of loads and barriers do not look at the product."""
        suspected = [test for test in found.values() if scoring.HANDED_OVER in test["findings"]]
        if not suspected:
            return
        environment = {**environment, "LAB_DECOYS": "1"}
        _, ended = self.recorded(kind, environment, 0, ", with decoys")
        with_decoys = self.replayed(kind, environment, ended, "-decoys")
        same = [with_decoys.get(test["test"], {"status": "waiting"}) for test in suspected]
        if all(
            test["status"] == "passed" and scoring.HANDED_OVER not in test["findings"]
            for test in same
        ):
            for test in suspected:
                test["findings"].remove(scoring.HANDED_OVER)

    def compiled(self):
        """Compiles the file; returns whether each program is there, else the verdict says why."""
        source, verdict = os.path.join(self.given, self.file), self.verdict
        hidden = len(self.kinds) > 1
        what = self.lab, self.part, source, self.out, hidden, self.solved
        commands = steps.record_build(*what)
        for command, not_seen in zip(commands, (self.covered, self.sources)):
            outcome, ended, text = self.run(
                "compilation",
                command,
                self.limits.build_seconds,
                writable=[self.out],
                covered=not_seen,
                # Bubblewrap gives each command its own folder for temporary files.
                env={} if self.judge.sandbox.bubblewrap else {"TMPDIR": self.out},
                address_space=self.limits.memory,
            )
            if outcome.status != 0 or outcome.stopped:
                break
        if outcome.stopped:
            self.stopped(f"When it was compiled, {ended}.")
            self.verdict.state = "does not compile"
            return False
        lines = text.splitlines()
        refused = [line[9:] for line in lines if line.startswith("refused: ")]
        if outcome.status != 0 and refused:
            verdict.state, verdict.reason = "refused", refused[0]
            for line in refused[:5]:
                self.remark(f"not accepted: {line[:300]}")
            return False
        programs = {kind: os.path.join(self.out, f"record{kind}") for kind in self.kinds}
        if outcome.status != 0 or not all(map(is_file, programs.values())):
            self.not_compiled(text, ended)
            return False
        # Until its own run no other process can read a program that holds hidden tests.
        for kind, program in programs.items():
            os.rename(program, self.kept(kind))
        return True

    def not_compiled(self, text, ended):
        """Says why there is no program: by the compiler's words, or for what the file asked for. It
        is no verdict where neither says anything."""
        here = {f"{self.lab}/{name}": data for name, data in self.files.items()}
        said = first_error(text, {**self.course.own_files(self.lab), **here})
        most, lacks = TOO_MUCH.search(text), LACKS.search(text)
        if lacks or not (said or most or ended):
            own = [one for one in text.splitlines() if one.strip() and not one.startswith("make")]
            last = own[-1] if own else "the compiler gave no reason"
            self.not_graded((lacks[0] if lacks else last).strip()[:300])
            return
        how = ended or (f"it asked for too much ({most[0].strip()})" if most else "")
        self.verdict.state = "does not compile"
        self.verdict.reason = said or f"When it was compiled, {how}."
        if how:
            self.remark(f"when it was compiled, {how}.")

    def kept(self, kind):
        """Returns a path for the program of this kind that no command can read."""
        return os.path.join(self.log, f"record{kind}")

    def recorded(self, kind, environment, spent, how=""):
        """Runs the program that holds the file in what is left of its time; returns the outcome and
        in words how it was ended."""
        program, record = os.path.join(self.out, f"record{kind}"), self.kept(f"{kind}.bin")
        os.rename(self.kept(kind), program)
        outcome, ended, _ = self.run(
            f"run{kind}{how}",
            [program],
            self.limits.run_seconds,
            spent,
            readable=[self.out],
            covered=self.covered,
            env=environment,
            record=record,
        )
        os.rename(program, self.kept(kind))
        if outcome.status == NOT_SERVED and not outcome.stopped:
            raise MachineFailed("the machine gave the program no process, socket or memory")
        if outcome.stragglers and not outcome.stopped and not self.judge.sandbox.bubblewrap:
            self.remark("it left processes behind, which were ended.")
        return outcome, ended

    def replayed(self, kind, environment, ended, how=""):
        """Returns the verdicts on a record; adds its remarks. Raises MachineFailed where the
        program, which holds no code of the submission's, fails."""
        record = os.path.join(self.given, f"record{kind}{how}")
        os.rename(self.kept(f"{kind}.bin"), record)
        os.chmod(record, 0o644)
        results, remarks = (f"{self.results}/{name}{kind}{how}" for name in ("tests", "remarks"))
        paths = {"LAB_RECORD": record, "LAB_RESULTS": results, "LAB_REMARKS": remarks}
        said_of_end = {"LAB_RECORD_ENDED": ended} if ended else {}
        outcome, why, _ = self.run(
            f"verdict{kind}{how}",
            [f"build/{'hidden' if kind else 'sim'}/{self.lab}/replay-{self.part}{kind}"],
            self.limits.run_seconds,
            writable=[self.results],
            env={**environment, **paths, **said_of_end},
        )
        verdicts = {}
        if is_file(results):
            with open(results, encoding="utf-8", errors="replace") as lines:
                verdicts = scoring.verdicts_of(lines)
        for test in verdicts.values():
            test["explanation"] = self.plain(test["explanation"])
        if is_file(remarks):
            with open(remarks, encoding="utf-8", errors="replace") as said:
                lines = [line.strip() for line in said.read(1 << 16).splitlines() if line.strip()]
            for line in lines[:20]:
                self.remark(line)
        if outcome.status not in (0, 1) or not verdicts:
            why = why or f"it ended with status {outcome.status}"
            raise MachineFailed(f"the results could not be judged: {why}")
        return verdicts


def seen_in(verdicts, ended):
    """Yields sentences on what the tests found and the teacher may want to look at."""
    early = [test for test in verdicts.values() if "ended-early" in test["findings"]]
    if early and early[0] is next(iter(verdicts.values())):
        yield f"the program ended before the tests, or in the first: {ended}."
    elif early:
        first = f"the first without a result is '{early[0]['test']}'"
        yield f"the program ended before the last test: {ended}; {first}."
    for kinds, sentence in REMARKED:
        count = sum(not kinds.isdisjoint(test["findings"]) for test in verdicts.values())
        if count:
            yield f"in {count} of its tests {sentence}."


def is_file(path):
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False
