"""Times the tiled kernel on Numba's simulator of CUDA, for bench.py:
    NUMBA_ENABLE_CUDASIM=1 python3 numba_bench.py WIDTH RUNS
Prints 'version ...' and 'run SECONDS' a run."""
import platform
import sys
import time

import numba
import numpy as np
from numba import cuda, float32

TILE = 16


@cuda.jit
def tiled(M, N, P, Width):
    Mds = cuda.shared.array((TILE, TILE), float32)
    Nds = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    Row = cuda.blockIdx.y * TILE + ty
    Col = cuda.blockIdx.x * TILE + tx
    Pvalue = np.float32(0)
    for ph in range(Width // TILE):
        Mds[ty, tx] = M[Row, ph * TILE + tx]
        Nds[ty, tx] = N[ph * TILE + ty, Col]
        cuda.syncthreads()
        for k in range(TILE):
            Pvalue += Mds[ty, k] * Nds[k, tx]
        cuda.syncthreads()
    P[Row, Col] = Pvalue


def main():
    Width, runs = int(sys.argv[1]), int(sys.argv[2])
    print(f"version Numba {numba.__version__} on Python {platform.python_version()}")
    ones = np.ones((Width, Width), np.float32)
    P = np.zeros((Width, Width), np.float32)
    blocks = Width // TILE
    for _ in range(runs):
        start = time.perf_counter()
        tiled[(blocks, blocks), (TILE, TILE)](ones, ones, P, Width)
        print(f"run {time.perf_counter() - start:.6f}")
    if not (P == Width).all():
        sys.exit("numba_bench.py: the product is wrong")


main()
