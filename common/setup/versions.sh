# Which version of a thing is here; nothing where it is missing. Read by doctor.sh.
# shellcheck shell=sh

# The first number with a point in what a program says.
first_number() { # PROGRAM, ARGUMENTS...
    [ -n "$1" ] && command -v "$1" >/dev/null 2>&1 || return 0
    # What is there, and says nothing, is here all the same.
    "$@" 2>/dev/null | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1 | grep . || echo '(found)'
}

# Whether a version is not below another one: 12 9.4 fails, 11 11.2.0 does not.
at_least() { # OLDEST, VERSION
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ] || [ "${2%%.*}" = "$1" ]
}

compiler_version() { # COMPILER
    command -v "$1" >/dev/null 2>&1 || return 0
    "$1" -dumpfullversion -dumpversion 2>/dev/null || "$1" -dumpversion 2>/dev/null || true
}
oldest_compiler() { # COMPILER
    case $1 in *clang*) echo 14 ;; *) echo 11 ;; esac
}

catch_version() {
    for include in /usr/include/catch2 /usr/local/include/catch2; do
        if [ -e $include/catch_all.hpp ]; then
            sed -n 's/^#define CATCH_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' \
                $include/catch_version_macros.hpp | paste -sd.
            return
        elif [ -e $include/catch.hpp ]; then
            sed -n 's/.*Catch v\([0-9.]*\).*/\1/p' $include/catch.hpp | head -n 1
            return
        fi
    done
}

boost_version() {
    "$(dirname "$0")/boost_context.sh" >/dev/null || return 0
    for file in /usr/include/boost/version.hpp /usr/local/include/boost/version.hpp; do
        [ ! -e $file ] || sed -n 's/^#define BOOST_LIB_VERSION "\(.*\)"/\1/p' $file | tr _ .
    done | head -n 1
}

# It comes with g++, whichever compiler is used.
backtrace_there() {
    command -v g++ >/dev/null 2>&1 || return 0
    [ ! -e "$(g++ -print-file-name=libbacktrace.a)" ] ||
        [ ! -e "$(g++ -print-file-name=include/backtrace.h)" ] || echo 'with g++'
}

module_version() { # PYTHON, MODULE
    [ -z "$1" ] || "$1" -c "import $2; print($2.__version__)" 2>/dev/null || true
}
