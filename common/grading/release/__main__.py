"""Writes the course as students get it.

usage: OUT=folder [LABS="lab1 lab2"] python3 -m release
"""

import os
import pathlib
import shutil
import signal
import sys
import tempfile

from . import contents, documents, leftovers
from .contents import ROOT, Refused, skeleton

MOST_SHOWN = 5


def target():
    """Returns the folder to make; raises Refused where OUT cannot be used."""
    given = os.environ.get("OUT", "")
    if not given:
        raise Refused('make release OUT=folder [LABS="lab1 lab2"]: OUT is missing.')
    out = pathlib.Path(os.path.abspath(given))
    real = out.resolve()
    if (real == ROOT or ROOT in real.parents) and ROOT / "build" not in real.parents:
        raise Refused(f"OUT={given}: lies in the course; take a folder outside, or in build/.")
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise Refused(f"OUT={given}: is there, and is no folder; take another name.")
    if out.is_dir() and any(out.iterdir()):
        raise Refused(f"OUT={given}: is not empty; remove it first, or take another name.")
    return out


def beginning_with(lab, readme):
    """Returns the root's README with this lab in its examples."""
    course, released = ((one, contents.first_part(one)) for one in (contents.labs()[0], lab))
    return documents.beginning_with(readme, course, released)


def copy(names, folder, chosen):
    everything = set(names)
    for name in names:
        everything.update(parent.as_posix() for parent in pathlib.PurePath(name).parents)

    # Some first cells of tables look like a path but are none.
    def left_out(path):
        return path not in everything and (ROOT / path).exists()

    for name in names:
        to = folder / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to)
        if documents.is_document(name):
            text = to.read_text(encoding="utf-8")
            examples = beginning_with(chosen[0], text) if name == "README.md" else text
            fitted = documents.fitted(examples, left_out)
            if fitted != text:
                to.write_text(fitted, encoding="utf-8")


def keep_skeletons(names, folder):
    """Copies each skeleton a second time for `make reset`, because a release has no git history."""
    own = set(skeleton.exercises(str(ROOT))).intersection(names)
    skeleton.keep(str(ROOT), str(folder), sorted(own))


def open_to_others(folder):
    """Lets other users read the release, whatever the umask of the teacher's clone was."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def check(folder, names, labs_left_out):
    left = list(leftovers.leftovers(folder, names))
    if left:
        raise Refused(
            "Something of a solution is left, so nothing was released:\n  "
            + "\n  ".join(left)
            + "\nChange these files, or leave them out in common/grading/release/contents.py."
        )
    untrue = [
        sentence
        for name in names
        if documents.is_document(name)
        for sentence in documents.untrue(folder, name, labs_left_out)
    ]
    if untrue:
        raise Refused(
            "A README would not be true for the students, so nothing was released:\n  "
            + "\n  ".join(untrue)
            + "\nPut what is for teachers between <!-- with solutions:begin --> and\n"
            "<!-- with solutions:end -->; what needs a lab, between the same with its name."
        )


def release(out, chosen):
    names = contents.released(chosen)
    left_out = [lab for lab in contents.labs() if lab not in chosen]
    out.parent.mkdir(parents=True, exist_ok=True)
    new = pathlib.Path(tempfile.mkdtemp(prefix=f".{out.name}.new-", dir=out.parent))
    try:
        copy(names, new, chosen)
        keep_skeletons(names, new)
        check(new, names, left_out)
        open_to_others(new)
        os.rename(new, out)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    print(f"{out}: {len(names)} files; nothing of a solution found.")
    print(f"Labs: {', '.join(chosen)}.")
    if left_out:
        print(f"Left out: {', '.join(left_out)}.")
    unknown = contents.untracked(chosen)
    if unknown:
        print("Git does not know these, so that they are not in it; git add them:")
        more = len(unknown) - MOST_SHOWN
        shown = unknown[:MOST_SHOWN] + ([f"and {more} more"] if more > 0 else [])
        print(*(f"  {name}" for name in shown), sep="\n")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        release(target(), contents.chosen_labs(os.environ.get("LABS", "").split()))
    except Refused as reason:
        print(reason, file=sys.stderr)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}; nothing was released.", file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped; nothing was released.", file=sys.stderr)
    else:
        return
    sys.exit(2)


if __name__ == "__main__":
    main()
