#!/usr/bin/env python3
"""Builds and runs public programs with cusim, and writes the result of each.

usage: scoreboard.py [--jobs N] [--seconds N] FETCHED [WORD...]

Runs only programs whose name holds one of the words; the others keep their rows. N programs run at
once, a core each, and each is stopped after so many seconds of processor time, 600 if none are
given. FETCHED holds the repositories that scoreboard.toml names, each in a folder OWNER+NAME at the
commit named there; none of them is stored here. Results go to scoreboard.csv, a line for each
program, and their summary to scoreboard.md.
"""

import argparse
import collections
import csv
import functools
import json
import multiprocessing
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import tomllib
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
CUSIM = str(HERE.parent / "cusim")
RESULTS, SUMMARY = HERE / "scoreboard.csv", HERE / "scoreboard.md"
FIELDS = "suite program builds runs passes findings seconds machine why".split()
SLOW_SECONDS = 60  # a program that takes longer says why
MOST_SECONDS = 600
HEAD = """# Public programs on the simulated device

Written by `scoreboard.py`; `scoreboard.csv` has a line for each program. The
programs ran on
{machine}.
A program passes by its own check, or by exit status 0 if it has none. After a
person has read a finding, it is marked true or false, with the reason in
`scoreboard.toml`; before that it is unread. Seconds are processor time. The last
column says why a program takes more than 60 seconds, and when it was stopped.

| suite | programs | build | run | pass | a false finding |
|---|--:|--:|--:|--:|--:|
"""


class Program(NamedTuple):
    suite: str
    name: str
    folder: pathlib.Path  # in which it is built and runs
    build: str  # a shell command
    run: str  # the same; INPUT is a file that it may make
    passes: str  # a pattern in what it prints; "" for exit status 0
    verdicts: dict[str, str]  # by kind of finding: "true: reason" or "false: reason"
    why_not: str  # the reason why it does not pass
    not_run: str  # the reason why it is built, and not run
    large: str  # the reason why it takes long


def programs(fetched: pathlib.Path) -> list[Program]:
    """Returns the programs of the list, in its order."""
    listed = tomllib.loads((HERE / "scoreboard.toml").read_text(encoding="utf-8"))
    found = []
    for suite in listed["suite"]:
        folder = fetched / suite["repository"].replace("/", "+")
        for name, given in suite["programs"].items():
            keys = ("build", "run", "passes", "not_run")
            asked = {**{key: suite.get(key, "") for key in keys}, **given}
            inside = folder / suite.get("folder", "") / asked.get("folder", os.path.dirname(name))
            words = {"CUSIM": CUSIM, "FILE": os.path.basename(name), "ROOT": str(folder)}
            commands = [asked["build"] or "CUSIM FILE -o PROGRAM", asked["run"] or "PROGRAM"]
            for word, value in words.items():
                commands = [re.sub(rf"\b{word}\b", f"'{value}'", one) for one in commands]
            found.append(
                Program(
                    suite["name"],
                    name,
                    inside,
                    commands[0],
                    commands[1],
                    asked["passes"],
                    asked.get("findings", {}),
                    asked.get("why_not", ""),
                    asked.get("not_run", ""),
                    asked.get("large", "the reason is not known"),
                )
            )
    return found


def check_commits(fetched: pathlib.Path) -> None:
    """Refuses a repository that stands at another commit."""
    listed = tomllib.loads((HERE / "scoreboard.toml").read_text(encoding="utf-8"))
    for suite in listed["suite"]:
        folder = fetched / suite["repository"].replace("/", "+")
        if not folder.is_dir():
            sys.exit(f"{folder}: fetch {suite['repository']} there, at {suite['commit']}")
        if (folder / ".git").exists():
            asked = ["git", "-C", str(folder), "rev-parse", "HEAD"]
            at = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
            if not at.startswith(suite["commit"]):
                sys.exit(f"{folder}: stands at {at}, and not at {suite['commit']}")


