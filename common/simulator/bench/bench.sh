#!/bin/bash
# How fast the simulated device is, alone and beside others, as Markdown tables of at most 80
# columns. Called by `make bench`, which builds the programs. Others take part where they are
# installed; PYTHON= names a Python with Numba where that is not the first.
set -euo pipefail
cd "$(dirname "$0")/../../.."
build=${BUILD:-build}
peers=common/simulator/peers
cores=$(nproc)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Runs of one row that differ by more say that something else runs on the machine.
most_spread=20
# One run at the largest Width may take this long.
most_seconds=3

# --- arithmetic ---

# Loads and stores that the source states: 2 a step of the inner loop; with tiles of 16 x 16 also
# a load and a store for each element of a tile; one store for each element of P.
accesses() { # naive|tiled, Width
    case $1 in
        naive) echo $((2 * $2 * $2 * $2 + $2 * $2)) ;;
        tiled) echo $((2 * $2 * $2 * $2 + 4 * $2 * $2 * $2 / 16 + $2 * $2)) ;;
    esac
}
# Of the lines 'LABEL SECONDS': the least time, and by how many percent the most exceeds it. The
# least, since other work on the machine can only slow a run down.
best() { awk -v label="$2" '$1 == label && (!n++ || $2 < least) { least = $2 } END { print least }' "$1"; }
spread() {
    awk -v label="$2" '$1 == label { if (!n++ || $2 < least) least = $2; if ($2 > most) most = $2 }
                       END { printf "%d", 100 * (most / least - 1) }' "$1"
}
rate() { awk -v n="$1" -v s="$2" 'BEGIN { print n / s / 1e6 }'; }
divide() { awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'; }
short() { awk -v x="$1" 'BEGIN { printf((x >= 10 ? "%.0f" : x >= 1 ? "%.1f" : "%.2f"), x) }'; }
above() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'; }

# --- measuring: each leaves lines 'LABEL SECONDS' in $scratch/NAME ---

die() {
    echo "bench.sh: $*" >&2
    exit 2
}
simulate() { # name, naive|tiled, Width, checks, workers...
    local name=$1 counted
    shift
    "$build/simulator_bench" "$@" >"$scratch/out" || die "simulator_bench $* fails"
    counted=$(sed -n 's/^accesses //p' "$scratch/out")
    [ "$counted" = "$(accesses "$1" "$2")" ] ||
        die "$1, Width $2: counted $counted accesses, should be $(accesses "$1" "$2")"
    sed -n 's/^run //p' "$scratch/out" >"$scratch/$name"
}
other() { # name, label, command...: appends; where the command fails, its first words say why
    local name=$1 label=$2
    shift 2
    "$@" >"$scratch/out" 2>"$scratch/err" || return 1
    sed -n 's/^version //p' "$scratch/out" >>"$scratch/versions"
    sed -n "s/^run /$label /p" "$scratch/out" >>"$scratch/$name"
}
left_out() { echo "- $1: left out ($2)." >>"$scratch/notes"; }
why() { head -n 1 "$scratch/err" | cut -c1-50; }

# What two cores gain here and now for two loops that share nothing: no kernel can gain more.
busy() { awk 'BEGIN { for (i = 0; i < 8000000; ++i) sum += i }'; }
gain_of_machine() {
    local start middle
    for _ in 1 2 3; do
        start=$EPOCHREALTIME
        busy
        middle=$EPOCHREALTIME
        busy & busy &
        wait
        echo "$start $middle $EPOCHREALTIME"
    done | tr , . | awk '{ one = $2 - $1; two = $3 - $2
                  if (NR == 1 || one < least) least = one
                  if (NR == 1 || two < pair) pair = two }
                END { print 2 * least / pair }'
}

# --- tables ---

