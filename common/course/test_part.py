"""Runs the tests of a part that make has built, and says which file on which device they judge.

usage: student.py test_part LAB PART sim|gpu FACTS OUT SOURCE [own]
       FACTS: what facts.py prints; OUT holds the program; own: the student's own file, whose
       results are kept

Every test of a lab waits for this, so it imports only what its test needs.
"""

import os
import signal
import sys

from course import lab_make
from course.asked import value
from testing import run_tests


def main(lab: str, part: str, device: str, facts: str, out: str, source: str, own: str = "") -> int:
    tests = (device, facts, part, f"{out}/tests")
    if not os.path.exists(f"{out}/tests"):
        file = os.path.basename(source)
        if device != "gpu":
            print(f"{lab}: {file} has no tests; they are files test_*.cpp", file=sys.stderr)
            return 2
        print(f"{lab}: every test of {file} needs counters, so none runs on a card")
        return 0
    if value("COMPILE_ONLY") not in ("", "0"):
        print(f"{lab}: {source}: compiled, not run (COMPILE_ONLY=1)")
        return 0
    name = "the simulated device" + (f", profile {value('PROFILE')}" if value("PROFILE") else "")
    if device == "gpu":
        import subprocess

        done = subprocess.run(["common/setup/cuda.sh", "card"], stdout=subprocess.PIPE, text=True)
        if done.returncode:
            return done.returncode
        name = done.stdout.partition(",")[0]
    print(f"{lab}: {source} on {name}", flush=True)
    lab_make.show_warnings(out)
    # The questions are about this width, whatever width the other parts use.
    width = {"TILE_WIDTH": "16"} if part == "answers" else {}
    # A shell's exported settings for programs of cusim would change the verdict.
    for name in ("CHECKS", "SCHEDULE", "PROFILE", "TRACE", "RECORDING", "COUNTS"):
        os.environ.pop(f"CUSIM_{name}", None)
    lab_make.set_device("SCHEDULE", "PROFILE")
    os.environ.update(width, LAB_KERNEL=source, LAB_PART=f"{lab}/{part}")
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # run_tests.py handles a closed output
    if not own:
        return run_tests.main(*tests)
    from course import keep_results

    return keep_results.run(lab, part, f"{out}/judged.sha256", *tests)
