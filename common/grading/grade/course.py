"""The trusted tree: a copy of the course without solutions, built once, to which submissions are
added. Its folder is named after its content, so that an unchanged course is not built again."""

import errno
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import disk
import points
from release import contents
from release.contents import Refused

from . import places, reading, sandbox, steps
from .card import Card

ROOT = str(contents.ROOT)
# Time of every file in the copy: older than all that is built there, even if the times of the
# course's own files or the clock are ahead.
LONG_AGO = 946684800  # 2000-01-01
SHOWN = re.compile(r"\.h$|\.cuh$|/given\.cu$")
# What builds and judges submissions beside the labs; the copy needs no more of common/grading.
NEEDED = (
    *(f"common/grading/speed/*.{kind}" for kind in ("cpp", "h", "mk")),
    *(f"common/verdict/{folder}/*" for folder in ("guard", "gate", "host")),
    "common/grading/lab.mk",
    "common/verdict/rules.mk",
    "lab*/timed_call.cpp",
)


def listed(top, below):
    """Yields the files in a folder, which may be missing. Raises OSError for what cannot be read."""

    def stop(error):
        if error.errno != errno.ENOENT:
            raise error

    for folder, folders, names in os.walk(os.path.join(top, below), onerror=stop):
        folders[:] = sorted(set(folders) - {"build", "__pycache__", ".git"})
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                yield os.path.relpath(path, top)


def course_files():
    """Returns {path in the copy: path here} of the course, the same of the teacher's hidden tests,
    and of the grader's own files, on which marks also depend."""
    tops = [*contents.labs(), "common", "datasets"]
    course = [name for top in tops for name in listed(ROOT, top) if copied(name)] + ["Makefile"]
    grader = [name for name in listed(ROOT, "common/grading") if name.endswith(".py")]
    grader = [name for name in grader if "/tests/" not in name]
    for names in (course, listed(ROOT, steps.HIDDEN), grader):
        yield {name: os.path.join(ROOT, name) for name in names}


def copied(name):
    return not contents.left_out(name) or contents.matches(name, NEEDED)


def digest_of(files):
    """Returns a hash of the files and of the compiler, as another one may judge differently."""
    total = hashlib.sha256(steps.compiler().encode())
    for name, path in sorted(files.items()):
        digest = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
        total.update(f"{name}\0{digest}\n".encode())
    return total.hexdigest()


def remove_since(folder, begun):
    """Removes the files that a build has left which was killed: one of them may be half written."""
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_file() and path.stat().st_mtime_ns >= begun:
            path.unlink()


def remove_older(cache):
    """Removes copies of earlier courses that no grader holds."""
    for name in os.listdir(cache):
        path = os.path.join(cache, name)
        if not (name.startswith("course-") and os.path.isdir(path)):
            continue
        # A grader that still copies its course holds the lock of the finished copy.
        with open(f"{path.removesuffix('.new')}.lock", "a", encoding="ascii") as lock:
            if places.locked(lock):
                shutil.rmtree(path, ignore_errors=True)