# Prints both rates and the gain of a measurement, and remembers whether its runs agree.
noisy=''
cells() { # name, accesses
    local one all='-' gain='-' mark=' ' label
    one=$(rate "$2" "$(best "$scratch/$1" 1)")
    if grep -q '^0 ' "$scratch/$1"; then
        all=$(rate "$2" "$(best "$scratch/$1" 0)")
        gain=$(awk -v a="$all" -v b="$one" 'BEGIN { printf "%.2f", a / b }')
        all=$(short "$all")
    fi
    for label in 0 1; do
        ! grep -q "^$label " "$scratch/$1" ||
            [ "$(spread "$scratch/$1" $label)" -le "$most_spread" ] || mark='*'
    done
    [ "$mark" = ' ' ] || noisy=yes
    printf '%7s | %8s | %5s%s |\n' "$(short "$one")" "$all" "$gain" "$mark"
}
several() { if [ "$1" = 1 ]; then echo '1 core'; else echo "$1 cores"; fi; }
all_cores=$(several "$cores")

# --- the machine ---

declare -A title=([bounds]='bounds' [counters]='bounds, counters' [everything]='everything')
load=$(cut -d' ' -f1 /proc/loadavg)
printf 'Million loads and stores a second, best of several runs, on:\n\n'
printf -- '- %s, %s\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$all_cores"
printf -- '- %s\n' "$(${CXX:-g++} --version | head -n 1)"
siblings=$(cat /sys/devices/system/cpu/cpu0/topology/thread_siblings_list 2>/dev/null || true)
case $siblings in
    *[,-]*) echo '- some of these "cores" are two threads of one core: less gain' ;;
esac
! above "$load" 0.5 ||
    printf -- '- **load %s before the start: other work slows these figures**\n' "$load"

printf '\nThe checks, at Width 256 (bounds are always checked):\n\n'
printf '| kernel | checks           |  1 core | %8s | gain   |\n' "$all_cores"
printf '|:-------|:-----------------|--------:|---------:|-------:|\n'
for kernel in naive tiled; do
    for checks in bounds counters everything; do
        simulate "$kernel-256-$checks" $kernel 256 $checks 1 0
        printf '| %-6s | %-16s | ' $kernel "${title[$checks]}"
        cells "$kernel-256-$checks" "$(accesses $kernel 256)"
    done
done

# Beside the measurement that the bar is about.
possible=$(gain_of_machine)

printf '\nThe Width, everything on:\n\n'
printf '| kernel | Width |  1 core | %8s | gain   |\n' "$all_cores"
printf '|:-------|------:|--------:|---------:|-------:|\n'
for kernel in naive tiled; do
    for Width in 64 128 256 512; do
        name=$kernel-$Width-everything
        if [ $Width = 512 ] &&
            above "$(best "$scratch/$kernel-256-everything" 1)" "$(divide $most_seconds 8)"; then
            left_out "$kernel at Width 512" "a run takes more than $most_seconds seconds"
            continue
        fi
        [ -e "$scratch/$name" ] || simulate "$name" $kernel $Width everything 1 0
        printf '| %-6s | %5d | ' $kernel $Width
        cells "$name" "$(accesses $kernel $Width)"
    done
done

# --- beside others ---

row() { # name, system, checks, Width
    printf '| %-16s | %-15s | %5d | ' "$2" "$3" "$4"
    cells "$1" "$(accesses tiled "$4")"
}
printf '\nBeside others, the tiled kernel:\n\n'
printf '| system           | checks          | Width |  1 core | %8s | gain   |\n' "$all_cores"
printf '|:-----------------|:----------------|------:|--------:|---------:|-------:|\n'
row tiled-256-everything 'simulated device' everything 256
row tiled-64-everything 'simulated device' everything 64

opencl=$build/opencl_bench
source=$peers/tiled.cl
if ! command -v oclgrind >/dev/null 2>&1; then
    left_out Oclgrind 'not installed; apt-get install oclgrind'
elif [ ! -x "$opencl" ]; then
    left_out Oclgrind 'no CL/cl.h; apt-get install opencl-headers ocl-icd-opencl-dev'
