"""Reads the trace of a launch that `make run TRACE=file.csv` writes.

An event is a dict of the file's columns; numbers are int, block and thread are (x, y, z). Lines
that begin with '#' describe the launches.
"""

import csv
import re
import sys

NUMBERS = ("step", "barriers", "index", "bytes", "line")


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
    """Returns grid and block of a launch, each (x, y, z); None if there is no such launch."""
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


def epochs(events):
    """Returns one thread's events, a list for each epoch."""
    parts = [[]]
    for event in events:
        if event["what"] == "barrier":
            parts.append([])
        else:
            parts[-1].append(event)
    return parts


def tiles(epoch):
    """Returns what a thread puts into shared memory: (array, index, loaded element).

    The element is (array, index) of the first global load before it that is not stored yet, None
    for zero.
    """
    loaded, stored = [], []
    for event in epoch:
        if event["space"] == "global" and event["what"] == "load":
            loaded.append((event["array"], event["index"]))
        elif event["space"] == "shared" and event["what"] == "store":
            stored.append((event["array"], event["index"], loaded.pop(0) if loaded else None))
    return stored


def phases(threads):
    """Splits what the threads of a tiled kernel do, with two barriers a phase: returns for each
    thread a list of (loads, products), one for each phase.

    A load is the element that went into a tile, (array, index), or None for zero; a product is a
    pair of these.
    """
    parts = {thread: epochs(events) for thread, events in threads.items()}
    count = max(len(part) for part in parts.values()) // 2
    result = {thread: [] for thread in threads}
    for phase in range(count):
        held = {}
        for part in parts.values():
            stored = tiles(part[2 * phase])
            held.update({(array, index): loaded for array, index, loaded in stored})
        for thread, part in parts.items():
            loads = [loaded for _, _, loaded in tiles(part[2 * phase])]
            used = [
                held.get((event["array"], event["index"]))
                for event in part[2 * phase + 1]
                if event["space"] == "shared" and event["what"] == "load"
            ]
            products = list(zip(used[::2], used[1::2]))
            result[thread].append((loads, products))
    return result
