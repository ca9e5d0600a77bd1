"""Collects figure 5: global loads against TILE_WIDTH, counted and by theory."""

from matrices import NothingToDraw

TILE_WIDTHS = (1, 2, 4, 8, 16, 32)


def theory(width, tile_width):
    """Returns the loads where each element of M and N is loaded width / tile_width times."""
    return 2 * width**3 // tile_width


def compulsory(width):
    """Returns the loads where each element of M and N is loaded once."""
    return 2 * width**2


def collect(kernel, width):
    counted = []
    for tile_width in TILE_WIDTHS:
        run = kernel.count((width, width, width), tile_width)
        counted.append([tile_width, run.loads])
    if not all(loads for _, loads in counted):
        raise NothingToDraw("the kernel loads nothing yet")
    return {
        "width": width,
        "counted": counted,
        "theory": [[t, theory(width, t)] for t in TILE_WIDTHS],
        "compulsory": compulsory(width),
        "caption": run.caption(with_tile_width=False),
    }
