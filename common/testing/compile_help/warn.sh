#!/bin/bash
# Warns of variables that a kernel may read before it sets them. g++ sees that only when it
# optimises, so it compiles once more; not where no variable is declared without a value, which
# costs no time then. clang++ has said so already. Nothing here fails a build.
#   unset.sh FILE COMPILER AND FLAGS...
set -u
file=$1
shift
grep -qE '^ *(float|double|int|unsigned|size_t) +[A-Za-z_0-9]+( *, *[A-Za-z_0-9]+)*;' "$file" ||
    exit 0
! "$1" --version 2>/dev/null | grep -q clang || exit 0
"$@" -O1 -Wuninitialized -Wmaybe-uninitialized -S "$file" -o /dev/null
exit 0
