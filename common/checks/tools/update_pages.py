#!/usr/bin/env python3
"""Writes the results of runs between the markers of pages, so that no number there is typed by
hand.

usage: update_pages.py            the tables that come from runs of the solutions, are computed, or
                                  were measured on a card, and the handouts' pictures; their counts
                                  are the same on every machine
       update_pages.py measured   the output of `make demo` and `make bench` on this machine

With CHECK=1 it changes nothing; status 1 if a table or a picture is stale.
"""

import csv
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator

sys.path.append(str(pathlib.Path(__file__).parents[1] / "kit"))
import card_results  # noqa: E402
import handout_sections  # noqa: E402
from run_report import ROOT  # noqa: E402

sys.path[:0] = [str(ROOT / "common/plots"), str(ROOT / "common")]
import bench_results  # noqa: E402
import handout_pictures  # noqa: E402
import phases_table  # noqa: E402
from course import lab_make  # noqa: E402

MISTAKES = "solutions/mistakes"
OF_BUILD = re.compile(r"  (compile|link|archive)|.*sets in build")


def output(*command: str) -> str:
    """Returns the output of a command. Raises CalledProcessError."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def make(lab: str, *words: str) -> str:
    return output(*lab_make.RULES, "-s", f"LAB={lab}", *words)


def numbers(pattern: str, report: str) -> list[int]:
    """Returns the numbers, such as 1,024, that the pattern's groups find in a report."""
    found = re.search(pattern, report, re.MULTILINE)
    if not found:
        raise handout_sections.Wrong(f"no line of a report fits '{pattern}'")
    return [int(word.replace(",", "")) for word in found.groups()]


def launch(report: str) -> list[int]:
    """Returns the grid's x and y, then the block's."""
    return numbers(r"^  grid (\d+) x (\d+), block (\d+) x (\d+)", report)


class Sets:
    """Square matrices of whole numbers, in a folder for each Width."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def of(self, width: int) -> str:
        """Returns the folder of a Width, generated the first time."""
        folder = f"{self.folder}/{width}"
        if not os.path.isdir(folder):
            command = ["build/generate", "--out", folder, "--pattern", "integers", "--shape"]
            shape = f"{width},{width},{width}"
            subprocess.run([*command, shape], capture_output=True, check=True)
        return folder


def phases(
    sets: Sets, lab: str, width: int, blocks: list[tuple[int, int]], lines: Callable[..., list[str]]
) -> str:
    """Returns the phases of blocks of a lab's solution with tiles of 2 x 2, from a trace."""
    trace = f"{sets.folder}/{lab}.csv"
    arguments = f"ARGS=--sets {sets.of(width)}"
    make(lab, "SOLUTION=1", "TILE_WIDTH=2", f"TRACE={trace}", arguments, "run")
    columns = dict.fromkeys(("d_M", "d_N", "d_P"), width)
    return "\n".join(phases_table.tables(trace, columns, blocks, lines))


def table(lab: str, part: str) -> str:
    """Returns the table that the tests of a part print."""
    make(lab, f"PART={part}", "SOLUTION=1", "tests_program")
    printed = output(f"build/sim/{lab}/{part}-solution/tests", "[.table]")
    return "".join(line for line in printed.splitlines(True) if line.startswith("|"))


def run_256(sets: Sets, lab: str, *variables: str) -> str:
    """Returns the output of make run for a lab's solution at Width 256, with only the counters."""
    arguments = f"ARGS=--sets {sets.of(256)}"
    return make(lab, "CHECKS=counters", *variables, "SOLUTION=1", arguments, "run")


def global_loads(report: str) -> int:
    return numbers(r"^ *total +global +([\d,]+)", report)[0]


def gains(sets: Sets) -> Iterator[str]:
    """Yields the lines of lab 2's table: how many loads a tile saves."""
    yield "| kernel | global loads | FLOP per load | per block and phase |"
    yield "|---|---|---|---|"
    yield gain("naive", run_256(sets, "lab1_naive"))
    for tile in (16, 32):
        report = run_256(sets, "lab2_tiled", f"TILE_WIDTH={tile}")
        yield gain(f"tiled, `TILE_WIDTH` {tile}", report, tile)


def gain(name: str, report: str, tile: int = 0) -> str:
    loads = global_loads(report)
    (flop,) = numbers(r"multiplications and additions.* ([\d,]+)$", report)
    row = f"| {name} | {loads:,} | {flop / loads:.1f} |"
    if tile:
        columns, rows, *_ = launch(report)
        count = columns * rows * 256 // tile
        row += f" {loads // count:,} loads, {flop // count:,} FLOP"
    return f"{row} |"


