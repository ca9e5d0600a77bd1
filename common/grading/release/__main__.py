"""Writes the course as students get it."""

import pathlib
import shutil
from itertools import chain

import goals

from . import contents, documents, leftovers
from .contents import ROOT, Refused, skeleton, version

MOST_SHOWN = 5
# What assistants are asked to do, under the names that they look for.
RULES = (ROOT / "solutions/assistants/for_students.md").read_text(encoding="utf-8")
FOR_ASSISTANTS = {"AGENTS.md": RULES, "CLAUDE.md": "@AGENTS.md\n", "GEMINI.md": "@AGENTS.md\n"}


def copy(names, folder, chosen):
    course, released = ((lab, contents.first_part(lab)) for lab in (contents.labs()[0], chosen[0]))
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
        if name.endswith(".md"):
            text = to.read_text(encoding="utf-8")
            if name in documents.EXAMPLES:
                text = documents.beginning_with(text, course, released)
            to.write_text(documents.fitted(text, left_out), encoding="utf-8")
    for name, text in FOR_ASSISTANTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / version.FILE).write_text(f"{version.of(str(ROOT))}\n", encoding="utf-8")
    # A second time for `make reset`, because a release has no git history.
    own = set(skeleton.exercises(str(ROOT))).intersection(names)
    skeleton.keep(str(ROOT), str(folder), sorted(own))


def check(folder, names, labs_left_out):
    def refuse(what, sentences, advice):
        if sentences:
            listed = "\n  ".join([f"{what}, so nothing was released:", *sentences])
            raise Refused(f"{listed}\n{advice}")

    advice = "Change these files, or leave them out in common/grading/release/contents.py."
    left = list(leftovers.leftovers(folder, names))
    refuse("Something of a solution is left", left, advice)
    advice = (
        "Put what is for teachers between <!-- with solutions:begin --> and\n"
        "<!-- with solutions:end -->; what needs a lab, between the same with its name."
    )
    pages = [name for name in [*names, *FOR_ASSISTANTS] if name[-3:] == ".md"]
    texts = [documents.untrue(folder, name, labs_left_out) for name in pages]
    refuse("A README would not be true for the students", list(chain(*texts)), advice)


def release(out, chosen):
    names = contents.released(chosen)
    left_out = [lab for lab in contents.labs() if lab not in chosen]
    out.parent.mkdir(parents=True, exist_ok=True)
    with goals.new_folder(out) as new:
        copy(names, new, chosen)
        check(new, names, left_out)
        # Other users may read the release, whatever the umask of the teacher's clone was.
        for path in (new, *new.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    print(f"{out}: {len(names)} files; nothing of a solution found.")
    print(f"Version {version.of(str(ROOT))}; labs: {', '.join(chosen)}.")
    if left_out:
        print(f"Left out: {', '.join(left_out)}.")
    unknown = contents.untracked(chosen)
    if unknown:
        print("Git does not know these, so that they are not in it; git add them:")
        more = len(unknown) - MOST_SHOWN
        shown = unknown[:MOST_SHOWN] + ([f"and {more} more"] if more > 0 else [])
        print(*(f"  {name}" for name in shown), sep="\n")


if __name__ == "__main__":
    goals.run(
        lambda: release(
            goals.new_target("release", 'folder [LABS="lab1 lab2"]'), goals.chosen_labs()
        ),
        "nothing was released",
    )
