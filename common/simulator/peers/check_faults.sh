#!/bin/bash
# The faults that lie under faults/, each as a CUDA file and, line by line, as an OpenCL file, and
# a near miss of each: the simulated device and Oclgrind must say the same of them, at the same
# lines. The first comment of each file names the finding, `// FAULT` its lines. Where the two
# cannot agree, the OpenCL file says what Oclgrind reports besides, and why:
#     // Differs: KIND LINE...: reason
# Prints 'quiet ...', 'ok ...', 'left out: ...' or 'FAIL ...' a file, for test_scripts.py. With the
# name of a file as an argument only that one, for example: missing_first_barrier/kernel
set -u
here=common/simulator/peers/faults
programs=$BUILD/faults
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

wanted() { sed -n '1s|^// Finding: ||p' "$1"; }
marked() { grep -n '// FAULT' "$1" | cut -d: -f1 | xargs; }

# Threads in each direction, as Oclgrind wants them, of <<<4, 16>>> or <<<dim3(2, 2), dim3(4, 4)>>>.
geometry() { # CUDA file
    sed -n 's/.*<<<\(.*\)>>>.*/\1/p' "$1" | tr -c '0-9\n' ' ' | sed 's/ 3 / /g; s/^3 / /' |
        awk 'NF == 2 { print $1 * $2, 1, 1; print $2, 1, 1 }
             NF == 4 { print $1 * $3, $2 * $4, 1; print $3, $4, 1 }'
}

# Its reports, one 'kind line...' each, as simulated_fault.cpp prints those of the other side.
# Without optimization, so that two barriers in two branches stay two. One thread of its own: with
# more, the order of the blocks would be left to chance.
oclgrind_says() { # OpenCL file, CUDA file
    {
        printf '%s\nfault\n' "$1"
        geometry "$2"
        printf '<size=256 range=1:1:64 int>\n<size=256 fill=0 int>\n'
    } >"$scratch/fault.sim"
    oclgrind-kernel --data-races --uninitialized --uniform-writes --num-threads 1 \
        --max-errors 1000000 --build-options -cl-opt-disable "$scratch/fault.sim" \
        >"$scratch/log" 2>&1 || {
        echo "no verdict, but '$(head -n 1 "$scratch/log")'"
        return
    }
    awk '
        function flush() { if (kind != "") print kind, lines; kind = lines = "" }
        /^[A-Z]/ { flush() }
        /^(Read-write|Write-write) data race/ { kind = "race" }
        /^Work-group divergence/ { kind = "barrier-divergence" }
        /^Invalid (read|write)/ { kind = "out-of-bounds" }
        /^Uninitialized|depends on uninitialized/ { kind = "unset-read" }
        /^[A-Z]/ && kind == "" { kind = $0 }
        /^\tAt line / { lines = lines " " $3 }
        END { flush() }' "$scratch/log" | sort -u | while read -r kind lines; do
        echo "$kind $(tr ' ' '\n' <<<"$lines" | sort -nu | xargs)"
    done | sort -u
}

# A program that does not come to its end has no verdict either: silence is one.
simulator_says() { # NAME/kernel or NAME/near_miss
    if "$programs/$1" >"$scratch/out" 2>"$scratch/log"; then
        sort -u "$scratch/out"
    else
        echo "no verdict, but '$(head -n 1 "$scratch/log")'"
    fi
}

check() { # NAME/kernel or NAME/near_miss
    local cu=$here/$1.cu cl=$here/$1.cl kind lines simulated other differs said
    kind=$(wanted "$cu") lines=$(marked "$cu")
    if [ ! -e "$cu" ] || [ ! -e "$cl" ]; then
        echo "FAIL $here/$1: a .cu and a .cl belong together"
    elif [ "$kind" != "$(wanted "$cl")" ] || [ "$lines" != "$(marked "$cl")" ]; then
        echo "FAIL $here/$1: .cu and .cl do not name the same finding at the same lines"
    elif { [ "$kind" = none ] && [ -n "$lines" ]; } || { [ "$kind" != none ] && [ -z "$lines" ]; }; then
        echo "FAIL $cu: a finding goes with lines marked // FAULT, and none with none"
    else
        simulated=$(simulator_says "$1")
        said=$(cut -s -d' ' -f1 <<<"$simulated" | sort -u | xargs)
        if [ "${said:-none}" != "$kind" ] ||
            [ "$(cut -s -d' ' -f2- <<<"$simulated" | tr ' ' '\n' | sort -nu | xargs)" != "$lines" ]; then
            echo "FAIL $cu: the simulated device should say $kind${lines:+ }$lines, says" \
                "'$(paste -sd, <<<"$simulated")'"
        elif command -v oclgrind-kernel >/dev/null 2>&1; then
            differs=$(sed -n 's|^// Differs: \([^:]*\): .*|\1|p' "$cl")
            other=$(oclgrind_says "$cl" "$cu")
            if [ "$(printf '%s\n' "$simulated" "$differs" | grep . | sort -u)" != "$other" ]; then
                echo "FAIL $cl: the simulated device says '$(paste -sd, <<<"$simulated")'," \
                    "Oclgrind '$(paste -sd, <<<"$other")'"
            elif [ -n "$differs" ]; then
                echo "ok $1: Oclgrind adds $differs (see the .cl)"
            else
                echo "quiet $1: Oclgrind agrees: $kind${lines:+ }$lines"
            fi
        else
            echo "quiet $1: the simulated device says $kind${lines:+ }$lines"
        fi
    fi
}

cd "$(dirname "$0")/../../.." || exit 2
# Files with either ending, so that one without its partner is found.
names=${1:-$(find $here -name '*.c[lu]' | sed "s|^$here/||; s|\.c[lu]$||" | sort -u)}
for name in $names; do check "$name"; done
command -v oclgrind-kernel >/dev/null 2>&1 ||
    echo "left out: the faults under $here in Oclgrind (it is not installed)"
