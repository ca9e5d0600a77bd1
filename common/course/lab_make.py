"""Calls make for a lab from a tool that make itself has started."""

import os
import sys

MYPY = False  # which mypy takes for True: a report waits for no module that it does not need
if MYPY:
    import subprocess

# The flags of the make above: its jobs would not reach the make below.
OF_MAKE = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL")
# Calls the rules of a lab, with LAB=name, other variables and a goal.
RULES = ("make", "--no-print-directory", "-f", "common/lab_rules.mk")
# A command of the student's, by which other programs of this folder are called, too.
STUDENT = (sys.executable, "-E", "-S", "common/course/student.py")


def set_device(*names: str) -> None:
    """Puts these variables where the simulated device finds its settings."""
    for name in filter(os.environ.get, names):
        os.environ[f"CUSIM_{name}"] = os.environ[name]


def show_warnings(out: str) -> None:
    """Shows what the file is warned of that is compiled in this folder."""
    program, warnings = "common/course/compile_help/show_warnings.py", f"{out}/warnings"
    if os.path.exists(warnings) and os.path.getsize(warnings):
        os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-I", "-S", program, warnings])


def environment() -> dict[str, str]:
    """Returns the environment without the flags of the make above; its variables stay, exported."""
    return {name: value for name, value in os.environ.items() if name not in OF_MAKE}


def run(*words: str, **options: object) -> "subprocess.CompletedProcess":
    """Runs a lab's rules with these variables and this goal."""
    import subprocess

    # What the tests write to stderr may go to a file that the make above has opened.
    return subprocess.run([*RULES, *words], env=environment(), close_fds=False, **options)
