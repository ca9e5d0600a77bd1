#!/bin/bash
# What the gate knows of the programs that a student's object is linked with, one fact a line:
#   ours SYMBOL      defined in our libraries and test programs, and no business of judged code
#   offered SYMBOL   defined there, and declared in the headers that a .cu file sees
#   system SYMBOL    defined in the system's libraries
#   function SYMBOL  the same, where it is a function
# Usage: known_symbols.sh OUTPUT OBJECT-OR-LIBRARY...; CXX names the compiler.
set -euo pipefail
output=$1
shift
CXX=${CXX:-g++}
# Of ldconfig, which not everybody's path reaches.
PATH=$PATH:/usr/sbin:/sbin
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Type and name of the global symbols, without those that any file may bring along: templates and
# inline functions of the standard library.
nm --defined-only --extern-only --format=posix "$@" |
    awk 'NF >= 2 && $1 !~ /:$/ {print $2, $1}' |
    awk '!($1 ~ /[VWu]/ && $2 ~ /^(_ZNK?St|_ZSt|_ZNK?9__gnu|_ZN9__gnu|_ZT[ISV]|_ZNSt)/)' |
    cut -d' ' -f2 | sort -u >"$scratch/defined"

# The names in namespace cusim that a .cu file could use are those for which a using-declaration
# compiles. Global functions are CUDA's, the compiler's hooks, or nobody's business.
c++filt <"$scratch/defined" >"$scratch/readable"
sed -n 's/^cusim::\([A-Za-z_0-9]*\).*/\1/p' "$scratch/readable" | sort -u >"$scratch/names"
{
    echo '#include <cuda_runtime.h>'
    (cd common/simulator/include && find . -name '*.h' | LC_ALL=C sort) | while read -r header; do
        ! grep -q '#error' "common/simulator/include/$header" && echo "#include <${header#./}>"
    done
    echo '#line 1 "names"'
    sed 's/.*/using cusim::&;/' "$scratch/names"
} >"$scratch/probe.cpp"
"$CXX" -std=c++17 -fsyntax-only -fmax-errors=0 -fno-diagnostics-show-caret \
    -Icommon/simulator/include -x c++ "$scratch/probe.cpp" 2>"$scratch/errors" || true
sed -n 's/^names:\([0-9]*\):.*error.*/\1/p' "$scratch/errors" | sort -u >"$scratch/undeclared"
awk 'NR == FNR {no[$1]; next} !(FNR in no)' "$scratch/undeclared" "$scratch/names" \
    >"$scratch/declared"

paste -d' ' "$scratch/defined" "$scratch/readable" |
    awk -v declared="$scratch/declared" '
        BEGIN { while ((getline name < declared) > 0) known[name] }
        {
            symbol = $1
            readable = substr($0, length(symbol) + 2)
            offered = 0
            if (readable ~ /^cusim::/) {
                name = readable
                sub(/^cusim::/, "", name)
                # A function of the namespace, or the constructor of a class.
                split(name, part, /[^A-Za-z_0-9]/)
                rest = substr(name, length(part[1]) + 1)
                offered = part[1] in known && (rest !~ /^::/ || rest ~ "^::" part[1] "[(]")
            } else if (symbol ~ /^__(tsan|ubsan)_/ || symbol ~ /^cusimM(em|ath_)/) {
                offered = 1
            } else if (readable ~ /^(cuda[A-Z]|atomic[A-Z]|__[a-z_]*[(]|clock)/ && readable ~ /[(]/) {
                offered = 1
            } else if (readable ~ /^(threadIdx|blockIdx|blockDim|gridDim|warpSize)$/) {
                offered = 1
            }
            print (offered ? "offered " : "ours ") symbol
        }' >"$scratch/facts"

for library in libc.so.6 libm.so.6 libstdc++.so.6 libgcc_s.so.1 libpthread.so.0 libdl.so.2 \
    ld-linux-x86-64.so.2 ld-linux-aarch64.so.1; do
    file=$("$CXX" -print-file-name="$library")
    [ -f "$file" ] || file=$(ldconfig -p 2>/dev/null | awk -v l="$library" '$1 == l {print $NF; exit}')
    [ -f "$file" ] || continue
    nm --dynamic --defined-only --format=posix "$file" | awk '
        {sub(/@.*/, "", $1); print "system " $1}
        $2 ~ /^[TWi]$/ {print "function " $1}'
done | sort -u >>"$scratch/facts"

mv "$scratch/facts" "$output.new"
mv "$output.new" "$output"
