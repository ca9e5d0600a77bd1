"""Reads the results of the known mistakes on a card: solutions/mistakes/results/h200.csv."""

import collections
import csv
import re
from collections.abc import Iterator

from run_report import ROOT

RESULTS = ROOT / "solutions/mistakes/results/h200.csv"
# Findings about memory and barriers come first: a test that passes in spite of them is luck. The
# last kind but one contains what fits no other kind.
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


def results() -> Iterator[tuple[str, str, str, str, str]]:
    """Yields the kind of each mistake, its part, its name, its findings and the card's result."""
    with open(RESULTS, encoding="utf-8", newline="") as file:
        for part, name, simulated, card in list(csv.reader(file, delimiter=";"))[1:]:
            kind = next(kind for kind, words in KINDS.items() if re.search(words, simulated))
            yield kind, part, name, simulated, card


def ordered_kinds() -> list[str]:
    return [list(KINDS)[number] for number in ORDER]


def table() -> Iterator[str]:
    """Yields the lines of the table: how many mistakes of each kind pass on the card."""
    count: collections.Counter[tuple[str, str]] = collections.Counter()
    for kind, _, _, _, card in results():
        for row in (kind, "all"):
            count.update([(row, "kernels"), (row, card)])
    yield "| mistake | kernels | pass on the card | hang |"
    yield "|---|---|---|---|"
    for row in (*ordered_kinds(), "all"):
        kernels, passed, hang = (count[row, what] for what in ("kernels", "pass", "hangs"))
        if kernels:
            yield f"| {row} | {kernels} | {passed} | {hang} |"
