import runs
import units


def test_units():
    """shared memory limits the tiled kernel, and the L1 cache's requests the naive one"""
    for lab, limit in ("lab2_tiled", "shared memory"), ("lab1_naive", "requests"):
        data = units.collect(runs.Kernel(lab, f"solutions/{lab}/kernel.cu"), 512)
        parts = dict(data["parts"])
        assert data["limit"] == limit == max(parts, key=parts.get)
        assert {"arithmetic", "memory", "latency"} <= set(parts)
