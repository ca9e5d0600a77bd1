"""Builds what several checks run, once before them."""

import contextlib
import functools

import judging
import mistakes
from run_report import Report, jobs


def of_part(lab: str, part: str) -> None:
    """Builds a part's programs. Where that fails, the checks of this part do, and tell why."""
    programs = ["tests_program", *(["figure_program"] if part == "kernel" else [])]
    for variable in ["", *judging.tile_widths(lab, part)]:
        words = ["SOLUTION=1", *filter(None, [variable]), *programs]
        judging.make(lab, part, *words)
    judging.make(lab, part, "tests_program")
    judging.make(lab, part, "replay")


def build(labs: list[str], part: str, report: Report) -> None:
    """Makes the known mistakes, and builds the parts of labs, or the one that is named, several at a
    time. A patch that does not apply is told by its own check."""
    for mistake in mistakes.found():
        with contextlib.suppress(mistakes.Wrong):
            mistakes.make(mistake)
    work = {
        f"build_part {lab} {name}": functools.partial(of_part, lab, name)
        for lab in labs
        for name in [*judging.parts(lab), "answers"]
        if part in ("", name)
    }
    for _ in report.each(jobs(), work):
        pass
