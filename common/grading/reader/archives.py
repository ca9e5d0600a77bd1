"""Reads an archive into memory; unpacks nothing to disk."""

import posixpath
import stat

from .tars import DAMAGED, Tar
from .tree import MOST_DEPTH, MOST_FILES, Tree, Unreadable, printable, shown

MOST_UNPACKED = 512 << 20  # of a packed archive, all that is read from it


class Limited:
    """A stream that raises Unreadable past MOST_UNPACKED bytes."""

    def __init__(self, stream):
        self.stream, self.left = stream, MOST_UNPACKED

    def allow(self, size):
        """Raises Unreadable if this is too much, before any of it is read."""
        if size > self.left:
            raise Unreadable(f"the archive unpacks to more than {MOST_UNPACKED >> 20} MB")

    def read(self, size):
        self.allow(size)
        self.left -= size
        return self.stream.read(size)


def unpacking(file, head):
    """Returns the stream of a tar archive. A module is loaded only if it is needed."""
    if head[:2] == b"\x1f\x8b":
        import gzip as module
    elif head[:2] == b"BZ":
        import bz2 as module
    elif head[:2] == b"\xfd7":
        import lzma as module
    else:
        return file
    return module.open(file)


def members(file):
    head = file.read(4)
    file.seek(0)
    if not head:
        raise Unreadable("the archive is empty")
    if head[:2] == b"PK":
        from .zips import members as zipped

        return zipped(file)
    return Tar(Limited(unpacking(file, head))).members()


def add(tree, member):
    """Adds a member of an archive, unless its name leads out of it."""
    name = member.name
    path = posixpath.normpath(name.replace("\\", "/"))
    if path.startswith(("/", "../")) or path == ".." or ":" in path[:2]:
        tree.remark(f"{shown(name)} leads out of the archive, and was not read.")
    elif path == "." or path.count("/") > MOST_DEPTH or stat.S_ISDIR(member.mode):
        return
    elif not stat.S_ISREG(member.mode):
        tree.remark(f"{shown(path)} is a link or no plain file, and was not read.")
    else:
        tree.add(path, member.size, member.read)


def read(file):
    """Returns the tree of an archive; raises Unreadable."""
    tree = Tree()
    try:
        for number, member in enumerate(members(file), 1):
            if number > MOST_FILES:
                raise Unreadable(f"the archive holds more than {MOST_FILES:,} files")
            add(tree, member)
        return tree
    except (Unreadable, MemoryError):
        raise
    except Exception as error:  # a broken archive can raise anything in its reader
        cause = printable(str(error))[:200]
        raise Unreadable(f"{DAMAGED}: {cause}" if cause else DAMAGED) from None
