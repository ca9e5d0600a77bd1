"""Advises a student whose files were not found, from the names of what was handed in."""

import posixpath
import re

MOST_ADVICE, MOST_SHOWN = 8, 5
LONGEST = 100  # letters of a name that can be a slip
CODE = re.compile(r"(\.(cu|cuh|cpp|cxx|cc|c|h|hpp|txt|bak|orig|doc|docx|rtf|pdf))+$")
DECORATION = re.compile(r"^(copy|kopie) (of|von) |[ _.-]*(\(\d+\)|copy|kopie|final|new|v?\d+)$")
NOT_READ = re.compile(r"\.(rar|7z|tar\.zst|zipx)$", re.IGNORECASE)
PACK_AGAIN = "Pack the lab's files as .zip or .tar.gz, and open the archive once yourself."


def stem_of(name):
    """Returns a name without suffixes and without what systems and people add to it."""
    stem, before = CODE.sub("", name.lower()), None
    while stem != before:
        stem, before = DECORATION.sub("", stem), stem
    return stem


def one_letter_off(one, other):
    """Returns whether a letter was left out, added, changed or exchanged with its neighbour."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < 4:
        return False
    at = len(posixpath.commonprefix([one, other]))
    a, b = one[at:], other[at:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[1::-1] + a[2:]) == b


def owners(path, file, missing, labs):
    """Returns the labs for which a path can hold the file: one that its folders name, or all."""
    folders = set(path.split("/")[:-1])
    lacking = [lab for lab, name in missing if name == file]
    named = [lab for lab in lacking if {lab, lab.split("_")[0]} & folders]
    return named or ([] if folders & set(labs) else lacking)


def of_name(path, missing, labs):
    """Returns a sentence about a file that was not used; empty if it looks like none of them."""
    name = posixpath.basename(path)
    if len(name) > LONGEST or not CODE.search(name.lower()):
        return ""
    stem = stem_of(name)
    for wanted in dict.fromkeys(file for _, file in missing):
        meant = stem_of(wanted)
        if stem != meant and not one_letter_off(stem, meant):
            continue
        places = " or ".join(f"{lab}/{wanted}" for lab in owners(path, wanted, missing, labs))
        if places:
            what = "is in another place" if name == wanted else "has another name"
            return f"{path} {what} than the grader looks for: hand it in as {places}."
    return ""


def advice(names, wanted, found, labs, archives=()):
    """Returns sentences for the student. `names`: all paths handed in; `wanted`: (lab, file) of
    each part; `found`: those of them that were found; `labs`: all labs of the course."""
    missing = [one for one in wanted if one not in found]
    told = [
        f"{path} is an archive in your submission, and is not unpacked: hand in the files in it."
        for path in (archives if missing else ())
    ]
    for path in names if missing else ():
        folders = path.split("/")
        if "__MACOSX" not in folders and ".git" not in folders and folders[-1][:2] != "._":
            told += filter(None, [of_name(path, missing, labs)])
        if len(told) > MOST_ADVICE:
            break
    if not found and len(told) == len(archives):
        told.append(nothing(names, wanted))
    return told[:MOST_ADVICE]


def nothing(names, wanted):
    places = ", ".join(f"{lab}/{file}" for lab, file in wanted)
    if not names:
        return f"Your submission holds no file; wanted are: {places}."
    shown, more = ", ".join(names[:MOST_SHOWN]), len(names) - MOST_SHOWN
    shown += f" and {more} more" if more > 0 else ""
    return f"None of the files was found; wanted are: {places}. Handed in were: {shown}."


def not_a_submission(name, problem):
    """Returns what to do about an entry of SUBMISSIONS that is neither folder nor archive."""
    if NOT_READ.search(name):
        kind = NOT_READ.search(name)[1].lower()
        return [f"Archives of the kind .{kind} are not read. {PACK_AGAIN}"]
    return [f"Your submission {problem}.", PACK_AGAIN]
