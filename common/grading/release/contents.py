"""Chooses the files of the repository that a release holds."""

import fnmatch
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "common"))
from course import facts, skeleton, version  # noqa: E402, F401


class Refused(Exception):
    """One or more sentences for the teacher."""


# A * in a pattern also stands for slashes.
LEFT_OUT = (
    "solutions/*",
    "common/grading/*",
    "common/site/*",
    "common/verdict/README.md",
    "common/verdict/attacks/*",
    "common/verdict/fuzz/*",
    "common/verdict/gate/*",
    "common/verdict/guard/*",
    "common/verdict/host/*",
    "common/verdict/rules.mk",
    "lab*/timed_call.cpp",
    ".ci/*",
    ".github/*",
    # These are, or measure, kernels that solve a lab.
    "common/simulator/bench/*",
    "common/simulator/tests/test_counts.cu",
    # These check or rewrite what ships, with the help of the solutions.
    "common/README.md",
    "common/checks/*",
    "common/testing/check_*",
    f"{skeleton.STORE}/*",
    "common/explorer/tests/*",
    "common/plots/tests/*",
    "common/plots/shown.py",
    "common/plots/handout_pictures.py",
    "common/plots/svg.py",
)
KEPT = tuple(f"common/checks/kit/{name}.py" for name in ("check_copy", "judging", "run_report"))


def labs():
    return sorted(path.parent.name for path in ROOT.glob("lab*/Makefile"))


def first_part(lab):
    """Returns the part with which a student begins a lab, as `make progress` does."""
    return facts.load(lab).parts[0].name


def chosen_labs(words):
    """Returns the labs that the words name, such as lab1_naive or lab1; all labs without words."""
    try:
        return sorted(set(facts.named(words, labs()))) or labs()
    except ValueError as sentence:
        raise Refused(str(sentence)) from None


def listed_by_git(*options):
    command = ["git", "-C", str(ROOT), "ls-files", "-z", *options]
    try:
        listed = subprocess.run(command, capture_output=True, check=True, text=True)
    except FileNotFoundError:
        raise Refused("This copy is git's, and git is not installed: apt-get install git")
    except subprocess.CalledProcessError as error:
        raise Refused(f"git cannot list the files: {error.stderr.strip()}")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def untracked(chosen):
    """Returns what git neither tracks nor ignores in these labs; of a whole folder its name."""
    if not (ROOT / ".git").exists():
        return []
    new = ("--others", "--exclude-standard", "--directory", "--no-empty-directory", "--")
    return sorted(listed_by_git(*new, *chosen))


def tracked():
    """Returns the files that git tracks; without git, all but what is built."""
    if (ROOT / ".git").exists():
        return listed_by_git()
    files = [path.relative_to(ROOT) for path in ROOT.rglob("*") if not path.is_dir()]
    files = [file for file in files if file.parts[0] != "build"]
    return [file.as_posix() for file in files if "__pycache__" not in file.parts]


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def left_out(name):
    return matches(name, LEFT_OUT) and name not in KEPT


def released(chosen):
    """Returns the names of the files in a release with these labs."""
    others = [f"{lab}/*" for lab in labs() if lab not in chosen]
    names = [name for name in sorted(tracked()) if not (matches(name, others) or left_out(name))]
    for name in names:
        if (ROOT / name).is_symlink():
            raise Refused(f"{name}: is a link; a release holds files only.")
    return names
