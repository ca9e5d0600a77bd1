"""Refuses mistyped goals, mistyped variables and wrong values on make's command line.

usage: usage.py goal GOAL KNOWN     GOAL is not among the KNOWN
       usage.py names LAB '' GIVEN  some of the variables GIVEN may be misspelt variables of the
                                    labs, or variables that only makefiles use
       usage.py names 'make GOAL' KNOWN GIVEN    this goal for teachers knows the KNOWN ones
       usage.py values              checks the values in the environment, before anything is built

KNOWN and GIVEN are names with blanks between them. Refuses with a sentence and exit status 2.
"""

import os
import sys
from collections.abc import Iterable, Sequence

OF_LABS = """DEVICE ARCH TILE_WIDTH SCHEDULE PROFILE SOLUTION KERNEL MISTAKE PART TRACE CHECKS ARGS
EXPLAIN TODO AGAIN YES COMPILE_ONLY""".split()
OF_PROFILE = (*OF_LABS, "TEST", "WIDTH", "SHAPE")
OF_EXPLORE = (*OF_LABS, "TEST", "WIDTH", "SHAPE", "BLOCK", "BESIDE", "TOUR")
# Programs and tests set these, too.
OF_PROGRAMS = "LAB OUT ADVICE MISTAKES HIDDEN MEASURED".split()
ANYWHERE = ("BUILD", "CXX", "PYTHON")
BEGINNINGS = ("LAB_", "CUSIM_", "CCACHE_")
MOST_CHANGED = 2  # letters of a misspelt word
DIGITS = set("0123456789")
PROFILES = ("default", "8800gtx", "cc12", "device-d", "maxwell", "turing", "v100", "h200")


class Refused(Exception):
    """A sentence for the person who typed the command."""


