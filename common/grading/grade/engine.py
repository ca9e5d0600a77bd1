"""Grades all students of a class: workers, results of earlier runs, repetitions, and progress."""

import fcntl
import glob
import os
import queue
import shutil
import sys
import tempfile
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import disk
from release.contents import Refused
from slurm import job_array

from . import places, sandbox
from .judge import Judge
from .submission import Again


class Workplace:
    """A folder for each worker, outside OUT; removes those that killed graders have left, too."""

    def __init__(self, folder):
        for lock in glob.glob(os.path.join(glob.escape(folder), "grade-*", "lock")):
            self._remove_unused(lock)
        # It gets the name that others look for once it is locked.
        new = tempfile.mkdtemp(prefix="new-grade-", dir=folder)
        os.chmod(new, 0o711)
        self.lock = open(os.path.join(new, "lock"), "w", encoding="ascii")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.top = os.path.join(folder, os.path.basename(new).removeprefix("new-"))
        os.rename(new, self.top)

    def _remove_unused(self, path):
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
        except OSError:
            return  # another user's
        folder = os.path.dirname(path)
        with open(descriptor, "r+", encoding="ascii") as lock:
            if places.locked(lock) and os.stat(folder).st_uid == os.geteuid():
                shutil.rmtree(folder, ignore_errors=True)

    def of(self, worker):
        path = os.path.join(self.top, str(worker))
        os.makedirs(path, exist_ok=True)
        os.chmod(path, 0o711)
        return path

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)


class Progress:
    """Shows progress: one line, overwritten, on a terminal; elsewhere a line now and then."""

    def __init__(self, total, kept):
        self.total, self.done, self.kept = total, kept, kept
        self.began = self.told = time.monotonic()
        self.terminal = sys.stdout.isatty()
        self.every = 0.5 if self.terminal else 10

    def tell(self, waiting=""):
        now = time.monotonic()
        if now - self.told < self.every:
            return
        self.told, line = now, f"{self.done} of {self.total} graded"
        if graded := self.done - self.kept:
            seconds = (now - self.began) / graded * (self.total - self.done)
            left = f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"
            line += f", about {left} left"
        line += waiting
        print(f"\r{line[:79]:79}" if self.terminal else f"{line}\n", end="", flush=True)

    def end(self):
        if self.terminal:
            print(f"\r{'':79}\r", end="", flush=True)


class Engine:
    def __init__(self, grader, box, workplace):
        self.grader, self.box, self.workplace = grader, box, workplace
        self.results, self.full = {}, None
        self.slept = {}  # seconds, by each student who is to be graded again
        self.waiting, self.lock, self.stop = queue.Queue(), threading.Lock(), threading.Event()

    def go_on(self):
        """Raises the error of a full disk that has stopped the workers."""
        if self.full:
            raise self.full

    def judge(self, worker):
        folder = self.workplace.of(worker)
        return Judge(self.grader.course, self.box, self.grader.lab_seed, worker, folder)

    def failed(self, student, error):
        return self.grader.failed(
            student, f"The grader failed, and the next run tries again: {error}"
        )

    def one(self, student, judge, last):
        judge.slept, judge.last = self.slept.get(student, 0.0), last
        try:
            result = self.grader.grade(student, judge, last)
        except Again:
            self.slept[student] = judge.slept
            return
        except Exception as error:  # one student's must not stop the others
            if self.stop.is_set():
                return
            if full := disk.cause_of(error, judge.folder):
                self.full = full
                self.stop.set()
                return
            if not last:  # it may be the machine's
                self.slept[student] = judge.slept
                return
            trouble = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{os.path.basename(trouble.filename)}:{trouble.lineno}"
            result = self.failed(student, f"{type(error).__name__}: {error} ({place})")
        with self.lock:
            self.results[student] = result

    def work(self, worker, last):
        judge = self.judge(worker)
        while not self.stop.is_set():
            try:
                student = self.waiting.get_nowait()
            except queue.Empty:
                return
            self.one(student, judge, last)

    def keep(self, students):
        """Takes over the results of an earlier run; returns the other students."""
        pool = ThreadPoolExecutor(os.cpu_count())
        try:
            earlier = dict(zip(students, pool.map(self.grader.earlier, students)))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        self.results.update({student: result for student, result in earlier.items() if result})
        return [student for student in students if not earlier[student]]

    def run(self, students, options):
        """Grades all students; returns how many had no result before."""
        rest = self.keep(students)
        kept = len(self.results)
        if kept:
            print(f"{kept} of {len(students)} are as an earlier run has left them.", flush=True)
        progress = Progress(len(students), kept)
        try:
            if options.engine == "slurm":
                self._on_slurm(rest, options, progress)
            else:
                self._here(rest, options.jobs, progress)
        except KeyboardInterrupt:
            self.stop.set()
            sandbox.end_all()
            raise
        finally:
            progress.end()
        return len(rest)

    def _on_slurm(self, students, options, progress):
        def is_done(folder):
            return not self.keep([by_folder[folder]])

        def tell(done, reasons):
            progress.done = progress.kept + done
            progress.tell(f"; Slurm: {', '.join(reasons)}" if reasons else "")

        by_folder = {student.folder: student for student in students}
        commands = {folder: [sys.executable, "-m", "grade", folder] for folder in by_folder}
        limits, jobs = options.limits, options.jobs
        files = sum(len(names) for names in self.grader.course.parts.values())
        seconds = limits.wall_seconds(files)
        memory = (limits.memory >> 20) + 512
        try:
            lost = job_array.grade(commands, options.out, is_done, jobs, seconds, memory, tell)
        except job_array.SlurmError as why:
            raise Refused(str(why)) from None
        for folder, reason in lost.items():
            self.results[by_folder[folder]] = self.failed(by_folder[folder], reason)
        self.keep([student for student in students if student.folder not in lost])

    def _here(self, students, jobs, progress, last=False):
        """Grades the students, and once more, one at a time, those who ran out of time; who slept
        comes last."""
        for student in students:
            self.waiting.put(student)
        workers = []
        for number in range(min(jobs, len(students))):
            workers.append(threading.Thread(target=self.work, args=(number, last), daemon=True))
            workers[-1].start()
        while any(worker.is_alive() for worker in workers):
            time.sleep(0.1)
            progress.done = len(self.results)
            again = sum(student not in self.results for student in list(self.slept))
            progress.tell(f"; {again} to repeat" if again else "")
        self.go_on()
        alone = sorted(self.slept, key=lambda student: (self.slept[student], student.name))
        if alone and not last:
            many = "1 submission" if len(alone) == 1 else f"{len(alone)} submissions"
            print(f"{many} did not finish; they are graded again, one at a time.", flush=True)
            self._here(alone, 1, progress, last=True)