MODEL = ROOT / "solutions/model/results/h200.csv"
UNITS = {
    "memory": "global memory: each matrix once",
    "the L2 cache": "L2 cache: sectors that each block needs",
    "requests": "L1 cache: lines that the warps request",
    "shared memory": "shared memory: passes over the banks",
    "arithmetic": "arithmetic: multiply-adds",
}


@functools.cache
def milliseconds_at_4096(lab: str, kernel: str) -> tuple[dict[str, float], float]:
    """Returns the model's times of each unit for a kernel at Width 4096, and the measured time."""
    subprocess.run(["make", "-s", "build/modelled"], check=True)
    rows = csv.reader(output("build/modelled", lab).splitlines())
    (parts,) = (row[-1] for row in rows if row[1:3] == [kernel, "4096"])
    pairs = (part.split(":") for part in parts.strip(";").split(";"))
    with open(MODEL, newline="", encoding="utf-8") as file:
        measured = {(row["kernel"], row["size"]): row for row in csv.DictReader(file)}
    time = float(measured[kernel, "4096"]["microseconds"])
    return {name: float(value) / 1000 for name, value in pairs}, time / 1000


def naive_and_tiled() -> list[tuple[dict[str, float], float]]:
    cases = ("lab1", "matrixMul"), ("lab2", "tiledMatrixMul")
    return [milliseconds_at_4096(*case) for case in cases]


def units() -> Iterator[str]:
    """Yields the lines of lab 2's table: the time of each unit of a card for both kernels."""
    (naive, naive_time), (tiled, tiled_time) = naive_and_tiled()
    yield "| unit of an H200 | naive | tiled |"
    yield "|---|---:|---:|"
    for name, words in UNITS.items():
        cells = (f"{part[name]:.2f} ms" if part[name] else "-" for part in (naive, tiled))
        yield f"| {words} | {' | '.join(cells)} |"
    yield f"| **measured** | {naive_time:.2f} ms | {tiled_time:.2f} ms |"


def gain_on_card() -> Iterator[str]:
    (_, naive), (_, tiled) = naive_and_tiled()
    yield from textwrap.wrap(
        f"A real card has caches, so 16 times fewer loads do not make the kernel 16 times as fast. "
        f"At Width 4096, an H200 runs it {naive / tiled:.2f} times as fast as the naive kernel. [This "
        "page](card.md) shows why.",
        80,
    )


def on_old_card(sets: Sets) -> Iterator[str]:
    """Yields a table of the modelled times on a card without a cache, at Width 256."""
    yield "| on an 8800 GTX, Width 256 | modelled | limited by |"
    yield "|---|---:|---|"
    for name, lab in (("naive", "lab1_naive"), ("tiled", "lab2_tiled")):
        report = run_256(sets, lab, "PROFILE=8800gtx", "CHECKS=counters,warps")
        (found,) = re.findall(r"modelled on an 8800 GTX: ([\d,.]+) us, limited by (.*)", report)
        yield f"| {name} | {found[0]} us | {found[1]} |"


def profiles(sets: Sets) -> Iterator[str]:
    """Yields the lines of lab 4's table: the tile that it chooses, which is its block's x."""
    yield "| PROFILE | a block has at most | tileWidth | threads | global loads |"
    yield "|---|---|---|---|---|"
    for profile in ("8800gtx", "device-d", "turing", "v100", "h200"):
        limits = make("lab4_memtypes", f"PROFILE={profile}", "properties")
        (threads,) = numbers(r"most threads, a block +(\S+)", limits)
        (size,) = numbers(r"a block that asks for more +(\S+)", limits)
        report = run_256(sets, "lab4_memtypes", f"PROFILE={profile}")
        *_, width, height = launch(report)
        yield (
            f"| `{profile}` | {threads:,} threads, {size // 1024} KB | {width} "
            f"| {width * height:,} | {global_loads(report):,} |"
        )


def reported(lab: str, part: str, pattern: str) -> str:
    """Returns the lines in the report of a part's solution that a pattern fits, as a code block."""
    report = make(lab, f"PART={part}", "SOLUTION=1", "test")
    lines = re.findall(rf"^ *({pattern})", report, re.MULTILINE)
    return "\n".join(["```text", *lines, "```"])


def at_4096() -> dict[str, dict]:
    """Returns a card's measurements of each kernel at Width 4096."""
    rows = bench_results.read(ROOT / bench_results.FOLDER / "h200.csv")
    return {row["kernel"]: row for row in bench_results.at_size(rows, 4096)}


