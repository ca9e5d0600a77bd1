"""Builds and runs a file in the sandbox; has its record judged by a program without its code."""

import os
import pathlib
import re
import shutil
import signal
import stat
from dataclasses import dataclass, field

import scoring

from . import steps
from .compiler_said import first_error
from .sandbox import Job
from .steps import file_of

# Messages of compiler, assembler and linker about a file that exceeds a limit.
TOO_MUCH = re.compile(
    r"^.*(?:out of memory|[Cc]annot allocate memory|virtual memory exhausted|File size limit"
    r"|[Ff]ile too large|No space left|nested too deeply|nesting depth|instantiation depth"
    r"|Terminated signal|Killed signal).*$",
    re.MULTILINE,
)


# Kinds of findings, and what the teacher may want to look at where a test has one of them.
REMARKED = (
    ({"endless-kernel", "endless-host"}, "the program did not come to an end by itself"),
    ({"host-function"}, "a kernel called a function of the host by a pointer"),
    ({"no-kernel"}, "the result was right, and no kernel has stored it"),
)


@dataclass
class Verdict:
    state: str = "graded"
    reason: str = ""
    verdicts: dict = field(default_factory=dict)  # as scoring.verdicts_of returns them
    remarks: list = field(default_factory=list)
    log: str = ""
    again: bool = False  # other work on the machine may have caused this


