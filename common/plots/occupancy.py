"""Collects figure 8: the blocks that fit a multiprocessor, by the limits of a device profile."""

WARP = 32


def blocks(device, threads, registers=0, shared=0):
    """Returns how many blocks fit, and the limit that prevents more.

    threads: per block; registers: per thread; shared: bytes per block. Threads are allocated in
    whole warps.
    """
    threads = -(-threads // WARP) * WARP
    limits = {
        "threads": (device["threads"], threads),
        "registers": (device["registers"], registers * threads),
        "shared memory": (device["shared"], shared + device["shared_reserved"]),
    }
    fit = [(there // needed, name) for name, (there, needed) in limits.items() if needed]
    return min([(device["blocks"], "blocks"), *fit], key=lambda one: one[0])


def collect(device, block_threads=(64, 256, 1024)):
    usable = [t for t in block_threads if t <= device["threads_per_block"]]
    by_registers = {t: [[r, blocks(device, t, r)[0]] for r in range(1, 129)] for t in usable}
    sizes = [device["shared_per_block"] * step // 240 for step in range(241)]
    by_shared = {t: [[size, blocks(device, t, 0, size)[0]] for size in sizes] for t in usable}
    widths = [width for width in (8, 16, 32) if width**2 in usable]
    return {
        "device": device,
        "registers": {str(t): curve for t, curve in by_registers.items()},
        "shared": {str(t): curve for t, curve in by_shared.items()},
        "tiles": [[t, 8 * t**2, blocks(device, t**2, 0, 8 * t**2)[0]] for t in widths],
        "caption": "Computed from the limits of the device profile "
        f"{device['name']} ({device['title']}), as the simulated device has them: "
        f"{device['threads']:,} threads, {device['blocks']} blocks, "
        f"{device['registers']:,} registers and {device['shared'] // 1024} KiB of "
        "shared memory per multiprocessor.",
    }
