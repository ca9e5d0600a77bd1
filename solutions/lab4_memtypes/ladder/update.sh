#!/bin/bash
# Takes a result of `make bench DEVICE=gpu` into results/, the README and the comments of the rungs,
# so that no figure there is typed in. usage: update.sh FOLDER NAME, such as build/gpu/bench h200
set -euo pipefail
cd "$(dirname "$0")/../../.."
ladder=solutions/lab4_memtypes/ladder
if [ $# != 2 ] || [ ! -f "$1/bench.csv" ] || [ ! -f "$1/bench.md" ]; then
    echo "update.sh: no bench.csv and bench.md in '${1:-}'; use: update.sh FOLDER NAME" >&2
    exit 2
fi
results=$ladder/results/$2.csv
mkdir -p $ladder/results
cat "$1/bench.csv" >"$results"
cat "$1/bench.md" >"$ladder/results/$2.md"
python3 common/checks/handout_sections.py $ladder/README.md measured <"$1/bench.md"

measured() { # rung, rung before
    awk -F, -v rung="$1" -v before="$2" '
        function tera(row) { return sprintf(row < 1000 ? "%.2f" : "%.1f", row / 1000) }
        NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
        $column["gflops"] == "" { next }
        { size = $column["j"]
          if ($column["k"] != size) size = size "x" $column["k"] "x" $column["l"]
          rate = $column["gflops"] }
        size == 4096 && $column["kernel"] == before { earlier = rate }
        $column["kernel"] == rung && size == 4096 { best = rate; share = $column["share_of_cublas"]
                                                    card = $column["card"] }
        $column["kernel"] == rung && size != 4096 { others = others ", " tera(rate) " at " size }
        END {
            printf "// Measured on an %s: %s TFLOP/s at N = 4096, %.1f %% of cuBLAS", card, \
                tera(best), 100 * share
            if (earlier) printf ",\n// %.2f times rung %d", best / earlier, before
            printf ".\n// %s.\n", substr(others, 3)
        }' "$results"
}

before=
for file in "$ladder"/*.cu; do
    rung=$(basename "$file" .cu)
    block=$(measured "$rung" "$before")
    awk -v block="$block" '
        /^\/\/ measured:end$/ { inside = 0 }
        !inside { print }
        /^\/\/ measured:begin$/ { inside = 1; print block }' "$file" >"$file.new"
    mv "$file.new" "$file"
    before=$rung
done