class Course:
    """The labs to grade, their parts and points, and the copy of the course that judges them."""

    def __init__(self, labs, on_card=False, compile_only=False):
        self.files, self.hidden, grader = course_files()
        # The solved kernels on which answers can be measured; a Gradescope image has none.
        solved = [f"solutions/{lab}/kernel.cu" for lab in contents.labs()]
        there = {name: os.path.join(ROOT, name) for name in solved}
        self.solved = {name: path for name, path in there.items() if os.path.isfile(path)}
        self.labs = contents.chosen_labs(labs)
        self.other_labs = set(contents.labs()) - set(self.labs)
        self.points = {lab: points.load(lab) for lab in self.labs}
        self.parts, self.without_points = {}, []
        for lab in self.labs:
            there, known = self._parts(lab), self.points[lab].parts
            self.parts[lab] = [part for part in there if part in known]
            self.without_points += [f"{lab}/{part}" for part in there if part not in known]
        self.reader = reading.Reader(ROOT, self.parts, self.files, self.other_labs)
        self.cache = places.for_course(ROOT)
        # Points for speed need a card.
        self.card = Card(ROOT, self.cache, compile_only) if on_card else None
        self.references = self._references() if on_card else {}
        built = {**self.files, **self.hidden, **self.solved}
        self.path = os.path.join(self.cache, f"course-{digest_of(built)[:16]}")
        self.digest = digest_of({**built, **grader})
        self.has_hidden = bool(self.hidden)

    def _parts(self, lab):
        """Returns a lab's parts in the order of lab_rules.mk."""
        pieces = [os.path.split(name) for name in self.files if name.endswith(".cu")]
        parts = [file.removesuffix(".cu") for folder, file in pieces if folder == lab]
        parts.sort(key=lambda name: (name != "kernel", name))
        return parts + ["answers"] * (f"{lab}/answers.h" in self.files)

    def _references(self):
        """Returns the files that submissions are timed against, as {(lab, part): bytes}."""
        found = {}
        for lab, part in ((lab, part) for lab in self.labs for part in self.parts[lab]):
            if self.points[lab].parts[part].performance is not None:
                path = os.path.join(ROOT, "solutions", lab, f"{part}.cu")
                entry = f"{lab}/timed_call.cpp"
                if part != "kernel" or not os.path.isfile(path) or entry not in self.files:
                    wanted = f"performance is for kernel.cu,\nwith {path} and {entry}."
                    raise Refused(f"{lab}/lab.toml: part {part}: {wanted}")
                found[lab, part] = pathlib.Path(path).read_bytes()
        return found

    def performance(self, lab, part):
        """Returns the points for the speed of a part; None if there are none."""
        return self.points[lab].parts[part].performance if self.card else None

    def original(self, name):
        return pathlib.Path(self.files[name]).read_bytes()

    def skeleton(self, lab, part):
        return self.original(f"{lab}/{points.file_of(part)}")

    def prepare(self, say):
        """Copies and builds the course if needed; keeps the copy until the grader ends."""
        # A shared lock: many graders may use a copy, and remove_older skips a copy in use.
        self.used = open(f"{self.path}.lock", "w", encoding="ascii")
        fcntl.flock(self.used, fcntl.LOCK_SH)
        with open(f"{self.path}.building", "w", encoding="ascii") as building:
            if not places.locked(building):
                say("Another grader builds the same course; waiting for it.")
                fcntl.flock(building, fcntl.LOCK_EX)
            for lab in self.labs:
                timed = f"-{self.card.arch}" if (lab, "kernel") in self.references else ""
                mark = pathlib.Path(self.path, f".built-{lab}{timed}")
                if mark.exists():
                    continue
                self.copied()
                begun = pathlib.Path(self.path, ".build-begun")
                if begun.exists():
                    remove_since(pathlib.Path(self.path, "build"), begun.stat().st_mtime_ns)
                begun.touch()
                say(f"Building the course's own programs for {lab} (once a course).")
                self._build(lab, say, building)
                mark.touch()
                begun.unlink()

    def copied(self):
        """Returns the copy's folder, and copies the course to it if it is missing."""
        if os.path.isdir(self.path):
            return self.path
        remove_older(self.cache)
        new = f"{self.path}.new"
        shutil.rmtree(new, ignore_errors=True)
        secret = {**self.hidden, **self.solved}
        for name, path in {**self.files, **secret}.items():
            to = os.path.join(new, name)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copyfile(path, to)
            # Only the grader may read these; it builds them before submissions run.
            rights = 0o755 if os.access(path, os.X_OK) else 0o644
            os.chmod(to, 0o600 if name in secret else rights)
            os.utime(to, (LONG_AGO, LONG_AGO))
        for name in steps.BUILT_HIDDEN:
            os.makedirs(os.path.join(new, name))
        for folder, _, _ in os.walk(new):
            os.chmod(folder, 0o755)
        os.rename(new, self.path)
        return self.path

    def tests_hidden(self, lab, part):
        """Returns whether a part has hidden tests."""
        folder = pathlib.PurePath(steps.HIDDEN, lab, "" if part == "kernel" else part)
        return any(pathlib.PurePath(name).match(f"{folder}/test_*.cpp") for name in self.hidden)

    def hidden_sources(self):
        return [os.path.join(self.path, name) for name in (*self.hidden, *self.solved)]

    def solved_kernel(self, lab):
        """Returns the course's own kernel, built, from the course's folder; "" without one."""
        return f"build/hidden/{lab}/kernel.o" if f"solutions/{lab}/kernel.cu" in self.solved else ""

    def built_hidden(self):
        """Returns the folders of all that is built of hidden tests, now or later."""
        return [os.path.join(self.path, name) for name in steps.BUILT_HIDDEN]

    def own_files(self, lab):
        """Returns the lab's files whose lines a report may show, as {name: bytes}: headers, and the
        kernels that questions give."""
        names = [name for name in self.files if name.startswith(f"{lab}/") and SHOWN.search(name)]
        return {name: self.original(name) for name in names}

    def _build(self, lab, say, lock):
        log = f"{self.path}.log"
        open(log, "wb").close()
        command = [os.path.join(ROOT, "common/setup/jobs.sh")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        jobs = int(done.stdout) if done.returncode == 0 else 1
        what = self.parts[lab], jobs, self.has_hidden, self.solved_kernel(lab)
        commands = list(steps.building(lab, *what))
        if (lab, "kernel") in self.references:
            commands.append(steps.on_card(lab, "kernel", self.card.arch, "measured_objects"))
        counted = [sys.executable, "-I", "-S", f"{ROOT}/common/setup/counting.py", "--log", log]
        with subprocess.Popen(
            counted + [word for command in commands for word in (*command, "--")][:-1],
            cwd=self.path,
            env={**sandbox.ENVIRONMENT, "TMPDIR": os.path.dirname(self.path)},
            stdin=subprocess.DEVNULL,
            stdout=None if sys.stdout.isatty() else subprocess.PIPE,
            text=True,
            pass_fds=[lock.fileno()],  # it is locked until the last compiler ends
        ) as build:
            for line in build.stdout or ():
                say(line.rstrip("\n"))
        if build.returncode != 0:
            disk.need_room(self.path)
            raise Refused(f"The course itself does not build: {log} says why.")
