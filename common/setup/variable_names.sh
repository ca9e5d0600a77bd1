#!/bin/sh
# Refuses variables on make's command line that no makefile of the course reads: a mistyped name
# would be ignored without a word. Exit status 2.
#   variable_names.sh LAB
#   variable_names.sh "make GOAL" NAME...     only these are known, for a goal of the teacher's
# MAKEFLAGS holds the command line: options, then ' -- ' and the variables, blanks escaped.
set -eu
known='DEVICE ARCH TILE_WIDTH SCHEDULE PROFILE SOLUTION KERNEL MISTAKE PART TRACE CHECKS ARGS EXPLAIN TODO AGAIN YES COMPILE_ONLY'

case " ${MAKEFLAGS:-}" in *' -- '*) ;; *) exit 0 ;; esac
given=$(printf '%s\n' "${MAKEFLAGS#*-- }" | sed 's/\\\\//g; s/\\[[:space:]]//g' | tr ' ' '\n' |
    sed -n 's/^\([A-Za-z_][A-Za-z_0-9]*\):*=.*/\1/p')

# The known name that takes the fewest letters to change, where that is at most two.
nearest() { # name
    awk -v word="$1" -v names="$known" '
        function least(a, b) { return a < b ? a : b }
        function distance(a, b,    i, j, d) {
            for (i = 0; i <= length(a); i++) d[i, 0] = i
            for (j = 0; j <= length(b); j++) d[0, j] = j
            for (i = 1; i <= length(a); i++) for (j = 1; j <= length(b); j++)
                d[i, j] = least(least(d[i - 1, j], d[i, j - 1]) + 1,
                    d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
            return d[length(a), length(b)]
        }
        BEGIN {
            n = split(names, name, " ")
            best = 3
            for (i = 1; i <= n; i++) if ((d = distance(toupper(word), name[i])) < best) {
                best = d; found = name[i]
            }
            print found
        }'
}

# Whether some makefile has a line of this form.
makefiles_have() { # extended regular expression
    grep -qsE -- "$1" Makefile common/*.mk common/*/*.mk "$lab"/*.mk
}

lab=$1
shift
if [ $# != 0 ]; then
    known=$*
    for name in $given; do
        case " $known " in *" $name "*) continue ;; esac
        case $name in BUILD | CXX | PYTHON | LAB_* | CUSIM_* | CCACHE_*) continue ;; esac
        near=$(nearest "$name")
        if [ -n "$near" ]; then
            echo "$name: did you mean $near?" >&2
        else
            echo "$name: no variable of $lab, which knows $known." >&2
        fi
        exit 2
    done
    exit 0
fi
for name in $given; do
    case " $known " in *" $name "*) continue ;; esac
    case $name in LAB | OUT | BUILD | LAB_* | CUSIM_* | CCACHE_*) continue ;; esac
    # Meant to be set, or known to the root's targets, which may have called this make.
    ! makefiles_have "^$name *[?]=" || continue
    ! grep -qsw -- "$name" Makefile || continue
    near=$(nearest "$name")
    if [ -n "$near" ]; then
        echo "$name: did you mean $near?" >&2
        exit 2
    fi
    # Of use within the makefiles, and no slip.
    makefiles_have '[$][({]'"$name"'[:)}]' || {
        echo "$name: no variable of the labs; make -C $lab lists them." >&2
        exit 2
    }
done
