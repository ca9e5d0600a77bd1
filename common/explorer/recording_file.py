"""Reads a program's recording of one launch: see common/simulator/api/recorded_launch.h."""

import dataclasses
import json
import struct

# As struct RecordedStep in common/simulator/observers/recording.h.
STEP = struct.Struct("<QQQq16sIIIIIHBB")
HEAD = struct.Struct("<48xI12xI2xBx")  # of these: block, words, what
KINDS = 6
LOAD, STORE, ATOMIC, BARRIER, RETURNED, FAILED = range(KINDS)
SHARED, KNOWN, PLACED = 1, 2, 4
# Bytes for the frames of a thread; the kernel's frames end at their end.
FRAMES = 1 << 16


@dataclasses.dataclass(slots=True)
class Step:
    """One step of one thread; `array` is (shared, number), or None."""

    place: int
    frame: int
    end: int
    offset: int
    value: bytes | None
    array: tuple[bool, int] | None
    epoch: int
    bytes: int
    thread: int
    what: int
    changed: memoryview  # pairs of words: the index, counted from the end, and the value


@dataclasses.dataclass
class Array:
    name: str
    space: str
    start: int
    before: bytes | None
    marks: bytes | None  # 0 where a byte was never written
    bytes: int
    element_bytes: int  # 0: unknown
    extents: list[int]


class Recording:
    """A launch: its header, its arrays, its findings, each with its access, and its steps."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            self.header = json.loads(file.readline())
            pairs = [(file.readline(), file.readline()) for _ in range(self.header["findings"])]
            self.findings = [(json.loads(finding), json.loads(access)) for finding, access in pairs]
            self.arrays: dict[tuple[bool, int], Array] = {}
            for array in self.header["arrays"]:
                size = array["bytes"]
                before = file.read(size) if array["before"] else None
                marks = file.read(size) if array["marks"] else None
                key = array["shared"], array["id"]
                shape = array["elementBytes"], array["extents"]
                told = array["name"], array["space"], array["start"], before, marks
                self.arrays[key] = Array(*told, size, *shape)
            self.counts: dict[int, list[int]] = {}  # steps of each kind, by block as they ran
            self.data = memoryview(file.read())

    def steps(self, block: int) -> list[Step]:
        """Returns the steps of a block in the order in which they ran; counts those of each."""
        at, data, found = 0, self.data, []
        self.counts, last = {}, -1
        for _ in range(self.header["steps"]):
            of_block, words, what = HEAD.unpack_from(data, at)
            if of_block != last:
                counts, last = self.counts.setdefault(of_block, [0] * KINDS), of_block
            counts[what] += 1
            begin, at = at, at + STEP.size + 8 * words
            if of_block != block:
                continue
            (place, frame, end, offset, value, _, array, epoch, width, _, thread, _,
             flags) = STEP.unpack_from(data, begin)  # fmt: skip
            known = value[:width] if flags & KNOWN else None
            key = (bool(flags & SHARED), array) if flags & PLACED else None
            changed = data[at - 8 * words : at]
            found.append(
                Step(place, frame, end, offset, known, key, epoch, width, thread, what, changed)
            )
        return found


class Frames:
    """The bytes of one thread's frames, after its last step."""

    def __init__(self) -> None:
        self.bytes = bytearray(FRAMES)
        self.words = memoryview(self.bytes).cast("I")
        self.end = 0

    def change(self, step: Step) -> list[int]:
        """Returns the words that have changed, counted from the end."""
        self.end = step.end or self.end
        pairs = step.changed.cast("I").tolist()
        words = pairs[::2]
        for at, word in zip(words, pairs[1::2]):
            self.words[~at] = word
        return words

    def index(self, address: int) -> int:
        """Returns the index of the byte at an address."""
        return address - self.end + FRAMES

    def read(self, address: int, size: int) -> bytes | None:
        """Returns the bytes at an address; None if they are no part of the frames."""
        at = self.index(address)
        return bytes(self.bytes[at : at + size]) if 0 <= at <= FRAMES - size else None

    def word(self, address: int) -> int:
        return int.from_bytes(self.read(address, 8) or b"", "little")