def ladder() -> Iterator[str]:
    """Yields the README's sentence on the last rung of the ladder beside cuBLAS: its speed at Width
    4096, and the lowest of all shapes, with inputs in the L2 cache and without."""
    last = at_4096()["14_chosen"]["share_of_cublas"]
    path = ROOT / bench_results.FOLDER / "h200_shapes.csv"
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kinds = "warm", "flushed"
    least = [min(float(r[f"cublas_{k}_ms"]) / float(r[f"own_{k}_ms"]) for k in kinds) for r in rows]
    yield from textwrap.wrap(
        f"On one NVIDIA H200, in float32 without tensor cores, the last kernel reaches "
        f"{100 * last:.1f} % of the speed of cuBLAS at N = 4096, and at least "
        f"{100 * min(least):.0f} % on each of {len(rows)} shapes.",
        80,
    )


def roofs() -> Iterator[str]:
    """Yields the lines of lab 4's table: roofs over four rungs (Roofline; Williams, Waterman,
    Patterson, CACM 2009), because each memory limits a kernel's speed. GFLOP/s = FLOP per requested
    byte x the rate of global memory; shared memory delivers the two words of a multiply-add at 32
    words per cycle and SM."""
    sms, gigahertz, global_rate = 132, 1.98, 4814  # GB/s
    # Words of shared memory that the source reads per multiply-add.
    words = {"02_naive": 0, "03_tiled": 2, "05_register_tile_2d": 0.25, "10_tuned": 0.1875}
    yield "| rung | FLOP per byte | global roof | shared roof | arithmetic | measured |"
    yield "|---|---:|---:|---:|---:|---:|"
    for kernel, row in at_4096().items():
        if kernel in words:
            intensity = 2 * 4096**3 / row["requested_bytes"]
            roof = 2 * sms * 32 * gigahertz / words[kernel] if words[kernel] else 0
            shared = f"{roof:,.0f}" if roof else "-"
            yield (
                f"| {kernel} | {intensity:.2f} | {intensity * global_rate:,.0f} | {shared} "
                f"| {sms * 128 * 2 * gigahertz:,.0f} | {row['gflops']:,.0f} |"
            )


NEXT = "lab4_memtypes/next"
PROGRAMS = {
    "rung 14": ("the ladder's last kernel, in float", ""),
    "cuBLAS": ("cuBLAS", ""),
    "wmma": ("wmma", "wmma.cu"),
    "wgmma and TMA": ("TMA and wgmma", "wgmma.cu"),
    "clusters": ("the same, in clusters of two blocks", "wgmma.cu"),
    "CuTe": ("CuTe", "cute.cu"),
    "Triton": ("Triton", "tile_triton.py"),
    "CUDA Tile": ("CUDA Tile", "tile_cuda.py"),
}
SHOWN = {  # lines of a program, by the name in its comments
    "warps": "wmma.cu",
    "copies": "wgmma.cu",
    "products": "wgmma.cu",
    "layouts": "cute.cu",
    "triton": "tile_triton.py",
    "tiles": "tile_cuda.py",
}


def next_measured() -> Iterator[str]:
    """Yields the speeds of the programs on the page on what comes next."""
    path = ROOT / bench_results.FOLDER / "h200_next.csv"
    with open(path, newline="", encoding="utf-8") as results:
        rows = list(csv.DictReader(results))
    speed = {(row["kernel"], row["width"]): float(row["tflops"]) for row in rows}
    widths = sorted({row["width"] for row in rows}, key=int)
    yield f"TFLOP/s on one {rows[0]['card']}, driver {rows[0]['driver']}, in brackets % of cuBLAS:\n"
    yield f"| program | lines | {' | '.join(f'Width {width}' for width in widths)} |"
    yield f"|---|---:|{'---:|' * len(widths)}"
    for kernel, (words, file) in PROGRAMS.items():
        lines = len((ROOT / NEXT / file).read_text().splitlines()) if file else "-"
        cells = []
        for width in widths:
            here = speed[kernel, width]
            cells.append(f"{here:.0f} ({100 * here / speed['cuBLAS', width]:.0f} %)")
        name = f"[{words}]({file})" if file else words
        yield f"| {name} | {lines} | {' | '.join(cells)} |"


def cut(program: str, name: str) -> str:
    """Returns the lines of a program between its comments NAME:begin and NAME:end, as a code block."""
    text = (ROOT / NEXT / program).read_text(encoding="utf-8")
    found = re.search(rf"(?s)\n *\S+ {name}:begin\n(.*?)\s*(?://|#) {name}:end\n", text)
    if not found:
        raise handout_sections.Wrong(f"{NEXT}/{program}: no comments {name}:begin and {name}:end")
    return f"```text\n{textwrap.dedent(found[1])}\n```"


