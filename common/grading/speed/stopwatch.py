"""Times calls of a program from outside its process, see measured.cpp.

The clock is the grader's: it runs from naming the matrices of a call until the answer, at which the
product must be complete. So nothing that the program prints or patches makes it faster, and what it
computed before is for other matrices.
"""

import concurrent.futures
import os
import select
import shutil
import struct
import time
from dataclasses import dataclass, field

from grade.sandbox import Job

LOOK_EVERY = 0.2


@dataclass
class Run:
    times: list = field(default_factory=list)  # seconds, without the first call
    first: float = 0.0  # seconds of the first call, which also starts the program
    problem: str = ""  # why there are fewer times than wanted


class Stopwatch:
    """Times a program's calls; `folder` is its own."""

    def __init__(self, box, worker, folder, numbers, devices=(), env=None):
        self.box, self.worker, self.numbers = box, worker, numbers
        self.devices, self.env = list(devices), dict(env or {})
        self.place, self.log = os.path.join(folder, "place"), os.path.join(folder, "log")

    def _opened_place(self):
        """Makes the place anew; returns descriptors of the requests, the replies and P."""
        shutil.rmtree(self.place, ignore_errors=True)
        os.mkdir(self.place, 0o755)
        paths = [os.path.join(self.place, name) for name in ("requests", "replies", "P")]
        for path in paths[:2]:
            os.mkfifo(path)
        with open(paths[2], "wb") as file:
            file.truncate(4 * self.numbers.width**2)
        for path in paths:
            os.chmod(path, 0o666)
        # Opened for both directions, so that neither side waits for the other to open its end.
        pipes = [os.open(path, os.O_RDWR | os.O_NONBLOCK) for path in paths[:2]]
        return *pipes, os.open(paths[2], os.O_RDONLY)

    def run(self, program, calls, first_seconds, seconds):
        """Returns a Run of this many calls. first_seconds limits the first call, which is not
        counted; seconds limits each other one."""
        requests, replies, product = self._opened_place()
        job = Job(
            [program, str(self.numbers.width), self.numbers.path, self.place],
            first_seconds + calls * seconds + 10,
            readable=[os.path.dirname(program), self.numbers.path],
            writable=[self.place],
            cwd=self.place,
            env=self.env,
            devices=self.devices,
        )
        run, ends = Run(), []
        pool = concurrent.futures.ThreadPoolExecutor(1)
        running = pool.submit(self.box.run, job, self.worker, self.log, ends.append)
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
            os.close(requests)  # the program ends when this pipe closes, or else is ended
            concurrent.futures.wait([running], 0 if run.problem else 5)
            for end in ends if not running.done() else ():
                end()
            outcome = running.result()
            os.close(replies)
            os.close(product)
            shutil.rmtree(self.place, ignore_errors=True)
        if run.problem == "ended":
            run.problem = ended(outcome)
        return run

    def _call(self, running, requests, replies, product, limit):
        begins = self.numbers.draw()
        request = struct.pack("qq", *begins)
        began = time.perf_counter()
        os.write(requests, request)
        while not select.select([replies], [], [], LOOK_EVERY)[0]:
            if running.done():
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
