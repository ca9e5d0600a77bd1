#!/usr/bin/env python3
"""Sums up solutions/mistakes/results/h200.csv in solutions/mistakes/README.md, between its markers.

usage: mistakes_on_card.py    with CHECK=1 it changes nothing; status 1 if the README is stale
"""

import collections
import csv
import re
import sys
from collections.abc import Iterator

import handout_sections
from run_report import ROOT

RESULTS = ROOT / "solutions/mistakes/results/h200.csv"
README = str(ROOT / "solutions/mistakes/README.md")
# Findings about memory and barriers come first: there a passing test means luck. The last kind but
# one takes what no other kind does.
KINDS = {
    "race": "race",
    "barrier that not all threads reach": "barrier-divergence",
    "loop without an end": "endless",
    "access outside of an array": "out-of-bounds|host-pointer|misaligned",
    "memory that nothing has written": "unset",
    "leak, error not looked at": "leak|unchecked|error-ignored",
    # What the tests of values call a wrong product, sum, transpose, choice or limit.
    "wrong values, wrong answers": "wrong|zero|not-a-number|written|transposed|way-round|missing"
    "|edge|rows-or-columns|changed|copied|launch|copy|width|pointer|direction|pitch|symbol"
    "|sum-not-set|without-k",
    "counts, coalescing, banks, sizes": "",
}
ORDER = 0, 1, 3, 4, 5, 2, 7, 6


def table() -> Iterator[str]:
    count: collections.Counter[tuple[str, str]] = collections.Counter()
    with open(RESULTS, encoding="utf-8", newline="") as file:
        for _, _, simulated, card in list(csv.reader(file, delimiter=";"))[1:]:
            kind = next(kind for kind, words in KINDS.items() if re.search(words, simulated))
            for row in (kind, "all"):
                count.update([(row, "kernels"), (row, card)])
    yield "| mistake | kernels | pass on the card | hang |"
    yield "|---|---|---|---|"
    for row in (*(list(KINDS)[number] for number in ORDER), "all"):
        kernels, passed, hang = (count[row, what] for what in ("kernels", "pass", "hangs"))
        if kernels:
            yield f"| {row} | {kernels} | {passed} | {hang} |"


def main() -> int:
    return handout_sections.put_each({(README, "card"): lambda: "\n".join(table())})


if __name__ == "__main__":
    sys.exit(main())
