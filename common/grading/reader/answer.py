"""Answers what a submission holds: the chosen files, remarks for the teacher, advice for the
student."""

import os

from . import archives, folders, parts, slips, telling_code
from .tree import ARCHIVE, Unreadable, shown, unlike

MOST_REMARKS_TOLD = 3  # to the student


def tree_of(path, first, files=()):
    """Returns the tree of a folder, an archive or loose files; raises Unreadable."""
    try:
        if files:
            return folders.loose(files)
        if not os.path.isdir(path) or os.path.islink(path):
            with folders.opened(path) as file:
                return archives.read(file)
        top = os.open(path, folders.FOLDER)
        tree = folders.Reading(top, first).all()
        # Some course systems hand out a folder a student, with one archive in it.
        inside = [name for name in tree.files if ARCHIVE.search(name) and "/" not in name]
        if len(inside) == 1 and not any(name.endswith((".cu", ".h")) for name in tree.files):
            with folders.opened(inside[0], top) as file:
                inner = archives.read(file)
            inner.remarks = {**tree.remarks, **inner.remarks}
            return inner
        return tree
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None


def file_of(lab, part, one, course, file):
    """Returns what the answer says of a chosen file, without its bytes."""
    unchanged, told = False, []
    if one.data is not None:
        skeleton = course.original(f"{lab}/{file}")
        unchanged = not unlike(one.data, skeleton)
        told = [] if unchanged else telling_code.look(f"{lab}/{file}", one.data, skeleton)
    size = None if one.data is None else len(one.data)
    return {
        "lab": lab,
        "part": part,
        "path": shown(one.path),
        "refused": one.refused,
        "unchanged": unchanged,
        "told": told,
        "size": size,
    }


def answer_to(path, course, memory, files=()):
    """Returns the answer, and the bytes of each chosen file that it has a size for."""
    try:
        tree = tree_of(path, course.first(), files)
    except (Unreadable, MemoryError) as reason:
        why = str(reason) or f"it needs more than {memory >> 20} MB to be read"
        return {"problem": why, "remarks": [], "advice": [], "files": []}, []
    chosen, remarks = parts.choose(tree, course)
    wanted = [(lab, file) for lab, _, file in course.parts]
    found = {(lab, file) for lab, part, file in course.parts if (lab, part) in chosen}
    used = {one.path for one in chosen.values()}
    names = [shown(path) for path in sorted(tree.files) if path not in used]
    packed = [name for name in names if ARCHIVE.search(name) or slips.NOT_READ.search(name)]
    labs = {*course.other_labs, *(lab for lab, _ in wanted)}
    advice = slips.advice(names, wanted, found, labs, packed)
    if len(found) < len(wanted):
        advice = [*list(tree.remarks)[:MOST_REMARKS_TOLD], *advice]
    advice += [
        f"{shown(path)} is saved as UTF-16, and was read all the same. Save it as UTF-8: compilers"
        " cannot read it."
        for path in sorted(used & tree.recoded)
    ]
    files = [
        file_of(lab, part, chosen[lab, part], course, file)
        for lab, part, file in course.parts
        if (lab, part) in chosen
    ]
    data = [one.data for one in chosen.values() if one.data is not None]
    return {"problem": "", "remarks": remarks, "advice": advice, "files": files}, data
