"""Figure 4: what one warp asks of memory at once, by sectors and by banks."""

from matrices import NothingToDraw

WARP = 32
BANKS = 32
SECTOR = 32  # bytes


def requests(events, block_extent, block=(0, 0, 0), warp=0):
    """The warp's accesses, lanes lined up by line, array and how often.

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
            (*key, times[(lane, key)]),
            dict(zip(("what", "space", "array", "line"), key), lanes={}),
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
    """{sector: the words in it that are asked for}"""
    result = {}
    for word in request["lanes"].values():
        result.setdefault(word * 4 // SECTOR, set()).add(word)
    return result


def fewest_sectors(request):
    return -(-len(set(request["lanes"].values())) * 4 // SECTOR)


def banks(request):
    """{bank: the different words of it that are asked for}"""
    result = {}
    for word in request["lanes"].values():
        result.setdefault(word % BANKS, set()).add(word)
    return result


def passes(request):
    return max(len(words) for words in banks(request).values())
