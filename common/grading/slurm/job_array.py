"""Grades a class as a Slurm job array, one student a task. A result's file shows that it is there,
as on one machine, so the merger need not know where it was made.

usage, by the tasks themselves: job_array.py LIST INDEX

The course's folder and OUT must be where the cluster's nodes see them, under the same paths.
Slurm's own variables, such as SBATCH_PARTITION, choose partition, account and the like.
"""

import contextlib
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import time

# Seconds that a Slurm command may take.
ANSWER_SECONDS = 30
# Seconds until the network's file system shows a file that a node has written.
SETTLING_SECONDS = 5
# Seconds without the controller before the run gives up; a restart takes a while.
SILENCE_SECONDS = 120
# Minutes for a task to start; the grader's own limit ends a student's work before Slurm's.
SPARE_MINUTES = 2


# Patterns of Slurm's messages, each above the teacher's words for them; the first match counts.
SENTENCES = r"""
configuration source|slurm\.conf|DNS SRV
    this machine belongs to no cluster: it has no slurm.conf
[Mm]unge|[Aa]uthentication
    munge, by which Slurm knows who asks, does not work here
Unable to contact|[Cc]onnection refused|connect failure|Communication|no answer within
    Slurm's controller does not answer; slurmctld may not be running
[Ii]nvalid partition|partition specified
    there is no such partition; `sinfo` lists them, SBATCH_PARTITION=name chooses one
[Ii]nvalid account|[Aa]ccount/
    SBATCH_ACCOUNT=name must name an account of yours
[Ii]nvalid qos|QOS
    SBATCH_QOS=name must name one that you may use
[Mm]emory
    no node has so much memory for a task; take a smaller MEMORY_GB
time limit
    the partition gives a task less time; take smaller BUILD_SECONDS and RUN_SECONDS
node configuration
    no node has what a task asks for; a smaller MEMORY_GB may help
"""


def plain(why):
    """Returns Slurm's reason, with a sentence before it if one fits."""
    lines = SENTENCES.strip().split("\n")
    fitting = (words for at, words in zip(lines[::2], lines[1::2]) if re.search(at, why))
    sentence = next(fitting, "").strip()
    return f"{sentence}.\nSlurm says: {why}." if sentence else f"{why}."


class SlurmError(Exception):
    """Sentences for the teacher, at most 80 columns wide; the program ends with exit status 2."""

    def __init__(self, text):
        lines = text.splitlines()
        super().__init__("\n".join(textwrap.fill(line, 79) for line in lines))


def call(*command):
    """Returns the output of a Slurm command and "", or None and the reason."""
    # sbatch writes the environment to Slurm's files; tasks read the secret from OUT.
    public = {name: value for name, value in os.environ.items() if name != "SEED"}
    limits = {"timeout": ANSWER_SECONDS, "env": public}
    try:
        done = subprocess.run(command, capture_output=True, text=True, **limits)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {ANSWER_SECONDS} seconds"
    if done.returncode != 0:
        lines = [re.sub(r"^\w+: (error: |fatal: )?", "", line) for line in done.stderr.splitlines()]
        return None, "; ".join(line.rstrip(".") for line in lines) or "no reason given"
    return done.stdout, ""


def largest_array():
    """Returns how many tasks one array may have; raises SlurmError if no controller answers."""
    if shutil.which("sbatch") is None:
        raise SlurmError(
            "ENGINE=slurm: there is no sbatch here. Start it on a machine of the cluster, or"
            " leave ENGINE= out to grade on this one."
        )
    conf = os.environ.get("SLURM_CONF", "")
    if conf and not os.path.exists(conf):
        raise SlurmError(f"ENGINE=slurm: SLURM_CONF={conf}: there is no such file.")
    said, why = call("scontrol", "show", "config")
    if said is None:
        raise SlurmError(f"ENGINE=slurm: {plain(why)}")
    limit = re.search(r"^MaxArraySize\s*=\s*(\d+)", said, re.MULTILINE)
    # The limit is on the index, and these indices begin with 1.
    return max(1, int(limit[1]) - 1) if limit else 1000