elif other oclgrind-races 1 oclgrind --num-threads 1 --data-races "$opencl" Oclgrind $source 64 3 &&
    other oclgrind-races 0 oclgrind --data-races "$opencl" Oclgrind $source 64 3 &&
    other oclgrind 1 oclgrind --num-threads 1 "$opencl" Oclgrind $source 64 3 &&
    other oclgrind 0 oclgrind "$opencl" Oclgrind $source 64 3; then
    row oclgrind-races Oclgrind 'bounds, races' 64
    row oclgrind Oclgrind bounds 64
else
    left_out Oclgrind "it fails: $(why)"
fi

python=''
for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
    [ -n "$python" ] || ! "$candidate" -c 'import numba' 2>/dev/null || python=$candidate
done
if [ -z "$python" ]; then
    left_out 'Numba simulator' 'no Python here imports numba; PYTHON=... names one'
elif NUMBA_ENABLE_CUDASIM=1 other numba 1 "$python" $peers/numba_bench.py 32 3; then
    # Python's threads take turns on one core, however many there are.
    row numba "Numba simulator" none 32
else
    left_out 'Numba simulator' "it fails: $(why)"
fi

# What it compiles goes to the build folder, and not to the home directory.
export POCL_CACHE_DIR=$PWD/$build/pocl
mkdir -p "$POCL_CACHE_DIR"
if [ ! -x "$opencl" ]; then
    left_out PoCL 'no CL/cl.h; apt-get install opencl-headers ocl-icd-opencl-dev'
# The first name is that of PoCL up to version 4, the second that of later ones.
elif POCL_MAX_PTHREAD_COUNT=1 POCL_CPU_MAX_CU_COUNT=1 \
    other pocl 1 "$opencl" 'Portable Computing' $source 512 4 &&
    other pocl 0 "$opencl" 'Portable Computing' $source 512 4; then
    row pocl PoCL 'none, compiled' 512
elif grep -q 'no OpenCL platform' "$scratch/err"; then
    left_out PoCL 'not installed; apt-get install pocl-opencl-icd'
else
    left_out PoCL "it fails: $(why)"
fi

# --- what they say ---

echo
verdict() { if above "$1" "$2"; then echo reached; else echo 'not reached'; fi; }
pace() { rate "$(accesses tiled "$2")" "$(best "$scratch/$1" 1)"; } # name, Width
everything=$(pace tiled-256-everything 256)
if [ -s "$scratch/oclgrind-races" ]; then
    oclgrind=$(pace oclgrind-races 64)
    ratio=$(divide "$everything" "$oclgrind")
    printf -- '- Everything on, 1 core: %s times Oclgrind with races on (bar: 50, %s);\n' \
        "$(short "$ratio")" "$(verdict "$ratio" 50)"
    printf '  %s times with both at Width 64\n' \
        "$(short "$(divide "$(pace tiled-64-everything 64)" "$oclgrind")")"
fi
printf -- '- Everything on, tiled, Width 256, 1 core: %s million (bar: 100, %s)\n' \
    "$(short "$everything")" "$(verdict "$everything" 100)"
if [ "$cores" -gt 1 ]; then
    pair=tiled-256-everything
    if [ "$cores" -gt 2 ]; then # then the table has no column for two
        pair=pair
        simulate $pair tiled 256 everything 1 2
        sed -i 's/^2 /0 /' "$scratch/$pair"
    fi
    gain=$(divide "$(best "$scratch/$pair" 1)" "$(best "$scratch/$pair" 0)")
    printf -- '- The same on 2 cores: %.2f times as fast (bar: 1.8, %s);\n' \
        "$gain" "$(verdict "$gain" 1.8)"
    printf '  two loops that share nothing gained %.2f on this machine at that time\n' "$possible"
fi
[ ! -e "$scratch/versions" ] ||
    sort -u "$scratch/versions" | paste -sd, | sed 's/,/, /g; s/^/- Others: /'
[ ! -e "$scratch/notes" ] || cat "$scratch/notes"
[ -z "$noisy" ] ||
    printf '\n\\* Runs of this row differ by more than %s %%: other work on the machine.\n' $most_spread
