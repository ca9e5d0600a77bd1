"""Splits the trace of a tiled kernel with two barriers a phase into its phases."""

import trace


def phases(threads):
    """Returns for each thread a list of (loads, products), one for each phase.

    A load is the element that went into a tile, (array, index), or None for zero; a product is a
    pair of these.
    """
    parts = {thread: trace.stretches(events) for thread, events in threads.items()}
    count = max(len(part) for part in parts.values()) // 2
    result = {thread: [] for thread in threads}
    for phase in range(count):
        held = {}
        for part in parts.values():
            stored = trace.tiles(part[2 * phase])
            held.update({(array, index): loaded for array, index, loaded in stored})
        for thread, part in parts.items():
            loads = [loaded for _, _, loaded in trace.tiles(part[2 * phase])]
            used = [
                held.get((event["array"], event["index"]))
                for event in part[2 * phase + 1]
                if event["space"] == "shared" and event["what"] == "load"
            ]
            products = list(zip(used[::2], used[1::2]))
            result[thread].append((loads, products))
    return result
