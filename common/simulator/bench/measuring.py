"""Times the simulator. The shortest of several runs counts, because other work on the machine can
only slow a run down."""

import multiprocessing
import os
import pathlib
import subprocess
import sys
import time

BUILD = pathlib.Path(os.environ.get("BUILD") or "build")
# Runs of one row that differ by more, in percent, say that something else runs on the machine.
MOST_SPREAD = 20


def stop(sentence: str) -> None:
    print(f"bench.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def accesses(kernel: str, width: int) -> int:
    """Returns the loads and stores that the source states: 2 a step of the inner loop; with tiles
    of 16 x 16 also a load and a store for each element of a tile; one store for each element of P.
    """
    tiles = 4 * width**3 // 16 if kernel == "tiled" else 0
    return 2 * width**3 + tiles + width**2


class Measurement:
    """The seconds of the runs of one row, by their number of host threads (0: all cores)."""

    def __init__(self, kernel: str, width: int) -> None:
        self.accesses = accesses(kernel, width)
        self.seconds: dict[int, list[float]] = {}

    def add(self, workers: int, seconds: float) -> None:
        self.seconds.setdefault(workers, []).append(seconds)

    def best(self, workers: int) -> float:
        return min(self.seconds[workers])

    def rate(self, workers: int) -> float:
        """Returns million accesses a second."""
        return self.accesses / self.best(workers) / 1e6

    def gain(self) -> float:
        return self.best(1) / self.best(0)

    def is_noisy(self) -> bool:
        spreads = [max(runs) / min(runs) - 1 for runs in self.seconds.values()]
        return any(int(100 * spread) > MOST_SPREAD for spread in spreads)


def simulate(kernel: str, width: int, checks: str, workers: tuple[int, ...]) -> Measurement:
    words = [kernel, str(width), checks, *map(str, workers)]
    program = BUILD / "simulator_bench"
    if not os.access(program, os.X_OK):
        stop(f"there is no {program}, which make bench builds")
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        stop(f"simulator_bench {' '.join(words)} fails")
    row, counted = Measurement(kernel, width), ""
    for line in done.stdout.splitlines():
        word, *rest = line.split()
        if word == "accesses":
            counted = rest[0]
        elif word == "run":
            row.add(int(rest[0]), float(rest[1]))
    if counted != str(row.accesses):
        stop(f"{kernel}, Width {width}: counted {counted} accesses, should be {row.accesses}")
    return row


def busy() -> None:
    total = 0
    for i in range(6_000_000):
        total += i


def gain_of_machine() -> float:
    """Returns what two cores gain here and now for two loops that share nothing: no kernel can
    gain more."""
    one, two = [], []
    for _ in range(3):
        for count, seconds in ((1, one), (2, two)):
            loops = [multiprocessing.Process(target=busy) for _ in range(count)]
            start = time.perf_counter()
            for loop in loops:
                loop.start()
            for loop in loops:
                loop.join()
            seconds.append(time.perf_counter() - start)
    return 2 * min(one) / min(two)
