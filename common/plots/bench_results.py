"""Collects figures 6 and 7, a card's measurements, from the files of `make bench DEVICE=gpu`.

bench.csv has a row a kernel and size: card, kernel, j, k, l, gflops, share_of_cublas,
share_of_peak, requested_bytes (empty where unknown) and more; the figures are empty where a run was
left out. The head of bench.md beside it gives the card's number of SMs and their clock, its
arithmetic peak and its memory bandwidth.
"""

import csv
import pathlib
import re

from matrices import NothingToDraw

FOLDER = pathlib.Path("solutions/lab4_memtypes/ladder/results")
YARDSTICK = "cuBLAS"
# Shared memory serves one request of a warp a clock on each SM.
LANES = 32


def committed(root):
    files = sorted((root / FOLDER).glob("**/*.csv"))
    if not files:
        raise NothingToDraw(
            f"no result of a card in {FOLDER}; make bench DEVICE=gpu writes bench.csv"
        )
    return files[0]


def number(text):
    return float(text) if text else None


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    result = []
    for row in rows:
        j, k, l = (int(row[key]) for key in "jkl")
        bytes_asked = number(row["requested_bytes"])
        if number(row["gflops"]) is None:
            continue
        result.append(
            {
                "card": row["card"],
                "kernel": row["kernel"],
                "shape": [j, k, l],
                "gflops": number(row["gflops"]),
                "of_cublas": number(row["share_of_cublas"]),
                "flop_a_byte": 2 * j * k * l / bytes_asked if bytes_asked else None,
            }
        )
    return result


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
    """Returns GFLOP/s where each multiply-add (2 FLOP) waits for two requests of its warp."""
    return card["sms"] * card["gigahertz"] * LANES * 2 / 2


def caption(path, root, rows):
    return f"Measured on {rows[0]['card']}: {path.relative_to(root)}."


def at_size(rows, n):
    here = [row for row in rows if row["shape"] == [n, n, n]]
    if not here:
        raise NothingToDraw(f"the result has no rows of N = {n}")
    return here


def collect_roofline(root, n=4096):
    path = committed(root)
    rows, card = read(path), head(path)
    points = [
        [row["kernel"], row["flop_a_byte"], row["gflops"]]
        for row in at_size(rows, n)
        if row["flop_a_byte"]
    ]
    return {
        "n": n,
        "points": points,
        "peak": card["peak"],
        "memory": card["memory"],
        "shared": shared_roof(card),
        "caption": caption(path, root, rows) + f" N = {n:,}. Caches may lift a kernel "
        "above the memory's line: it counts what is asked for.",
    }


def collect_ladder(root, n=4096):
    path = committed(root)
    rows = read(path)
    kernels = list(dict.fromkeys(row["kernel"] for row in rows))
    lines = {
        kernel: [
            [row["shape"][0], row["gflops"]]
            for row in rows
            if row["kernel"] == kernel and len(set(row["shape"])) == 1
        ]
        for kernel in kernels
    }
    shares = [
        [row["kernel"], row["of_cublas"]] for row in at_size(rows, n) if row["kernel"] != YARDSTICK
    ]
    return {
        "n": n,
        "lines": lines,
        "shares": shares,
        "peak": head(path)["peak"],
        "caption": caption(path, root, rows),
    }
