"""Runs make for a student, without an inner make's lines about a failed recipe: the report has said
more about it. The tests write their stderr to LAB_STDERR, around this filter, so that it keeps its
place among their lines.
"""

import os
import re
import select
import signal

from course.wrap import columns_of

OF_RECIPE = re.compile(
    rb"make\[[0-9]+\]: (\*\*\* (\[.*\] [^ ]+ [0-9]+|[^[]*\.\.\.\.)|Target '.*' not remade .*)\n?$"
)
PATIENCE = 1.0  # seconds; a process that a test leaves running may hold the filter open


def filtered(reads: int, process: int) -> int:
    """Shows lines until their end and the end of the process; returns its status."""
    rest, status, ended = b"", None, os.pidfd_open(process)
    while True:
        ready, _, _ = select.select([reads] + [ended] * (status is None), [], [], PATIENCE)
        if reads in ready:
            data = os.read(reads, 65536)
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if not OF_RECIPE.match(line + b"\n"):
                    os.write(2, line + b"\n")
            if not data:
                break
        elif ended in ready:
            status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        elif status is not None:
            break
    if rest and not OF_RECIPE.match(rest):
        os.write(2, rest)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) if status is None else status


def main(*command: str) -> int:
    """Returns the command's status, or minus the signal that ended it."""
    if not os.environ.get("LAB_STDERR"):
        os.environ["LAB_STDERR"] = str(os.dup2(2, 9))
    if columns := columns_of(2):
        os.environ["LAB_COLUMNS"] = str(columns)
    reads, writes = os.pipe()
    said = [(os.POSIX_SPAWN_DUP2, writes, 2)]
    ignored = [signal.SIGPIPE, signal.SIGXFSZ]  # ignored by Python, but not by the command
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=said, setsigdef=ignored)
    os.close(writes)
    return filtered(reads, process)
