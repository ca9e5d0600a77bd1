"""Runs one of the student's commands, in the course's root, from any folder.

usage: student.py COMMAND [WORD...]   COMMAND: a module of this folder that has a main(); the word .
                                      is replaced by the folder of the call, from the root
"""

import importlib
import os
import signal
import sys


def main(command: str, *words: str) -> int:
    # Instead of this folder, so that each module has one name, course.NAME.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root, here = os.path.dirname(sys.path[0]), os.getcwd()
    words = tuple(os.path.relpath(here, root) if word == "." else word for word in words)
    os.chdir(root)
    if sys.platform != "linux":
        os.execv("common/setup/linux.sh", ["linux.sh"])
    sys.pycache_prefix = os.path.abspath("build/pycache")
    sys.dont_write_bytecode = not os.path.isdir("build")  # a command without a test makes no folder
    importlib.import_module("text.uncaught")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(  # type: ignore
            encoding="utf-8", errors="surrogateescape", line_buffering=True
        )
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        return importlib.import_module(f"course.{command}").main(*words)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
