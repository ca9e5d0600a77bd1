#!/usr/bin/env python3
"""How fast the simulated device is, alone and beside others, as Markdown tables of at most 80
columns. Called by `make bench`, which builds the device's. Others take part where they are
installed; PYTHON= names a Python with Numba where that is not the first."""

import os
import pathlib
import re
import shutil
import subprocess

from measuring import (
    BUILD,
    MOST_SPREAD,
    Measurement,
    Peer,
    gain_of_machine,
    imports_numba,
    simulate,
)

PEERS = "common/simulator/peers"
OPENCL, SOURCE = str(BUILD / "opencl_bench"), f"{PEERS}/tiled.cl"
NO_OPENCL = "no CL/cl.h; apt-get install opencl-headers ocl-icd-opencl-dev"
TITLES = {"bounds": "bounds", "counters": "bounds, counters", "everything": "everything"}
MOST_SECONDS = 3  # that one run at the largest Width may take

notes: list[str] = []
noisy = False


def say(text: str = "") -> None:
    print(text, flush=True)


def left_out(what: str, why: str) -> None:
    notes.append(f"- {what}: left out ({why}).")


def short(number: float) -> str:
    return f"{number:.{0 if number >= 10 else 1 if number >= 1 else 2}f}"


def verdict(reached: bool) -> str:
    return "reached" if reached else "not reached"


def several(cores: int) -> str:
    return "1 core" if cores == 1 else f"{cores} cores"


def cells(row: Measurement) -> str:
    """Returns both rates and the gain of a measurement, and remembers whether its runs agree."""
    global noisy
    noisy = noisy or row.is_noisy()
    everywhere, gain = "-", "-"
    if 0 in row.seconds:
        everywhere, gain = short(row.rate(0)), f"{row.gain():.2f}"
    mark = "*" if row.is_noisy() else " "
    return f"{short(row.rate(1)):>7} | {everywhere:>8} | {gain:>5}{mark} |"


