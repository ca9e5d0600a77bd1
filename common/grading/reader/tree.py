"""The files of a submission: the bytes of those that may matter, the names of all others."""

import codecs
import posixpath
import re

MOST_BYTES = 1 << 20  # of a file
MOST_KEPT = 64 << 20  # of all files of a submission
MOST_FILES = 20000
MOST_DEPTH = 12
MOST_NAME, MOST_SHOWN = 1000, 200  # letters of a path
SOURCES = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".mk", ".sh", ".py", ".txt", ".md")
ARCHIVE = re.compile(r"\.(zip|tar|tgz|tar\.(gz|bz2|xz))$", re.IGNORECASE)
MAKEFILES = ("Makefile", "GNUmakefile", "makefile")


class Unreadable(Exception):
    """Why a submission cannot be read, for its row."""


def printable(text):
    """Replaces control characters and undecodable bytes by escapes."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text
    )


def shown(path):
    """Returns a path for a sentence."""
    return printable(path[:MOST_SHOWN])


def as_utf8(data):
    """Returns the bytes of a source that was saved as UTF-16, with or without its mark, as UTF-8;
    None for any other file."""
    mark, half = data[:2], data[:200]
    coded = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}.get(mark)
    for start, kind in ((1, "utf-16-le"), (0, "utf-16-be")):
        # Plain letters have a zero byte each.
        if not coded and half[start::2] and set(half[start::2]) == {0} and any(half):
            coded = kind
    if not coded:
        return None
    try:
        return data.decode(coded).encode()
    except UnicodeDecodeError:
        return None


def normal(data):
    """Returns the bytes without the line ends and trailing blanks that editors change."""
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return b"\n".join(line.rstrip() for line in lines).strip()


def unlike(data, original):
    return normal(data) != normal(original)


class Tree:
    def __init__(self):
        self.files = {}  # path: bytes, or None if they are not kept
        self.too_large = {}  # path: size
        self.recoded = set()  # paths of files that were saved as UTF-16
        self.twice = set()  # paths that came more than once, with different contents
        self.remarks = {}  # sentences, as keys: a list would be searched for each
        self.kept = 0

    def add(self, path, size, read):
        """Keeps what read() returns, at most MOST_BYTES + 1, of a file that may matter."""
        name, data = posixpath.basename(path), None
        if len(path) > MOST_NAME:
            self.remark(f"{shown(path)}... has a name of {len(path):,} letters.")
            return
        if name.endswith(SOURCES) or name in MAKEFILES:
            if size <= MOST_BYTES and self.kept + size <= MOST_KEPT:
                data = read()
                size = len(data)
                plain = as_utf8(data)
                if plain is not None and size <= MOST_BYTES:
                    self.recoded.add(path)
                    data = plain
            if size > MOST_BYTES:
                self.too_large[path], data = size, None
            self.kept += len(data or b"")
        if path in self.files and self.files[path] != data:
            self.twice.add(path)
        self.files[path] = data

    def remark(self, sentence):
        self.remarks[sentence] = True
