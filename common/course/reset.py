"""Puts skeletons back, as they ship, in the place of a lab's edited files, or of PART= alone. Asks
first, or takes YES=1; keeps what was there in build/kept/."""

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
        why = "There is no terminal to answer on; YES=1 answers."
        say_and_exit(2, f"make reset asks before it replaces {file}.\n{why}")
    print(f"Put the skeleton in the place of {file}? Yours is kept. [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip() in ("y", "Y", "yes", "Yes")


def keep(file: str) -> None:
    """Makes a copy in build/kept/, on the disk, and says where."""
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
        say_and_exit(2, f"{file} cannot be replaced.\nSee the permissions of its folder.")
    finally:
        if os.path.exists(new):
            os.remove(new)


def reset(file: str, skeletons: Skeletons) -> None:
    text = skeletons.text(file)
    if not text:
        told = f"The skeleton of {file} is neither in git's history\nnor in {STORE}/;"
        say_and_exit(2, f"{told} take the file from where you have the course from.")
    if os.path.lexists(file):
        if not agreed(file):
            print(f"{file} is left as it is.")
            return
        try:
            keep(file)
        except OSError:
            told = f"No copy of {file} can be kept in {KEPT}/, so it is\nleft as it is;"
            say_and_exit(2, f"{told} see the permissions there and whether the disk is full.")
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
