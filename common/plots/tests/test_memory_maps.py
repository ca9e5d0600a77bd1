import memory_maps
import runs

TRANSPOSE = "transpose of 32 x 32"


def bank_passes(source):
    run = runs.Kernel("lab2_tiled", source, "banks").trace_of_part(TRANSPOSE)
    return memory_maps.bank_panel(run)


def test_banks():
    """a column of the tile takes 32 passes without padding and 1 with it"""
    before = bank_passes("build/mistakes/lab2_tiled/banks/transpose_not_padded.cu")
    after = bank_passes("solutions/lab2_tiled/banks.cu")
    assert (before["passes"], after["passes"]) == (32, 1)
    assert before["lanes"] == [32 * lane for lane in range(32)]
    assert after["lanes"] == [33 * lane for lane in range(32)]


def sectors(source):
    run = runs.Kernel("lab1_naive", source).trace((32, 32, 32))
    panels = [memory_maps.sector_panel(run, role) for role in "MNP"]
    assert memory_maps.collect_sectors(run, None)["rows"] == 2
    return [(panel["sectors"], panel["words"], panel["rows"]) for panel in panels]


def test_sectors():
    """a warp of 16 x 16 blocks takes 2, 2, 4 sectors, with Row from x 16, 1, 16"""
    assert sectors("solutions/lab1_naive/kernel.cu") == [(2, 2, 2), (2, 16, 1), (4, 32, 2)]
    mistake = sectors("build/mistakes/lab1_naive/kernel/row_from_x.cu")
    assert mistake == [(16, 16, 16), (1, 2, 1), (16, 32, 16)]