# GB/s and GFLOP/s in float32 without tensor cores. The first two are the textbook's; the others are
# NVIDIA's: data sheets of T4, A100 (40 GB), H100 and H200 (SXM), architecture papers of Ada
# (RTX 4090), RTX Blackwell (RTX 5090) and Blackwell (HGX B200).
DEVICES: dict[str, tuple[float, int]] = {
    "GeForce 8800 GTX, 2006": (86.4, 367),
    "a device of 2016": (1000, 12000),
    "T4, 2018": (320, 8100),
    "A100, 2020": (1555, 19500),
    "H100, 2022": (3350, 67000),
    "GeForce RTX 4090, 2022": (1008, 82600),
    "H200, 2024": (4800, 67000),
    "B200, 2024": (8000, 80000),
    "GeForce RTX 5090, 2025": (1792, 104800),
}


def caps() -> Iterator[str]:
    """Yields the lines of lab 1's table: what a device's bandwidth allows at ratio 1.0."""
    yield "| device | bandwidth | allows | arithmetic peak |"
    yield "|---|---|---|---|"
    for device, (bandwidth, peak) in DEVICES.items():
        allows = f"{bandwidth / 4:.1f}" if bandwidth < 100 else f"{bandwidth / 4:,.0f}"
        yield f"| {device} | {bandwidth:,} GB/s | {allows} GFLOP/s | {peak:,} GFLOP/s |"


def demo() -> str:
    """Builds what both sections need; returns the table of lab 2's solution as a code block,
    without the lines of the build."""
    build = ["make", "--no-print-directory", "-s", "libraries", "build/simulator_bench"]
    subprocess.run(build, check=True)
    command = [sys.executable, "common/course/student.py", "demo", "lab2_tiled"]
    env = {**os.environ, "SOLUTION": "1"}
    shown = subprocess.check_output(command, env=env, stderr=subprocess.DEVNULL, text=True)
    lines = [line for line in shown.splitlines() if not OF_BUILD.match(line)]
    return "\n".join(["```text", *lines, "```"])


def bench() -> str:
    return subprocess.check_output([sys.executable, "common/simulator/bench/bench.py"], text=True)


def sections(sets: Sets) -> dict[tuple[str, str], Callable[[], str]]:
    """Returns the functions that return the lines of each section, by its file and name."""
    lab2, lab3, lab4 = "lab2_tiled", "lab3_boundary", "lab4_memtypes"
    corners, fills, products = [(0, 0), (1, 1)], phases_table.fills, phases_table.products
    orders = r"(?:right|forward|reverse|random:1) +[0-9].*"
    copies = r".* threads use .*"
    return {
        ("lab1_naive/README.md", "devices"): lambda: "\n".join(caps()),
        (f"{lab2}/README.md", "trace"): lambda: phases(sets, lab2, 4, corners[:1], products),
        (f"{lab3}/README.md", "trace"): lambda: phases(sets, lab3, 3, corners, fills),
        (f"{lab3}/README.md", "divergence"): lambda: table(lab3, "kernel"),
        (f"{lab3}/padding/README.md", "padding"): lambda: table(lab3, "padding"),
        (f"{lab2}/README.md", "gains"): lambda: "\n".join(gains(sets)),
        (f"{lab2}/README.md", "speed"): lambda: "\n".join(gain_on_card()),
        (f"{lab2}/card.md", "units"): lambda: "\n".join(units()),
        (f"{lab2}/card.md", "old"): lambda: "\n".join(on_old_card(sets)),
        (f"{lab4}/README.md", "profiles"): lambda: "\n".join(profiles(sets)),
        (f"{lab4}/registers/README.md", "words"): lambda: table(lab4, "registers"),
        (f"{lab4}/tensor/README.md", "counts"): lambda: table(lab4, "tensor"),
        (f"{lab2}/hazards/README.md", "orders"): lambda: reported(lab2, "hazards", orders),
        (f"{lab4}/qualifiers/README.md", "copies"): lambda: reported(lab4, "qualifiers", copies),
        (f"{lab4}/README.md", "roofs"): lambda: "\n".join(roofs()),
        (f"{NEXT}/README.md", "speeds"): lambda: "\n".join(next_measured()),
        **{
            (f"{NEXT}/README.md", name): functools.partial(cut, program, name)
            for name, program in SHOWN.items()
        },
        ("README.md", "ladder"): lambda: "\n".join(ladder()),
        (f"{MISTAKES}/README.md", "card"): lambda: "\n".join(card_results.table()),
    }


MEASURED: dict[tuple[str, str], Callable[[], str]] = {
    ("common/COMMANDS.md", "demo"): demo,
    ("common/simulator/bench/README.md", "bench"): bench,
}


def main(*words: str) -> int:
    if words == ("measured",):
        return handout_sections.put_each(MEASURED)
    # ARGS and TRACE accept no path with a blank; another folder's path may have one.
    with tempfile.TemporaryDirectory(dir="build") as folder:
        return handout_sections.put_each(
            {**handout_pictures.PICTURES, **sections(Sets(os.path.relpath(folder)))}
        )


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(*sys.argv[1:]))
