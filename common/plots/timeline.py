"""Collects figure 2: what each thread of a block does, phase by phase, along its own time."""

import trace
from matrices import NothingToDraw, Product, name, threads_of

# Drawn lengths; the trace has an order but no clock.
LENGTHS = {"M": 2, "N": 2, "product": 2, "P": 2, "other": 1}
BARRIER = 0.7


def tile_element(event, tile_width):
    if event["index"] >= tile_width**2:  # a layout other than T x T
        return f"{event['array']}[{event['index']}]"
    row, column = divmod(event["index"], tile_width)
    return f"{event['array']}[{row}][{column}]"


def tile_roles(events, product):
    """Returns which shared array holds elements of which matrix."""
    loaded, result = None, {}
    for event in events:
        element = product.of_event(event)
        if element:
            loaded = element[0]
        elif event["space"] == "shared" and event["what"] == "store" and loaded:
            result.setdefault(event["array"], loaded)
            loaded = None
    return result


def segments(stretch, product, tiles, tile_width):
    """Returns what a thread does between two barriers: (kind, label, its events)."""
    result, pending, factors = [], [], []
    for event in stretch:
        element = product.of_event(event)
        stored = event["what"] == "store"
        if element and not stored:
            pending.append((element, event))
        elif element:
            result.append(("P", name(element), [event]))
        elif event["space"] == "shared" and stored:
            loaded, load = pending.pop(0) if pending else (None, None)
            kind = tiles.get(event["array"], "other")
            result.append((kind, name(loaded), [load, event] if load else [event]))
        elif event["space"] == "shared":
            factors.append(event)
            if len(factors) == 2:
                label = "\n".join(tile_element(e, tile_width) for e in factors)
                result.append(("product", label, factors))
                factors = []
    for element, event in pending:  # loaded into a register
        result.append((element[0], name(element), [event]))
    return result


def accesses_by_word(events):
    """Returns {(block, stretch, array, word of 4 bytes): [event, ...]}."""
    places = {}
    for event in events:
        if event["what"] == "barrier" or event["space"] == "constant":
            continue
        first = event["index"] * event["bytes"] // 4
        for word in range(first, first + max(1, event["bytes"] // 4)):
            key = (event["block"], event["phase"], event["array"], word)
            places.setdefault(key, []).append(event)
    return places


def conflict(one, other):
    both = {one["what"], other["what"]}
    return one["thread"] != other["thread"] and "store" in both


def races(events):
    """Finds data races: accesses of two threads of a block to one word without a barrier between
    them, at least one of them a store. Returns (pairs, racing).

    pairs: {(array, line, other line): number of places, each counted once between two barriers};
    racing: {(block, thread, step)} of the accesses in them.
    """
    pairs, racing = {}, set()
    for (_, _, array, _), here in accesses_by_word(events).items():
        found = set()
        for number, one in enumerate(here):
            for other in here[:number]:
                if conflict(one, other):
                    found.add((array, *sorted((one["line"], other["line"]))))
                    racing.update((e["block"], e["thread"], e["step"]) for e in (one, other))
        for pair in found:
            pairs[pair] = pairs.get(pair, 0) + 1
    return pairs, racing


def rows(events, product, block, tile_width):
    """Returns a row a thread: its segments, where they begin, and which of them race."""
    threads = threads_of(events, block)
    tiles = tile_roles(events, product)
    _, racing = races(events)
    parts = {thread: trace.stretches(own) for thread, own in threads.items()}
    table = {thread: [] for thread in threads}
    barriers, begin = [], 0
    for number in range(max(len(part) for part in parts.values())):
        end = begin
        for thread, part in parts.items():
            at = begin
            stretch = part[number] if number < len(part) else []
            for kind, label, own in segments(stretch, product, tiles, tile_width):
                races_here = any((e["block"], thread, e["step"]) in racing for e in own)
                table[thread].append({"kind": kind, "label": label, "at": at, "races": races_here})
                at += LENGTHS[kind]
            end = max(end, at)
        barriers.append(end)
        begin = end + BARRIER
    return [
        {"thread": list(thread[:2]), "segments": own} for thread, own in table.items()
    ], barriers[:-1]


def collect(run, block=(0, 0)):
    product = Product(run.events, run.shape)
    table, barriers = rows(run.events, product, block, run.tile_width)
    if not any(row["segments"] for row in table):
        raise NothingToDraw("the block's threads do nothing yet")
    pairs, _ = races(run.events)
    return {
        "rows": table,
        "barriers": barriers,
        "races": sorted([array, count] for (array, _, _), count in pairs.items()),
        "block": list(block),
        "caption": run.caption(),
    }
