"""Collects figure 5: global loads against TILE_WIDTH, counted and by theory."""

from matrices import NothingToDraw

TILE_WIDTHS = (1, 2, 4, 8, 16, 32)


def collect(kernel, width=128):
    """In theory each element of M and N is loaded width / TILE_WIDTH times, and at least once."""
    shape, checks = (width, width, width), {"CUSIM_CHECKS": "counters"}
    runs = {tile_width: kernel.run_set(shape, tile_width, **checks) for tile_width in TILE_WIDTHS}
    if not all(run.loads() for run in runs.values()):
        raise NothingToDraw("the kernel loads nothing yet")
    return {
        "width": width,
        "counted": [[tile_width, run.loads()] for tile_width, run in runs.items()],
        "theory": [[tile_width, 2 * width**3 // tile_width] for tile_width in runs],
        "compulsory": 2 * width**2,
        "caption": runs[TILE_WIDTHS[-1]].caption(with_tile_width=False),
    }
