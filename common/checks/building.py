"""Builds what several checks run, once before them."""

import concurrent.futures
import contextlib
import subprocess

import judging
import mistakes
from run_report import ROOT, Report


def jobs() -> int:
    """Returns how many may run at once."""
    script = [ROOT / "common/setup/jobs.sh"]
    return int(subprocess.run(script, capture_output=True, check=True).stdout)


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
    parts = [(lab, name) for lab in labs for name in [*judging.parts(lab), "answers"]]
    parts = [one for one in parts if part in ("", one[1])]
    with concurrent.futures.ThreadPoolExecutor(jobs()) as pool:
        work = {pool.submit(of_part, *one): one for one in parts}
        for done, future in enumerate(concurrent.futures.as_completed(work), 1):
            report.count(done, len(work), f"build_part {' '.join(work[future])}")
    report.clear_count()
