"""Helpers of the teacher's goals."""

import contextlib
import os
import pathlib
import shutil
import signal
import sys
import tempfile

import disk
from points import PointsError
from release import contents
from release.contents import ROOT, Refused
from text import uncaught  # noqa: F401


def target(goal: str, example: str) -> pathlib.Path:
    """Returns the path in OUT=, relative to the folder in which make was called."""
    given = os.environ.get("OUT", "")
    if not given:
        raise Refused(f"make {goal} OUT={example}: OUT is missing.")
    return pathlib.Path(os.path.abspath(given))


def new_target(goal: str, example: str, again: str = "") -> pathlib.Path:
    """Returns the folder to make; raises Refused if OUT cannot be used. A folder that holds a file
    of the name `again` comes from an earlier call."""
    out = target(goal, example)
    real, why = out.resolve(), ""
    if (real == ROOT or ROOT in real.parents) and ROOT / "build" not in real.parents:
        why = "lies in the course; take a folder outside, or in build/."
    elif out.is_symlink() or (out.exists() and not out.is_dir()):
        why = "is there, and is no folder; take another name."
    elif out.is_dir() and any(out.iterdir()) and not (again and (out / again).is_file()):
        why = "is not empty; remove it first, or take another name."
    if why:
        raise Refused(f"OUT={os.environ['OUT']}: {why}")
    return out


@contextlib.contextmanager
def new_folder(target: pathlib.Path):
    """Yields a folder that gets the target's name once it is filled, or is removed."""
    new = pathlib.Path(tempfile.mkdtemp(prefix=f".{target.name}.new-", dir=target.parent))
    try:
        with disk.naming(target):
            yield new
            os.rename(new, target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def chosen_labs() -> list[str]:
    return contents.chosen_labs(os.environ.get("LABS", "").split())


def below(folder: str) -> list[str]:
    """Returns the files in a folder of the repository, also those that git does not know yet."""
    paths = [path for path in sorted((ROOT / folder).rglob("*")) if "__pycache__" not in path.parts]
    for path in paths:
        if path.is_symlink():
            raise Refused(f"{path}: is a link; only files are handed on.")
    return [path.relative_to(ROOT).as_posix() for path in paths if path.is_file()]


def ended_well(main, stopped: str, consequence: str = "") -> bool:
    """Calls main; prints in a sentence what ends it early, and returns whether nothing does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        main()
        return True
    except (Refused, PointsError) as reason:
        print(reason, file=sys.stderr)
    except OSError as error:
        print(disk.said(error, consequence), file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is not yet printed might fail again
    except KeyboardInterrupt:
        print(stopped, file=sys.stderr)
    return False


def run(main, outcome: str) -> None:
    """Runs a goal that writes everything or nothing; ends with status 2 if it is interrupted."""
    if not ended_well(main, f"Stopped; {outcome}.", f"; {outcome}"):
        sys.exit(2)
