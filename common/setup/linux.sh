#!/bin/sh
# Says, with status 2, where the course runs if this system is not Linux.
[ "$(uname -s)" != Linux ] || exit 0
cat >&2 <<'SENTENCE'
The course runs on Linux. On a Mac take its container, on Windows WSL2:
see "Your machine" in README.md.
SENTENCE
exit 2
