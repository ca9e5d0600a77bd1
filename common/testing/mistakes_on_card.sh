#!/bin/bash
# Sums up solutions/mistakes/results/h200.csv in solutions/mistakes/README.md, between its markers.
# CHECK=1: changes nothing and fails where the README is stale.
set -euo pipefail
results=solutions/mistakes/results/h200.csv

# Findings about memory and barriers come first: there a passing test means luck.
awk -F';' '
    BEGIN {
        # What the tests of values call a wrong product, sum, transpose, choice or limit.
        values = "wrong|zero|not-a-number|written|transposed|way-round|missing|edge|rows-or-columns"
        values = values "|changed|copied|launch|copy|width|pointer|direction|pitch|symbol"
        values = values "|sum-not-set|without-k"
    }
    NR == 1 { next }
    {
        kind = "counts, coalescing, banks, sizes"
        if ($3 ~ /race/) kind = "race"
        else if ($3 ~ /barrier-divergence/) kind = "barrier that not all threads reach"
        else if ($3 ~ /endless/) kind = "loop without an end"
        else if ($3 ~ /out-of-bounds|host-pointer|misaligned/) kind = "access outside of an array"
        else if ($3 ~ /unset/) kind = "memory that nothing has written"
        else if ($3 ~ /leak|unchecked|error-ignored/) kind = "leak, error not looked at"
        else if ($3 ~ values) kind = "wrong values, wrong answers"
        all[kind]++
        passed[kind] += $4 == "pass"
        hung[kind] += $4 == "hangs"
        total++; passes += $4 == "pass"; hangs += $4 == "hangs"
    }
    END {
        print "| mistake | kernels | pass on the card | hang |"
        print "|---|---|---|---|"
        n = split("race|barrier that not all threads reach|access outside of an array|" \
            "memory that nothing has written|leak, error not looked at|loop without an end|" \
            "counts, coalescing, banks, sizes|wrong values, wrong answers", order, "|")
        for (i = 1; i <= n; i++)
            if (all[order[i]])
                printf "| %s | %d | %d | %d |\n", order[i], all[order[i]],
                    passed[order[i]], hung[order[i]]
        printf "| all | %d | %d | %d |\n", total, passes, hangs
    }' "$results" | common/testing/section.sh solutions/mistakes/README.md card
