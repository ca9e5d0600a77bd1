"""Collects figure 4: the data of the two maps, for a kernel and the known mistake beside it."""

import warp_requests as warps
from matrices import NothingToDraw, Product


def listed(request):
    return [request["lanes"].get(lane) for lane in range(warps.WARP)]


def sector_panel(run, role):
    """Returns the first load of M or N, or the first store of P, by the first warp."""
    product = Product(run.events, run.shape)
    what = "store" if role == "P" else "load"
    arrays = [name for name, known in product.roles.items() if known == role]
    if not arrays:
        raise NothingToDraw(f"the kernel does not {what} {role} yet")
    asked = warps.requests(run.events, run.block_extent)
    request = warps.first(asked, what, "global", arrays[0])
    return {
        "what": f"{what} of {role}",
        "lanes": listed(request),
        "sectors": len(warps.sectors(request)),
        "fewest": warps.fewest_sectors(request),
    }


def collect_sectors(run, mistake):
    return {
        "columns": [
            {"title": one.source, "panels": [sector_panel(one, role) for role in "MNP"]}
            for one in (run, mistake)
            if one
        ],
        "caption": f"First warp of block (0,0). {run.caption()}",
    }


def bank_panel(run):
    request = warps.first(warps.requests(run.events, run.block_extent), "load", "shared")
    return {
        "title": run.source,
        "array": request["array"],
        "lanes": listed(request),
        "passes": warps.passes(request),
    }


def collect_banks(run, mistake):
    return {
        "panels": [bank_panel(one) for one in (mistake, run) if one],
        "caption": f"First warp of block (0,0) reads the tile. {run.caption()}",
    }
