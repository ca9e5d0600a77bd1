#!/usr/bin/env python3
"""Writes what `make demo` prints into README.md, and what `make bench` prints beside the benchmark,
between their markers, so that no figure there is typed in.

usage: update_readme.py    with CHECK=1 it changes nothing; status 1 where a section is stale
"""

import os
import re
import subprocess
import sys

import handout_sections
from run_report import ROOT

OF_BUILD = re.compile(r"  (compile|link|archive)|.*sets in build")


def demo() -> str:
    """Returns the table of lab 2's solution as a code block, without what was built for it."""
    shown = subprocess.run(
        [sys.executable, "common/course/student.py", "demo", "lab2_tiled"],
        env={**os.environ, "SOLUTION": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    lines = [line for line in shown.stdout.splitlines() if not OF_BUILD.match(line)]
    return "\n".join(["```", *lines, "```"])


def bench() -> str:
    command = [sys.executable, "common/simulator/bench/bench.py"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def main() -> int:
    check = bool(os.environ.get("CHECK"))
    build = ["make", "--no-print-directory", "-s", "libraries", "build/simulator_bench"]
    try:
        subprocess.run(build, check=True)
        handout_sections.put("README.md", "demo", demo(), check)
        handout_sections.put("common/simulator/bench/README.md", "bench", bench(), check)
    except subprocess.CalledProcessError as why:
        print(why, file=sys.stderr)
        return why.returncode
    except handout_sections.Wrong as why:
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
