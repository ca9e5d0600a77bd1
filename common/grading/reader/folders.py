"""Reads a folder. Each file and folder is opened below the one above it, and no link is followed,
even if one takes a folder's place while it is read."""

import contextlib
import functools
import itertools
import os
import posixpath
import stat

from .tree import MOST_BYTES, MOST_DEPTH, MOST_FILES, Tree, Unreadable, shown

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe must not stop it
MOST_LISTED = 200_000  # names in a folder
TOO_MANY = (
    f"It holds more than {MOST_FILES:,} files; the rest was not looked at. Hand in the lab's files"
    " alone."
)


@contextlib.contextmanager
def folder_below(top, path):
    """Yields a descriptor of the folder that lies there, opened name by name."""
    here = os.dup(top)
    try:
        for name in filter(None, path.split("/")):
            inner = os.open(name, FOLDER, dir_fd=here)
            os.close(here)
            here = inner
        yield here
    finally:
        os.close(here)


@contextlib.contextmanager
def opened(name, folder=None):
    """Opens a plain file; raises OSError for anything else."""
    with open(os.open(name, FILE, dir_fd=folder), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "is no plain file")
        yield file


def listed(folder, first):
    """Returns the entries by name, those of a name in `first` before all others."""
    with os.scandir(folder) as found:
        entries = list(itertools.islice(found, MOST_LISTED))
    return sorted(entries, key=lambda one: (one.name not in first, one.name))


class Reading:
    """Reads breadth first, so that the deepest files are left out if there are too many. Reads a
    folder with a name in `first` before all that lies beside it."""

    def __init__(self, top, first):
        self.top, self.first = top, first
        self.tree, self.left, self.level = Tree(), MOST_FILES, [("", 0)]

    def all(self):
        for path, depth in self.level:
            self.folder(path, depth)
        if self.left < 0:
            self.tree.remark(TOO_MANY)
        return self.tree

    def folder(self, path, depth):
        try:
            with folder_below(self.top, path) as folder:
                for entry in listed(folder, self.first) if self.left >= 0 else ():
                    self.left -= 1
                    if self.left < 0:
                        return
                    self.one(folder, entry, posixpath.join(path, entry.name), depth)
        except OSError as error:
            if not path:
                raise Unreadable(f"cannot be read: {error.strerror}") from None
            self.tree.remark(f"{shown(path)} cannot be read: {error.strerror}.")

    def one(self, folder, entry, path, depth):
        tree = self.tree

        def read():
            with opened(entry.name, folder) as file:
                return file.read(MOST_BYTES + 1)

        try:
            if entry.is_symlink():
                tree.remark(f"{shown(path)} is a link, and was not followed.")
            elif entry.is_dir(follow_symlinks=False):
                if depth < MOST_DEPTH and entry.name in self.first:
                    self.folder(path, depth + 1)
                elif depth < MOST_DEPTH:
                    self.level.append((path, depth + 1))
                else:
                    tree.remark(f"Folders deeper than {MOST_DEPTH} were not looked at.")
            elif not entry.is_file(follow_symlinks=False):
                tree.remark(f"{shown(path)} is no plain file, and was not read.")
            else:
                tree.add(path, entry.stat(follow_symlinks=False).st_size, read)
        except OSError as error:
            tree.remark(f"{shown(path)} cannot be read: {error.strerror}.")


def loose(files):
    """Returns the tree of files that lie anywhere; each has the name that it had, and its path."""
    tree = Tree()
    for name, path in files:
        with opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            tree.add(name, size, functools.partial(file.read, MOST_BYTES + 1))
    return tree
