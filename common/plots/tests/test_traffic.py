import runs
import traffic


def test_traffic():
    """the loads counted at each TILE_WIDTH are 2 Width^3 / TILE_WIDTH"""
    kernel = runs.Kernel("lab2_tiled", "solutions/lab2_tiled/kernel.cu")
    data = traffic.collect(kernel, 64)
    assert [t for t, _ in data["counted"]] == [1, 2, 4, 8, 16, 32]
    assert data["counted"] == [[t, 2 * 64**3 // t] for t in (1, 2, 4, 8, 16, 32)]
    assert data["compulsory"] == 2 * 64**2
