"""Checks that a file includes the standard headers that it uses where some compilers bring them along
unasked and others do not."""

import functools
import pathlib
import re

import course_copy

ROOT = course_copy.ROOT
CODE = (".h", ".cuh", ".cpp", ".cu")
FOLDERS = (ROOT, ROOT / "common", ROOT / "common/simulator/include")  # of -I, in their order
FIXED_WIDTH = re.compile(r"\bstd::u?int(_\w+)?(8|16|32|64|ptr|max)_t\b")


@functools.cache
def own_includes(file: pathlib.Path) -> list[pathlib.Path]:
    """Returns the files of the course that a file includes."""
    names = re.findall(r'(?m)^\s*#\s*include ["<]([^">]+)[">]', file.read_text(encoding="utf-8"))
    found = []
    for name in names:
        places = (folder / name for folder in (file.parent, *FOLDERS))
        found += [place for place in places if place.is_file()][:1]
    return found


def reached(file: pathlib.Path) -> set[pathlib.Path]:
    """Returns a file and all of the course that it includes, directly or not."""
    found, left = {file}, [file]
    while left:
        new = set(own_includes(left.pop())) - found
        found |= new
        left += new
    return found


def test_a_file_that_names_an_integer_of_a_fixed_width_includes_cstdint() -> None:
    """From g++ 13 on <string> and others bring it no more."""
    files = [ROOT / name for name in course_copy.files() if name.endswith(CODE)]
    users = [file for file in files if FIXED_WIDTH.search(file.read_text(encoding="utf-8"))]
    assert users
    lacking = [
        str(file.relative_to(ROOT))
        for file in users
        if not any("#include <cstdint>" in one.read_text(encoding="utf-8") for one in reached(file))
    ]
    assert lacking == []
