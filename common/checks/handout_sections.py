"""Replaces the lines of a file between <!-- NAME:begin --> and <!-- NAME:end -->."""

import pathlib


class Wrong(Exception):
    """A sentence on what is wrong, with the file."""


def put(file: str, name: str, block: str, check: bool) -> None:
    """Writes a section of a file; with check only compares it. Raises Wrong where nothing came,
    where the file has no such section, or where a compared one is stale."""
    if not block.strip():
        raise Wrong(f"{file}: nothing came for the section '{name}'")
    path = pathlib.Path(file)
    text = path.read_text(encoding="utf-8")
    begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->\n"
    before, _, rest = f"\n{text}".partition(f"\n{begin}")
    _, found, after = f"\n{rest}".partition(f"\n{end}")
    if not found:
        raise Wrong(f"{file}: no section '{name}'; it needs {begin.strip()} and {end.strip()}")
    new = f"{before}\n{begin}{block.rstrip()}\n{end}{after}"[1:]
    if not check:
        path.write_text(new, encoding="utf-8")
    elif new != text:
        raise Wrong(f"{file}: the section '{name}' is stale; run common/checks/update_handouts.py")
