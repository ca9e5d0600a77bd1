"""Calls make for a lab from a tool that make itself has started."""

import os
import re
import subprocess

OF_JOBS = re.compile(r" *-j\d*| *--jobserver-[a-z]*=\S*")


def environment() -> dict[str, str]:
    """Returns the environment without the jobs of the make above (its -j): they cannot reach the
    make below, which would warn of that in the middle of a report."""
    return {**os.environ, "MAKEFLAGS": OF_JOBS.sub("", os.environ.get("MAKEFLAGS", ""))}


def run(*words: str, **options) -> "subprocess.CompletedProcess[bytes]":
    """Runs a lab's rules with these variables and this goal."""
    command = ["make", "--no-print-directory", "-f", "common/lab_rules.mk", *words]
    # What the tests write to stderr may go to a file that the make above has opened.
    return subprocess.run(command, env=environment(), close_fds=False, **options)
