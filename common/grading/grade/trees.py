"""Reads the files of a submission into memory; unpacks nothing to disk and follows no links.

A tree holds the bytes of files that may matter, and the names of all others.
"""

import bz2
import contextlib
import gzip
import lzma
import os
import posixpath
import stat
import tarfile
import zipfile
from dataclasses import dataclass, field

from .students import ARCHIVE, printable

MOST_BYTES = 1 << 20  # of a file
MOST_KEPT = 64 << 20  # of all files of a submission
MOST_UNPACKED = 512 << 20  # of a packed archive, all that is read from it
MOST_FILES = 20000
MOST_DEPTH = 12
SOURCES = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".mk", ".sh", ".py", ".txt", ".md")


class Unreadable(Exception):
    """Why a submission cannot be read, for its row."""


@dataclass
class Tree:
    files: dict = field(default_factory=dict)  # path: bytes, or None where they are not kept
    remarks: list = field(default_factory=list)
    too_large: dict = field(default_factory=dict)  # path: size
    kept: int = 0

    def add(self, path, size, read):
        """Keeps what read() returns, at most MOST_BYTES + 1, of a file that may matter."""
        name, data = posixpath.basename(path), None
        if name.endswith(SOURCES) or name in ("Makefile", "GNUmakefile", "makefile"):
            if size <= MOST_BYTES and self.kept + size <= MOST_KEPT:
                data = read()
                size = len(data)
            if size > MOST_BYTES:
                self.too_large[path], data = size, None
        self.files[path] = data
        self.kept += len(data or b"")

    def remark(self, sentence):
        if sentence not in self.remarks:
            self.remarks.append(sentence)


def read(path):
    """Returns the tree of a folder or an archive; raises Unreadable."""
    if not os.path.isdir(path):
        return read_archive(path)
    tree = read_folder(path)
    # Some course systems hand out a folder a student, with one archive in it.
    archives = [name for name in tree.files if ARCHIVE.search(name) and "/" not in name]
    if len(archives) == 1 and not any(name.endswith((".cu", ".h")) for name in tree.files):
        inner = read_archive(os.path.join(path, archives[0]))
        inner.remarks = tree.remarks + inner.remarks
        return inner
    return tree


@contextlib.contextmanager
def opened(path):
    """Opens a plain file; raises OSError for anything else."""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "is no plain file")
        yield file


def read_small(path):
    with opened(path) as file:
        return file.read(MOST_BYTES + 1)


def read_folder(top):
    """Reads breadth first, so that the deepest files are left out where there are too many."""
    tree, seen, level = Tree(), 0, [("", 0)]
    for prefix, depth in level:
        try:
            entries = sorted(os.scandir(os.path.join(top, prefix)), key=lambda one: one.name)
        except OSError as error:
            if not prefix:
                raise Unreadable(f"cannot be read: {error.strerror}") from None
            tree.remark(f"{printable(prefix)} cannot be read: {error.strerror}.")
            continue
        for entry in entries:
            seen += 1
            if seen > MOST_FILES:
                tree.remark(f"It holds more than {MOST_FILES:,} files; the rest was not looked at.")
                return tree
            path = posixpath.join(prefix, entry.name)
            try:
                if entry.is_symlink():
                    tree.remark(f"{printable(path)} is a link, and was not followed.")
                elif entry.is_dir(follow_symlinks=False):
                    if depth < MOST_DEPTH:
                        level.append((path, depth + 1))
                    else:
                        tree.remark(f"Folders deeper than {MOST_DEPTH} were not looked at.")
                elif not entry.is_file(follow_symlinks=False):
                    tree.remark(f"{printable(path)} is no plain file, and was not read.")
                else:
                    size = entry.stat(follow_symlinks=False).st_size
                    tree.add(path, size, lambda file=entry.path: read_small(file))
            except OSError as error:
                tree.remark(f"{printable(path)} cannot be read: {error.strerror}.")
    return tree


class Limited:
    """A stream that raises Unreadable past MOST_UNPACKED bytes."""

    def __init__(self, stream):
        self.stream, self.left = stream, MOST_UNPACKED

    def read(self, size=-1):
        data = self.stream.read(min(size if size >= 0 else self.left + 1, self.left + 1))
        self.left -= len(data)
        if self.left < 0:
            raise Unreadable(f"the archive unpacks to more than {MOST_UNPACKED >> 20} MB")
        return data


def add_member(tree, name, is_folder, is_plain, size, read):
    """Adds a member of an archive, unless its name leads out of it."""
    path = posixpath.normpath(name.replace("\\", "/"))
    if path.startswith(("/", "../")) or path == ".." or ":" in path[:2]:
        tree.remark(f"{printable(name)[:200]} leads out of the archive, and was not read.")
    elif path == "." or path.count("/") > MOST_DEPTH or is_folder:
        return
    elif not is_plain:
        tree.remark(f"{printable(path)} is a link or no plain file, and was not read.")
    else:
        tree.add(path, size, read)


def add_zipped(tree, file):
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if len(members) > MOST_FILES:
            raise Unreadable(f"the archive holds more than {MOST_FILES:,} files")
        for member in members:

            def read():
                if member.flag_bits & 1:
                    raise Unreadable("the archive asks for a password")
                with archive.open(member) as data:
                    return data.read(MOST_BYTES + 1)

            plain = stat.S_IFMT(member.external_attr >> 16) in (0, stat.S_IFREG)
            add_member(tree, member.filename, member.is_dir(), plain, member.file_size, read)


def add_tarred(tree, file, head):
    opener = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}.get(head[:2])
    stream = Limited(opener(file) if opener else file)
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for number, member in enumerate(archive, 1):
            if number > MOST_FILES:
                raise Unreadable(f"the archive holds more than {MOST_FILES:,} files")

            def read():
                return archive.extractfile(member).read(MOST_BYTES + 1)

            plain = member.isreg() and not member.issparse()
            add_member(tree, member.name, member.isdir(), plain, member.size, read)


def read_archive(path):
    tree = Tree()
    try:
        with opened(path) as file:
            head = file.read(4)
            file.seek(0)
            if not head:
                raise Unreadable("the archive is empty")
            if head[:2] == b"PK":
                add_zipped(tree, file)
            else:
                add_tarred(tree, file, head)
            return tree
    except Unreadable:
        raise
    except Exception as error:  # a broken archive can raise anything in its reader
        cause = printable(str(error))[:200] or type(error).__name__
        raise Unreadable(f"the archive cannot be read: {cause}") from None
