"""Times calls of a program from outside its process, see measured.cpp.

The clock is the grader's: it runs from naming the matrices of a call until the answer, at which the
product must be complete. So nothing that the program prints or patches makes it faster, and what it
computed before is for other matrices.
"""

import os
import select
import shutil
import struct
import threading
import time
from dataclasses import dataclass, field

from grade.sandbox import Job

LOOK_EVERY = 0.2


@dataclass
class Run:
    times: list = field(default_factory=list)  # seconds, without the first call
    first: float = 0.0  # seconds of the first call, which also starts the program
    problem: str = ""  # why there are fewer times than wanted
    output: str = ""


class Running:
    """Runs the program in its sandbox, in a thread of the grader."""

    def __init__(self, box, worker, job, log):
        self.outcome, self.end, self.error = None, None, None

        def work():
            try:
                self.outcome = box.run(job, worker, log, self._started)
            except Exception as error:  # finish() raises it
                self.error = error

        self.thread = threading.Thread(target=work, daemon=True)
        self.thread.start()

    def _started(self, end):
        self.end = end

    def alive(self):
        return self.thread.is_alive()

    def finish(self, seconds):
        """Waits for the program, ends it where it does not end itself, and returns its outcome."""
        self.thread.join(seconds)
        if self.thread.is_alive() and self.end:
            self.end()
        self.thread.join()
        if self.error:
            raise self.error
        return self.outcome


class Stopwatch:
    """Times a program's calls; `folder` is its own."""

    def __init__(self, box, worker, folder, numbers, devices=(), env=None):
        self.box, self.worker, self.numbers = box, worker, numbers
        self.devices, self.env = list(devices), dict(env or {})
        self.place, self.log = os.path.join(folder, "place"), os.path.join(folder, "log")

    def _empty_place(self):
        shutil.rmtree(self.place, ignore_errors=True)
        os.mkdir(self.place, 0o755)
        for name in ("requests", "replies"):
            os.mkfifo(os.path.join(self.place, name))
        with open(os.path.join(self.place, "P"), "wb") as file:
            file.truncate(4 * self.numbers.width**2)
        for name in ("requests", "replies", "P"):
            os.chmod(os.path.join(self.place, name), 0o666)

    def run(self, program, calls, first_seconds, seconds):
        """Returns a Run of this many calls. first_seconds limits the first call, which is not
        counted; seconds limits each other one."""
        self._empty_place()
        paths = [os.path.join(self.place, name) for name in ("requests", "replies", "P")]
        # Opened for both directions, so that neither side waits for the other to open its end.
        requests, replies = (os.open(path, os.O_RDWR | os.O_NONBLOCK) for path in paths[:2])
        product = os.open(paths[2], os.O_RDONLY)
        job = Job(
            [program, str(self.numbers.width), self.numbers.path, self.place],
            first_seconds + calls * seconds + 10,
            readable=[os.path.dirname(program), self.numbers.path],
            writable=[self.place],
            cwd=self.place,
            env=self.env,
            devices=self.devices,
        )
        run, running = Run(), Running(self.box, self.worker, job, self.log)
        try:
            for number in range(calls + 1):
                limit = seconds if number else first_seconds
                took, run.problem = self._call(running, requests, replies, product, limit)
                if run.problem:
                    break
                if number:
                    run.times.append(took)
                else:
                    run.first = took
        finally:
            os.close(requests)  # the program ends when this pipe closes
            outcome = running.finish(0 if run.problem else 5)
            os.close(replies)
            os.close(product)
            shutil.rmtree(self.place, ignore_errors=True)
        run.output = outcome.output
        if run.problem == "ended":
            run.problem = ended(outcome)
        return run

    def _call(self, running, requests, replies, product, limit):
        begins = self.numbers.draw()
        request = struct.pack("qq", *begins)
        began = time.perf_counter()
        os.write(requests, request)
        while not select.select([replies], [], [], LOOK_EVERY)[0]:
            if not running.alive():
                return 0, "ended"
            if time.perf_counter() - began > limit:
                return 0, f"a call had not come back after {limit:.3g} s"
        took = time.perf_counter() - began
        seen = self.numbers.look(product)
        os.read(replies, 1)
        wrong = self.numbers.wrong(begins, seen)
        return took, f"the product is wrong: {wrong}" if wrong else ""


def ended(outcome):
    last = outcome.output.strip().splitlines()
    said = f": {last[-1][:200]}" if last else ""
    if outcome.stopped:
        return f"the program was stopped (its {outcome.stopped}){said}"
    return f"the program ended in a call, with status {outcome.status}{said}"
