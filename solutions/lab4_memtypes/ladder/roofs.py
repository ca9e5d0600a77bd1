#!/usr/bin/env python3
"""The roofs over four rungs of the ladder at N = 4096, from results/h200.csv, as a Markdown table
for the lab's handout (common/checks/update_handouts.py).

Roofline (Williams, Waterman, Patterson, CACM 2009): a kernel is at most as fast as each memory
can feed it. GFLOP/s = FLOP a byte asked for x 4,814 GB/s for global memory; 2 FLOP for each
multiply-add, whose words shared memory delivers at 32 a cycle and SM, 132 SMs at 1.98 GHz.
"""

from results import LADDER, SQUARE, read

FLOP = 2 * int(SQUARE) ** 3
GLOBAL_RATE = 4814  # GB/s
WORD_RATE = 132 * 32 * 1.98  # words/ns, of shared memory
ARITHMETIC = 132 * 128 * 2 * 1.98  # GFLOP/s
# Words of shared memory that the source reads for a multiply-add.
WORDS = {"02_naive": 0, "03_tiled": 2, "05_register_tile_2d": 0.25, "10_tuned": 0.1875}

print("| rung | FLOP a byte | global roof | shared roof | arithmetic | measured |")
print("|---|---:|---:|---:|---:|---:|")
for row in read(LADDER / "results/h200.csv"):
    if row.size == SQUARE and row.kernel in WORDS:
        intensity, words = FLOP / row.requested_bytes, WORDS[row.kernel]
        shared = f"{2 * WORD_RATE / words:,.0f}" if words else "-"
        print(
            f"| {row.kernel} | {intensity:.2f} | {intensity * GLOBAL_RATE:,.0f} | {shared} "
            f"| {ARITHMETIC:,.0f} | {row.gflops:,.0f} |"
        )
