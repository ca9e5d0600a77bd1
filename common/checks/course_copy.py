"""Copies the course for checks that change files or need a folder of another kind."""

import contextlib
import pathlib
import shutil
import sys

from copy_build import copy_build
from shown_commands import ROOT, run

sys.path.append(str(ROOT / "common"))
from course import skeleton  # noqa: E402

BUILT_APART = {"build", ".git", "__pycache__"}


def files() -> list[str]:
    """Returns the course's files, also those that git does not know yet."""
    if (ROOT / ".git").exists():
        listed = run(["git", "ls-files", "-zco", "--exclude-standard"], ROOT)
        if listed.returncode == 0:
            return [name for name in listed.stdout.split("\0") if name]
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return [str(path) for path in found if not BUILT_APART & set(path.parts)]


def copy_files(folder: pathlib.Path) -> None:
    """Copies all that is not built to a new folder, with times and rights."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        # Another check may have removed its own file meanwhile.
        with contextlib.suppress(FileNotFoundError):
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    # As a release has them: a copy has no history.
    skeleton.keep(str(ROOT), str(folder), skeleton.exercises(str(ROOT)))


def make(folder: pathlib.Path) -> pathlib.Path:
    """Copies the course with what make has built so far, so that the copy does not build it
    again."""
    copy_files(folder)
    copy_build(folder, ROOT)
    return folder
