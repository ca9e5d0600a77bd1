import re

import access_order
import runs
import tiles
import timeline
from example import bounded, tiled
from matrices import NothingToDraw, Product


def blocks(width, tile_width):
    return [(bx, by) for by in range(width // tile_width) for bx in range(width // tile_width)]


def expected_loads(width, tile_width, block, thread):
    """Returns the book's loads: M[Row][ph T + tx] and N[ph T + ty][Col], phase by phase."""
    (bx, by), (tx, ty) = block, thread
    loads = []
    for ph in range(width // tile_width):
        loads.append(f"M[{by * tile_width + ty}][{ph * tile_width + tx}]")
        loads.append(f"N[{ph * tile_width + ty}][{bx * tile_width + tx}]")
    return loads


def check_loads(width, tile_width):
    run = tiled(width, tile_width)
    data = access_order.collect(run, blocks(width, tile_width))
    assert len(data["rows"]) == width**2
    for row in data["rows"]:
        wanted = expected_loads(width, tile_width, row["block"], row["thread"])
        assert row["loads"] == wanted, (row, wanted)
    return data


def test_loads_of_the_example():
    """the loads of the 4 x 4 example are the book's, element by element"""
    data = check_loads(4, 2)
    # Two blocks load each element of M, and of N, at the same time, but within a block none twice.
    assert data["shared"] == [[]] * 4


def test_loads_that_a_block_could_share():
    """loads of one element at one time are joined within a block, and not across blocks"""
    table = [
        {"block": [block, 0], "loads": loads}
        for block in (0, 1)
        for loads in (["M[0][0]", "N[0][0]"], ["M[0][0]", "N[0][1]"], ["0"])
    ]
    assert access_order.shared_loads(table) == [[[0, 1], [3, 4]], []]


def test_loads_of_8_by_8():
    """the loads of 8 x 8 with tiles of 2 x 2 and of 4 x 4 are the book's too"""
    check_loads(8, 2)
    check_loads(8, 4)


def test_zero_fills():
    """a thread that fills a zero is in step with those that load"""
    blocks_of_p = [(bx, by) for by in range(2) for bx in range(2)]
    data = access_order.collect(bounded((3, 3, 3)), blocks_of_p)
    for row in data["rows"]:
        wanted = expected_loads(4, 2, row["block"], row["thread"])
        wanted = ["0" if "3" in element else element for element in wanted]
        assert row["loads"] == wanted, (row, wanted)
    assert data["shared"] == [[]] * 4


def test_timeline():
    """the timeline has loads, barrier, products, barrier in each phase, then a store"""
    run = tiled(4, 2)
    table, barriers = timeline.rows(run.events, Product(run.events, run.shape), (0, 0), 2)
    assert len(barriers) == 4 and len(table) == 4
    for row in table:
        tx, ty = row["thread"]
        got = [(s["kind"], *(text for text, _ in s["parts"])) for s in row["segments"]]
        wanted = []
        for load in range(0, 4, 2):
            names = expected_loads(4, 2, (0, 0), (tx, ty))[load : load + 2]
            wanted += [("M", names[0], f"Mds[{ty}][{tx}]"), ("N", names[1], f"Nds[{ty}][{tx}]")]
            wanted += [("product", f"Mds[{ty}][{k}]", f"Nds[{k}][{tx}]") for k in range(2)]
        assert got == wanted + [("P", f"P[{ty}][{tx}]")], got
        assert not any(races for s in row["segments"] for _, races in s["parts"])


def test_tiles_of_a_ragged_product():
    """zeros fill exactly the elements of a tile that are outside the matrix"""
    shape = (3, 5, 4)
    j, k, l = shape
    for block in ((0, 0), (1, 0), (0, 1), (1, 1)):
        data = tiles.collect(bounded(shape), block, (0, 0))
        assert len(data["phases"]) == 3
        for ph, phase in enumerate(data["phases"]):
            rows = [block[1] * 2 + n for n in range(2)]
            inner = [ph * 2 + n for n in range(2)]
            columns = [block[0] * 2 + n for n in range(2)]
            of_m = [[r, c, r >= j or c >= k] for r in rows for c in inner]
            of_n = [[r, c, r >= k or c >= l] for r in inner for c in columns]
            assert sorted(phase["tiles"]["M"]) == of_m, (block, phase)
            assert sorted(phase["tiles"]["N"]) == of_n, (block, phase)


def rewritten(name, lines):
    """Runs lab 2's solution with other lines instead of those that fill the tiles."""
    solved = (runs.ROOT / "solutions/lab2_tiled/kernel.cu").read_text()
    loads = re.search(r" +Mds\[ty\]\[tx\] = (.*);\n +Nds\[ty\]\[tx\] = (.*);\n", solved)
    source = runs.OUT / f"lab2_{name}.cu"
    (runs.ROOT / source).write_text(solved.replace(loads[0], lines.format(*loads.groups())))
    return runs.Kernel("lab2_tiled", str(source)).trace((4, 4, 4), 2)


def test_tiles_of_registers():
    """loads that go through registers are drawn, or left out if they do not add up"""
    both = "float m = {0}, n = {1}; Mds[ty][tx] = m; Nds[ty][tx] = n;"
    run = rewritten("registers", both)
    assert run.right
    data, plain = (tiles.collect(one, (0, 0), (1, 0)) for one in (run, tiled(4, 2)))
    assert data["phases"] == plain["phases"]
    turned = rewritten("turned", both.replace("m = {0}, n = {1}", "n = {1}, m = {0}"))
    assert turned.right and reason_against(turned).startswith("it shows kernels that store each")


def reason_against(run):
    """Returns why no tiles are drawn."""
    try:
        tiles.collect(run, (0, 0), (1, 0))
    except NothingToDraw as reason:
        return str(reason)
    raise AssertionError(f"{run.source}: tiles were drawn")


def test_tiles_of_other_kernels():
    """if a barrier is missing, a phase has no tiles of its own, and none are drawn"""
    for which in ("first", "second"):
        source = f"build/mistakes/lab2_tiled/kernel/{which}_barrier_missing.cu"
        run = runs.Kernel("lab2_tiled", source).trace((4, 4, 4), 2)
        assert "two barriers" in reason_against(run)
