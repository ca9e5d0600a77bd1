#!/usr/bin/env python3
"""How fast the simulator is, as Markdown tables of at most 80 columns. Called by `make bench`, which
builds its program."""

import os
import pathlib
import re
import subprocess

from measuring import MOST_SPREAD, Measurement, gain_of_machine, simulate

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


def say_bars(tiled: Measurement, possible: float) -> None:
    cores = len(os.sched_getaffinity(0))
    everything = tiled.rate(1)
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
    cores = several(len(os.sched_getaffinity(0)))
    say_machine(cores)
    rows = say_checks(cores)
    possible = gain_of_machine()  # beside the measurement that the bar is about
    say_widths(cores, rows)
    say()
    say_bars(rows["tiled", 256, "everything"], possible)
    for note in notes:
        say(note)
    if noisy:
        say(
            f"\n\\* Runs of this row differ by more than {MOST_SPREAD} %:"
            " other work on the machine."
        )


if __name__ == "__main__":
    main()
