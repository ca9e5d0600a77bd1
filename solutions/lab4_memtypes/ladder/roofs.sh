#!/bin/bash
# The roofs over four rungs of the ladder at N = 4096, from results/h200.csv, as a Markdown table for
# the lab's handout (common/testing/update_handouts.sh).
#
# Roofline (Williams, Waterman, Patterson, CACM 2009): a kernel is at most as fast as each memory
# can feed it. GFLOP/s = FLOP a byte asked for x 4,814 GB/s for global memory; 2 FLOP for each
# multiply-add, whose words shared memory delivers at 32 a cycle and SM, 132 SMs at 1.98 GHz.
set -euo pipefail
awk -F, '
    BEGIN {
        # Words of shared memory that the source reads for a multiply-add.
        words["02_naive"] = 0; words["03_tiled"] = 2
        words["05_register_tile_2d"] = 0.25; words["10_tuned"] = 0.1875
        wordRate = 132 * 32 * 1.98
        print "| rung | FLOP a byte | global roof | shared roof | arithmetic | measured |"
        print "|---|---:|---:|---:|---:|---:|"
    }
    function grouped(n,   text, out) {
        text = sprintf("%.0f", n)
        for (; length(text) > 3; text = substr(text, 1, length(text) - 3))
            out = "," substr(text, length(text) - 2) out
        return text out
    }
    $5 == 4096 && $6 == 4096 && $7 == 4096 && $4 in words {
        flop = 2 * 4096 * 4096 * 4096
        shared = words[$4] ? grouped(2 * wordRate / words[$4]) : "-"
        printf "| %s | %.2f | %s | %s | %s | %s |\n", $4, flop / $12,
            grouped(flop / $12 * 4814), shared, grouped(132 * 128 * 2 * 1.98), grouped($9)
    }' solutions/lab4_memtypes/ladder/results/h200.csv
