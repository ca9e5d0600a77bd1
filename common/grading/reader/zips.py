"""Reads the members of a zip archive."""

import stat
import struct
import zipfile

from .tars import Member
from .tree import MOST_BYTES, MOST_FILES, Unreadable

# The record at the end of the archive: its mark, its size without a comment, the place in it
# that gives the number of members.
MARK, SIZE, COUNT = b"PK\5\6", 22, 10
LONGEST_COMMENT = 0xFFFF
READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def count_of(file):
    """Returns how many members the end of the archive names, before all of them are listed."""
    end = file.seek(0, 2)
    file.seek(max(0, end - SIZE - LONGEST_COMMENT))
    tail = file.read()
    at = tail.rfind(MARK)
    return struct.unpack_from("<H", tail, at + COUNT)[0] if 0 <= at <= len(tail) - SIZE else 0


def members(file):
    if count_of(file) > MOST_FILES:
        raise Unreadable(f"the archive holds more than {MOST_FILES:,} files")
    with zipfile.ZipFile(file) as archive:
        for one in archive.infolist():

            def read(one=one):
                if one.flag_bits & 1:
                    raise Unreadable("the archive asks for a password")
                if one.compress_type not in READ:
                    raise Unreadable("the archive is packed in a way that is not read")
                with archive.open(one) as data:
                    return data.read(MOST_BYTES + 1)

            mode = stat.S_IFMT(one.external_attr >> 16)
            mode = stat.S_IFDIR if one.is_dir() else mode or stat.S_IFREG
            yield Member(one.filename, mode, one.file_size, read)
