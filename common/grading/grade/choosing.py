"""Chooses the files of a submission that are judged: those that a student may change, by name. All
others are ignored; a remark tells the teacher of those that could matter."""

import posixpath
import re
from dataclasses import dataclass

from .students import printable

# Folders of a whole course that hold no student's work on a lab.
NOT_LOOKED_INTO = {"solutions", "build", ".git", "__MACOSX", "node_modules"}
MOST_REMARKS = 20
MAKEFILE = re.compile(r"^(GNUm|m|M)akefile$|\.mk$")


@dataclass
class Chosen:
    """The file handed in for a part."""

    path: str = ""
    data: bytes | None = None
    refused: str = ""  # why the file is not judged


def file_of(part):
    return "answers.h" if part == "answers" else f"{part}.cu"


def choose_part(tree, lab, part, alone):
    """Returns the file of least depth. `alone`: this is the only lab, whose files may also lie at
    the top or in one folder."""
    file = file_of(part)
    looked_at = [path for path in tree.files if NOT_LOOKED_INTO.isdisjoint(path.split("/"))]
    found = [path for path in looked_at if path.split("/")[-2:] == [lab, file]]
    if not found and alone:
        top = posixpath.commonprefix([path.split("/")[:-1] for path in looked_at])
        found = [path for path in looked_at if path.split("/") == [*top, file]]
    if not found:
        return None
    least = min(path.count("/") for path in found)
    paths = sorted(path for path in found if path.count("/") == least)
    path, data = paths[0], tree.files[paths[0]]
    if any(tree.files[other] != data for other in paths):
        names = " and ".join(printable(path) for path in paths[:3])
        return Chosen(path, None, f"handed in more than once, not the same: {names}")
    if path in tree.too_large:
        return Chosen(path, None, f"it has {tree.too_large[path]:,} bytes; 1 MB is the most")
    return Chosen(path, data, "it could not be read" if data is None else "")


def choose(tree, course):
    """Returns {(lab, part): Chosen} and the remarks."""
    alone = len(course.parts) == 1
    keys = [(lab, part) for lab, parts in course.parts.items() for part in parts]
    found = {key: choose_part(tree, *key, alone) for key in keys}
    chosen = {key: one for key, one in found.items() if one}
    remarks = [*tree.remarks, *telling(tree, course, chosen)]
    more = len(remarks) - MOST_REMARKS
    if more > 0:
        remarks[MOST_REMARKS:] = [f"{more} more files were not used."]
    return chosen, remarks


def telling(tree, course, chosen):
    """Yields remarks on unused files that the student may have meant to be used."""
    used = {one.path for one in chosen.values()}
    ends = [(one.path, f"{lab}/{file_of(part)}") for (lab, part), one in chosen.items()]
    tops = {path.removesuffix(end) for path, end in ends if path.endswith(end)}
    for path in sorted(tree.files):
        folders, name = posixpath.split(path)
        looked_into = NOT_LOOKED_INTO.isdisjoint(folders.split("/"))
        if path in used or not looked_into or name.endswith((".md", ".txt")):
            continue
        within = [path.removeprefix(top) for top in tops if path.startswith(top)]
        original = next((course.original(one) for one in within if one in course.files), None)
        shown = printable(path)[:200]
        if original is not None:
            data = tree.files[path]
            changed = path in tree.too_large or (data is not None and unlike(data, original))
            if changed and not any(one.split("/")[0] in course.other_labs for one in within):
                yield f"{shown} is not the course's; the course's own was used."
        elif any(one.startswith("common/") for one in within):
            continue  # a course of another year, or the teacher's own
        elif MAKEFILE.search(name) or name.startswith("test_"):
            yield f"{shown} was not used: students do not hand in makefiles or tests."
        elif name.endswith(".cu") or (name.endswith((".h", ".cuh")) and within):
            yield f"{shown} was not used: it is no file of a lab that is graded."


def unlike(data, original):
    return normal(data) != normal(original)


def normal(data):
    """Returns the bytes without the line ends and trailing blanks that editors change."""
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return b"\n".join(line.rstrip() for line in lines).strip()
