#!/bin/bash
# What each kernel of a .cu file takes of each memory, as the assembler reports it; this needs nvcc
# and no card. Called from the root:  resources.sh FILE...
# Exit status: 1 where a file does not compile, 2 where there is no nvcc.
set -u -o pipefail

nvcc=$(common/setup/cuda.sh nvcc) || {
    echo 'Resources: there is no nvcc; install the CUDA toolkit, 12 or 13.' >&2
    exit 2
}
# Of newer devices the assembler does not tell the constant bytes any more.
arch=${ARCH:-75}

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT

# From the assembler's lines, kernel by kernel:
#   Compiling entry function 'NAME' for 'sm_75'
#   40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
#   Used 17 registers, used 1 barriers, 40 bytes cumulative stack size, 4 bytes smem, 368 bytes cmem[0]
table() { # file
    awk -v file="$1" -v arch="$arch" '
        function bytes(unit) {
            return match($0, "[0-9]+ bytes " unit) ? substr($0, RSTART, RLENGTH) + 0 : 0
        }
        / bytes gmem/ { global += bytes("gmem"); constant += bytes("cmem\\[3\\]") }
        /Compiling entry function/ {
            split($0, part, "\047")
            sub(/^void /, "", part[2])
            sub(/^\(anonymous namespace\)::/, "", part[2])
            name[++kernels] = part[2]
        }
        / bytes stack frame/ { stack[kernels] = bytes("stack frame") }
        /: Used [0-9]+ registers/ {
            match($0, /Used [0-9]+/)
            registers[kernels] = substr($0, RSTART + 5, RLENGTH - 5)
            shared[kernels] = bytes("smem")
            parameters[kernels] = /cmem\[0\]/ ? bytes("cmem\\[0\\]") : "-"
        }
        END {
            printf "%s, compute capability %.1f\n", file, arch / 10
            printf "  outside of functions: %d bytes __device__, %d bytes __constant__\n",
                global, constant
            printf "  %-32s %9s %8s %8s %9s\n", "kernel", "registers", "local", "shared", "constant"
            # The assembler takes the last kernel first.
            for (k = kernels; k > 0; --k)
                printf "  %-32s %9d %8d %8d %9s\n", name[k], registers[k], stack[k], shared[k],
                    parameters[k]
        }'
}

for file; do
    if ! "$nvcc" -std=c++17 -O3 -arch="sm_$arch" -cubin -Xptxas -v "$file" -o "$reports/cubin" \
        >"$reports/log" 2>&1; then
        cat "$reports/log" >&2
        exit 1
    fi
    c++filt -p <"$reports/log" | table "$file"
done
