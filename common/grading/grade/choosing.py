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


def common_folder(paths):
    """Returns the path of the folder that holds all files, as in an archive of one folder; or
    ""."""
    if not paths:
        return ""
    split = [path.split("/")[:-1] for path in paths]
    common = []
    for names in zip(*split):
        if len(set(names)) > 1:
            break
        common.append(names[0])
    return "".join(f"{name}/" for name in common)


def candidates(tree, lab, file, alone):
    """Returns the paths that may be the file, only those of least depth. `alone`: this is the only
    lab."""
    paths = [path for path in tree.files if not NOT_LOOKED_INTO.intersection(path.split("/"))]
    found = [path for path in paths if path.split("/")[-2:] == [lab, file]]
    if not found and alone:
        top = common_folder(paths)
        found = [path for path in paths if path == top + file]
    least = min((path.count("/") for path in found), default=0)
    return sorted(path for path in found if path.count("/") == least)


def choose_part(tree, lab, part, alone):
    paths = candidates(tree, lab, file_of(part), alone)
    if not paths:
        return None
    contents = {tree.files[path] for path in paths}
    if len(contents) > 1:
        names = " and ".join(printable(path) for path in paths[:3])
        return Chosen(paths[0], None, f"handed in more than once, not the same: {names}")
    path, data = paths[0], tree.files[paths[0]]
    if path in tree.too_large:
        return Chosen(path, None, f"it has {tree.too_large[path]:,} bytes; 1 MB is the most")
    if data is None:
        return Chosen(path, None, "it could not be read")
    return Chosen(path, data)


def choose(tree, course):
    """Returns {(lab, part): Chosen} and the remarks."""
    chosen, alone = {}, len(course.parts) == 1
    for lab, parts in course.parts.items():
        for part in parts:
            one = choose_part(tree, lab, part, alone)
            if one:
                chosen[lab, part] = one
    remarks = list(tree.remarks) + list(telling(tree, course, chosen))
    if len(remarks) > MOST_REMARKS:
        more = len(remarks) - MOST_REMARKS
        remarks = remarks[:MOST_REMARKS] + [f"{more} more files were not used."]
    return chosen, remarks


def telling(tree, course, chosen):
    """Yields remarks on unused files that the student may have meant to be used."""
    used = {one.path for one in chosen.values()}
    tops = {
        path[: -len(f"{lab}/{file_of(part)}")]
        for (lab, part), one in chosen.items()
        for path in [one.path]
        if path.endswith(f"{lab}/{file_of(part)}")
    }
    for path in sorted(tree.files):
        folders, name = posixpath.split(path)
        if path in used:
            continue
        if NOT_LOOKED_INTO.intersection(folders.split("/")) or name.endswith((".md", ".txt")):
            continue
        within = [path[len(top) :] for top in tops if path.startswith(top)]
        original = next((course.original(one) for one in within if course.has(one)), None)
        shown = printable(path)[:200]
        if original is not None:
            data = tree.files[path]
            if path in tree.too_large or (data is not None and unlike(data, original)):
                in_lab = any(one.split("/")[0] in course.other_labs for one in within)
                if not in_lab:
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
    """Returns the bytes without differences that editors make: line ends, blanks at the end of
    lines."""
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return b"\n".join(line.rstrip() for line in lines).strip()
