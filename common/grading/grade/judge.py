"""Judges one file: builds and runs it in the sandbox, then has its record judged by a program that
holds none of the student's code."""

import os
import re
import shutil
import signal
import stat
from dataclasses import dataclass, field

import scoring

from . import steps
from .choosing import file_of
from .sandbox import Job

STOPPED = {
    "time": "it was stopped after {seconds:g} seconds",
    "memory": "it was stopped when it used more than {memory} MB of memory",
    "processes": "it was stopped when it had more than {processes} processes",
    "output": "it was stopped when it had printed more than 64 MB",
    "record": "it was stopped when its results took more than {record} MB",
    "machine": "it was stopped when the machine's memory ran out",
}


# Messages of compiler, assembler and linker about a file that exceeds a limit.
TOO_MUCH = re.compile(
    r"^.*(?:out of memory|[Cc]annot allocate memory|virtual memory exhausted|File size limit"
    r"|[Ff]ile too large|No space left|nested too deeply|nesting depth|instantiation depth"
    r"|Terminated signal|Killed signal).*$",
    re.MULTILINE,
)


ENDLESS = {"endless-kernel", "endless-host"}


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
        return STOPPED.get(outcome.stopped, "it was stopped").format(
            seconds=seconds,
            memory=limits.memory >> 20,
            processes=limits.processes,
            record=limits.record_bytes >> 20,
        )
    number = -outcome.status if outcome.status < 0 else outcome.status - 128
    if number == signal.SIGXFSZ:
        return f"it was stopped when it wrote a file of more than {limits.file_bytes >> 20} MB"
    if number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL):
        return f"it crashed ({signal.Signals(number).name})"
    if number in (signal.SIGKILL, signal.SIGXCPU):
        return "it was killed"
    return ""


