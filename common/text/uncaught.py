"""Turns an error that a program does not catch into a sentence: the file, the cause, what to do.
Every program of the course imports this, so none ends with a traceback; LAB_TRACEBACK=1 shows it.

usage: uncaught.py FOLDER    names what may not be written in FOLDER, to which make writes
"""

import errno
import os
import sys
from types import TracebackType

AGAIN = "give the same command again."
BUSY = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
SENTENCES = {
    errno.ENOENT: "Copy the file from the place where you got the course. If it is in build/,\n"
    + AGAIN,
    errno.ENOSPC: f"Make room on the disk (make clean removes what is built), and\n{AGAIN}",
    errno.EROFS: "Copy the course to a folder that you may write to.",
    **dict.fromkeys(BUSY, f"Close other programs, and {AGAIN}"),
}
SENTENCES[errno.EDQUOT] = SENTENCES[errno.ENOSPC]
for number in (errno.ENOTDIR, errno.EEXIST):
    SENTENCES[number] = f"Move it away, and {AGAIN}"
ELSEWHERE = "Name another place, or another file."
OF_THE_COURSE = """\
This is a mistake of the course, not of your file. Give the same command again;
if it ends like this again, show your teacher these lines."""


def shown(path: str) -> str:
    """Returns a path relative to the working folder if it is inside, else the whole path."""
    here = os.path.relpath(path)
    return os.path.abspath(path) if here.startswith("..") else here


def owner(path: str) -> str:
    import pwd

    try:
        return pwd.getpwuid(os.lstat(path).st_uid).pw_name
    except (OSError, KeyError):
        return "another user"


def permission(path: str) -> str:
    """Returns what to do if this user may not read, write or create a file."""
    while not os.path.lexists(path) or os.access(path, os.R_OK | os.W_OK):
        if path == os.path.dirname(path):
            return "Look at its permissions and its owner: ls -ld."
        path = os.path.dirname(path)
    named = shown(path)
    if named.startswith("build/"):
        named = "build"  # all of it, because other folders in it may have the same fault
    if os.lstat(path).st_uid == os.getuid():
        return f"Give yourself the right to it: chmod -R u+rwX {named}"
    part = f"Something in {named}" if named != shown(path) else named
    belongs = f"{'This folder' if named == '.' else part} belongs to {owner(path)}."
    if named == ".":
        return f"{belongs} Copy the course to a folder of your own, and work there."
    if named.startswith("/"):
        return f"{belongs} {ELSEWHERE}"
    return f"{belongs} Move it away: mv {named} {named}.old\nThen {AGAIN}"


def unwritable(folder: str) -> str:
    """Returns a sentence on the first folder in this one that may not be written, '' if there is
    none. Folders of graders do not count."""
    if not os.path.isdir(folder):
        folder = folder if os.path.lexists(folder) else os.path.dirname(os.path.abspath(folder))
        below = [folder]
    else:
        below = [at for at, _, _ in os.walk(folder) if "grading" not in at.split("/")]
    for path in below:
        if not os.path.lexists(path):  # a file of another run, which has ended
            continue
        if not os.path.isdir(path):
            return of_system(NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path))
        if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
            return of_system(PermissionError(errno.EACCES, os.strerror(errno.EACCES), path))
    return ""


def of_system(error: OSError) -> str:
    """Returns the sentence on a system error. A failed copy names its target last."""
    path = os.fsdecode(error.filename2 or error.filename or "")
    what = f"{shown(path) if path else 'The output'}: {error.strerror or error}."
    if error.errno in (errno.EACCES, errno.EPERM) and path:
        return f"{what}\n{permission(os.path.abspath(path))}"
    if path and shown(path).startswith("/") and error.errno == errno.ENOENT:
        return f"{what}\n{ELSEWHERE}"
    return f"{what}\n{SENTENCES.get(error.errno or 0, ELSEWHERE if path else OF_THE_COURSE)}"


def sentence_about(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> str:
    """Returns the text about an error."""
    if isinstance(error, OSError):
        return of_system(error)
    if isinstance(error, ImportError):
        return f"A file of the course is missing: {error}.\n{SENTENCES[errno.ENOENT]}"
    if isinstance(error, MemoryError):
        return f"The memory is full.\n{SENTENCES[errno.ENOMEM]}"
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}: " if trace else ""
    return f"{place}{kind.__name__}: {error}\n{OF_THE_COURSE}"


def end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Ends the program with status 2, or after Ctrl-C with 130."""
    if issubclass(kind, KeyboardInterrupt):
        os._exit(130)
    if os.environ.get("LAB_TRACEBACK"):
        sys.__excepthook__(kind, error, trace)
    else:
        try:
            sys.stdout.flush()
            print(sentence_about(kind, error, trace), file=sys.stderr, flush=True)
        except (OSError, ValueError):  # the disk of a redirected output is full
            pass
    os._exit(2)


sys.excepthook = end


if __name__ == "__main__":
    if sentence := unwritable(sys.argv[1]):
        sys.exit(print(sentence, file=sys.stderr) or 2)
