"""Calls commands as in a new terminal."""

import pathlib
import subprocess

from command_runs import environment
from shown_commands import ROOT

# What begins with this may be set by a test or a make above, or by the person who runs the checks.
OF_TESTS = ("LAB_", "CUSIM_", "EXPLAIN", "RULES", "PART", "TODO", "AGAIN", "YES", "ADVICE")


def of_new_terminal(variables: dict[str, str]) -> dict[str, str]:
    """Returns the environment of a newly opened terminal, with these variables."""
    new = {name: it for name, it in environment().items() if not name.startswith(OF_TESTS)}
    return new | variables


def call(
    *command: str | pathlib.Path,
    folder: pathlib.Path = ROOT,
    umask: int = -1,
    seconds: float | None = None,
    **variables: str,
) -> tuple[int, str]:
    """Runs a command with these variables, at most so many seconds; returns its exit status and all
    that it prints."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    started = {"cwd": folder, "env": of_new_terminal(variables), "umask": umask}
    options = {"text": True, "errors": "replace", "timeout": seconds}
    done = subprocess.run(command, **streams, **started, **options)
    return done.returncode, done.stdout


def ended(result: tuple[int, str], status: int, *words: str) -> str:
    """Fails unless a command has ended with this status and said these words; returns what it said."""
    assert result[0] == status and all(word in result[1] for word in words), result[1]
    return result[1]


def make(*words: str, **more) -> tuple[int, str]:
    return call("make", "--no-print-directory", *words, **more)


def rules(lab: str, *words: str, **more) -> tuple[int, str]:
    """Calls make for a lab from the root, with these variables and goals."""
    return make("-f", "common/lab_rules.mk", f"LAB={lab}", *words, **more)
