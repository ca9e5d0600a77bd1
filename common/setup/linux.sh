#!/bin/sh
# If this system is not Linux, prints where the course runs and ends with status 2.
[ "$(uname -s)" != Linux ] || exit 0
cat >&2 <<'SENTENCE'
The course runs on Linux. On a Mac use its container, on Windows use WSL2:
see "Your machine" in README.md.
SENTENCE
exit 2
