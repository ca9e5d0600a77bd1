"""Collects figure 4: one warp's requests to memory, by sectors and by banks."""

from matrices import NothingToDraw

WARP = 32
BANKS = 32
SECTOR = 32  # bytes


def requests(events, block_extent, block=(0, 0, 0), warp=0):
    """Returns the warp's requests: accesses of its lanes at the same line, to the same array, the
    same number of times before.

    A list in the order of lane 0: {what, space, array, line, lanes: {lane: word}}.
    """
    result, times = {}, {}
    for event in events:
        if event["block"] != block or event["what"] == "barrier":
            continue
        x, y, z = event["thread"]
        linear = x + block_extent[0] * (y + block_extent[1] * z)
        if linear // WARP != warp:
            continue
        lane = linear % WARP
        key = (event["what"], event["space"], event["array"], event["line"])
        times[(lane, key)] = times.get((lane, key), -1) + 1
        request = result.setdefault(
            (*key, times[(lane, key)]), dict(zip(("what", "space", "array", "line"), key), lanes={})
        )
        request["lanes"][lane] = event["index"] * event["bytes"] // 4
    return list(result.values())


def first(all_requests, what, space, array=None):
    for request in all_requests:
        if (request["what"], request["space"]) == (what, space):
            if array is None or request["array"] == array:
                return request
    raise NothingToDraw(f"the kernel does not {what} from or to {space} memory yet")


def sectors(request):
    """Returns {sector: the requested words in it}."""
    result = {}
    for word in request["lanes"].values():
        result.setdefault(word * 4 // SECTOR, set()).add(word)
    return result


def fewest_sectors(request):
    return -(-len(set(request["lanes"].values())) * 4 // SECTOR)


def banks(request):
    """Returns {bank: the different requested words in it}."""
    result = {}
    for word in request["lanes"].values():
        result.setdefault(word % BANKS, set()).add(word)
    return result


def passes(request):
    return max(len(words) for words in banks(request).values())
