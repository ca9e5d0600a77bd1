#!/bin/bash
# Checks that each slip of mistakes.txt gets its line of help, whichever compiler is here: under the
# first error, with the compiler's status, or under the warning; and that what is right gets none.
# Then that EXPLAIN=all shows all of it, that nothing is wider than a terminal, and that what any
# linker misses is named. Prints 'ok ...' or 'FAIL ...' for check_all.sh.
set -u
here=common/testing/compile_help solution=solutions/lab2_tiled/kernel.cu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export here solution folder

# As the build has them, less the hooks of the simulated device.
flags_of() { # compiler, variable
    make -s -f common/lab_rules.mk LAB=lab2_tiled CXX="$1" --eval="flags: ; @echo \$($2)" flags |
        tr ' ' '\n' | grep -E '^-(W|std|D|I)'
}

try() { # compiler, name, edit, help
    local compiler=$1 name=$2 edit=$3 help=$4 file=$folder/$2 status said=$folder/$2.$1.txt
    local flags unset_flags
    mapfile -t flags <"$folder/$compiler.flags"
    mapfile -t unset_flags <"$folder/$compiler.unset_flags"
    sed "$edit" $solution >"$file.cu"
    if [ "$name" != right ] && cmp -s "$file.cu" $solution; then
        echo "FAIL $name of mistakes.txt: the edit changes nothing"
        return
    fi
    $here/explain.sh lab2_tiled build/translate "$file.cu" "$file.cpp" "$file.cu" >"$said" 2>&1 &&
        WARNINGS=$said.warnings $here/explain.sh lab2_tiled "$compiler" "${flags[@]}" \
            -include "$folder/$compiler/headers.h" -fsyntax-only "$file.cpp" >>"$said" 2>&1
    status=$?
    if [ $status = 0 ]; then
        $here/warn.sh collect "$said.warnings" "$file.cu" "$file.cpp" "$compiler" "${unset_flags[@]}"
        $here/warn.sh show "$said.warnings" >>"$said" 2>&1
    elif [ "$(grep -c 'error: ' "$said")" -gt 2 ]; then
        echo "FAIL $name, $compiler: more than the first error is shown, and the one with help"
    fi
    case $help in
        none) [ ! -s "$said" ] || echo "FAIL $name: help for what is right: $(head -n 1 "$said")" ;;
        *) grep -E '^help: .{0,74}$' "$said" | grep -qE "^help: .*($help)" ||
            echo "FAIL $name, $compiler: no '$help' in: $(tail -n 2 "$said")" ;;
    esac
}
export -f try

for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    flags_of $compiler KERNEL_FLAGS | grep -v '^-M' >"$folder/$compiler.flags"
    flags_of $compiler UNSET_FLAGS >"$folder/$compiler.unset_flags"
    # The headers, once.
    mkdir "$folder/$compiler"
    printf '#include <%s>\n' cuda_runtime.h cstdio cstdlib >"$folder/$compiler/headers.h"
    xargs "$compiler" -x c++-header "$folder/$compiler/headers.h" \
        -o "$folder/$compiler/headers.h.gch" <"$folder/$compiler.flags"
    count=0
    while IFS=$'\t' read -r name edit help only; do
        [ "${only:-$compiler}" = "$compiler" ] || continue
        count=$((count + 1))
        printf '%s\0' "$compiler" "$name" "$edit" "$help"
    done < <(grep -v '^#' $here/mistakes.txt) >"$folder/slips"
    <"$folder/slips" xargs -0 -n 4 -P "$(nproc)" bash -c 'try "$@"' _ >"$folder/said"
    cat "$folder/said"
    [ -s "$folder/said" ] ||
        echo "ok $count slips get the right line of help, or none, from $compiler's messages"
done

# Somebody who says what is in a file, and fails with status 7.
cat >"$folder/compiler" <<'END'
#!/bin/sh
cat "$1" >&2
exit 7
END
chmod +x "$folder/compiler"
explain() { # text: sets said and status
    printf '%s\n' "$1" >"$folder/text"
    said=$($here/explain.sh lab2_tiled "$folder/compiler" "$folder/text" 2>&1)
    status=$?
}
is() { # sentence, command that must succeed...
    local sentence=$1
    shift
    if "$@"; then echo "ok $sentence"; else echo "FAIL $sentence: $(tr '\n' '|' <<<"$said")"; fi
}

