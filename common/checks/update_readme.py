#!/usr/bin/env python3
"""Writes what `make demo` prints into common/COMMANDS.md, and what `make bench` prints into the
benchmark's page, between their markers, so that no figure there is typed in.

usage: update_readme.py    with CHECK=1 it changes nothing; status 1 if a section is stale
"""

import os
import re
import subprocess
import sys

import handout_sections
from run_report import ROOT

OF_BUILD = re.compile(r"  (compile|link|archive)|.*sets in build")


def demo() -> str:
    """Builds what both sections take; returns the table of lab 2's solution as a code block, without
    what was built for it."""
    build = ["make", "--no-print-directory", "-s", "libraries", "build/simulator_bench"]
    subprocess.run(build, check=True)
    command = [sys.executable, "common/course/student.py", "demo", "lab2_tiled"]
    env = {**os.environ, "SOLUTION": "1"}
    shown = subprocess.check_output(command, env=env, stderr=subprocess.DEVNULL, text=True)
    lines = [line for line in shown.splitlines() if not OF_BUILD.match(line)]
    return "\n".join(["```text", *lines, "```"])


def bench() -> str:
    return subprocess.check_output([sys.executable, "common/simulator/bench/bench.py"], text=True)


def main() -> int:
    demo_page, bench_page = "common/COMMANDS.md", "common/simulator/bench/README.md"
    return handout_sections.put_each({(demo_page, "demo"): demo, (bench_page, "bench"): bench})


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