def distance(a: str, b: str) -> int:
    """Returns how many letters must be inserted, removed or changed to turn a into b."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        above, row = row, [i]
        for j, other in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != other)))
    return row[-1]


def nearest(word: str, known: Sequence[str]) -> str:
    """Returns the name that takes the fewest changes; '' if each takes too many."""
    best = min(known, key=lambda name: distance(word, name))
    return best if distance(word, best) <= MOST_CHANGED else ""


def makefiles_have(pattern: str, lab: str) -> bool:
    import glob
    import re

    for files in ("Makefile", "common/*.mk", "common/*/*.mk", f"{lab}/*.mk"):
        for name in glob.glob(files):
            with open(name, encoding="utf-8") as file:
                if re.search(pattern, file.read(), re.MULTILINE):
                    return True
    return False


def of_use(name: str, lab: str) -> bool:
    """Tells whether a lab's variable may be set, or is one of the root, which may call this
    make."""
    with open("Makefile", encoding="utf-8") as file:
        words = "".join(c if c.isalnum() or c == "_" else " " for c in file.read()).split()
    return name in words or makefiles_have(f"^{name} *[?]=", lab)


def check_name(name: str, command: str, known: Sequence[str]) -> None:
    if name in (*known, *ANYWHERE) or name.startswith(BEGINNINGS):
        return
    of_lab = not command.startswith("make ")
    if of_lab and (name in OF_PROGRAMS or of_use(name, command)):
        return
    near = nearest(name.upper(), known)
    if near:
        raise Refused(f"{name}: did you mean {near}?")
    if not of_lab:
        raise Refused(f"{name}: {command} has no such variable; it has {' '.join(known)}.")
    if not makefiles_have(r"[$][({]" + name + "[:)}]", command):
        raise Refused(f"{name}: the labs have no such variable; make -C {command} lists them.")


def check_names(command: str, given: str, known: Sequence[str] = OF_LABS) -> None:
    """Refuses the first of the names that a lab, or a goal for teachers, does not know."""
    for name in filter(str.isidentifier, sorted(given.split())):
        check_name(name, command, known)


def check_goal(goal: str, known: Sequence[str]) -> None:
    near = nearest(goal.lower(), known)
    advice = f"did you mean {near}?" if near else "no such goal; make help lists them."
    raise Refused(f"{goal}: {advice}")


def cuda(what: str) -> bool:
    import subprocess

    asked = ["common/setup/cuda.sh", what]
    return subprocess.run(asked, stdout=subprocess.DEVNULL, check=False).returncode == 0


def check_device(device: str, compile_only: bool) -> None:
    if device != "gpu" and compile_only:
        words = "the simulated device runs what it compiles"
        raise Refused(f"COMPILE_ONLY=1 goes with DEVICE=gpu; {words}.")
    cause, simulated = "", "or leave DEVICE out to use the simulated device"
    if device == "gpu" and not cuda("nvcc"):
        cause = "there is no nvcc; install the CUDA toolkit, 12 or 13"
    elif device == "gpu" and not compile_only and not cuda("card"):
        cause = "the toolkit is there, but no NVIDIA card answers nvidia-smi; install its driver"
    if cause:
        raise Refused(f"DEVICE=gpu: {cause}, {simulated}.")


def right_arch(value: str) -> bool:
    return value[0] in DIGITS - {"0"} and set(value) <= DIGITS | set("af")


def right_tile_width(value: str) -> bool:
    return set(value) <= DIGITS and value != "0" and int(value) <= 32


def right_schedule(value: str) -> bool:
    return value in ("forward", "reverse") or value.startswith("random:")


def right_seed(value: str) -> bool:
    seed = value.removeprefix("random:")
    return seed == value or (seed != "" and set(seed) <= DIGITS)


THREADS = "a block has at most 1,024 threads"
# The values of a variable, or a test of a value, and the advice about a wrong one.
OF_DEVICE = (
    ("COMPILE_ONLY", ("0", "1"), "write 1 to compile without running; leave it out to run"),
    ("DEVICE", ("sim", "gpu"), "no such device; write DEVICE=sim or DEVICE=gpu"),
)
OF_FILES = (
    ("ARCH", right_arch, "write the card's compute capability without its point, as in 90"),
    ("TILE_WIDTH", right_tile_width, f"write a whole number from 1 to 32; {THREADS}"),
    ("SCHEDULE", right_schedule, "write forward, reverse or random:SEED"),
    ("SCHEDULE", right_seed, "the seed is a whole number, as in random:7"),
    ("SOLUTION", ("0", "1"), "write 1 for the solution; leave it out for your own file"),
    ("EXPLAIN", ("all", "rules"), "write all to see every failed test explained"),
    ("PROFILE", PROFILES, f"write {', '.join(PROFILES[:-1])} or {PROFILES[-1]}"),
)


def check_values(given: dict[str, str]) -> None:
    """Checks the values of the labs' variables; one that is empty counts as not given."""

    def check(rows: Iterable[tuple]) -> None:
        for name, right, advice in rows:
            value = given[name]
            if value and not (right(value) if callable(right) else value in right):
                raise Refused(f"{name}={value}: {advice}.")

    check(OF_DEVICE)
    check_device(given["DEVICE"], given["COMPILE_ONLY"] == "1")
    check(OF_FILES)
    source = given["SOURCE"]
    if not os.path.isfile(source):
        solved = given["SOLUTION"] == "1" and source.startswith("solutions/")
        advice = "leave SOLUTION out" if solved else "KERNEL= takes the path of a .cu file"
        raise Refused(f"{source}: no such file; {advice}.")
    if not os.access(source, os.R_OK):
        raise Refused(f"{source}: cannot be read; check its permissions.")


VALUES = "DEVICE COMPILE_ONLY ARCH TILE_WIDTH SCHEDULE SOLUTION EXPLAIN PROFILE SOURCE".split()


def main(kind: str, name: str = "", known: str = "", given: str = "") -> int:
    try:
        if kind == "values":
            check_values({one: os.environ.get(one, "") for one in VALUES})
        elif kind == "goal":
            check_goal(name, known.split())
        else:
            check_names(name, given, known.split() or OF_LABS)
    except Refused as sentence:
        print(sentence, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
