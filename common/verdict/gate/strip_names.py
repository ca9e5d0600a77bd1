#!/usr/bin/env python3
"""Takes all names out of a recording program but those of the student's code and of what belongs
to it: findings name kernels, shared arrays and lines of theirs, and nothing else is to be found.

    strip_names.py PROGRAM REST OBJECT...    REST is the program without the student's code
"""

import pathlib
import subprocess
import sys

from student_object import output_of

UNDEFINED = set("Uw")
OF_THE_REST = set("TDBRACWVu")


def names(*files):
    """Yields name and type of each symbol of these files."""
    for line in output_of("nm", "--format=posix", *files).splitlines():
        words = line.split()
        if len(words) >= 2 and len(words[1]) == 1 and words[1].isalpha():
            yield words[0], words[1]


def main():
    program, rest, *objects = sys.argv[1:]
    # The tests' names for the student's functions are undefined in the rest.
    own = {name for name, kind in names(*objects) if kind not in UNDEFINED}
    own -= {name for name, kind in names(rest) if kind in OF_THE_REST}
    stripped = {name for name, _ in names(program)} - own - {"cusimDynamicShared"}
    # Beside the program: a build that is confined may write nowhere else.
    listed = pathlib.Path(f"{program}.names")
    listed.write_text("".join(f"{name}\n" for name in sorted(stripped)))
    subprocess.run(["objcopy", f"--strip-symbols={listed}", program], check=True)
    listed.unlink()


if __name__ == "__main__":
    main()