def say_machine(cores: str) -> None:
    load = os.getloadavg()[0]
    model = re.search(r"^model name[^:]*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    compiler = [*(os.environ.get("CXX") or "g++").split(), "--version"]
    said = subprocess.run(compiler, stdout=subprocess.PIPE, text=True, check=True).stdout
    say("Million loads and stores per second, the best of several runs, on:\n")
    say(f"- {model[1] if model else ''}, {cores}")
    say(f"- {said.splitlines()[0]}")
    siblings = pathlib.Path("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list")
    if siblings.exists() and re.search("[,-]", siblings.read_text()):
        say('- some of these "cores" are two threads of one core: less gain')
    if load > 0.5:
        say(f"- **load {load:.2f} before the start: other work lowers these figures**")


def say_checks(cores: str) -> dict[tuple[str, int, str], Measurement]:
    say("\nThe checks, at Width 256 (bounds are always checked):\n")
    say(f"| kernel | checks           |  1 core | {cores:>8} | gain   |")
    say("|:-------|:-----------------|--------:|---------:|-------:|")
    rows = {}
    for kernel in ("naive", "tiled"):
        for checks, title in TITLES.items():
            row = rows[kernel, 256, checks] = simulate(kernel, 256, checks, (1, 0))
            say(f"| {kernel:<6} | {title:<16} | {cells(row)}")
    return rows


def say_widths(cores: str, rows: dict[tuple[str, int, str], Measurement]) -> None:
    say("\nThe Width, everything on:\n")
    say(f"| kernel | Width |  1 core | {cores:>8} | gain   |")
    say("|:-------|------:|--------:|---------:|-------:|")
    for kernel in ("naive", "tiled"):
        for width in (64, 128, 256, 512):
            key = (kernel, width, "everything")
            if width == 512 and rows[kernel, 256, "everything"].best(1) > MOST_SECONDS / 8:
                left_out(f"{kernel} at Width 512", f"a run takes more than {MOST_SECONDS} seconds")
                continue
            if key not in rows:
                rows[key] = simulate(*key, (1, 0))
            say(f"| {kernel:<6} | {width:5} | {cells(rows[key])}")


def say_row(row: Measurement, system: str, checks: str, width: int) -> None:
    say(f"| {system:<16} | {checks:<15} | {width:5} | {cells(row)}")


def build_opencl() -> None:
    """Builds the program that Oclgrind and PoCL run, where the header of OpenCL is installed."""
    headers = pathlib.Path("/usr/include/CL/cl.h"), pathlib.Path("/usr/local/include/CL/cl.h")
    if any(header.exists() for header in headers):
        compiler = (os.environ.get("CXX") or "g++").split()
        options = ["-std=c++17", "-O2", "-lOpenCL", "-o", OPENCL]
        subprocess.run([*compiler, f"{PEERS}/opencl_bench.cpp", *options], check=False)


def say_oclgrind() -> Peer:
    races, bounds = Peer(64), Peer(64)
    program = (OPENCL, "Oclgrind", SOURCE, "64", "3")
    one = ("--num-threads", "1")
    if not shutil.which("oclgrind"):
        left_out("Oclgrind", "not installed; apt-get install oclgrind")
    elif not os.access(OPENCL, os.X_OK):
        left_out("Oclgrind", NO_OPENCL)
    elif (
        races.run(1, "oclgrind", *one, "--data-races", *program)
        and races.run(0, "oclgrind", "--data-races", *program)
        and bounds.run(1, "oclgrind", *one, *program)
        and bounds.run(0, "oclgrind", *program)
    ):
        say_row(races.row, "Oclgrind", "bounds, races", 64)
        say_row(bounds.row, "Oclgrind", "bounds", 64)
    else:
        left_out("Oclgrind", f"it fails: {races.complaint() or bounds.complaint()}")
    return races


def say_numba() -> None:
    candidates = (os.environ.get("PYTHON") or "python3 /usr/bin/python3").split()
    python = next(filter(imports_numba, candidates), None)
    numba = Peer(32)
    script = f"{PEERS}/numba_bench.py"
    if not python:
        left_out("Numba simulator", "no Python here imports numba; PYTHON=... names one")
    elif numba.run(1, python, script, "32", "3", NUMBA_ENABLE_CUDASIM="1"):
        # Python's threads take turns on one core, however many there are.
        say_row(numba.row, "Numba simulator", "none", 32)
    else:
        left_out("Numba simulator", f"it fails: {numba.complaint()}")


def say_pocl() -> None:
    # What it compiles goes to the build folder, and not to the home directory.
    cache = (BUILD / "pocl").resolve()
    cache.mkdir(parents=True, exist_ok=True)
    kept = {"POCL_CACHE_DIR": str(cache)}
    # The first name is that of PoCL up to version 4, the second that of later ones.
    one = {"POCL_MAX_PTHREAD_COUNT": "1", "POCL_CPU_MAX_CU_COUNT": "1"}
    program = (OPENCL, "Portable Computing", SOURCE, "512", "4")
    pocl = Peer(512)
    if not os.access(OPENCL, os.X_OK):
        left_out("PoCL", NO_OPENCL)
    elif pocl.run(1, *program, **kept, **one) and pocl.run(0, *program, **kept):
        say_row(pocl.row, "PoCL", "none, compiled", 512)
    elif "no OpenCL platform" in pocl.why:
        left_out("PoCL", "not installed; apt-get install pocl-opencl-icd")
    else:
        left_out("PoCL", f"it fails: {pocl.complaint()}")


def say_others(cores: str, tiled: Measurement, small: Measurement) -> Peer:
    say("\nThe tiled kernel, compared with other systems:\n")
    say(f"| system           | checks          | Width |  1 core | {cores:>8} | gain   |")
    say("|:-----------------|:----------------|------:|--------:|---------:|-------:|")
    say_row(tiled, "simulated device", "everything", 256)
    say_row(small, "simulated device", "everything", 64)
    oclgrind = say_oclgrind()
    say_numba()
    say_pocl()
    return oclgrind


def say_bars(tiled: Measurement, small: Measurement, oclgrind: Peer, possible: float) -> None:
    cores = len(os.sched_getaffinity(0))
    everything = tiled.rate(1)
    if oclgrind.row.seconds:
        peer = oclgrind.row.rate(1)
        ratio = everything / peer
        say(
            f"- Everything on, 1 core: {short(ratio)} times Oclgrind with races on"
            f" (target: 50, {verdict(ratio > 50)});"
        )
        say(f"  {short(small.rate(1) / peer)} times with both at Width 64")
    say(
        f"- Everything on, tiled, Width 256, 1 core: {short(everything)} million"
        f" (target: 100, {verdict(everything > 100)})"
    )
    if cores == 1:
        return
    gain = tiled.gain()
    if cores > 2:  # then the table has no column for two
        pair = simulate("tiled", 256, "everything", (1, 2))
        gain = pair.best(1) / pair.best(2)
    say(f"- The same on 2 cores: {gain:.2f} times as fast (target: 1.8, {verdict(gain > 1.8)});")
    say(f"  two independent loops gained {possible:.2f} on this machine at that time")


def main() -> None:
    os.chdir(pathlib.Path(__file__).resolve().parents[3])
    build_opencl()
    cores = several(len(os.sched_getaffinity(0)))
    say_machine(cores)
    rows = say_checks(cores)
    possible = gain_of_machine()  # beside the measurement that the bar is about
    say_widths(cores, rows)
    tiled, small = rows["tiled", 256, "everything"], rows["tiled", 64, "everything"]
    oclgrind = say_others(cores, tiled, small)
    say()
    say_bars(tiled, small, oclgrind, possible)
    if Peer.versions:
        say(f"- Others: {', '.join(sorted(Peer.versions))}")
    for note in notes:
        say(note)
    if noisy:
        say(
            f"\n\\* Runs of this row differ by more than {MOST_SPREAD} %:"
            " other work on the machine."
        )


if __name__ == "__main__":
    main()