class Judge:
    """Judges the files of one worker; `folder` is its own, and empty between two files."""

    def __init__(self, course, sandbox, seed, worker, folder):
        self.course, self.sandbox, self.seed = course, sandbox, seed
        self.worker, self.folder = worker, folder

    def judge(self, lab, part, data, kernel=b""):
        """Returns the Verdict on a file; `kernel` is the student's kernel.cu, on which answers are
        measured."""
        self._empty()
        try:
            return self._judge(lab, part, data, kernel)
        finally:
            self._empty()

    def _empty(self):
        def loosen(function, path, _):
            os.chmod(os.path.dirname(path), 0o700)
            function(path)

        for name in os.listdir(self.folder):
            shutil.rmtree(os.path.join(self.folder, name), onerror=loosen)

    def _folders(self, lab, files):
        made = {
            name: os.path.join(self.folder, name) for name in ("given", "out", "verdict", "log")
        }
        for path in made.values():
            os.makedirs(path)
        given = os.path.join(made["given"], lab)
        os.makedirs(given)
        for name, data in files.items():
            path = os.path.join(given, name)
            with open(path, "wb") as file:
                file.write(data)
            os.chmod(path, 0o644)
        os.chmod(made["log"], 0o700)
        return made

    def _judge(self, lab, part, data, kernel):
        files = {file_of(part): data}
        if part == "answers":
            files["kernel.cu"] = kernel or self.course.skeleton(lab, "kernel")
        at, limits = self._folders(lab, files), self.sandbox.limits
        source = os.path.join(at["given"], lab, file_of(part))
        verdict = Verdict()
        log = []

        def run(title, job):
            path = os.path.join(at["log"], "text")
            outcome = self.sandbox.run(job, self.worker, path)
            text = self.plain(outcome.output, at)
            if outcome.output_cut:
                text += f"\n[cut after {limits.output_bytes >> 10} KB]\n"
            log.append(f"--- {lab}/{file_of(part)}: {title}, {outcome.seconds:.1f} s\n{text}\n")
            verdict.log = "".join(log)
            verdict.again = verdict.again or outcome.of_the_machine
            return outcome, text

        path = self.course.path
        build = Job(
            steps.record_build(lab, part, source, at["out"], self.course.has_hidden),
            limits.build_seconds,
            writable=[at["out"]],
            readable=[path, at["given"]],
            covered=self.course.hidden_files(),
            cwd=path,
            # Bubblewrap gives each command its own folder for temporary files.
            env={} if self.sandbox.bubblewrap else {"TMPDIR": at["out"]},
            address_space=limits.memory,
        )
        outcome, text = run("compilation", build)
        ended = told(outcome, limits.build_seconds, limits)
        program = steps.record_program(at["out"])
        if outcome.stopped:
            return self._stopped(verdict, part, f"When it was compiled, {ended}.")
        refused = [line for line in text.splitlines() if line.startswith("refused: ")]
        if outcome.status != 0 and refused:
            verdict.state, verdict.reason = "refused", refused[0][len("refused: ") :]
            verdict.remarks += [f"{part}: not accepted: {line[9:][:300]}" for line in refused[:5]]
            return verdict
        if outcome.status != 0 or not is_file(program):
            verdict.state = "does not compile"
            verdict.reason = (
                first_error(text)
                or (ended and f"When it was compiled, {ended}.")
                or ("The compiler gave no reason.")
            )
            most = TOO_MUCH.search(text)
            if ended or most:
                how = ended or f"it asked for too much ({most[0].strip()})"
                verdict.remarks.append(f"{part}: when it was compiled, {how}.")
            return verdict

        env = steps.environment(lab, part, f"{lab}/{file_of(part)}", self.seed)
        record = os.path.join(at["log"], "record")
        seconds = limits.run_seconds
        job = Job(
            [program],
            seconds,
            readable=[path, at["given"], at["out"]],
            cwd=path,
            env=env,
            covered=self.course.hidden_files(),
            record=record,
        )
        outcome, _ = run("run", job)
        ended = told(outcome, seconds, limits)
        how = ended or f"by itself, with status {outcome.status}"
        if outcome.stragglers and not outcome.stopped and not self.sandbox.bubblewrap:
            verdict.remarks.append(f"{part}: it left processes behind, which were ended.")

        results, remarks = (os.path.join(at["verdict"], name) for name in ("results", "remarks"))
        given = os.path.join(at["given"], "record")
        os.rename(record, given)
        os.chmod(given, 0o644)
        env.update(steps.replay_environment(given, ended, results, remarks))
        command = [steps.replay_program(lab, part, self.course.has_hidden)]
        job = Job(
            command,
            limits.run_seconds,
            writable=[at["verdict"]],
            readable=[path, at["given"]],
            cwd=path,
            env=env,
        )
        outcome, _ = run("verdict", job)
        self._read(verdict, results, remarks, at, part)
        if outcome.status not in (0, 1) or not verdict.verdicts:
            why = told(outcome, seconds, limits) or f"it ended with status {outcome.status}"
            return self._stopped(verdict, part, f"Its results could not be judged: {why}.")
        verdict.remarks += [f"{part}: {said}" for said in seen_in(verdict.verdicts, how)]
        if ended:
            return self._stopped(verdict, part, f"When it was run, {ended}.")
        return verdict

    def _stopped(self, verdict, part, reason):
        verdict.state, verdict.reason = "stopped", reason
        verdict.remarks.append(f"{part}: {reason[0].lower()}{reason[1:]}")
        return verdict

    def _read(self, verdict, results, remarks, at, part):
        if is_file(results):
            with open(results, encoding="utf-8", errors="replace") as file:
                verdict.verdicts = scoring.verdicts_of(file)
            for test in verdict.verdicts.values():
                test["explanation"] = self.plain(test["explanation"], at)
        if is_file(remarks):
            with open(remarks, encoding="utf-8", errors="replace") as file:
                lines = [line.strip() for line in file.read(1 << 16).splitlines() if line.strip()]
            verdict.remarks += [f"{part}: {line}" for line in lines[:20]]

    def plain(self, text, at):
        """Replaces this machine's paths by those that the student knows."""
        for path in (at["given"], at["out"], self.course.path, self.folder):
            text = text.replace(f"{path}/", "")
        return text


def seen_in(verdicts, ended):
    """Yields sentences on what the tests found and the teacher may want to look at."""
    early = [test for test in verdicts.values() if "ended-early" in test["findings"]]
    if early and early[0] is next(iter(verdicts.values())):
        yield f"the program ended before the tests, or in the first: {ended}."
    elif early:
        yield f"the program ended before the last test: {ended}; the first without a result is" \
            f" '{early[0]['test']}'."
    endless = [test for test in verdicts.values() if ENDLESS.intersection(test["findings"])]
    if endless:
        yield f"in {len(endless)} of its tests the program did not come to an end by itself."
    on_host = [test for test in verdicts.values() if "host-function" in test["findings"]]
    if on_host:
        yield f"in {len(on_host)} of its tests a kernel called a function of the host by a pointer."
    elsewhere = [test for test in verdicts.values() if "no-kernel" in test["findings"]]
    if elsewhere:
        yield f"in {len(elsewhere)} of its tests the result was right, and no kernel has stored it."


def is_file(path):
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def first_error(text):
    """Returns the compiler's first error, with its line of help and without the notes that follow
    it."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if "error:" in line or "undefined reference" in line or "multiple definition" in line:
            shown = [line] + [one for one in lines[number + 1 : number + 3] if " | " in one]
            shown += [one for one in lines[number + 1 :] if one.startswith("help: ")][:1]
            return "\n".join(one[:300] for one in shown)
    return "\n".join(lines[-3:])[:600]
