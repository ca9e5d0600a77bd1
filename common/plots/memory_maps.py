"""Collects figure 4: one warp's requests to memory, by sectors and by banks, of a kernel and of a
known mistake."""

from matrices import NothingToDraw, Product

WARP = 32
BANKS = 32
SECTOR = 32  # bytes


def requests(run, block=(0, 0, 0)):
    """Returns the requests of the block's first warp. The n-th accesses of its lanes at one line to
    one array form a request.

    A list in the order of lane 0: {what, space, array, lanes: {lane: word}}.
    """
    result, times = {}, {}
    for event in run.events:
        if event["block"] != block or event["what"] == "barrier":
            continue
        x, y, z = event["thread"]
        lane = x + run.block_extent[0] * (y + run.block_extent[1] * z)
        if lane >= WARP:
            continue
        kind = {name: event[name] for name in ("what", "space", "array")}
        key = (*kind.values(), event["line"])
        times[lane, key] = times.get((lane, key), -1) + 1
        request = result.setdefault((key, times[lane, key]), {**kind, "lanes": {}})
        request["lanes"][lane] = event["index"] * event["bytes"] // 4
    return list(result.values())


def first(all_requests, what, space, array=None):
    for request in all_requests:
        if (request["what"], request["space"]) == (what, space):
            if array is None or request["array"] == array:
                return request
    raise NothingToDraw(f"the kernel does not {what} from or to {space} memory yet")


def listed(request):
    return [request["lanes"].get(lane) for lane in range(WARP)]


def sector_panel(run, role):
    """Returns the first load of M or N, or the first store of P, by the first warp."""
    product = Product(run.events, run.shape)
    what = "store" if role == "P" else "load"
    arrays = [name for name, known in product.roles.items() if known == role]
    if not arrays:
        raise NothingToDraw(f"the kernel does not {what} {role} yet")
    request = first(requests(run), what, "global", arrays[0])
    words = set(request["lanes"].values())
    return {
        "what": f"{what} of {role}",
        "lanes": listed(request),
        "words": len(words),
        "rows": len({word // product.columns[role] for word in words}),
        "sectors": len({word * 4 // SECTOR for word in words}),
    }


def column(run):
    return {"title": run.source, "panels": [sector_panel(run, role) for role in "MNP"]}


def collect_sectors(run, mistake):
    width, height, _ = run.block_extent
    return {
        "columns": [column(one) for one in (run, mistake) if one],
        "block": [width, height],
        "rows": min(height, -(-WARP // width)),
        "caption": f"First warp of block (0,0). {run.caption()}",
    }


def bank_panel(run):
    request = first(requests(run), "load", "shared")
    banks = [word % BANKS for word in set(request["lanes"].values())]
    return {
        "title": run.source,
        "array": request["array"],
        "lanes": listed(request),
        "passes": max(map(banks.count, banks)),
    }


def collect_banks(run):
    caption = f"First warp of block (0,0) reads the tile. {run.caption()}"
    return {**bank_panel(run), "caption": caption}
