"""Measures the programs of lab4_memtypes/next beside cuBLAS and rung 14 on a card of compute
capability 9.0, and writes their times. Needs PyTorch with Triton. CUDA Tile is measured if CUBIN is
what tile_cuda.py writes, CuTe if CUTLASS is the folder of its headers.

usage: measure.py RESULT.csv [CUTLASS=folder] [CUBIN=file]

Exit status: 0 measured, 1 a product is wrong, 2 wrong usage.
"""

import csv
import ctypes
import math
import pathlib
import statistics
import subprocess
import sys
from collections.abc import Callable
from typing import Any

try:
    import torch
except ModuleNotFoundError:
    sys.exit("measure.py needs PyTorch: pip install torch")

HERE = pathlib.Path(__file__).resolve().parent
LADDER, NEXT = HERE.parent, HERE.parents[3] / "lab4_memtypes/next"
sys.path.append(str(NEXT))
import tile_triton  # noqa: E402

Product = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], None]  # of M and N, to P
WIDTHS = 4096, 8192
LONGEST, SHORTEST, MOST = 60.0, 1.0, 31  # ms of all runs, ms of one run, runs
AHEAD = 400_000  # cycles in which the card waits, so that no launch waits for Python
TIMES_L2 = 4  # bytes of all inputs over those of the L2 cache, so that they miss it
LIBRARIES = pathlib.Path("build/gpu/next")
COMPILE = ["nvcc", "-std=c++17", "-O3", "-gencode=arch=compute_90a,code=sm_90a", "-shared"]
COMPILE += ["-Xcompiler", "-fPIC", "--expt-relaxed-constexpr", f"-I{LADDER}"]


def library(cutlass: str) -> ctypes.CDLL:
    """Returns the programs in C++, compiled unless that has been done since the last change."""
    own = [NEXT / f"{name}.cu" for name in ("wmma", "wgmma", *(["cute"] if cutlass else []))]
    files = [*LADDER.glob("*.cu"), *own, HERE / "baseline.cu"]
    made = LIBRARIES / f"libnext{len(own)}.so"
    if not made.exists() or made.stat().st_mtime < max(file.stat().st_mtime for file in files):
        LIBRARIES.mkdir(parents=True, exist_ok=True)
        include = [f"-I{cutlass}"] if cutlass else []
        link = ["-lcublas", "-o", str(made), "--threads=0"]
        subprocess.run([*COMPILE, *include, *files, *link], check=True)
    return ctypes.CDLL(str(made))


def called(function: Any) -> Product:
    """Returns a product by a function in C++."""

    def product(m: torch.Tensor, n: torch.Tensor, p: torch.Tensor) -> None:
        pointers = (ctypes.c_void_p(a.data_ptr()) for a in (m, n, p))
        if error := function(*pointers, len(p)):
            sys.exit(f"{function.__name__}: error {error}")

    return product


def cuda_tile(cubin: str) -> Product:
    """Returns the product that tile_cuda.py has compiled."""
    cuda = ctypes.CDLL("libcuda.so.1")

    def driver(name: str, *arguments: Any) -> None:
        if error := getattr(cuda, name)(*arguments):
            sys.exit(f"{name}: error {error}")

    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    torch.cuda.synchronize()  # makes the context
    driver("cuModuleLoad", ctypes.byref(module), cubin.encode())
    driver("cuModuleGetFunction", ctypes.byref(kernel), module, b"product")

    def product(m: torch.Tensor, n: torch.Tensor, p: torch.Tensor) -> None:
        values: list[Any] = []
        for a in (m, n, p):
            values.append(ctypes.c_void_p(a.data_ptr()))
            values += map(ctypes.c_int32, (*a.shape, *a.stride()))
        addresses = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        blocks = len(p) // 128 * (len(p) // 256)
        driver("cuLaunchKernel", kernel, blocks, 1, 1, 1, 1, 1, 0, None, addresses, None)

    return product


def matrices(width: int, kind: torch.dtype, whole: bool) -> list[torch.Tensor]:
    shape = (2, width, width)
    if whole:  # so that each sum is exact
        return [*torch.randint(-4, 5, shape, device="cuda", dtype=torch.int8).to(kind)]
    return [*(2 * torch.rand(shape, device="cuda") - 1).to(kind)]


def end_if_wrong(name: str, product: Product, width: int, kind: torch.dtype) -> None:
    m, n = matrices(width, kind, whole=True)
    p = torch.full((width, width), math.nan, device="cuda")
    product(m, n, p)
    torch.cuda.synchronize()
    wrong = int((p != (m.double() @ n.double())).sum())
    if wrong:
        sys.exit(f"{name}, Width {width}: {wrong} elements are wrong")


def timed(product: Product, width: int, kind: torch.dtype) -> list[float]:
    """Returns the milliseconds of one launch in each run, sorted; as bench/timing.cu measures."""
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    count = max(2, math.ceil(TIMES_L2 * l2 / (2 * width * width * kind.itemsize)))
    sets = [matrices(width, kind, whole=False) for _ in range(count)]
    p, launched = torch.empty(width, width, device="cuda"), 0
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def launches(number: int) -> float:
        nonlocal launched
        torch.cuda._sleep(AHEAD)
        start.record()
        for _ in range(number):
            m, n = sets[launched % count]
            product(m, n, p)
            launched += 1
        stop.record()
        stop.synchronize()
        return float(start.elapsed_time(stop))

    launches(1)  # warm-up
    one = launches(1)
    batch = max(1, math.ceil(SHORTEST / one))
    runs = min(MOST, max(3, int(LONGEST / (one * batch))))
    return sorted(launches(batch) / batch for _ in range(runs))


def main(*words: str) -> None:
    given = dict(word.partition("=")[::2] for word in words[1:])
    if not words or set(given) - {"CUTLASS", "CUBIN"}:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    programs, half = library(given.get("CUTLASS", "")), torch.float16
    names = {"cuBLAS": "cublas", "wmma": "wmma_product", "wgmma and TMA": "wgmma_product"}
    names |= {"clusters": "cluster_product", "CuTe": "cute_product"}
    products = {"rung 14": (called(programs.rung_14), torch.float32)}
    for name, function in names.items():
        if hasattr(programs, function):
            products[name] = called(programs[function]), half
    products["Triton"] = tile_triton.launch, half
    if "CUBIN" in given:
        products["CUDA Tile"] = cuda_tile(given["CUBIN"]), half
    asked = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    card, version = subprocess.check_output(asked, text=True).splitlines()[0].split(", ")
    with open(words[0], "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow("card driver kernel width milliseconds tflops spread runs".split())
        for width in WIDTHS:
            for name, (product, kind) in products.items():
                end_if_wrong(name, product, width, kind)
                times = timed(product, width, kind)
                middle, tenth = statistics.median(times), len(times) // 10
                spread = (times[-1 - tenth] - times[tenth]) / middle
                speed = 2e-9 * width**3 / middle
                numbers = f"{middle:.5f}", f"{speed:.1f}", f"{spread:.4f}", len(times)
                rows.writerow([card, version, name, width, *numbers])
                file.flush()
                print(f"{name:14} {width} {speed:9.1f} TFLOP/s, spread {spread:.1%}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
