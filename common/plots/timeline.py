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


def segments(epoch, product, tiles, tile_width):
    """Returns what a thread does in an epoch: (kind, [(text, event), ...])."""
    result, pending, factors = [], [], []
    for event in epoch:
        element = product.of_event(event)
        stored = event["what"] == "store"
        if element and not stored:
            pending.append((name(element), event))
        elif element:
            result.append(("P", [(name(element), event)]))
        elif event["space"] == "shared" and stored:
            loaded = pending.pop(0) if pending else (name(None), None)
            kind = tiles.get(event["array"], "other")
            result.append((kind, [loaded, (tile_element(event, tile_width), event)]))
        elif event["space"] == "shared":
            factors.append((tile_element(event, tile_width), event))
            if len(factors) == 2:
                result.append(("product", factors))
                factors = []
    for text, event in pending:  # loaded into a register
        result.append((product.of_event(event)[0], [(text, event)]))
    return result


def accesses_by_word(events):
    """Returns {(block, epoch, array, word of 4 bytes): [event, ...]}."""
    places = {}
    for event in events:
        if event["what"] == "barrier" or event["space"] == "constant":
            continue
        first = event["index"] * event["bytes"] // 4
        for word in range(first, first + max(1, event["bytes"] // 4)):
            key = (event["block"], event["barriers"], event["array"], word)
            places.setdefault(key, []).append(event)
    return places


def conflict(one, other):
    both = {one["what"], other["what"]}
    return one["thread"] != other["thread"] and "store" in both


def races(events):
    """Finds data races: accesses of two threads of a block to one word without a barrier between
    them, at least one of them a store. Returns (places, conflicts).

    places: {(array, line, other line): number of places; a word counts once per epoch};
    conflicts: the pairs of events in them, a store first.
    """
    places, conflicts = {}, []
    for (_, _, array, _), here in accesses_by_word(events).items():
        found = set()
        for number, one in enumerate(here):
            for other in here[:number]:
                if conflict(one, other):
                    found.add((array, *sorted((one["line"], other["line"]))))
                    conflicts.append((one, other) if one["what"] == "store" else (other, one))
        for pair in found:
            places[pair] = places.get(pair, 0) + 1
    return places, conflicts


def hazard(store, other, events):
    """Returns what may happen to the element: "read" too early, "overwritten" too early, or
    "stored" by both. The number of a thread's stores to the array shows its progress."""
    if other["what"] == "store":
        return "stored"
    here = [e for e in events if all(e[k] == store[k] for k in ("block", "barriers", "array"))]

    def before(event, what):
        own = [e for e in here if e["thread"] == event["thread"] and e["what"] == what]
        return sum(e["step"] < event["step"] for e in own), len(own)

    loader_stored, in_all = before(other, "store")
    if in_all:
        return "read" if before(store, "store")[0] < loader_stored else "overwritten"
    return "overwritten" if before(store, "load")[0] else "read"


def identity(event):
    return event["block"], event["thread"], event["step"]


def arrows(conflicts, events, rows):
    """Returns what may happen to which arrays, and an arrow for each array and hazard, to the
    nearest thread in the first phase that has one: [from, to], each [row, segment, part]."""
    places = {}
    for y, row in enumerate(rows):
        for x, segment in enumerate(row["segments"]):
            for z, event in enumerate(segment.pop("events")):
                places[event] = [y, x, z]
    hazards, found = {}, {}
    drawn = [pair for pair in conflicts if all(identity(e) in places for e in pair)]
    for store, other in drawn:
        what = hazard(store, other, events)
        hazards.setdefault(what, set()).add(store["array"])
        ends = [places[identity(e)] for e in (store, other)]
        far = store["barriers"], abs(ends[0][0] - ends[1][0]), ends
        key = what, store["array"]
        found[key] = min(found.get(key, far), far)
    named = {what: sorted(arrays) for what, arrays in sorted(hazards.items(), reverse=True)}
    return named, [ends for _, _, ends in found.values()]


def rows(events, product, block, tile_width):
    """Returns a row per thread: its segments, where they begin, and which of their parts race."""
    threads = threads_of(events, block)
    tiles = tile_roles(events, product)
    racing = {identity(event) for pair in races(events)[1] for event in pair}
    parts = {thread: trace.epochs(own) for thread, own in threads.items()}
    table = {thread: [] for thread in threads}
    barriers, begin = [], 0
    for number in range(max(len(part) for part in parts.values())):
        end = begin
        for thread, part in parts.items():
            at = begin
            epoch = part[number] if number < len(part) else []
            for kind, shown in segments(epoch, product, tiles, tile_width):
                events_here = [event and identity(event) for _, event in shown]
                texts = [[text, it in racing] for (text, _), it in zip(shown, events_here)]
                shown_here = {"kind": kind, "parts": texts, "at": at, "events": events_here}
                table[thread].append(shown_here)
                at += LENGTHS[kind]
            end = max(end, at)
        barriers.append(end)
        begin = end + BARRIER
    return [
        {"thread": list(thread[:2]), "segments": own} for thread, own in table.items()
    ], barriers[:-1]


def collect(run, block=(0, 0)):
    """Collects a block; if only other blocks have races, one of these."""
    product = Product(run.events, run.shape)
    places, conflicts = races(run.events)
    racing = {store["block"][:2] for store, _ in conflicts}
    block = min(racing) if racing and tuple(block) not in racing else block
    table, barriers = rows(run.events, product, block, run.tile_width)
    if not any(row["segments"] for row in table):
        raise NothingToDraw("the block's threads do nothing yet")
    hazards, drawn = arrows(conflicts, run.events, table)
    return {
        "rows": table,
        "barriers": barriers,
        "races": sorted([array, count] for (array, _, _), count in places.items()),
        "hazards": hazards,
        "arrows": drawn,
        "block": list(block),
        "caption": run.caption(),
    }
