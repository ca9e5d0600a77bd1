#!/bin/sh
# Prints how many compilers may run at once: one per core, but no more than a container's share of
# processor time and the memory allow, at half a gigabyte each.
set -eu

jobs=$(nproc)
at_most() { [ "$1" -ge "$jobs" ] || jobs=$1; }
megabytes() { at_most $(($1 / 512)); }

# Limits of control groups, version 2 or 1.
group=${CGROUP:-/sys/fs/cgroup} quota='' period='' bytes=''
if [ -r "$group/cpu.max" ]; then
    read -r quota period <"$group/cpu.max" || :
elif [ -r "$group/cpu/cpu.cfs_quota_us" ]; then
    read -r quota <"$group/cpu/cpu.cfs_quota_us" || :
    read -r period <"$group/cpu/cpu.cfs_period_us" || :
fi
case $quota in '' | max | -*) ;; *) at_most $(((quota + period - 1) / period)) ;; esac
for file in "$group/memory.max" "$group/memory/memory.limit_in_bytes"; do
    [ ! -r "$file" ] || read -r bytes <"$file" || :
done
# Without a limit, version 1 gives a huge number.
case $bytes in '' | max | ????????????????*) ;; *) megabytes $((bytes / 1048576)) ;; esac
kilobytes=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo)
[ -z "$kilobytes" ] || megabytes $((kilobytes / 1024))

[ "$jobs" -ge 1 ] || jobs=1
echo "$jobs"
