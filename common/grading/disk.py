"""Names the file and the remedy if a disk is full, or a quota used up."""

import contextlib
import errno
import os
import shutil

FULL = (errno.ENOSPC, errno.EDQUOT)
ROOM = 64 << 20  # bytes that a build needs


@contextlib.contextmanager
def naming(path):
    """Adds the file to an error of writing: Python names it only if opening fails."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or os.fspath(path)
        raise


def need_room(folder) -> None:
    """Raises OSError if the disk is too full for a build, which is not the student's mistake."""
    if shutil.disk_usage(folder).free < ROOM:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), os.fspath(folder))


def cause_of(error, folder):
    """Returns the error of a full disk that another one comes from, working in this folder; None
    where it has another cause."""
    try:
        need_room(folder)
    except OSError as full:
        return full
    return error if isinstance(error, OSError) and error.errno in FULL else None


def said(error: OSError, consequence: str = "") -> str:
    """Returns a sentence on an error of the system. A copy that fails names its target last."""
    where = error.filename2 or error.filename or "The output"
    if error.errno not in FULL:
        return f"{where}: {error.strerror}{consequence}."
    what = "the disk is full" if error.errno == errno.ENOSPC else "the quota is used up"
    return f"{where}:\n{what}{consequence}. Make room there, and give the same\ncommand again."
