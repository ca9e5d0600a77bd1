#!/bin/sh
# Installs the packages that the course needs: does nothing if they are there; installs them if
# that is allowed without a password; otherwise prints the one line to run and ends with status 2.
# usage: install.sh [test]; with that word also what only the teacher's `make test` needs.
set -eu
common/setup/linux.sh

missing=''
need() { # package, files; it contains one of them
    for file in $2; do
        [ -e "$file" ] && return
    done
    missing="$missing $1"
}
program() { # package, program
    command -v "$2" >/dev/null 2>&1 || missing="$missing $1"
}
modules() { # packages, modules of Python
    # shellcheck disable=SC2086 # one word per module
    common/setup/python.sh $2 >/dev/null 2>&1 || missing="$missing $1"
}
program g++ g++
program make make
need catch2 '/usr/include/catch2/catch.hpp /usr/include/catch2/catch_all.hpp /usr/local/include/catch2/catch_all.hpp'
common/setup/boost_context.sh >/dev/null 2>&1 || missing="$missing libboost-context-dev"
# The grader's sandbox sees only the system's folders, so one of these must contain Python.
need python3 '/usr/bin/python3 /usr/local/bin/python3'

# Optional: packages for checks of make explore and of programs with Thrust or cuBLAS; bubblewrap,
# because a submission can be confined without it, but less well; and those that check the notebook.
spared=''
if [ "${1:-}" = test ]; then
    program git git
    modules 'python3-pytest-xdist python3-yaml' 'pytest xdist yaml'
    modules python3-matplotlib 'matplotlib numpy PIL'
    common/setup/python.sh elftools >/dev/null 2>&1 || spared=' python3-pyelftools'
    command -v bwrap >/dev/null 2>&1 || spared="$spared bubblewrap"
    common/setup/python.sh nbclient ipykernel >/dev/null 2>&1 ||
        spared="$spared python3-nbclient python3-ipykernel"
    [ -e /usr/include/thrust/version.h ] || ! apt-cache show libthrust-dev >/dev/null 2>&1 ||
        spared="$spared libthrust-dev"
    [ -e "$(g++ -print-file-name=libblas.so 2>/dev/null)" ] ||
        ! apt-cache show libblas-dev >/dev/null 2>&1 || spared="$spared libblas-dev"
    # Only CI installs these. A browser is large, and Ubuntu's is a snap: no container runs it.
    if [ -n "${CI:-}" ] && grep -qsx ID=debian /etc/os-release; then
        command -v chromedriver >/dev/null 2>&1 || spared="$spared chromium chromium-driver"
        common/setup/python.sh selenium >/dev/null 2>&1 || spared="$spared python3-selenium"
        command -v mkdocs >/dev/null 2>&1 || spared="$spared mkdocs"
        command -v mypy >/dev/null 2>&1 || spared="$spared mypy"
    fi
fi
[ -n "$missing$spared" ] || exit 0

sudo=''
may_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    [ "$(id -u)" != 0 ] || return 0
    sudo='sudo -n'
    $sudo true 2>/dev/null
}
# Waits if another program installs something; a mirror may fail once.
apt_get() {
    # shellcheck disable=SC2086 # no word for root, two if sudo is needed
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 \
        -o Acquire::Retries=3 "$@" </dev/null
}

all="$missing$spared"
line="apt-get install -y --no-install-recommends$all"
if may_install; then
    echo "Installing$all (from this system's packages)"
    # Old lists may be enough; if not, the installation reports it.
    apt_get update >/dev/null || true
    # shellcheck disable=SC2086 # one word per package
    if apt_get install -y --no-install-recommends $all >/dev/null; then
        exit 0
    elif [ -z "$missing" ]; then
        echo "The installation failed; continuing without$spared."
    else
        echo "The installation failed. Please run:  sudo apt-get update && sudo $line" >&2
        exit 2
    fi
elif [ -z "$missing" ]; then
    echo "Continuing without$spared. To install it:  sudo $line"
elif command -v apt-get >/dev/null 2>&1; then
    echo "Missing:$all. Please run:  sudo $line" >&2
    exit 2
else
    echo "Missing:$all. Install them with your system's package manager." >&2
    exit 2
fi
