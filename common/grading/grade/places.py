"""Finds folders that submissions may enter and make can name.

If the grader is root without bubblewrap, a submission runs as another user, who may not enter
root's folders such as /root. And make ends a path at a blank.
"""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import stat
import tempfile

from release.contents import Refused

SPARE = 256 << 20  # bytes that a worker may need


def locked(file) -> bool:
    """Takes the lock of an open file; returns False if another process holds it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def fits(path: str, size: int = 0) -> bool:
    """Returns whether submissions may enter `path`, make can name it, and `size` bytes are free."""
    if any(letter.isspace() or letter in "#$%:;\\'\"" for letter in path):
        return False
    with contextlib.suppress(OSError):
        ways = [pathlib.Path(path), *pathlib.Path(path).parents]
        if os.geteuid() != 0 or all(way.stat().st_mode & stat.S_IXOTH for way in ways):
            return os.access(path, os.W_OK | os.X_OK) and shutil.disk_usage(path).free >= size
    return False


def own_folder(above: str, name: str) -> str:
    """Makes a folder in a place where other users may write; uses an existing one of this user."""
    path = os.path.join(above, name)
    try:
        os.mkdir(path)
    except FileExistsError:
        there = os.lstat(path)
        if stat.S_ISDIR(there.st_mode) and there.st_uid == os.geteuid():
            return path
        path = tempfile.mkdtemp(prefix=f"{name}-", dir=above)
    os.chmod(path, 0o755)
    return path


def for_course(root: str) -> str:
    """Returns the folder for copies of the course: build/grading, or one outside that fits, with
    build/grading as a link to it."""
    inside = os.path.join(root, "build", "grading")
    if os.path.islink(inside):
        if fits(os.path.realpath(inside)):
            return os.path.realpath(inside)
        os.remove(inside)
    if fits(root):
        os.makedirs(inside, exist_ok=True)
        # A umask may have closed build/ and build/grading to other users.
        for path in (os.path.dirname(inside), inside):
            os.chmod(path, stat.S_IMODE(os.stat(path).st_mode) | 0o111)
        return inside
    name = f"course-{hashlib.sha256(root.encode()).hexdigest()[:12]}"
    for above in ("/var/tmp", tempfile.gettempdir(), "/tmp", "/var/cache"):
        if fits(above):
            outside = own_folder(above, name)
            os.makedirs(os.path.dirname(inside), exist_ok=True)
            if os.path.isdir(inside):
                shutil.rmtree(inside)
            os.symlink(outside, inside)
            return outside
    raise Refused(
        f"make grade: submissions cannot be built in {root}:\n"
        "make takes a blank or one of #$%:; in its path for something else, or the users as whom\n"
        "submissions run may not enter it; and no folder for temporary files has room.\n"
        "Move the course, or set TMPDIR to a folder that all may enter."
    )


def for_workers(course: str, workers: int) -> str:
    """Returns the place of workers' folders: with the temporary files if they fit, or `course`."""
    usual = tempfile.gettempdir()
    return usual if fits(usual, workers * SPARE) else course
