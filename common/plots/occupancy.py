"""Collects figure 8: the blocks that fit a multiprocessor, by the limits of a device profile."""

WARP = 32


def blocks(device, threads, registers=0, shared=0):
    """Returns how many blocks fit, and the limit that keeps out more.

    threads: of a block; registers: of a thread; shared: bytes of a block. Threads are allocated in
    whole warps.
    """
    if threads > device["threads_per_block"] or shared > device["shared_per_block"]:
        return 0, "block"
    threads = -(-threads // WARP) * WARP
    best = device["blocks"], "blocks"
    limits = [("threads", device["threads"], threads)]
    limits.append(("registers", device["registers"], registers * threads))
    taken = shared + device["shared_reserved"]
    limits.append(("shared memory", device["shared"], taken))
    for name, there, needed in limits:
        if needed and there // needed < best[0]:
            best = there // needed, name
    return best


def collect(device, block_threads=(64, 256, 1024)):
    usable = [t for t in block_threads if t <= device["threads_per_block"]]
    most_registers = 128
    shared = [device["shared_per_block"] * step // 240 for step in range(241)]
    return {
        "device": device,
        "registers": {
            str(t): [[r, blocks(device, t, r)[0]] for r in range(1, most_registers + 1)]
            for t in usable
        },
        "shared": {str(t): [[s, blocks(device, t, 0, s)[0]] for s in shared] for t in usable},
        "tiles": [
            [t, 8 * t * t, blocks(device, t * t, 0, 8 * t * t)[0]]
            for t in (8, 16, 32)
            if t * t in usable
        ],
        "caption": "Computed from the limits of the device profile "
        f"{device['name']} ({device['title']}), as the simulated device has them: "
        f"{device['threads']:,} threads, {device['blocks']} blocks, "
        f"{device['registers']:,} registers and {device['shared'] // 1024} KiB of "
        "shared memory a multiprocessor.",
    }
