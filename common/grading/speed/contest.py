"""Measures the speed of a submission on a card against the reference, in rounds of one run each.

Each run is a process of its own, and all processes of one side have ended before the other side
begins, so that nothing a submission leaves running slows the reference down.
"""

import os
import pathlib
import shutil
from dataclasses import replace
from functools import partial

from grade import steps
from grade.compiler_said import first_error
from grade.sandbox import Job
from release.contents import Refused

from . import marks
from .marks import Measured
from .numbers import Numbers
from .stopwatch import Stopwatch

CALLS = 5  # timed calls of a run
START_SECONDS = 60  # for the first call: a card may need long to start
LEAST_SECONDS = 5  # for any call
# How many times longer than the slowest call that still earns points a call may take.
PATIENCE = 2
# If the grader is root, measurements run as another user than all workers.
USER = 5000


class Unmeasured(Refused):
    """The card, the toolkit or the reference failed; the submission is not to blame."""


def rounds(run_reference, run_own, wanted):
    """Measures rounds until they agree. Both sides are functions that take the longest seconds for
    the first call and for each other one, and return a stopwatch's Run."""
    ratios, own_times, reference_times = [], [], []
    slowest = PATIENCE / max(wanted.none_below, 0.01)
    while not ratios or not marks.settled(ratios, wanted):
        reference = run_reference(START_SECONDS, LEAST_SECONDS * 12)
        if reference.problem:
            raise Unmeasured(f"the reference: {reference.problem}")
        longest = max(LEAST_SECONDS, slowest * max(reference.times))
        own = run_own(longest + 2 * reference.first, longest)
        if own.problem:
            return Measured(problem=own.problem)
        ratios.append(marks.ratio(reference.times, own.times))
        own_times += own.times
        reference_times += reference.times
    seconds = [sorted(times)[len(times) // 2] for times in (own_times, reference_times)]
    return replace(marks.result(ratios), seconds=seconds[0], reference_seconds=seconds[1])


class Contest:
    """Builds and times submissions and references. `path` is the built course's folder; `folder` is
    the contest's own."""

    def __init__(self, path, box, folder, card):
        self.path, self.box, self.folder, self.card = path, box, folder, card
        self.references, self.numbers = {}, {}

    def build(self, lab, part, name, data):
        """Returns the program that calls this file, and why there is none."""
        given = os.path.join(self.folder, f"given-{name}")
        out = os.path.join(self.folder, f"out-{name}")
        for path in (given, out):
            shutil.rmtree(path, ignore_errors=True)
            os.mkdir(path, 0o755)
        source = pathlib.Path(given, lab, f"{part}.cu")
        source.parent.mkdir(0o755)
        source.write_bytes(data)
        source.chmod(0o644)
        words = [f"KERNEL={source}", f"OUT={out}", "measured"]
        job = Job(
            steps.on_card(lab, part, self.card.arch, *words),
            self.box.limits.build_seconds,
            writable=[out],
            readable=[self.path, given, *self.card.folders],
            cwd=self.path,
            env={**self.card.variables, **({} if self.box.bubblewrap else {"TMPDIR": out})},
        )
        outcome = self.box.run(job, USER, os.path.join(self.folder, "log"))
        program = os.path.join(out, "measured")
        if outcome.status == 0 and not outcome.stopped and os.path.exists(program):
            return program, ""
        text = outcome.output.replace(f"{given}/", "").replace(f"{self.path}/", "")
        own = {f"{lab}/{part}.cu": data}
        cause = (
            f"it took too long ({outcome.stopped})" if outcome.stopped else first_error(text, own)
        )
        return "", f"nvcc does not compile it: {cause}"

    def reference(self, lab, part, data):
        if (lab, part) not in self.references:
            program, cause = self.build(lab, part, f"reference-{lab}-{part}", data)
            if not program:
                raise Unmeasured(f"the reference: {cause}")
            self.references[lab, part] = program
        return self.references[lab, part]

    def stopwatch(self, width):
        if width not in self.numbers:
            path = os.path.join(self.folder, f"numbers-{width}")
            self.numbers[width] = Numbers(path, width, width)
        numbers, card = self.numbers[width], self.card
        return Stopwatch(self.box, USER, self.folder, numbers, card.devices, card.variables)

    def measure(self, lab, part, data, reference_data, wanted):
        """Returns what was Measured; raises Unmeasured."""
        with self.card.turn():
            reference = self.reference(lab, part, reference_data)
            program, cause = self.build(lab, part, "own", data)
            if not program:
                return Measured(problem=cause)
            run = self.stopwatch(wanted.width).run
            return rounds(partial(run, reference, CALLS), partial(run, program, CALLS), wanted)
