#!/bin/bash
# Checks what `make doctor` says of machines that lack something, which are made of programs that
# play a part, put before the others on the PATH. Prints 'ok ...' or 'FAIL ...' for check_all.sh.
set -u
unset CXX # the machines say themselves which compiler they have
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A folder in the place of the PATH: all programs of this machine but some.
without() { # programs...
    mkdir -p "$folder/path"
    rm -f "$folder/path"/*
    find /usr/local/bin /usr/bin /bin -maxdepth 1 \( -type f -o -type l \) \
        -exec ln -sf -t "$folder/path" {} + 2>/dev/null
    for program; do rm -f "$folder/path/$program"; done
}
plays() { # program, what it does
    mkdir -p "$folder/fakes"
    printf '#!/bin/sh\n%s\n' "$2" >"$folder/fakes/$1"
    chmod +x "$folder/fakes/$1"
}
doctor() { # what, status, words (extended regular expression), assignments...
    local what=$1 wanted=$2 words=$3 said status
    shift 3
    said=$(env "$@" common/setup/doctor.sh 2>&1)
    status=$?
    rm -rf "$folder/fakes"
    if [ $status != "$wanted" ]; then
        echo "FAIL doctor, $what: status $status and not $wanted"
    elif ! tr '\n' ' ' <<<"$said" | grep -qE -- "$words"; then
        echo "FAIL doctor, $what: no '$words' in: $said"
    elif grep -q '.\{81\}' <<<"$said"; then
        echo "FAIL doctor, $what: over 80 columns: $(grep -m 1 '.\{81\}' <<<"$said")"
    else
        echo "ok doctor, $what: says so, in 80 columns"
    fi
}
fakes="PATH=$folder/fakes:$PATH"

doctor 'this machine' 0 'ok +g\+\+ 1[0-9.]+ .*All labs can be done here' "PATH=$PATH"

without g++ g++-11 g++-12 g++-13
doctor 'no compiler' 2 'MISSING +g\+\+ .*apt-get install g\+\+ ' "PATH=$folder/path"
without objcopy
doctor 'no binutils' 2 'MISSING +objcopy .*cannot be built yet.*install binutils' \
    "PATH=$folder/path"
without clang++ clang-format bwrap sbatch nvcc
doctor 'nothing optional' 0 'not here clang\+\+ .*without it: .*not here bubblewrap' \
    "PATH=$folder/path" CUDA_HOME=/nowhere

# shellcheck disable=SC2016
plays g++ 'case "$*" in *version*) echo 9.4.0 ;; *) exec /usr/bin/g++ "$@" ;; esac'
doctor 'an old compiler' 2 'TOO OLD +g\+\+ 9\.4\.0 .*11 or newer .*get it: ' "$fakes"
plays nvcc 'echo "Cuda compilation tools, release 11.8, V11.8.89"'
doctor 'an old toolkit' 0 'TOO OLD +CUDA toolkit 11\.8 .*All labs can be done' "$fakes"
plays nvidia-smi 'echo "NVIDIA RTX 6000 Ada Generation Laptop GPU, 8.9, 550.54.14"'
doctor 'a card' 0 'NVIDIA RTX 6000 Ada .*compute capability 8\.9, driver 550' "$fakes"
# shellcheck disable=SC2016 # the program expands it
plays uname 'case $1 in -r) echo 5.15.90.1-microsoft-standard-WSL2 ;; *) exec /bin/uname "$@" ;; esac'
doctor WSL2 0 'WSL: a card is used through the driver of Windows' "$fakes"
# shellcheck disable=SC2016
plays uname 'case $1 in -m) echo aarch64 ;; *) exec /bin/uname "$@" ;; esac'
doctor arm64 0 'arm64: all of the course works' "$fakes"

# Every Python is made one that cannot import a module.
mkdir "$folder/broken"
echo 'raise ImportError' >"$folder/broken/json.py"
doctor 'no Python' 2 'MISSING +Python .*apt-get install python3 ' \
    "PYTHONPATH=$folder/broken" PYTHONDONTWRITEBYTECODE=1
echo 'raise ImportError' >"$folder/matplotlib.py"
doctor 'Python without matplotlib' 0 'not here matplotlib .*python3-matplotlib .*all but the pict' \
    "PYTHONPATH=$folder" PYTHONDONTWRITEBYTECODE=1
