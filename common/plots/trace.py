"""Reads the trace of a launch that `make run TRACE=file.csv` writes.

An event is a dict of the file's columns; numbers are int, block and thread are (x, y, z). Lines
that begin with '#' describe the launches.
"""

import csv
import re
import sys

NUMBERS = ("step", "phase", "index", "bytes", "line")


def lines_of(path):
    try:
        with open(path, newline="") as file:
            return list(file)
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}; write it with make run TRACE={path}")


def read(path, launch=0):
    """Returns the events of one launch, ordered by block, thread and step."""
    lines = [line for line in lines_of(path) if not line.startswith("#")]
    events = []
    for row in csv.DictReader(lines):
        if int(row["launch"]) != launch:
            continue
        event = {key: int(row[key]) if row[key] else None for key in NUMBERS}
        for key in ("what", "space", "array"):
            event[key] = row[key]
        for key in ("block", "thread"):
            event[key] = tuple(int(row[f"{key}_{axis}"]) for axis in "xyz")
        events.append(event)
    if not events:
        sys.exit(f"{path}: launch {launch} has no events; a trace holds small launches only")
    return events


def extents(path, launch=0):
    """Returns grid and block of a launch, each (x, y, z); None where there is no such launch."""
    for line in lines_of(path):
        if line.startswith(f"# launch {launch}: "):
            sizes = re.findall(r"(\d+) x (\d+) x (\d+)", line)
            return [tuple(int(part) for part in size) for size in sizes[:2]]
    return None


def of_block(events, block):
    """Returns the events of one block (x, y) by thread, in the order of the file."""
    threads = {}
    for event in events:
        if event["block"][:2] == tuple(block):
            threads.setdefault(event["thread"], []).append(event)
    return threads


def stretches(events):
    """Returns one thread's events between barriers, a list for each stretch."""
    parts = [[]]
    for event in events:
        if event["what"] == "barrier":
            parts.append([])
        else:
            parts[-1].append(event)
    return parts


def tiles(stretch):
    """Returns what a thread puts into shared memory: (array, index, loaded element).

    The element is (array, index) of the global load before it, None for zero.
    """
    loaded, stored = None, []
    for event in stretch:
        if event["space"] == "global" and event["what"] == "load":
            loaded = (event["array"], event["index"])
        elif event["space"] == "shared" and event["what"] == "store":
            stored.append((event["array"], event["index"], loaded))
            loaded = None
    return stored
