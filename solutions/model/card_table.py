"""Compares the modelled time of a card with measured times. Called by `make model`.

usage: card_table.py GIVEN    in the course's root; GIVEN: the names on make's command line

On the simulated device: counts every case, and writes results/h200.md from results/h200.csv. With
DEVICE=gpu: measures every case, and writes a file like results/h200.csv to the folder RESULTS, or
to build/gpu/model, with Nsight Compute's results for each if it may read the card's counters.

Exit status: 0; 2 if a program cannot be built or there is no card.
"""

import csv
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "common"), str(ROOT / "solutions/lab4_memtypes/ladder/bench")]
import bench  # noqa: E402
from course import usage  # noqa: E402

MODEL = pathlib.Path("solutions/model")
KNOWN = ["DEVICE", "ARCH", "COMPILE_ONLY", "RESULTS"]
SECTIONS = ("SpeedOfLight", "MemoryWorkloadAnalysis", "WarpStateStats", "Occupancy", "LaunchStats")
# Values of a profile: how busy the units were, actual and possible warps, in percent; and the warps
# that wait for the queue of global memory and for that of shared memory.
BUSY = ".avg.pct_of_peak_sustained_elapsed"
STALLED = "smsp__average_warps_issue_stalled_{}_throttle_per_issue_active.ratio"
KEPT = {
    "memory": f"gpu__dram_throughput{BUSY}",
    "l2": f"lts__throughput{BUSY}",
    "lsu": f"l1tex__data_pipe_lsu_wavefronts{BUSY}",
    "fma": f"sm__pipe_fma_cycles_active{BUSY}",
    "warps": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "possible": "sm__maximum_warps_per_active_cycle_pct",
    "waits_global": STALLED.format("lg"),
    "waits_shared": STALLED.format("mio"),
}
LAUNCH = 4.7  # microseconds, below which a launch takes as long as an empty one
MUCH = 60  # percent

Row = dict[str, str]


def answer(*script: str) -> str:
    done = subprocess.run(script, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip()


def profile(measured: str, file: pathlib.Path) -> list[Row]:
    """Asks Nsight Compute about each case; returns nothing if it may not, or is not installed."""
    ncu = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--log-file", str(file)]
    # One kernel fills the matrices first.
    ncu += ["--launch-skip", "1", *(word for one in SECTIONS for word in ("--section", one))]
    try:
        subprocess.run([*ncu, measured, "once"], check=True)
    except (OSError, subprocess.CalledProcessError) as why:
        print(f"no profile: {why}", file=sys.stderr)
        return []
    return profiled(file)


def profiled(file: pathlib.Path) -> list[Row]:
    lines = [line for line in file.read_text().splitlines() if not line.startswith("==")]
    # The first row has the units.
    kernels = list(csv.DictReader(lines))[1:]
    return [{name: row.get(metric, "") for name, metric in KEPT.items()} for row in kernels]


def measure(arch: str, compile_only: bool, results: pathlib.Path) -> int:
    measured = bench.Build(arch, compile_only, sorted(MODEL.glob("*.cu"))).program("measured")
    if not measured:
        return 2
    if compile_only:
        print("make model: compiled, not run (COMPILE_ONLY=1)")
        return 0
    results.mkdir(parents=True, exist_ok=True)
    if subprocess.run([measured, results / "times.csv"], check=False).returncode:
        return 2
    rows = read(results / "times.csv")
    card = answer("common/setup/cuda.sh", "card")
    # The empty launch has no profile.
    found: list[Row] = [{}, *profile(measured, results / "profile.csv")]
    found += [{}] * (len(rows) - len(found))
    write(results / "card.csv", [{"card": card, **row, **busy} for row, busy in zip(rows, found)])
    print(f"\nWritten: {results}/card.csv")
    return 0


def read(file: pathlib.Path) -> list[Row]:
    with open(file, newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def write(file: pathlib.Path, rows: list[Row]) -> None:
    with open(file, "w", newline="", encoding="utf-8") as text:
        columns = ["card", "lab", "kernel", "size", "microseconds", *KEPT]
        writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def limit(row: Row) -> str:
    """Returns what limits a kernel by the card's profile."""
    if float(row["microseconds"]) < LAUNCH:
        return "the launch"
    busy = {name: float(row[name]) for name in ("memory", "l2", "lsu", "fma")}
    most = max(busy, key=lambda name: busy[name])
    shared = float(row["waits_shared"]) > float(row["waits_global"])
    if busy[most] >= MUCH:
        lsu = "shared memory" if shared else "requests"
        names = {"l2": "the L2 cache", "lsu": lsu, "fma": "arithmetic", "memory": "memory"}
        return names[most]
    return f"no unit is busy; {float(row['warps']) / float(row['possible']):.0%} of the warps"


def table(measured: list[Row], modelled: list[Row]) -> str:
    """Returns the document: each case's two times, the error, and its limit."""
    beside = {(row["lab"], row["kernel"], row["size"]): row for row in modelled}
    lines: list[str] = []
    errors: list[float] = []
    for row in measured:
        model = beside.get((row["lab"], row["kernel"], row["size"]))
        if not model:
            continue
        times = float(row["microseconds"]), float(model["microseconds"])
        errors.append(times[1] / times[0] - 1)
        lines.append(
            f"| {row['lab']} | {row['kernel']} | {row['size']} | {times[0]:,.1f} | {times[1]:,.1f} "
            f"| {errors[-1]:+.0%} | {model['limit']} | {limit(row)} |"
        )
    head = (
        f"{measured[0]['card']}; an empty launch takes {measured[0]['microseconds']} us.\n\n"
        f"Modelled beside measured, {len(lines)} launches: the median of the error is "
        f"{statistics.median([abs(error) for error in errors]):.0%}.\n\n"
        "| lab | kernel | size | measured, us | modelled, us | error | modelled limit "
        "| limit by the profile |\n|---|---|---|---:|---:|---:|---|---|\n"
    )
    return head + "\n".join(lines) + "\n"


def main(given: str = "") -> int:
    value = {name: os.environ.get(name, "") for name in [*KNOWN, *usage.VALUES]}
    try:
        usage.check_names("make model", given, KNOWN)
        usage.check_values({**value, "SOURCE": "Makefile"})
    except usage.Refused as sentence:
        print(sentence, file=sys.stderr)
        return 2
    if value["DEVICE"] == "gpu":
        results = pathlib.Path(value["RESULTS"] or "build/gpu/model")
        return measure(value["ARCH"], value["COMPILE_ONLY"] not in ("", "0"), results)
    counted = answer("build/modelled").splitlines()
    text = table(read(MODEL / "results/h200.csv"), list(csv.DictReader(counted)))
    (MODEL / "results/h200.md").write_text(text, encoding="utf-8")
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
