"""Chooses the files of a submission that are judged: those that a student may change, by name. All
others are ignored; a remark tells the teacher of those that could matter."""

import os
import posixpath
import re
from typing import NamedTuple

from .tree import shown, unlike

# Folders of a whole course that hold no student's work on a lab.
NOT_LOOKED_INTO = {"solutions", "build", ".git", "__MACOSX", "node_modules"}
MOST_REMARKS = 20
MAKEFILE = re.compile(r"^(GNUm|m|M)akefile$|\.mk$")


class Chosen(NamedTuple):
    """The file handed in for a part."""

    path: str
    data: object  # None if it is refused
    refused: str = ""  # why the file is not judged
    others: tuple | list = ()  # paths of the same file


class Course:
    """What the course says of the files that are looked for."""

    def __init__(self, root, parts, names, other_labs):
        self.root, self.names, self.other_labs = root, frozenset(names), frozenset(other_labs)
        self.parts = [tuple(one) for one in parts]  # lab, part, file
        self.alone = len({lab for lab, _, _ in self.parts}) == 1

    def original(self, name):
        with open(os.path.join(self.root, name), "rb") as file:
            return file.read()

    def first(self):
        """Returns the names that are looked at before all others."""
        return {name for lab, _, file in self.parts for name in (lab, file)}


def chosen_of(tree, lab, file, course):
    """Returns the file of least depth. The files of a lab that is graded alone may also lie at the top
    or in one folder, which is no other lab's."""
    looked_at = [path for path in tree.files if NOT_LOOKED_INTO.isdisjoint(path.split("/"))]
    found = [path for path in looked_at if path.split("/")[-2:] == [lab, file]]
    if not found and course.alone:
        top = posixpath.commonprefix([path.split("/")[:-1] for path in looked_at])
        if course.other_labs.isdisjoint(top):
            found = [path for path in looked_at if path.split("/") == [*top, file]]
    if not found:
        return None
    least = min(path.count("/") for path in found)
    paths = sorted(path for path in found if path.count("/") == least)
    path, data = paths[0], tree.files[paths[0]]
    if any(other in tree.twice or tree.files[other] != data for other in paths):
        names = " and ".join(shown(path) for path in (paths * 2)[: max(2, len(paths[:3]))])
        why = f"handed in more than once, not the same: {names}. Hand in one of them."
        return Chosen(path, None, why, paths)
    if path in tree.too_large:
        return Chosen(path, None, f"it has {tree.too_large[path]:,} bytes; 1 MB is the most")
    return Chosen(path, data, "it could not be read" if data is None else "", paths)


def choose(tree, course):
    """Returns {(lab, part): Chosen} and the remarks."""
    found = {(lab, part): chosen_of(tree, lab, file, course) for lab, part, file in course.parts}
    chosen = {key: one for key, one in found.items() if one}
    remarks = [*tree.remarks, *telling(tree, course, chosen)]
    more = len(remarks) - MOST_REMARKS
    if more > 0:
        remarks[MOST_REMARKS:] = [f"{more} more files were not used."]
    return chosen, remarks


def telling(tree, course, chosen):
    """Yields remarks on unused files that the student may have meant to be used."""
    used = {path for one in chosen.values() for path in (one.path, *one.others)}
    ends = [
        (chosen[lab, part].path, f"{lab}/{file}")
        for lab, part, file in course.parts
        if (lab, part) in chosen
    ]
    tops = {path[: -len(end)] for path, end in ends if path.endswith(end)}
    for path in sorted(tree.files):
        folders, name = posixpath.split(path)
        looked_into = NOT_LOOKED_INTO.isdisjoint(folders.split("/"))
        # A Mac adds a file ._NAME for each to an archive.
        if path in used or not looked_into or name.endswith((".md", ".txt")) or name[:2] == "._":
            continue
        within = [path[len(top) :] for top in tops if path.startswith(top)]
        original = next((course.original(one) for one in within if one in course.names), None)
        name_shown = shown(path)
        if original is not None:
            data = tree.files[path]
            changed = path in tree.too_large or (data is not None and unlike(data, original))
            if changed and not any(one.split("/")[0] in course.other_labs for one in within):
                yield f"{name_shown} is not the course's; the course's own was used."
        elif any(one.startswith("common/") for one in within):
            continue  # a course of another year, or the teacher's own
        elif MAKEFILE.search(name) or name.startswith("test_"):
            yield f"{name_shown} was not used: students do not hand in makefiles or tests."
        elif name.endswith(".cu") or (name.endswith((".h", ".cuh")) and within):
            yield f"{name_shown} was not used: it is no file of a lab that is graded."
