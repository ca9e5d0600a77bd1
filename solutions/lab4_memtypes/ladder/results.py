"""Reads a result of `make bench DEVICE=gpu`."""

import csv
import dataclasses
import pathlib

LADDER = pathlib.Path(__file__).resolve().parent
SQUARE = "4096"


@dataclasses.dataclass(frozen=True)
class Row:
    """One kernel at one size; sizes as 512, or 4097x3001x5003 (j x k x l)."""

    card: str
    kernel: str
    size: str
    gflops: float
    share_of_cublas: float
    requested_bytes: float


def read(path: pathlib.Path) -> list[Row]:
    """Returns what was measured; sizes that were left out have no row."""
    rows = []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if not row["gflops"]:
                continue
            sizes = (row["j"], row["k"], row["l"])
            rows.append(
                Row(
                    row["card"],
                    row["kernel"],
                    sizes[0] if len(set(sizes)) == 1 else "x".join(sizes),
                    float(row["gflops"]),
                    float(row["share_of_cublas"] or 0),
                    float(row["requested_bytes"] or 0),
                )
            )
    return rows