errors='a.cu:3:1: error: expected )
    3 | f(
      |  ^
a.cu:5:2: note: here
In file included from common/simulator/include/cuda_runtime.h:1:
a.cu:9:1: error: expected ;'
shown='a.cu:3: error: expected )
    3 | f(
      |  ^
and 1 more; EXPLAIN=all shows it'
explain "$errors"
is "the first error is shown, without its notes, and the compiler's status is kept" \
    test "$status $said" = "7 $shown"
export EXPLAIN=all
explain "$errors"
is 'EXPLAIN=all shows every error, whole' test "$status $said" = "7 $errors"
explain "$errors
cc1plus: note: unrecognized command-line option '-Wno-new' may have been intended to silence earlier"
is 'EXPLAIN=all shows no option of ours that the compiler does not know' test "$said" = "$errors"
unset EXPLAIN
explain 'cc: internal trouble'
is 'what is no error of a file is shown as it is' test "$said" = 'cc: internal trouble'

long="lab2_tiled/kernel.cu:44:20: error: $(printf 'a word %.0s' {1..60})"
explain "$long"
is 'what goes to no terminal keeps its lines' test "$(wc -l <<<"$said")" = 1
what='what goes to a terminal fits 80 columns'
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    said=$(printf '%s\n' "$long" >"$folder/text" && TERM=dumb script -qec \
        "$here/explain.sh lab2_tiled '$folder/compiler' '$folder/text'" /dev/null </dev/null | tr -d '\r')
    is "$what" test "$(awk 'length > 80 { wide = 1 } END { print (NR > 1 && !wide) }' <<<"$said")" = 1
else
    echo "left out: $what (no pseudo-terminal here: is /dev/pts mounted?)"
fi

# As GNU ld, gold, LLVM's lld, and a linker that leaves names as they are tell it.
wanted='undefined reference to tiledMatrixMul(...)
help: the lab wants a function that the file does not define (name or types):
  void tiledMatrixMul(const float* M, const float* N, float* P, int Width);'
types='float const*, float const*, float*, int'
for text in \
    "/usr/bin/ld: a.o: in function \`lab::f(int)':
/a/b.cpp:4: undefined reference to \`std::f(int)'
/usr/bin/ld: b.o: in function \`f()::{lambda()#1}::operator()() const':
/a/b.cpp:42:(.text+0x1): undefined reference to \`tiledMatrixMul($types)'" \
    "/a/b.cpp:42: error: undefined reference to 'tiledMatrixMul($types)'" \
    "ld.lld: error: undefined symbol: tiledMatrixMul($types)
>>> referenced by b.cpp:42" \
    "b.cpp:(.text+0x1): undefined reference to \`_Z14tiledMatrixMulPKfS0_Pfi'"; do
    explain "$text
collect2: error: ld returned 1 exit status"
    [ "$said" = "$wanted" ] || break
done
is 'a function of the lab that any linker misses is named with its types' test "$said" = "$wanted"
explain "b.cpp:42: undefined reference to \`lab::run(int)'"
is 'objects that do not fit the sources are to be built anew' grep -q 'help: .*make clean' <<<"$said"
explain "kernel.cu:42: undefined reference to \`helper(int)'"
is 'a function of their own that nobody defines is told' grep -q 'help: the file uses' <<<"$said"

said=$(printf '%s\n' "k.cu:3:1: error: storage size of 'Mds' isn't constant" >"$folder/text" &&
    $here/explain.sh lab4_memtypes "$folder/compiler" "$folder/text" 2>&1)
is 'a lab may have rules of its own' grep -q 'help: line 3: .*the launch sets it: extern' <<<"$said"

judge() { # file: sets said
    said=$(make --no-print-directory -f common/lab_rules.mk LAB=lab2_tiled KERNEL="$1" test 2>&1)
}
sed 's/^void tiledMatrixMul(/void tiledMatrixmul(/' $solution >"$folder/name.cu"
judge "$folder/name.cu"
is 'a function that the linker here misses is named' \
    grep -qxF "  void tiledMatrixMul(const float* M, const float* N, float* P, int Width);" <<<"$said"
sed 's/float Pvalue = 0.0f/float Pvalue/' $solution >"$folder/unset.cu"
judge "$folder/unset.cu"
first=$said
judge "$folder/unset.cu"
is 'a warning is shown again where nothing is compiled' \
    test "$(grep -c '^help: line .*Pvalue begins' <<<"$first$said")" = 2

# The questions have words of their own.
sed '0,/= UNANSWERED/s//= Yes/' lab2_tiled/answers.h >"$folder/answers.h"
said=$(make --no-print-directory -f common/lab_rules.mk LAB=lab2_tiled PART=answers \
    KERNEL="$folder/answers.h" test 2>&1)
is 'an answer that is no number and no known word gets a line of help' \
    grep -q '^help: line [0-9]*: write yes, in small letters' <<<"$said"
sed '0,/= UNANSWERED/s//= 50 GFLOP\/s/' lab2_tiled/answers.h >"$folder/answers.h"
said=$(make --no-print-directory -f common/lab_rules.mk LAB=lab2_tiled PART=answers \
    KERNEL="$folder/answers.h" test 2>&1)
is 'an answer with its unit is told that a number stands alone' \
    grep -q '^help: line [0-9]*: a number is written as 1024' <<<"$said"
