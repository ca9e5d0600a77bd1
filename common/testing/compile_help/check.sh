#!/bin/bash
# Checks that each slip of mistakes.txt gets its line of help, whichever compiler is here, behind
# the compiler's own message and with its status; that what compiles, with or without a
# warning, gets none; that a function which the lab wants is named where the linker misses it; and
# that a variable that nothing sets is warned of. Prints 'ok ...' or 'FAIL ...' for check_all.sh.
set -u
here=common/testing/compile_help solution=solutions/lab2_tiled/kernel.cu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flags=(-std=c++17 -D__CUDACC__ -Wall -Wno-unused -Wunused-value -Icommon/simulator/include)
export here solution folder

try() { # compiler, name, edit, help, flags...
    local compiler=$1 name=$2 edit=$3 help=$4 file=$folder/$2 status
    shift 4
    sed "$edit" $solution >"$file.cu"
    if [ "$name" != right ] && cmp -s "$file.cu" $solution; then
        echo "FAIL $name of mistakes.txt: the edit changes nothing"
        return
    fi
    build/translate "$file.cu" "$file.cpp" kernel.cu
    LC_ALL=C $here/explain.sh lab2_tiled "$compiler" "$@" -fsyntax-only "$file.cpp" \
        >"$file.$compiler" 2>&1
    status=$?
    case $status:$help in
        0:none) ! grep -q '^help: ' "$file.$compiler" || echo "FAIL $name: help for what compiles" ;;
        0:* | *:none) echo "FAIL $name, $compiler: status $status, where the help is '$help'" ;;
        *) tail -n 1 "$file.$compiler" | grep -qE "^help: .{0,74}$" &&
            tail -n 1 "$file.$compiler" | grep -qE "^help: .*($help)" ||
            echo "FAIL $name, $compiler: no '$help' in: $(tail -n 1 "$file.$compiler")" ;;
    esac
}
export -f try

for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    # The headers, once.
    mkdir "$folder/$compiler"
    printf '#include <%s>\n' cuda_runtime.h cstdio cstdlib >"$folder/$compiler/headers.h"
    "$compiler" "${flags[@]}" -x c++-header "$folder/$compiler/headers.h" \
        -o "$folder/$compiler/headers.h.gch"
    count=$(grep -vc '^#' $here/mistakes.txt)
    grep -v '^#' $here/mistakes.txt | while IFS=$'\t' read -r name edit help; do
        printf '%s\0' "$compiler" "$name" "$edit" "$help" "${flags[@]}" \
            -include "$folder/$compiler/headers.h"
    done | xargs -0 -n $((6 + ${#flags[@]})) -P "$(nproc)" bash -c 'try "$@"' _ >"$folder/said"
    cat "$folder/said"
    [ -s "$folder/said" ] ||
        echo "ok $count slips get the right line of help, or none, from $compiler's messages"
done

# The message comes first, and whole; the status is the compiler's.
printf '#!/bin/sh\necho "a.cu:3: error: expected )" >&2\nexit 7\n' >"$folder/compiler"
chmod +x "$folder/compiler"
said=$($here/explain.sh lab2_tiled "$folder/compiler" 2>&1)
if [ $? = 7 ] && [ "$(head -n 1 <<<"$said")" = 'a.cu:3: error: expected )' ]; then
    echo "ok the compiler's message comes first, and its status is kept"
else
    echo "FAIL the compiler's message or status is lost: $said"
fi

judge() { # file
    make --no-print-directory -f common/lab_rules.mk LAB=lab2_tiled KERNEL="$1" test 2>&1
}
sed 's/^void tiledMatrixMul(/void tiledMatrixmul(/' $solution >"$folder/name.cu"
if judge "$folder/name.cu" |
    grep -qx '  void tiledMatrixMul(const float\* M, const float\* N, float\* P, int Width);'; then
    echo 'ok a function that the linker misses is named with its types'
else
    echo 'FAIL a function that the linker misses is not named'
fi
sed 's/float Pvalue = 0.0f/float Pvalue/' $solution >"$folder/unset.cu"
if judge "$folder/unset.cu" | grep -q 'unset.cu:[0-9]*:[0-9]*: warning: .*Pvalue.* uninitialized'; then
    echo 'ok a sum that nobody sets is warned of'
else
    echo 'FAIL a sum that nobody sets is not warned of'
fi
