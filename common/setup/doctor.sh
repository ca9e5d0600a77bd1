#!/bin/sh
# What is installed, what is missing, what it is for and how to get it. Exit status 2 where
# something is missing that the course cannot do without.
set -eu
status=0

line() { printf '  %-9s %-16s %s\n' "$1" "$2" "$3"; }
required() { # name, what is there (empty: missing), package
    if [ -n "$2" ]; then
        line ok "$1" "$2"
    else
        line MISSING "$1" "needed; sudo apt-get install $3"
        status=2
    fi
}
optional() { # name, what is there, what it is for and how to get it
    if [ -n "$2" ]; then line ok "$1" "$2"; else line 'not there' "$1" "$3"; fi
}
version() { "$@" --version 2>/dev/null | head -n 1 || true; }
first() {
    for file; do
        if [ -e "$file" ]; then
            echo "$file"
            return
        fi
    done
}

echo 'Needed:'
required g++ "$(version g++)" g++
required make "$(version make)" make
required Catch2 "$(first /usr/include/catch2/catch_all.hpp /usr/local/include/catch2/catch_all.hpp /usr/include/catch2/catch.hpp)" catch2
required Boost.Context "$(common/setup/boost_context.sh || true)" libboost-context-dev
echo 'Optional:'
optional clang++ "$(version clang++)" 'a second compiler (CXX=clang++); apt-get install clang'
optional matplotlib "$(common/setup/python.sh matplotlib numpy PIL || true)" \
    'make figures; apt-get install python3-matplotlib'
nvcc=$(common/setup/cuda.sh nvcc || true)
optional nvcc "${nvcc:+$nvcc, $("$nvcc" --version | sed -n 's/.*, \(release [0-9.]*\),.*/\1/p')}" \
    'DEVICE=gpu; NVIDIA'"'"'s CUDA toolkit, 12 or 13'
optional 'NVIDIA card' "$(common/setup/cuda.sh card || true)" \
    'DEVICE=gpu; all labs run without one'
optional sanitizer "$(common/setup/cuda.sh sanitizer || true)" \
    'make sanitize; a part of the CUDA toolkit'
exit "$status"
