#!/bin/sh
# What this machine has, what each thing is for, what is missing, how to get it and what works
# without it. Exit status 0: the labs can be done; 2: something lacks that they need.
# CXX in the environment names another compiler than g++.
set -eu
here=$(dirname "$0")
# shellcheck source=/dev/null
. "$here/versions.sh"

status=0
to_install=''

line() { printf '  %-8s %-22s %s\n' "$1" "$2" "$3"; }
more() { printf '  %-8s   %s\n' '' "$1"; }

# needed NAME, VERSION (empty: missing), WHAT FOR, PACKAGE
needed() {
    if [ -n "$2" ]; then
        line ok "$1 $2" "$3"
    else
        line MISSING "$1" "$3"
        more "get it: sudo apt-get install $4"
        case " $to_install " in *" $4 "*) ;; *) to_install="$to_install $4" ;; esac
        status=2
    fi
}
# optional NAME, VERSION (empty: missing), WHAT FOR, HOW TO GET IT, WHAT WORKS WITHOUT
optional() {
    if [ -n "$2" ]; then
        line ok "$1 $2" "$3"
    else
        line 'not here' "$1" "$3"
        more "get it: $4"
        more "without it: $5"
    fi
}
too_old() { # NAME, VERSION, WHAT FOR, HOW TO GET A NEWER ONE
    line 'TOO OLD' "$1 $2" "$3"
    more "get it: $4"
}

system=$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null || true)
machine=$(uname -m)
echo "This machine: ${system:-$(uname -s)}, $machine, $(nproc) processors"
case $(uname -r) in
    *[Mm]icrosoft*) echo 'WSL: a card is used through the driver of Windows; install no driver in Linux.' ;;
esac
case $machine in
    x86_64) ;;
    aarch64 | arm64) echo 'arm64: all of the course works; CUDA calls this platform arm64-sbsa.' ;;
    *) echo "$machine: never tried; the course is tested on x86_64 and arm64." ;;
esac

echo
echo 'Needed:'
compiler=${CXX:-g++}
found=$(compiler_version "$compiler")
if [ -n "$found" ] && ! at_least "$(oldest_compiler "$compiler")" "$found"; then
    too_old "$compiler" "$found" "C++17; $(oldest_compiler "$compiler") or newer" \
        'sudo apt-get install g++-11, then make CXX=g++-11'
    status=2
else
    needed "$compiler" "$found" 'compiles kernels, tests, simulator' g++
fi
needed make "$(first_number make --version)" 'builds and runs everything' make
needed objcopy "$(first_number objcopy --version)" 'lets the simulator see copies' binutils
needed Catch2 "$(catch_version)" 'the framework of the tests' catch2
needed Boost.Context "$(boost_version)" "the simulated device's threads" libboost-context-dev
needed libbacktrace "$(backtrace_there "$compiler")" 'names the line of a fault' g++

python=$("$here/python.sh" json || true)
needed Python "$(first_number "$python" --version)" "the course's own tools" python3
[ -z "$python" ] || more "$python"

echo
echo 'Optional:'
with_pictures=$("$here/python.sh" matplotlib numpy PIL || true)
optional matplotlib "$(module_version "$with_pictures" matplotlib)" 'make figures' \
    'sudo apt-get install python3-matplotlib' 'all but the pictures'
[ -z "$with_pictures" ] || [ "$with_pictures" = "$python" ] ||
    more "of $with_pictures; the Python above has none"

nvcc=$("$here/cuda.sh" nvcc || true)
toolkit=$([ -z "$nvcc" ] || "$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
if [ -n "$toolkit" ] && ! at_least 12 "$toolkit"; then
    too_old 'CUDA toolkit' "$toolkit" 'DEVICE=gpu; 12 or newer' developer.nvidia.com/cuda-downloads
else
    optional 'CUDA toolkit' "$toolkit" 'DEVICE=gpu' \
        developer.nvidia.com/cuda-downloads 'all labs, on the simulated device'
    [ -z "$nvcc" ] || more "$nvcc"
fi
card=$("$here/cuda.sh" card || true)
optional 'NVIDIA card' "${card:+(found)}" "$(echo "${card:-DEVICE=gpu}" | sed 's/, compute.*//')" \
    'a card of capability 7.5 or later, and its driver' 'all labs, on the simulated device'
[ -z "$card" ] || more "compute capability ${card##*compute capability }"
optional sanitizer "$(first_number "$("$here/cuda.sh" sanitizer || true)" --version)" \
    'make sanitize, on a card' 'it comes with the CUDA toolkit' \
    'all labs; the simulated device finds more'
optional clang++ "$(first_number clang++ --version)" 'a second compiler: CXX=clang++' \
    'sudo apt-get install clang' 'everything, by g++'
optional clang-format "$(first_number clang-format --version)" 'tidies up your source' \
    'sudo apt-get install clang-format' 'everything'
optional pytest "$(module_version "$("$here/python.sh" pytest xdist || true)" pytest)" \
    'teachers: make test' 'sudo apt-get install python3-pytest-xdist' 'all labs, and make grade'
optional git "$(first_number git --version)" 'teachers: make release, make test' \
    'sudo apt-get install git' 'all labs, and make grade'
optional bubblewrap "$(first_number bwrap --version)" 'teachers: make grade, apart' \
    'sudo apt-get install bubblewrap' "grading, within the system's limits"
optional Slurm "$(first_number sbatch --version)" 'teachers: grading on a cluster' \
    'sudo apt-get install slurm-wlm' 'grading on this machine'

echo
if [ $status = 0 ]; then
    echo 'All labs can be done here.'
else
    echo 'The labs cannot be built yet. What is needed and not here is marked above.'
    [ -z "$to_install" ] || echo "Debian, Ubuntu:  sudo apt-get install$to_install"
fi
exit $status
