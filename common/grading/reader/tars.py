"""Reads the headers of a tar archive, as ustar, GNU tar and pax write them, and unpacks what it is
asked for. The module tarfile reads a header of any size into memory."""

import stat
from typing import NamedTuple

from .tree import MOST_FILES, Unreadable

BLOCK = 512
MOST_HEADER = 64 << 10  # bytes of a long name, or of pax records
MOST_SKIPPED = 1 << 18  # bytes at a time
DAMAGED = "the archive is damaged, or not of a kind that is read"
LONG_NAME, LONG_LINK, RECORDS, ALL_RECORDS = b"L", b"K", b"xX", b"g"
PLAIN, FOLDER, SPARSE = b"07\0", b"5", b"S"
WITHOUT_DATA = b"123456"  # links, devices, folders, pipes


class Member(NamedTuple):
    name: str
    mode: int  # its kind, as stat has it
    size: int
    read: object


def number(field):
    """Returns a number that is written in octal, or in base 256 if it is large."""
    if field[:1] in (b"\x80", b"\xff"):
        return int.from_bytes(field[1:], "big")
    digits = field.split(b"\0")[0].strip() or b"0"
    if not digits.isdigit() or max(digits) > ord("7"):
        raise Unreadable(DAMAGED)
    return int(digits, 8)


def decimal(field):
    if not field.isdigit() or len(field) > 20:
        raise Unreadable(DAMAGED)
    return int(field)


def text_of(field):
    return field.split(b"\0")[0].decode("utf-8", "surrogateescape")


def records_of(data):
    """Returns {keyword: value} of pax records: the length of each, a blank, keyword=value."""
    found, at = {}, 0
    while at < len(data) and data[at : at + 1] != b"\0":
        length = data[at : at + 8].partition(b" ")[0]
        if not length.isdigit() or int(length) <= len(length) + 1:
            raise Unreadable(DAMAGED)
        record = data[at + len(length) + 1 : at + int(length)]
        keyword, _, value = record.rstrip(b"\n").partition(b"=")
        found[keyword], at = value, at + int(length)
    return found


class Tar:
    def __init__(self, stream):
        self.stream, self.left = stream, 0  # bytes until the next header

    def take(self, size):
        data = self.stream.read(size)
        while len(data) < size:
            more = self.stream.read(size - len(data))
            if not more:
                raise Unreadable("the archive ends in the middle")
            data += more
        self.left -= size
        return data

    def skip(self):
        self.stream.allow(self.left)
        while self.left > 0:
            self.take(min(self.left, MOST_SKIPPED))

    def header(self):
        """Returns the next header; None at the end of the archive."""
        self.skip()
        first = self.stream.read(1)
        if not first:
            return None
        block = first + self.take(BLOCK - 1)
        self.left = 0
        if not any(block):
            return None
        if 256 + sum(block[:148]) + sum(block[156:]) != number(block[148:156]):
            raise Unreadable(DAMAGED)
        return block

    def data_of(self, size):
        if size > MOST_HEADER:
            raise Unreadable(f"a name in the archive takes {size:,} bytes")
        self.left = -(-size // BLOCK) * BLOCK
        return self.take(size)

    def members(self):
        name, records = "", {}
        for _ in range(4 * MOST_FILES):
            block = self.header()
            if block is None:
                return
            kind, size = block[156:157], number(block[124:136])
            if kind in (LONG_NAME, LONG_LINK):
                data = self.data_of(size)
                name = text_of(data) if kind == LONG_NAME else name
            elif kind in RECORDS:
                records = records_of(self.data_of(size))
            elif kind == ALL_RECORDS:
                self.data_of(size)
            else:
                yield self.member(block, kind, size, name, records)
                name, records = "", {}
        raise Unreadable(f"the archive holds more than {MOST_FILES:,} files")

    def member(self, block, kind, size, name, records):
        if not name:
            prefix = text_of(block[345:500]) if block[257:263] == b"ustar\0" else ""
            name = f"{prefix}/{text_of(block[:100])}" if prefix else text_of(block[:100])
        if b"path" in records:
            name = records[b"path"].decode("utf-8", "surrogateescape")
        if b"size" in records:
            size = decimal(records[b"size"])
        if kind == SPARSE:
            more = block[482]
            while more:
                more = self.take(BLOCK)[504]
        self.left = 0 if kind in WITHOUT_DATA else -(-size // BLOCK) * BLOCK
        sparse = any(word.startswith(b"GNU.sparse") for word in records)
        mode = stat.S_IFREG if kind in PLAIN and not sparse else stat.S_IFLNK
        if kind == FOLDER or (kind == b"\0" and name.endswith("/")):
            mode = stat.S_IFDIR
        return Member(name, mode, size, lambda: self.take(size))
