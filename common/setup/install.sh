#!/bin/sh
# Sees to the packages that the course needs: nothing where they are there; installs them where
# that is allowed without a password; otherwise prints the one line to run and ends with status 2.
# usage: install.sh [pictures]; with that word also what only the pictures need, and does without
# them where they cannot be installed.
set -eu

missing=''
need() { # package, files of which it brings one
    for file in $2; do
        [ -e "$file" ] && return
    done
    missing="$missing $1"
}
program() { # package, program
    command -v "$2" >/dev/null 2>&1 || missing="$missing $1"
}
program g++ g++
program make make
need catch2 '/usr/include/catch2/catch.hpp /usr/include/catch2/catch_all.hpp /usr/local/include/catch2/catch_all.hpp'
common/setup/boost_context.sh >/dev/null 2>&1 || missing="$missing libboost-context-dev"

pictures=''
[ "${1:-}" != pictures ] || common/setup/python.sh matplotlib numpy PIL >/dev/null ||
    pictures=' python3-matplotlib'
[ -n "$missing$pictures" ] || exit 0

sudo=''
may_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    [ "$(id -u)" != 0 ] || return 0
    sudo='sudo -n'
    $sudo true 2>/dev/null
}
# Waits where another program installs something; a mirror may fail once.
apt_get() {
    # shellcheck disable=SC2086 # no word where the user is root, two where sudo is needed
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 \
        -o Acquire::Retries=3 "$@" </dev/null
}
install() { # packages
    echo "Installing$1 (from this system's packages)"
    # shellcheck disable=SC2086 # a word a package
    apt_get install -y --no-install-recommends $1 >/dev/null
}

line="apt-get install -y --no-install-recommends$missing"
if may_install; then
    # Old lists may do; what lacks then, the installation says.
    apt_get update >/dev/null || true
    [ -z "$missing" ] || install "$missing" || {
        echo "That failed. Please run:  sudo apt-get update && sudo $line" >&2
        exit 2
    }
    [ -z "$pictures" ] || install "$pictures" || echo "Going on without$pictures."
elif [ -z "$missing" ]; then
    echo "Going on without$pictures."
elif command -v apt-get >/dev/null 2>&1; then
    echo "Missing:$missing. Please run:  sudo $line" >&2
    exit 2
else
    echo "Missing:$missing. Install them with your system's package manager." >&2
    exit 2
fi
