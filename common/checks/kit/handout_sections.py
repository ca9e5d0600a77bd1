"""Replaces the lines of a file between <!-- NAME:begin --> and <!-- NAME:end -->, or a whole file."""

import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

MARKER = "<!-- {} -->"


class Wrong(Exception):
    """A sentence about the fault, with the file."""


def put(file: str | pathlib.Path, name: str, block: str, check: bool, marker: str = MARKER) -> None:
    """Writes a section of a file, or the whole file without a name; with check only compares it.
    Raises Wrong if there is no line, if the file has no such section, or if a compared one is
    stale."""
    what = f"the section '{name}'" if name else "the file"
    if not block.strip():
        raise Wrong(f"{file}: nothing came for {what}")
    path = pathlib.Path(file)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    new = replaced(file, text, name, block, marker) if name else block
    if not check:
        path.write_text(new, encoding="utf-8")
    elif new != text:
        raise Wrong(f"{file}: {what} is stale; run common/checks/tools/update_pages.py")


def replaced(file: str | pathlib.Path, text: str, name: str, block: str, marker: str) -> str:
    """Returns the text of a file with another section."""
    begin, end = (marker.format(f"{name}:{which}") + "\n" for which in ("begin", "end"))
    before, _, rest = f"\n{text}".partition(f"\n{begin}")
    _, found, after = f"\n{rest}".partition(f"\n{end}")
    if not found:
        raise Wrong(f"{file}: no section '{name}'; it needs {begin.strip()} and {end.strip()}")
    return f"{before}\n{begin}{block.rstrip()}\n{end}{after}"[1:]


def put_each(sections: dict[tuple[str, str], Callable[[], str]]) -> int:
    """Writes sections, by file and name, or compares them with CHECK in the environment; returns
    the exit status: 1 if one is wrong, or that of a command that fails."""
    status = 0
    for (file, name), block in sections.items():
        try:
            put(file, name, block(), bool(os.environ.get("CHECK")))
        except Wrong as why:
            print(why, file=sys.stderr)
            status = 1
        except subprocess.CalledProcessError as why:
            print(why, file=sys.stderr)
            return why.returncode
    return status
