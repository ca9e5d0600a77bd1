"""Helpers of the goals that make a folder or a file for the teacher."""

import os
import sys
from pathlib import Path

from release import contents
from release.contents import ROOT, Refused


def target(goal: str, example: str) -> Path:
    """Returns the path in OUT=, relative to the folder where make was called."""
    given = os.environ.get("OUT", "")
    if not given:
        raise Refused(f"make {goal} OUT={example}: OUT is missing.")
    return Path(os.path.abspath(given))


def chosen_labs() -> list:
    return contents.chosen_labs(os.environ.get("LABS", "").split())


def below(folder: str) -> list:
    """Returns the files in a folder of the repository, also those that git does not know yet."""
    paths = [path for path in sorted((ROOT / folder).rglob("*")) if "__pycache__" not in path.parts]
    for path in paths:
        if path.is_symlink():
            raise Refused(f"{path}: is a link; only files are handed on.")
    return [path.relative_to(ROOT).as_posix() for path in paths if path.is_file()]


def run(main) -> None:
    """Calls main; prints an error as a sentence and ends with status 2."""
    try:
        main()
    except Refused as reason:
        print(reason, file=sys.stderr)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}; nothing was written.", file=sys.stderr)
    else:
        return
    sys.exit(2)
