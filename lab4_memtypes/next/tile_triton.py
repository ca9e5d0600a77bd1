"""P = M x N in Triton: the kernel handles tiles; the compiler chooses what each thread does. M and N
are half, P is float. Width is a multiple of 2048. Needs PyTorch, and Triton, which comes with it."""

import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

ROWS, COLS, DEPTH, GROUP = map(tl.constexpr, (128, 256, 64, 16))


# triton:begin
@triton.jit
def product(M, N, P, Width):
    col_tiles, block = Width // COLS, tl.program_id(0)
    Row = (block // (GROUP * col_tiles) * GROUP + block % GROUP) * ROWS
    Col = block // GROUP % col_tiles * COLS
    total = tl.zeros((ROWS, COLS), tl.float32)
    for k in range(0, Width, DEPTH):
        total = tl.dot(M.load([Row, k]), N.load([k, Col]), total)
    rows, cols = Row + tl.arange(0, ROWS), Col + tl.arange(0, COLS)
    tl.store(P + rows[:, None] * Width + cols, total)


# triton:end
def launch(M, N, P) -> None:
    """Launches the kernel on tensors of PyTorch; TMA needs a descriptor of each box."""
    boxes = (M, [ROWS.value, DEPTH.value]), (N, [DEPTH.value, COLS.value])
    descriptors = [TensorDescriptor.from_tensor(matrix, box) for matrix, box in boxes]
    blocks = len(P) // ROWS.value * (len(P) // COLS.value)
    product[(blocks,)](*descriptors, P, len(P), num_warps=8, num_stages=4)
