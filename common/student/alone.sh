#!/bin/bash
# Runs a command; where another holds the same lock, when that has ended, and says so. Two tests of
# one part would build and run the same files, as `make test` beside `make watch` does.
#   alone.sh LOCK COMMAND...
set -u
lock=$1
shift
mkdir -p "${lock%/*}"
flock --nonblock "$lock" true 2>/dev/null
case $? in
    0) ;;
    1) echo 'Another test of this part is running; waiting for its end ...' ;;
    # A network folder that knows no locks.
    *) exec "$@" ;;
esac
exec flock --close "$lock" "$@"
