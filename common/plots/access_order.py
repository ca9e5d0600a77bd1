"""Collects figure 1: which thread loads which element of M and N, as a table of threads and
time."""

import itertools
import math
import trace
from matrices import NothingToDraw, Product, name


def loads_of(events, product):
    """Returns a thread's loads in order; "0" if it fills a tile with zero."""
    result, pending = [], 0
    for event in events:
        element = product.of_event(event)
        if event["what"] == "load" and element and element[0] in "MN":
            result.append(name(element))
            pending += 1
        elif event["what"] == "store" and event["space"] == "shared":
            if pending == 0:
                result.append(name(None))
            pending = max(0, pending - 1)
    return result


def rows(events, product, blocks, threads=None):
    """Returns a row per thread: its block, its index, and its loads in order.

    threads=(x, y) keeps only the threads below x and y.
    """
    table = []
    for block in blocks:
        for thread, own in trace.of_block(events, block).items():
            if threads and not (thread[0] < threads[0] and thread[1] < threads[1]):
                continue
            loads = loads_of(own, product)
            table.append({"block": list(block), "thread": list(thread[:2]), "loads": loads})
    if not any(row["loads"] for row in table):
        raise NothingToDraw("these threads load nothing from M and N yet")
    return table


def shared_loads(table):
    """Returns for each time the rows of one block that load the same element: [[row, ...], ...].
    Threads of other blocks cannot share it: each block has shared memory of its own."""
    none, result = name(None), []
    for loads in itertools.zip_longest(*(row["loads"] for row in table), fillvalue=none):
        users = {}
        for number, element in enumerate(loads):
            if element != none:
                users.setdefault((*table[number]["block"], element), []).append(number)
        result.append([rows for rows in users.values() if len(rows) > 1])
    return result


def collect(run, blocks, threads=None):
    product = Product(run.events, run.shape)
    table = rows(run.events, product, blocks, threads)
    return {
        "rows": table,
        "shared": shared_loads(table),
        "blocks": math.prod(run.grid_extent),
        "threads": math.prod(run.block_extent),
        "caption": run.caption(),
    }
