"""P = M x N in CUDA Tile (cuTile): the kernel handles tiles; the compiler chooses threads, shared
memory, copies and barriers. M and N are half, P is float. Width is a multiple of 2048.

usage: tile_cuda.py FILE    compiles for sm_90 into FILE; needs pip install 'cuda-tile[tileiras]'
"""

import sys

try:
    import cuda.tile as ct
except ModuleNotFoundError:
    sys.exit("tile_cuda.py needs CUDA Tile: pip install 'cuda-tile[tileiras]'")

ROWS, COLS, DEPTH, GROUP = 128, 256, 64, 16


# tiles:begin
@ct.kernel(num_worker_warps=8)
def product(M, N, P):
    col_tiles = P.shape[1] // COLS
    row = ct.bid(0) // (GROUP * col_tiles) * GROUP + ct.bid(0) % GROUP
    col = ct.bid(0) // GROUP % col_tiles
    total = ct.full((ROWS, COLS), 0, ct.float32)
    for ph in range(M.shape[1] // DEPTH):
        m = ct.load(M, index=(row, ph), shape=(ROWS, DEPTH))
        n = ct.load(N, index=(ph, col), shape=(DEPTH, COLS))
        total = ct.mma(m, n, total)
    ct.store(P, index=(row, col), tile=total)


# tiles:end
def matrix(dtype: ct.DType) -> ct.compilation.ArrayConstraint:
    return ct.compilation.ArrayConstraint(
        dtype,
        2,
        index_dtype=ct.int32,
        stride_lower_bound_incl=0,
        alias_groups=(),
        may_alias_internally=False,
        stride_constant=(None, 1),
        stride_divisible_by=(16, 1),
        shape_divisible_by=16,
        base_addr_divisible_by=16,
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"tile_cuda.py: no FILE, or several\n{__doc__}")
    types = [matrix(dtype) for dtype in (ct.float16, ct.float16, ct.float32)]
    convention = ct.compilation.CallingConvention.cutile_python_v1()
    signature = ct.compilation.KernelSignature(types, convention, "product")
    ct.compilation.export_kernel(
        product, [signature], sys.argv[1], gpu_code="sm_90", output_format="cubin"
    )
