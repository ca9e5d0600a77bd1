"""The teacher's options: variables of make, checked before anything is done."""

import datetime
import hashlib
import os
import pathlib
import secrets
from dataclasses import dataclass

import disk
from release.contents import Refused

from .sandbox import Limits

USAGE = "make grade SUBMISSIONS=folder OUT=folder [LABS=...] [JOBS=n] [SEED=secret] [DEVICE=gpu]"


ISOLATION = "required (bubblewrap), landlock or limits, or leave it out"


@dataclass
class Options:
    submissions: str
    out: str
    labs: list
    jobs: int
    sandbox: str
    limits: Limits
    engine: str = ""
    on_card: bool = False  # also gives points for speed
    compile_only: bool = False  # builds what would be timed, and grades nothing
    roster: str = ""
    only: str = ""  # names of the students to grade again
    hidden_from: datetime.date | None = None  # when feedback begins to explain hidden tests

    @property
    def explains_hidden(self):
        return self.hidden_from is not None and datetime.date.today() >= self.hidden_from


def number(name, default, least, most):
    text = os.environ.get(name, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = -1.0
    if not least <= value <= most:
        raise Refused(f"{name}={text}: write a number from {least:g} to {most:g}.")
    return value


def one_of(name, values, advice):
    value = os.environ.get(name, "")
    if value not in ("", *values.split()):
        raise Refused(f"{name}={value}: write {advice}.")
    return value


def date(name):
    text = os.environ.get(name, "")
    try:
        value = datetime.date.fromisoformat(text) if text else None
    except ValueError:
        value = None
    if text and str(value) != text:
        today = datetime.date.today()
        raise Refused(f"{name}={text}: write a date as year-month-day, such as {today}.")
    return value


def folder(name):
    given = os.environ.get(name, "")
    if not given:
        raise Refused(f"{USAGE}: {name} is missing.")
    return given, os.path.realpath(given)


def read(umask):
    """Returns the options; makes OUT with the rights that this umask leaves."""
    given, submissions = folder("SUBMISSIONS")
    if not os.path.isdir(submissions):
        what = "is no folder" if os.path.exists(submissions) else "there is no such folder"
        raise Refused(f"SUBMISSIONS={given}: {what}; it holds a folder or archive a student.")
    given, out = folder("OUT")
    if out == submissions or out.startswith(submissions + os.sep):
        raise Refused(f"OUT={given}: lies in SUBMISSIONS, as if it were a student's; take another.")
    if submissions.startswith(out + os.sep):
        raise Refused(f"OUT={given}: SUBMISSIONS lies in it; take a folder of its own.")
    if os.path.exists(out) and not os.path.isdir(out):
        raise Refused(f"OUT={given}: is there, and is no folder; take another name.")
    try:
        if not os.path.isdir(out):
            os.makedirs(out)
            os.chmod(out, 0o777 & ~umask)
        os.makedirs(os.path.join(out, "students"), exist_ok=True)
        open(os.path.join(out, ".lock"), "a", encoding="ascii").close()
    except OSError as error:
        raise Refused(f"OUT={given}: cannot be written: {error.strerror}.") from None
    roster = os.environ.get("ROSTER", "")
    if roster and os.path.dirname(os.path.realpath(roster)) == submissions:
        raise Refused(f"ROSTER={roster}: lies in SUBMISSIONS, as if it were a student's; move it.")
    sandbox = one_of("SANDBOX", "auto required landlock limits", ISOLATION) or "auto"
    limits = Limits(
        build_seconds=number("BUILD_SECONDS", 60, 1, 3600),
        run_seconds=number("RUN_SECONDS", 60, 1, 3600),
        memory=int(number("MEMORY_GB", 4, 0.25, 1024) * (1 << 30)),
    )
    jobs = number("JOBS", len(os.sched_getaffinity(0)), 1, 4096)
    if jobs != int(jobs):
        raise Refused(f"JOBS={jobs:g}: write a whole number.")
    labs = os.environ.get("LABS", "").split()
    engine = one_of("ENGINE", "slurm", "slurm, or leave it out to grade on this machine")
    device = one_of("DEVICE", "sim gpu", "gpu for the points for speed, or leave it out")
    only = one_of("COMPILE_ONLY", "0 1", "1 to compile without running, or leave it out") == "1"
    on_card = device == "gpu"
    if only and not on_card:
        words = "without it there is nothing to compile"
        raise Refused(f"COMPILE_ONLY=1 goes with DEVICE=gpu; {words}.")
    words = os.environ.get("ONLY", "").strip(), date("EXPLAIN_HIDDEN")
    at = engine, on_card, only, roster
    return Options(submissions, out, labs, int(jobs), sandbox, limits, *at, *words)


def seed_of(out):
    """Returns the secret and a word on its origin. Keeps it in OUT for runs that continue there."""
    path = os.path.join(out, "seed")
    kept = pathlib.Path(path).read_text(encoding="utf-8").strip() if os.path.exists(path) else ""
    given = os.environ.get("SEED", "")
    seed = given or kept or secrets.token_hex(16)
    if seed != kept:
        new = path + ".new"
        if os.path.exists(new):
            os.remove(new)
        with disk.naming(path):
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(seed + "\n")
        os.replace(new, path)
    if given:
        return seed, "yours" if not kept or kept == given else "yours; another one was used before"
    return seed, "as before" if kept else "drawn at random"


# Printed if SEED= is on make's command line, which every user of a machine may read.
SEED_SHOWN = (
    "SEED= on make's command line can be read by every user of this machine. Write it in front"
    "\nof make (SEED=... make grade ...), or into OUT/seed."
)


def seed_is_shown():
    return os.environ.get("SEED_SHOWN", "") == "1"


def number_of(seed):
    """Returns the number that seeds the labs' data sets."""
    return int.from_bytes(hashlib.sha256(b"LAB_SEED\0" + seed.encode()).digest()[:8], "big")
