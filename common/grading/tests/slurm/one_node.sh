#!/bin/bash
# Starts a Slurm cluster of one node, this machine, runs a command with it, and stops it whatever
# happens. Its daemons listen on the loopback alone, on ports that are free, keep their files in a
# folder of their own, and run as whoever calls this.
#   one_node.sh COMMAND...
# Exit status: the command's; 2 where the cluster does not start, with the reason.
set -u
# Debian keeps the daemons where a plain user does not look.
PATH=$PATH:/usr/sbin:/sbin
folder=$(mktemp -d "${TMPDIR:-/tmp}"/one_node.XXXXXX)
# munge wants to be found by everybody.
chmod 711 "$folder"
started=() command=''

# Jobs first: who still runs when slurmd ends is nobody's child.
# shellcheck disable=SC2317 # it is called by a trap, as is stop
stop_jobs() {
    timeout 10 scancel --user="$(id -un)" >/dev/null 2>&1
    for _ in {1..50}; do
        [ -n "$(timeout 5 squeue --noheader 2>&1)" ] || return
        sleep 0.2
    done
}
# shellcheck disable=SC2317
stop() {
    local status=$? pid left
    trap - EXIT INT TERM HUP
    [ -z "$command" ] || kill "$command" 2>/dev/null
    [ ! -S "$folder/munge.socket" ] || stop_jobs
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null; done
    for pid in "${started[@]}"; do
        for _ in {1..50}; do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        kill -KILL "$pid" 2>/dev/null
    done
    # A step that slurmd has not seen end is known by the cluster in its environment.
    mapfile -t left < <(grep -lsF "SLURM_CONF=$folder/" /proc/[0-9]*/environ | cut -d/ -f3)
    for pid in "${left[@]}"; do kill -KILL "$pid" 2>/dev/null; done
    wait
    rm -rf "$folder"
    exit "$status"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

refuse() {
    echo "one_node.sh: $1" >&2
    tail -n 5 "$folder"/*.log >&2 2>/dev/null
    exit 2
}
for program in munged slurmctld slurmd sbatch; do
    command -v $program >/dev/null || refuse "$program is not installed"
done

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
mkdir "$folder/state" "$folder/spool"
dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 2>/dev/null
chmod 600 "$folder/munge.key"
cat >"$folder/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
# No control groups, which a plain user may not make.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
KillWait=2
MinJobAge=10
# Small, so that a class of four takes more than one array.
MaxArraySize=${ONE_NODE_MAX_ARRAY:-1001}
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
printf 'CgroupAutomount=no\nIgnoreSystemd=yes\n' >"$folder/cgroup.conf"
export SLURM_CONF=$folder/slurm.conf

daemon() { # name, command...
    local name=$1
    shift
    "$@" >>"$folder/$name.out.log" 2>&1 &
    started+=($!)
}
daemon munged munged --foreground --num-threads=2 --socket="$folder/munge.socket" \
    --key-file="$folder/munge.key" --pid-file="$folder/munge.pid" \
    --log-file="$folder/munge.log" --seed-file="$folder/munge.seed"
for _ in {1..50}; do [ ! -S "$folder/munge.socket" ] || break; sleep 0.1; done
[ -S "$folder/munge.socket" ] || refuse 'munged does not start'
daemon slurmctld slurmctld -D -c
daemon slurmd slurmd -D
idle() { timeout 5 sinfo -h -o %t 2>/dev/null | grep -q '^idle'; }
for _ in {1..100}; do ! idle || break; sleep 0.2; done
idle || refuse 'the node does not become idle'

# In the background, so that a signal is heard at once.
"$@" &
command=$!
wait "$command"
status=$?
command=''
exit $status
