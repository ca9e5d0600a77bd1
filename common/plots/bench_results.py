"""Collects figures 6 and 7, a card's measurements, from the files of `make bench DEVICE=gpu`.

bench.csv has a row per kernel and size: card, kernel, j, k, l, gflops, share_of_cublas,
share_of_peak, requested_bytes (empty if unknown) and more; the figures are empty if a run was
left out. The head of bench.md in the same folder gives the card's number of SMs and their
clock, its arithmetic peak and its memory bandwidth.
"""

import csv
import re

import runs
from matrices import NothingToDraw

FOLDER = "solutions/lab4_memtypes/ladder/results"
YARDSTICK = "cuBLAS"
# On each SM, shared memory serves one request of a warp per clock.
LANES = 32


def committed():
    files = sorted((runs.ROOT / FOLDER).glob("**/*.csv"))
    if not files:
        why = f"there is no result of a card in {FOLDER}; make bench DEVICE=gpu writes bench.csv"
        raise NothingToDraw(why)
    return files[0]


def read(path):
    """Returns what was measured; kernels that were left out at a size have no row."""
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["gflops"]]
    for row in rows:
        row["shape"] = [int(row[length]) for length in "jkl"]
        for name in ("gflops", "share_of_cublas", "requested_bytes"):
            row[name] = float(row[name]) if row[name] else None
    return rows


def head(path):
    """Returns SMs, clock in GHz, peak in GFLOP/s and memory bandwidth in GB/s of the card."""
    text = path.with_suffix(".md").read_text()
    sms = re.search(r"([\d,]+) SMs at up to ([\d,]+) MHz", text)
    roofs = re.search(r"peak ([\d,]+)\s+GFLOP/s.*?memory ([\d,]+)\s+GB/s", text, re.S)
    if not sms or not roofs:
        raise NothingToDraw(f"{path.with_suffix('.md')} does not describe the card")
    plain = [float(found.replace(",", "")) for found in (*sms.groups(), *roofs.groups())]
    return dict(sms=plain[0], gigahertz=plain[1] / 1000, peak=plain[2], memory=plain[3])


def shared_roof(card):
    """Returns GFLOP/s if each multiply-add (2 FLOP) waits for two requests of its warp."""
    return card["sms"] * card["gigahertz"] * LANES * 2 / 2


def caption(path, rows):
    return f"Measured on {rows[0]['card']}: {path.relative_to(runs.ROOT)}."


def at_size(rows, n):
    here = [row for row in rows if row["shape"] == [n, n, n]]
    if not here:
        raise NothingToDraw(f"the result has no rows of N = {n}")
    return here


def roofline(_, n=4096):
    path = committed()
    rows, card = read(path), head(path)
    asked = [row for row in at_size(rows, n) if row["requested_bytes"]]
    intensity = lambda row: 2 * n**3 / row["requested_bytes"]  # noqa: E731
    return {
        "n": n,
        "points": [[row["kernel"], intensity(row), row["gflops"]] for row in asked],
        "peak": card["peak"],
        "memory": card["memory"],
        "shared": shared_roof(card),
        "caption": f"{caption(path, rows)} N = {n:,}. Caches may lift a kernel above the memory's "
        "line: it counts what is asked for.",
    }


def ladder(_, n=4096):
    path = committed()
    rows = read(path)
    lines = {row["kernel"]: [] for row in rows}
    for row in rows:
        if len(set(row["shape"])) == 1:
            lines[row["kernel"]].append([row["shape"][0], row["gflops"]])
    rungs = [row for row in at_size(rows, n) if row["kernel"] != YARDSTICK]
    return {
        "n": n,
        "lines": lines,
        "shares": [[row["kernel"], row["share_of_cublas"]] for row in rungs],
        "peak": head(path)["peak"],
        "caption": caption(path, rows),
    }
