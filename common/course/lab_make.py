"""Calls make for a lab from a tool that make itself has started."""

import os
import sys

MYPY = False  # which mypy takes for True: a report waits for no module that it does not need
if MYPY:
    import subprocess

# The flags of the outer make: its job server would not reach the inner make.
OF_MAKE = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL")
# Calls the rules of a lab, with LAB=name, other variables and a goal.
RULES = ("make", "--no-print-directory", "-f", "common/lab_rules.mk")
# A command of the student; other programs of this folder are called in this way, too.
STUDENT = (sys.executable, "-E", "-S", "common/course/student.py")


def set_device(*names: str) -> None:
    """Sets the simulated device's variables from these variables of make."""
    for name in filter(os.environ.get, names):
        os.environ[f"CUSIM_{name}"] = os.environ[name]


def show_warnings(out: str) -> None:
    """Shows the warnings about the file that is compiled in this folder."""
    program, warnings = "common/course/compile_help/show_warnings.py", f"{out}/warnings"
    if os.path.exists(warnings) and os.path.getsize(warnings):
        os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-I", "-S", program, warnings])


def environment() -> dict[str, str]:
    """Returns the environment without the flags of the outer make; its exported variables stay."""
    return {name: value for name, value in os.environ.items() if name not in OF_MAKE}


def run(*words: str, **options: object) -> "subprocess.CompletedProcess":
    """Runs a lab's rules with these variables and this goal."""
    import subprocess

    # The tests' stderr may be a file that the outer make has opened.
    return subprocess.run([*RULES, *words], env=environment(), close_fds=False, **options)
