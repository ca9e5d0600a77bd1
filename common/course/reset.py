"""Replaces a lab's edited files, or the one of PART=, by the original skeletons. Asks first, unless
YES=1 is set; keeps the edited files in build/kept/."""

import os
import shutil
import sys
import time

from course.places import named_part, parts_of, say_and_exit, source_of
from course.skeleton import STORE, Skeletons

KEPT = "build/kept"


def agreed(file: str) -> bool:
    if os.environ.get("YES") == "1":
        return True
    if not sys.stdin.isatty():
        why = "There is no terminal to answer on. Add YES=1 to answer yes."
        say_and_exit(2, f"make reset asks before it replaces {file}.\n{why}")
    print(f"Replace {file} by the original skeleton? Your file is kept. [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip() in ("y", "Y", "yes", "Yes")


def keep(file: str) -> None:
    """Makes a copy in build/kept/, flushed to the disk, and says where."""
    stem, suffix = os.path.splitext(file)
    base = f"{KEPT}/{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    copy, n = base + suffix, 2
    while os.path.lexists(copy):
        copy, n = f"{base}-{n}{suffix}", n + 1
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    shutil.copy2(file, f"{copy}.new")
    with open(file, "rb") as own, open(f"{copy}.new", "rb") as kept:
        os.fsync(kept.fileno())
        if own.read() != kept.read():
            raise OSError
    os.rename(f"{copy}.new", copy)
    print(f"Your {file} is kept as\n{copy}")


def put_back(file: str, text: bytes) -> None:
    new = f"{file}.skeleton"
    try:
        with open(new, "wb") as skeleton:
            skeleton.write(text)
        os.replace(new, file)
    except OSError:
        say_and_exit(2, f"{file} cannot be replaced.\nCheck the permissions of its folder.")
    finally:
        if os.path.exists(new):
            os.remove(new)


def reset(file: str, skeletons: Skeletons) -> None:
    text = skeletons.text(file)
    if not text:
        told = f"The skeleton of {file} is neither in git's history\nnor in {STORE}/;"
        say_and_exit(2, f"{told} copy the file from the place where you got the course.")
    if os.path.lexists(file):
        if not agreed(file):
            print(f"{file} is not changed.")
            return
        try:
            keep(file)
        except OSError:
            told = f"{file} cannot be copied to {KEPT}/,\nso it is not changed."
            say_and_exit(2, f"{told} Check the permissions there and the free disk space.")
    put_back(file, text)
    print(f"{file} is the skeleton again.")


def main(lab: str) -> int:
    skeletons, part = Skeletons(), os.environ.get("PART", "")
    parts = [named_part(lab, part)] if part else parts_of(lab)
    files = [source_of(lab, one.name) for one in parts]
    edited = [file for file in files if not skeletons.untouched(file)]
    if not edited:
        skeleton = "is the skeleton already" if part else "is its skeleton"
        print(f"{files[0] if part else f'Every file of {lab}'} {skeleton}; nothing is changed.")
    for file in edited:
        reset(file, skeletons)
    return 0