def shell(command: str, program: Program, most: int, **variables: str) -> tuple[int, str, float]:
    """Returns a command's status, 124 where it took more seconds, what it said and its seconds."""
    before, shell_words = resource.getrusage(resource.RUSAGE_CHILDREN), ("bash", "-c", command)
    done = subprocess.run(
        ["timeout", str(2 * most), "prlimit", f"--cpu={most}", *shell_words],
        cwd=program.folder,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    killed = done.returncode in (124, 137, 152, -9, -24)
    return 124 if killed else done.returncode, done.stdout.decode(errors="replace"), seconds


def why(said: str) -> str:
    """Returns the first error in what a build said, without its place."""
    for line in said.splitlines():
        if found := re.search(r"(?:error: |cusim: |undefined reference to )(.*)", line):
            return found[1].split(";")[0]
    return said.strip().splitlines()[-1] if said.strip() else "no error is told"


def result(most: int, program: Program) -> dict[str, object]:
    """Returns what came of a program, as scoreboard.csv keeps it."""
    with tempfile.TemporaryDirectory() as place:
        commands = [one.replace("PROGRAM", f"{place}/program") for one in program[3:5]]
        commands = [one.replace("INPUT", f"{place}/input") for one in commands]
        status, said, _ = shell(commands[0], program, most, TMPDIR=place)
        if status:
            return {"builds": False, "why": program.why_not or why(said)}
        if program.not_run:
            return {"builds": True, "why": program.not_run}
        found = pathlib.Path(place) / "findings"
        status, said, seconds = shell(commands[1], program, most, CUSIM_FINDINGS=str(found))
        lines = found.read_text(encoding="utf-8").splitlines() if found.exists() else []
    kinds: dict[str, int] = {}
    for line in lines:
        kind = json.loads(line)["kind"]
        verdict = program.verdicts.get(kind, "unread").partition(":")[0]
        kinds[f"{kind}, {verdict}"] = kinds.get(f"{kind}, {verdict}", 0) + 1
    passes = bool(re.search(program.passes, said)) if program.passes else status == 0
    runs = status != 124 and status < 128
    limit = most if status == 124 else SLOW_SECONDS if seconds > SLOW_SECONDS else 0
    told = program.why_not or (f"over {limit} s: {program.large}" if limit else "")
    return {
        "builds": True,
        "runs": runs,
        "passes": runs and passes,
        "findings": kinds,
        "seconds": round(seconds, 1),
        "why": told,
        "machine": machine_name(),
    }


def cell(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{number} {kind}" for kind, number in value.items())
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def summary(rows: list[dict[str, str]]) -> str:
    ran = collections.Counter(one["machine"] for one in rows if one["machine"])
    machines = [f"{machine} ({number} of them)" for machine, number in ran.most_common()]
    lines = []
    for suite in dict.fromkeys(one["suite"] for one in rows):
        own = [one for one in rows if one["suite"] == suite]
        counts = [sum(one[key] == "yes" for one in own) for key in ("builds", "runs", "passes")]
        counts.append(sum("false" in one["findings"] for one in own))
        lines.append(f"| {suite} | {len(own)} | " + " | ".join(map(str, counts)) + " |\n")
    return HEAD.format(machine=" and\n".join(machines)) + "".join(lines)


def read() -> dict[tuple[str, str], dict[str, str]]:
    if not RESULTS.exists():
        return {}
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return {(one["suite"], one["program"]): one for one in csv.DictReader(file)}


def store(every: list[Program], results: dict[tuple[str, str], dict[str, str]]) -> None:
    """Writes both files, in the order of the list, without what is no longer in it."""
    rows = [results[one[:2]] for one in every if one[:2] in results]
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    SUMMARY.write_text(summary(rows), encoding="utf-8")


def machine_name() -> str:
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search("model name\\s*: (.*)", text)
    return f"{model[1] if model else 'an unknown processor'}, {os.cpu_count()} cores"


def pin(cores: multiprocessing.SimpleQueue) -> None:
    """Keeps this process, and what it starts, on a core of its own."""
    os.sched_setaffinity(0, {cores.get()})


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=MOST_SECONDS)
    parser.add_argument("fetched", type=pathlib.Path)
    parser.add_argument("words", nargs="*", default=[""], metavar="word")
    asked = parser.parse_args(arguments)
    check_commits(asked.fetched)
    every = programs(asked.fetched.resolve())
    chosen = [one for one in every if any(w in f"{one.suite}/{one.name}" for w in asked.words)]
    for program in chosen:
        if not program.folder.is_dir():
            sys.exit(f"{program.name}: there is no {program.folder}")
    results = read()
    cores: multiprocessing.SimpleQueue = multiprocessing.SimpleQueue()
    own = sorted(os.sched_getaffinity(0))[: asked.jobs]
    for core in own:
        cores.put(core)
    with multiprocessing.Pool(len(own), pin, (cores,)) as pool:
        came = pool.imap(functools.partial(result, asked.seconds), chosen)
        for program, one in zip(chosen, came):
            row = {**dict.fromkeys(FIELDS, ""), "suite": program.suite, "program": program.name}
            results[program[:2]] = {**row, **{key: cell(value) for key, value in one.items()}}
            print(", ".join(results[program[:2]].values()), flush=True)
            store(every, results)


if __name__ == "__main__":
    main(sys.argv[1:])
