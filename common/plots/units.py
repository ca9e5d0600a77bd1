"""Collects the figure of a card's units: the time that each needs for a kernel's work."""

import re

from matrices import NothingToDraw


def collect(kernel, width=512):
    """Reads the modelled time of a run and its parts, in microseconds."""
    run = kernel.run_set((width, width, width), None, CUSIM_CHECKS="counters,warps")
    total = re.search(r"modelled on (.*): ([\d.,]+) us, limited by (.*)\n", run.printed)
    parts = re.search(r"^    parts:((?: .*\n)+)", run.printed, re.MULTILINE)
    if not total or not parts or not run.loads():
        raise NothingToDraw("the kernel loads nothing yet")
    found = re.findall(
        r"([A-Za-z][A-Za-z0-9 ]*) ([\d.,]+)(?:,|\n)", " ".join(parts[1].split()) + "\n"
    )
    return {
        "width": width,
        "card": total[1],
        "limit": total[3],
        "parts": [[name, float(number.replace(",", ""))] for name, number in found],
        "caption": run.caption(),
    }
