# Sourced by the scripts that run make themselves: the jobs of the make above them (its -j) cannot
# reach theirs, which would warn of that in the middle of a report.
# shellcheck shell=sh
MAKEFLAGS=$(printf '%s' "${MAKEFLAGS:-}" | sed 's/ *-j[0-9]*//; s/ *--jobserver-[a-z]*=[^ ]*//g')
export MAKEFLAGS
