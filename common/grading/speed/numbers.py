"""The matrices of a measurement, and the check of their product.

M and N are cut from two pools of numbers, at another place for each call, so that no call can use
results of an earlier one. All are whole numbers, so small that float32 holds every sum exactly.
"""

import array
import mmap
import operator
import os
import random
import secrets
import struct

LARGEST = 8
# The pools repeat a block of this length, a prime, so that no two rows of a matrix are the same.
BLOCK = 1_000_003
PLACES = 1 << 16  # places at which a matrix may begin
STEP = 16  # floats between two places, so that rows begin at whole cache lines
LOOKED_AT = 24  # elements checked of each product


class Numbers:
    """A file with both pools, of `pool` numbers each."""

    def __init__(self, path, width, seed):
        self.path, self.width = path, width
        self.pool = width * width + PLACES * STEP
        drawn = random.Random(seed).randbytes(BLOCK)
        values = [float(value % (2 * LARGEST + 1) - LARGEST) for value in range(256)]
        block = array.array("f", (values[byte] for byte in drawn)).tobytes()
        with open(path, "wb") as file:
            left = 2 * self.pool * 4
            while left:
                left -= file.write(block[: min(left, len(block))])
        os.chmod(path, 0o444)
        with open(path, "rb") as file:
            self.mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.values = memoryview(self.mapped).cast("f")

    def draw(self):
        """Returns the offsets of M and N in their pools."""
        return secrets.randbelow(PLACES) * STEP, secrets.randbelow(PLACES) * STEP

    def look(self, product):
        """Reads elements of P, to be judged later: [(index, bytes)]. They are drawn only now, so
        that the program cannot know them; the file of the descriptor may have been cut short."""
        places = [secrets.randbelow(self.width * self.width) for _ in range(LOOKED_AT)]
        return [(at, os.pread(product, 4, 4 * at)) for at in places]

    def wrong(self, begins, seen):
        """Returns a sentence about the first wrong element; empty if all are right."""
        width = self.width
        for at, data in seen:
            row, column = divmod(at, width)
            first_m = begins[0] + row * width
            first_n = self.pool + begins[1] + column
            m = self.values[first_m : first_m + width]
            n = self.values[first_n : first_n + (width - 1) * width + 1 : width]
            wanted = sum(map(operator.mul, m, n))
            got = struct.unpack("f", data)[0] if len(data) == 4 else None
            if got != wanted:
                return f"P[{row}][{column}] is {got}, and should be {wanted:g}"
        return ""