def told(outcome, seconds, limits):
    """Returns how a command was ended; empty where it ended by itself."""
    if outcome.stopped:
        causes = {
            "time": f" after {seconds:g} seconds",
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


class Judge:
    """Judges files; `folder` is this worker's own, and empty between two files."""

    def __init__(self, course, sandbox, seed, worker, folder):
        self.course, self.sandbox, self.seed = course, sandbox, seed
        self.worker, self.folder = worker, folder

    def judge(self, lab, part, data, kernel=b""):
        """Returns the Verdict on a file; answers are measured on `kernel`, the student's own."""
        self._empty()
        files = {file_of(part): data}
        if part == "answers":
            files["kernel.cu"] = kernel or self.course.skeleton(lab, "kernel")
        try:
            return self._judge(lab, part, files)
        finally:
            self._empty()

    def _empty(self):
        def loosen(function, path, _):
            os.chmod(os.path.dirname(path), 0o700)
            function(path)

        for name in os.listdir(self.folder):
            shutil.rmtree(os.path.join(self.folder, name), onerror=loosen)

    def _folders(self, lab, files):
        names = ("given", "out", "verdict", "log", os.path.join("given", lab))
        given, out, verdict, log, of_lab = (os.path.join(self.folder, name) for name in names)
        for path in (given, out, verdict, log, of_lab):
            os.mkdir(path)
        for path, data in ((pathlib.Path(of_lab, name), data) for name, data in files.items()):
            path.write_bytes(data)
            path.chmod(0o644)
        os.chmod(log, 0o700)
        return given, out, verdict, log

    def _judge(self, lab, part, files):
        given, out, judged, log = self._folders(lab, files)
        limits, course = self.sandbox.limits, self.course
        file = f"{lab}/{file_of(part)}"
        sources = [os.path.join(course.path, name) for name in course.hidden]
        covered = sources + course.built_hidden()
        verdict = Verdict()

        def plain(text):
            """Replaces this machine's paths by those that the student knows."""
            for path in (given, out, course.path, self.folder):
                text = text.replace(f"{path}/", "")
            return text

        def run(title, command, seconds, **rest):
            """Returns the outcome, in words how it was ended, and what it has printed."""
            job = Job(command, seconds, cwd=course.path, **rest)
            job.readable += [course.path, given]
            outcome = self.sandbox.run(job, self.worker, os.path.join(log, "text"))
            text = plain(outcome.output)
            if outcome.output_cut:
                text += f"\n[cut after {limits.output_bytes >> 10} KB]\n"
            verdict.log += f"--- {file}: {title}, {outcome.seconds:.1f} s\n{text}\n"
            # Other work on this machine may have caused the stop.
            verdict.again = verdict.again or outcome.stopped in ("time", "machine")
            return outcome, told(outcome, seconds, limits), text

        def stopped(reason):
            verdict.state, verdict.reason = "stopped", reason
            verdict.remarks.append(f"{part}: {reason[0].lower()}{reason[1:]}")
            return verdict

        source = os.path.join(given, file)
        commands = steps.record_build(lab, part, source, out, course.has_hidden)
        for command, not_seen in zip(commands, (covered, sources)):
            outcome, ended, text = run(
                "compilation",
                command,
                limits.build_seconds,
                writable=[out],
                covered=not_seen,
                # Bubblewrap gives each command its own folder for temporary files.
                env={} if self.sandbox.bubblewrap else {"TMPDIR": out},
                address_space=limits.memory,
            )
            if outcome.status != 0 or outcome.stopped:
                break
        if outcome.stopped:
            return stopped(f"When it was compiled, {ended}.")
        lines = text.splitlines()
        refused = [line[9:] for line in lines if line.startswith("refused: ")]
        if outcome.status != 0 and refused:
            verdict.state, verdict.reason = "refused", refused[0]
            verdict.remarks += [f"{part}: not accepted: {line[:300]}" for line in refused[:5]]
            return verdict
        program = os.path.join(out, "record")
        own = {**course.own_files(lab), **{f"{lab}/{name}": data for name, data in files.items()}}
        if outcome.status != 0 or not is_file(program):
            how = f"When it was compiled, {ended}." if ended else "The compiler gave no reason."
            verdict.state, verdict.reason = "does not compile", first_error(text, own) or how
            most = TOO_MUCH.search(text)
            if ended or most:
                how = ended or f"it asked for too much ({most[0].strip()})"
                verdict.remarks.append(f"{part}: when it was compiled, {how}.")
            return verdict

        env = steps.environment(lab, part, file, self.seed)
        handed_in = [os.path.join(given, lab, name) for name in files]
        env["LAB_OWN_FILES"] = ":".join([*handed_in, *course.own_files(lab)])
        record, given_record = os.path.join(log, "record"), os.path.join(given, "record")
        seconds, shown = limits.run_seconds, {"readable": [out], "covered": covered}
        outcome, ended, _ = run("run", [program], seconds, **shown, env=env, record=record)
        how = ended or f"by itself, with status {outcome.status}"
        if outcome.stragglers and not outcome.stopped and not self.sandbox.bubblewrap:
            verdict.remarks.append(f"{part}: it left processes behind, which were ended.")

        os.rename(record, given_record)
        os.chmod(given_record, 0o644)
        results, remarks = (os.path.join(judged, name) for name in ("results", "remarks"))
        env.update(LAB_RECORD=given_record, LAB_RESULTS=results, LAB_REMARKS=remarks)
        if ended:
            env["LAB_RECORD_ENDED"] = ended
        replay = f"build/sim/{lab}/replay-{part}{'-hidden' if course.has_hidden else ''}"
        outcome, why, _ = run("verdict", [replay], seconds, writable=[judged], env=env)
        if is_file(results):
            with open(results, encoding="utf-8", errors="replace") as lines:
                verdict.verdicts = scoring.verdicts_of(lines)
            for test in verdict.verdicts.values():
                test["explanation"] = plain(test["explanation"])
        if is_file(remarks):
            with open(remarks, encoding="utf-8", errors="replace") as said:
                lines = [line.strip() for line in said.read(1 << 16).splitlines() if line.strip()]
            verdict.remarks += [f"{part}: {line}" for line in lines[:20]]
        if outcome.status not in (0, 1) or not verdict.verdicts:
            why = why or f"it ended with status {outcome.status}"
            return stopped(f"Its results could not be judged: {why}.")
        verdict.remarks += [f"{part}: {said}" for said in seen_in(verdict.verdicts, how)]
        return stopped(f"When it was run, {ended}.") if ended else verdict


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
