"""Refuses mistyped goals, mistyped variables and wrong values on make's command line.

usage: usage.py goal GOAL KNOWN     GOAL is not among the KNOWN
       usage.py names LAB '' GIVEN  some of the variables GIVEN may be slips of those of the labs,
                                    or be of use within the makefiles
       usage.py names 'make GOAL' KNOWN GIVEN    this goal of the teacher's knows those KNOWN
       usage.py values              checks what the environment holds, before anything is built

KNOWN and GIVEN are names with blanks between them. Refuses with a sentence and exit status 2.
"""

import os
import sys

OF_LABS = """DEVICE ARCH TILE_WIDTH SCHEDULE PROFILE SOLUTION KERNEL MISTAKE PART TRACE CHECKS ARGS
EXPLAIN TODO AGAIN YES COMPILE_ONLY""".split()
# Programs and tests set these, too.
OF_PROGRAMS = "LAB OUT ADVICE MISTAKES HIDDEN MEASURED".split()
ANYWHERE = ("BUILD", "CXX", "PYTHON")
BEGINNINGS = ("LAB_", "CUSIM_", "CCACHE_")
MOST_CHANGED = 2  # letters of a slip
DIGITS = set("0123456789")
PROFILES = ("default", "8800gtx", "cc12", "device-d", "maxwell", "turing", "v100", "h200")


class Refused(Exception):
    """A sentence for whoever has typed the command."""


def distance(a: str, b: str) -> int:
    """Returns how many letters are to be put in, taken out or changed to make b of a."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        above, row = row, [i]
        for j, other in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != other)))
    return row[-1]


def nearest(word: str, known: list[str]) -> str:
    """Returns the name that takes the fewest changes; '' where each takes too many."""
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
    """Tells whether a variable is meant to be set, or known to the root's goals, which may have
    called this make."""
    with open("Makefile", encoding="utf-8") as file:
        words = "".join(c if c.isalnum() or c == "_" else " " for c in file.read()).split()
    return name in words or makefiles_have(f"^{name} *[?]=", lab)


def check_name(name: str, who: str, known: list[str]) -> None:
    if name in (*known, *ANYWHERE) or name.startswith(BEGINNINGS):
        return
    of_lab = not who.startswith("make ")
    if of_lab and (name in OF_PROGRAMS or of_use(name, who)):
        return
    near = nearest(name.upper(), known)
    if near:
        raise Refused(f"{name}: did you mean {near}?")
    if not of_lab:
        raise Refused(f"{name}: no variable of {who}, which knows {' '.join(known)}.")
    if not makefiles_have(r"[$][({]" + name + "[:)}]", who):
        raise Refused(f"{name}: no variable of the labs; make -C {who} lists them.")


def check_names(who: str, given: str, known: list[str] = OF_LABS) -> None:
    """Refuses the first of the names that a lab, or a goal of the teacher's, does not know."""
    for name in filter(str.isidentifier, sorted(given.split())):
        check_name(name, who, known)


def check_goal(goal: str, known: list[str]) -> None:
    near = nearest(goal.lower(), known)
    advice = f"did you mean {near}?" if near else "no such goal; make help lists them."
    raise Refused(f"{goal}: {advice}")


def cuda(what: str) -> bool:
    import subprocess

    asked = ["common/setup/cuda.sh", what]
    return subprocess.run(asked, stdout=subprocess.DEVNULL, check=False).returncode == 0


def check_device(device: str, compile_only: str) -> None:
    if compile_only not in ("", "0", "1"):
        raise Refused(
            f"COMPILE_ONLY={compile_only}: write 1 to compile without running; leave it out to run."
        )
    if device in ("", "sim"):
        if compile_only == "1":
            raise Refused(
                "COMPILE_ONLY=1 goes with DEVICE=gpu; the simulated device runs what it compiles."
            )
    elif device != "gpu":
        raise Refused(f"DEVICE={device}: no such device; write DEVICE=sim or DEVICE=gpu.")
    elif not cuda("nvcc"):
        raise Refused(
            "DEVICE=gpu: there is no nvcc; install the CUDA toolkit, 12 or 13, or leave DEVICE out"
            " to use the simulated device."
        )
    elif compile_only != "1" and not cuda("card"):
        raise Refused(
            "DEVICE=gpu: the toolkit is there, but no NVIDIA card answers nvidia-smi; install its"
            " driver, or leave DEVICE out to use the simulated device."
        )


def right_arch(value: str) -> bool:
    return value[0] in DIGITS - {"0"} and set(value) <= DIGITS | set("af")


def right_tile_width(value: str) -> bool:
    return set(value) <= DIGITS and value != "0" and int(value) <= 32


def check_schedule(value: str) -> None:
    seed = value.removeprefix("random:")
    if value in ("forward", "reverse"):
        return
    if seed == value:
        raise Refused(f"SCHEDULE={value}: write forward, reverse or random:SEED.")
    if not seed or not set(seed) <= DIGITS:
        raise Refused(f"SCHEDULE={value}: the seed is a whole number, as in random:7.")


def check_source(source: str) -> None:
    if not os.path.isfile(source):
        raise Refused(f"{source}: no such file; KERNEL= takes the path of a .cu file.")
    if not os.access(source, os.R_OK):
        raise Refused(f"{source}: cannot be read; check its permissions.")


def check_values(given: dict[str, str]) -> None:
    """Checks the values of the labs' variables; one that is empty counts as not given."""

    def check(name: str, right: bool, advice: str) -> None:
        if not right:
            raise Refused(f"{name}={given[name]}: {advice}.")

    check_device(given["DEVICE"], given["COMPILE_ONLY"])
    arch, width = given["ARCH"], given["TILE_WIDTH"]
    check(
        "ARCH",
        not arch or right_arch(arch),
        "write the card's compute capability without its point, as in 90",
    )
    check(
        "TILE_WIDTH",
        not width or right_tile_width(width),
        "write a whole number from 1 to 32; a block has at most 1,024 threads",
    )
    check_schedule(given["SCHEDULE"] or "forward")
    solution, explain = given["SOLUTION"] in ("", "0", "1"), given["EXPLAIN"] in ("", "all")
    check("SOLUTION", solution, "write 1 for the solution; leave it out for your own file")
    check("EXPLAIN", explain, "write all to see every failed test explained")
    profiles = f"write {', '.join(PROFILES[:-1])} or {PROFILES[-1]}"
    check("PROFILE", given["PROFILE"] in ("", *PROFILES), profiles)
    check_source(given["SOURCE"])


VALUES = "DEVICE COMPILE_ONLY ARCH TILE_WIDTH SCHEDULE SOLUTION EXPLAIN PROFILE SOURCE".split()


def main(kind: str, who: str = "", known: str = "", given: str = "") -> int:
    try:
        if kind == "values":
            check_values({name: os.environ.get(name, "") for name in VALUES})
        elif kind == "goal":
            check_goal(who, known.split())
        else:
            check_names(who, given, known.split() or OF_LABS)
    except Refused as sentence:
        print(sentence, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
