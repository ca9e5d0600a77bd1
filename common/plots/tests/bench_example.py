"""Writes files in the format of make bench DEVICE=gpu. Their numbers are invented: they test that
such a file is read and that ten kernels fit into the picture."""

import pathlib
import tempfile
from unittest import mock

import bench_results
import runs

RUNGS = ["01_naive_uncoalesced", "02_naive", "03_tiled", "04_register_tile_1d"]
RUNGS += ["05_register_tile_2d", "06_vector_loads", "07_warp_tile"]
RUNGS += ["08_double_buffer", "09_async_copies", "10_tuned"]
COLUMNS = "card,driver,cuda,kernel,j,k,l,milliseconds,gflops,share_of_cublas,"
COLUMNS += "share_of_peak,requested_bytes,spread,runs"
HEAD = """A card, 100 SMs at up to 2000 MHz, driver 1, CUDA 13.0.
Arithmetic peak 50,000 GFLOP/s in float32 without tensor cores, memory 4,000 GB/s, L2
"""
PEAK = 50000.0
SIZES = [(n, n, n) for n in (512, 1024, 2048, 4096, 8192, 16384)] + [(4097, 3001, 5003)]


def row(kernel, number, shape):
    j, k, l = shape
    gflops = 40000.0 if number < 0 else 400.0 * 1.6**number
    tile = 2 ** (number // 2 + 3)
    asked = "" if number < 0 else f"{8 * j * k * l / tile:.0f}"
    if number == 0 and j == 16384:
        return f"A card,1,13.0,{kernel},{j},{k},{l},,,,,{asked},,"
    shares = f"{gflops / 40000:.4f},{gflops / PEAK:.4f}"
    return f"A card,1,13.0,{kernel},{j},{k},{l},1.0,{gflops:.1f},{shares},{asked},0.01,9"


def collected(collect):
    """Returns the data of a figure that these files show."""
    lines = [COLUMNS]
    for shape in SIZES:
        lines.append(row("cuBLAS", -1, shape))
        lines += [row(kernel, n, shape) for n, kernel in enumerate(RUNGS)]
    with tempfile.TemporaryDirectory() as top, mock.patch.object(runs, "ROOT", pathlib.Path(top)):
        folder = runs.ROOT / bench_results.FOLDER
        folder.mkdir(parents=True)
        (folder / "bench.csv").write_text("\n".join(lines) + "\n")
        (folder / "bench.md").write_text(HEAD)
        return collect(None)
