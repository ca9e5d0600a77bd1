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
python_with_matplotlib() {
    for python in $(command -v python3 || true) /usr/bin/python3; do
        [ -x "$python" ] || continue
        if "$python" -c 'import matplotlib' 2>/dev/null; then
            echo "$python"
            return
        fi
    done
}

echo 'Needed:'
required g++ "$(version g++)" g++
required make "$(version make)" make
required Catch2 "$(first /usr/include/catch2/catch_all.hpp /usr/local/include/catch2/catch_all.hpp /usr/include/catch2/catch.hpp)" catch2
required Boost.Context "$(first /usr/include/boost/context/fiber.hpp /usr/local/include/boost/context/fiber.hpp)" libboost-context-dev
echo 'Optional:'
optional clang++ "$(version clang++)" 'a second compiler (CXX=clang++); apt-get install clang'
optional matplotlib "$(python_with_matplotlib)" 'pictures; apt-get install python3-matplotlib'
optional nvcc "$(command -v nvcc || true)" 'real GPUs; the CUDA toolkit, 12 or 13'
optional 'NVIDIA card' "$(first /dev/nvidiactl /dev/dxg)" 'DEVICE=gpu; all labs run without one'
exit "$status"
