"""Calls make for a lab from a tool that make itself has started."""

import os

# The flags of the make above: its jobs would not reach the make below.
OF_MAKE = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL")


def environment() -> dict[str, str]:
    """Returns the environment without the flags of the make above; its variables stay, exported."""
    return {name: value for name, value in os.environ.items() if name not in OF_MAKE}


def run(*words: str, **options) -> "subprocess.CompletedProcess[bytes]":
    """Runs a lab's rules with these variables and this goal."""
    import subprocess

    command = ["make", "--no-print-directory", "-f", "common/lab_rules.mk", *words]
    # What the tests write to stderr may go to a file that the make above has opened.
    return subprocess.run(command, env=environment(), close_fds=False, **options)
