"""Compiles a CUDA program of the student's own and runs it on the simulated device, fully checked.

usage: student.py lab '' try GIVEN    GIVEN: the names on make's command line; FILE: the program
"""

import os
import shlex
import subprocess
import sys
import tempfile

from course import lab_make, usage
from course.asked import value
from course.compile_help import show_warnings
from course.compile_help.messages import text_of
from course.usage import Refused
from course.wrap import columns_of

KNOWN = "FILE ARGS CHECKS SCHEDULE PROFILE TRACE".split()
EXAMPLE = "common/simulator/programs/sum.cu"


def main(given: str) -> int:
    usage.check_names("make try", given, KNOWN)
    # A file is relative to the folder where make was called, or to the course.
    places = [os.path.join(folder, value("FILE")) for folder in (value("PWD"), os.getcwd())]
    file = next(filter(os.path.isfile, places if value("FILE") else ()), "")
    if not file:
        cause = f"FILE={value('FILE')}: no such file" if value("FILE") else "FILE is missing"
        raise Refused(f"{cause}; name a program, as in make try FILE={EXAMPLE} ARGS=1000")
    if not file.endswith((".cu", ".cpp", ".cc", ".cxx", ".c")):
        raise Refused(f"FILE={value('FILE')}: not a program; name a .cu file.")
    if not os.access(file, os.R_OK):
        raise Refused(f"FILE={value('FILE')}: cannot be read; check its permissions.")
    try:
        words = shlex.split(value("ARGS"))
    except ValueError as error:
        raise Refused(f"ARGS={value('ARGS')}: {error}.") from None
    lab_make.set_device("CHECKS", "SCHEDULE", "PROFILE", "TRACE")
    # Each call has a folder of its own: another one may run at the same time.
    kept = os.path.abspath(os.path.join(value("BUILD") or "build", "try"))
    os.makedirs(kept, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept) as folder:
        return run(file, os.path.join(folder, "program"), words)


def run(file: str, program: str, words: list[str]) -> int:
    cusim, environment = os.path.abspath("common/simulator/cusim"), lab_make.environment()
    os.chdir(value("PWD") or ".")
    compiled = [sys.executable, "-E", cusim, os.path.relpath(file), "-o", program]
    if "cublas" in text_of(file):
        compiled.append("-lcublas")
    warnings = f"{program}.warnings"
    warned = {**environment, "CUSIM_WARNINGS": warnings}
    if status := subprocess.run(compiled, env=warned, check=False).returncode:
        return status
    if os.path.exists(warnings):
        sys.stderr.write(show_warnings.shown(text_of(warnings), columns_of(2)))
    summary = {"CUSIM_SUMMARY": "always", "CUSIM_EXIT_STATUS": "1"}
    status = subprocess.run([program, *words], env={**environment, **summary}).returncode
    return status if status >= 0 else 128 - status
