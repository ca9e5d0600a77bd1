"""Confines a process to folders by Landlock, a part of Linux since 5.13 that asks for no rights.

A confined process, and all that it starts, may open nothing but what a rule names. Newer kernels
also keep it from connecting by TCP and from sending signals to others. That a path is there can
still be seen.
"""

import ctypes
import os
import struct

CREATE, ADD_RULE, RESTRICT = 444, 445, 446  # system calls, on all machines the same
VERSION, PATH_BENEATH, NO_NEW_PRIVS = 1, 1, 38
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
# The rights that a file can have; all others are a folder's.
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READ = EXECUTE | READ_FILE | READ_DIR
# The rights on files that a kernel knows, by the version of its interface.
KNOWN = {1: 13, 2: 14, 3: 15, 4: 15}
TCP, SCOPES = 3, 3  # bind and connect; abstract sockets and signals
libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "Landlock: " + os.strerror(ctypes.get_errno()))
    return result


def version():
    """Returns the version of the kernel's interface; 0 if there is none."""
    try:
        return call(CREATE, None, ctypes.c_size_t(0), VERSION)
    except OSError:
        return 0


def around(path, hidden):
    """Yields (path, rights) that let all of a folder be read but what is hidden in it."""
    if path in hidden:
        return
    if not any(one.startswith(path + os.sep) for one in hidden):
        yield path, READ
        return
    yield path, READ_DIR
    for name in sorted(os.listdir(path)):
        yield from around(os.path.join(path, name), hidden)


def rules(readable, writable, hidden):
    """Returns the rules for files and folders that may be read, and for those that may be written
    as well; nothing that is hidden can be opened."""
    kept = set(hidden)
    found = [rule for path in readable for rule in around(path, kept)]
    return found + [(path, -1) for path in writable]


def restrict(allowed):
    """Confines this process to (path, rights); a right of -1 stands for all. Leaves out what is not
    there."""
    kernel = version()
    on_files = (1 << KNOWN.get(kernel, 16)) - 1
    size = 8 if kernel < 4 else 16 if kernel < 6 else 24
    asked = struct.pack("=QQQ", on_files, TCP, SCOPES)[:size]
    ruleset = call(CREATE, asked, ctypes.c_size_t(size), 0)
    try:
        for path, rights in allowed:
            add(ruleset, path, rights & on_files)
        if libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "no_new_privs")
        call(RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def add(ruleset, path, rights):
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= OF_FILES
        call(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)
