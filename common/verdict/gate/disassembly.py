"""Reads the lines of objdump's listings."""

import pathlib
import re
import sys

HOOKS = pathlib.Path(__file__).parents[2] / "simulator/hooks"
sys.path.append(str(HOOKS))  # where the same code is read before it is assembled

SECTION = "Disassembly of section "
HEADING = re.compile(r"([0-9a-f]+) <(.+)>:$")
PLACE = re.compile(r"(\S.*:\d+)(?: \(discriminator \d+\))?$")
RELOCATION = re.compile(r"\s*([0-9a-f]+):?\s+(R_\w+)\s+(\S+?)(?:([-+])0x([0-9a-f]+))?$")


def section_of(line):
    """Returns the section that begins on the line, or None."""
    return line[len(SECTION) : -1] if line.startswith(SECTION) else None


def addend_of(sign, digits):
    """Returns the number that a relocation adds to its symbol's address."""
    return int(digits or "0", 16) * (-1 if sign == "-" else 1)