class Array:
    """The submitted tasks of some students."""

    def __init__(self, commands, folder, number, jobs, seconds, memory_mib):
        """Submits them; commands holds a list of words for each student's name."""
        listed = folder / f"students-{number}.json"
        tasks = {"folder": os.getcwd(), "commands": list(commands.values())}
        new = listed.with_suffix(".new")
        new.write_text(json.dumps(tasks), encoding="utf-8")
        new.replace(listed)
        self.names = list(commands)
        self.log = f"{folder}/log-{number}-%a.txt"
        task = shlex.join([sys.executable, str(pathlib.Path(__file__).resolve()), str(listed)])
        options = [
            f"--array=1-{len(commands)}%{jobs}",
            f"--time={math.ceil(seconds / 60) + SPARE_MINUTES}",
            f"--output={self.log}",
            "--job-name=grade",
            "--export=ALL",
            "--ntasks=1",
            # A person should see which node died; the next run grades its students.
            "--no-requeue",
        ]
        if memory_mib:
            options.append(f"--mem={math.ceil(memory_mib)}M")
        said, why = call("sbatch", "--parsable", *options, f"--wrap={task} $SLURM_ARRAY_TASK_ID")
        if said is None:
            raise SlurmError(
                f"ENGINE=slurm: sbatch refuses the job: {plain(why)}\nPartition, account and the"
                " like are chosen by variables such as SBATCH_PARTITION."
            )
        self.id = said.strip().split(";")[0]

    def state(self):
        """Returns why tasks wait and how many wait or run; None when all have ended; or raises."""
        said, why = call("squeue", "--noheader", "--array", f"--jobs={self.id}", "--format=%T %r")
        if said is None:
            if "Invalid job id" in why:
                return None
            raise SlurmError(why)
        lines = said.split("\n")[:-1]
        waiting = {line.split(" ", 1)[1] for line in lines if line.startswith("PENDING")}
        # The array's own limit, %JOBS, is no reason to report.
        return (waiting - {"JobArrayTaskLimit"}, len(lines)) if lines else None

    def last_words(self, name):
        """Returns the last line of a student's log, with the path of the log."""
        log = pathlib.Path(self.log.replace("%a", str(self.names.index(name) + 1)))
        lines = []
        with contextlib.suppress(OSError):
            lines = log.read_text(errors="replace").strip().splitlines()
        said = lines[-1][:200] if lines else "it left no message; its node may have died"
        return f"{said} ({log})"


def follow(array, is_done, tell):
    """Waits for the array's results, and returns the students without one. Meanwhile calls
    tell(number of results, why tasks wait) again and again."""
    heard = time.monotonic()
    missing = array.names
    while True:
        missing = [name for name in missing if not is_done(name)]
        if not missing:
            return missing
        try:
            state, heard = array.state(), time.monotonic()
        except SlurmError as silence:
            if time.monotonic() - heard > SILENCE_SECONDS:
                said = f"has not answered for {SILENCE_SECONDS} seconds ({silence})"
                told = f"job {array.id} may still run. Start again to go on"
                raise SlurmError(f"Slurm's controller {said}; {told}.")
            state = ({"the controller does not answer"}, 0)
        if state is None:
            break
        tell(len(array.names) - len(missing), sorted(state[0]))
        time.sleep(1)
    end = time.monotonic() + SETTLING_SECONDS
    while missing and time.monotonic() < end:
        time.sleep(0.5)
        missing = [name for name in missing if not is_done(name)]
    return missing


def grade(commands, out, is_done, jobs, seconds, memory_mib=0, tell=lambda done, reasons: None):
    """Runs the commands, a list of words for each student's name, and returns {name: reason} for
    students without a result: is_done(name) is false for them. tell(done, reasons) receives how
    many are done and why Slurm starts no more. An interruption cancels the jobs and keeps the
    results.
    """
    size, names, missing = largest_array(), list(commands), {}
    folder = pathlib.Path(out).resolve() / "slurm"
    folder.mkdir(parents=True, exist_ok=True)
    for number, begin in enumerate(range(0, len(names), size), 1):
        chunk = {name: commands[name] for name in names[begin : begin + size]}
        array = Array(chunk, folder, number, jobs, seconds, memory_mib)
        try:
            gone = follow(array, is_done, lambda done, why: tell(begin + done, why))
        except KeyboardInterrupt:
            call("scancel", array.id)
            raise
        missing.update({name: array.last_words(name) for name in gone})
    return missing


if __name__ == "__main__":
    tasks = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    os.chdir(tasks["folder"])
    task = tasks["commands"][int(sys.argv[2]) - 1]
    os.execvp(task[0], task)
