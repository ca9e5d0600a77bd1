import figures
from occupancy import blocks


def test_simulated_device():
    """without registers the formula is the simulated device's own"""
    for profile in ("default", "8800gtx", "turing", "h200"):
        device = figures.device_limits(profile)
        assert len(device["fits"]) > 50
        for threads, shared, fits in device["fits"]:
            assert blocks(device, threads, 0, shared)[0] == fits, (profile, threads)


def test_course():
    """with registers it gives the textbook's examples"""
    device = figures.device_limits("device-d")
    assert blocks(device, 512, 10) == (3, "threads")
    assert blocks(device, 512, 11) == (2, "registers")
    old = figures.device_limits("8800gtx")
    assert blocks(old, 256, 10)[0] == 3
    assert blocks(old, 256, 11) == (2, "registers")
    assert blocks(old, 64, 0, 2 * 1024)[0] == 8
    assert blocks(old, 64, 0, 5 * 1024) == (3, "shared memory")
