import pathlib
from unittest import mock

import bench_example
import bench_results
import runs
from matrices import NothingToDraw


def test_roofline():
    """a card's result is read: points by requested bytes, and the three roofs"""
    data = bench_example.collected(bench_results.roofline)
    assert [point[0] for point in data["points"]] == bench_example.RUNGS
    assert data["points"][0][1:] == [2.0, 400.0]
    assert data["peak"] == bench_example.PEAK and data["memory"] == 4000
    assert data["shared"] == 100 * 2.0 * 32


def test_ladder():
    """a kernel's line has the sizes at which it ran, bars its share of cuBLAS"""
    data = bench_example.collected(bench_results.ladder)
    assert [n for n, _ in data["lines"]["02_naive"]][-1] == 16384
    assert [n for n, _ in data["lines"]["01_naive_uncoalesced"]][-1] == 8192
    assert data["shares"][0] == ["01_naive_uncoalesced", 0.01]
    assert "cuBLAS" not in dict(data["shares"])


def test_no_result():
    """without a result the figure is left out with a sentence"""
    with mock.patch.object(runs, "ROOT", pathlib.Path("/nowhere")):
        try:
            bench_results.ladder(None)
        except NothingToDraw as reason:
            assert "make bench DEVICE=gpu" in str(reason)
        else:
            raise AssertionError("something was drawn")
