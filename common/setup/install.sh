#!/bin/sh
# Sees to the packages that the course needs: nothing where they are there; installs them where
# that is allowed without a password; otherwise prints the one line to run and ends with status 2.
set -eu

missing=''
need() { # package, file that it brings
    for file in $2; do
        [ -e "$file" ] && return
    done
    missing="$missing $1"
}
command -v g++ >/dev/null 2>&1 || missing="$missing g++"
need catch2 '/usr/include/catch2/catch.hpp /usr/include/catch2/catch_all.hpp /usr/local/include/catch2/catch_all.hpp'
common/setup/boost_context.sh >/dev/null || missing="$missing libboost-context-dev"
[ -z "$missing" ] && exit 0

line="apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "Missing:$missing. Install them with your system's package manager." >&2
    exit 2
fi
if [ "$(id -u)" = 0 ]; then
    sudo=''
elif sudo -n true 2>/dev/null; then
    sudo='sudo -n'
else
    echo "Missing:$missing. Please run:  sudo $line" >&2
    exit 2
fi
echo "Installing$missing (from this system's packages)"
# shellcheck disable=SC2086 # no word where the user is root, two where sudo is needed
{
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo $line -qq
} >/dev/null || {
    echo "That failed. Please run:  sudo apt-get update && sudo $line" >&2
    exit 2
}
