#!/usr/bin/env python3
"""Makes the known mistakes, and builds the programs of the parts that the checks share, several at
a time. If that fails, the checks of this part fail and report why.

usage: build_parts.py quick|full LABS PART    '' means all labs, or all parts
"""

import contextlib
import functools
import sys

import chosen
import judging
import mistakes
from run_report import begun, jobs


def build_part(lab: str, part: str, full: bool) -> None:
    programs = ["tests_program", *(["figure_program"] if part == "kernel" else [])]
    for variable in ["", *(judging.tile_widths(lab, part) if full else [])]:
        judging.make(lab, part, "SOLUTION=1", *filter(None, [variable]), *programs)
    judging.make(lab, part, "tests_program")
    judging.make(lab, part, "replay")


def main(ring: str, words: str, part: str) -> int:
    labs, part = chosen.find(words, part)
    many = jobs()  # before begun() gives each of them one core
    report = begun()
    for mistake in mistakes.found():
        with contextlib.suppress(mistakes.Wrong):  # its own check reports it
            mistakes.make(mistake)
    work = {
        f"build_part {lab} {name}": functools.partial(build_part, lab, name, ring == "full")
        for lab in labs or judging.labs()
        for name in [*judging.parts(lab), "answers"]
        if part in ("", name)
    }
    for _ in report.each(many, work):
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
