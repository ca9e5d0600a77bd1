"""Finds data races in a trace: accesses of two threads of a block to one word without a barrier
between them, at least one of them a store."""


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


def find(events):
    """Returns (pairs, racing).

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
