"""Finds the steps of a tour: a file of sentences, each with the event at its step.

[[step]]
thread = [1, 0]            # x first; not for the two sides of a race
does = "store Mds[0][1]"   # load, store or atomic of an array, or of one element; barrier, return;
                           # race, other: the two sides of the first finding
nth = 2                    # the second such step; the default is 1
text = "One sentence."
"""

import os
import pathlib
import re
import tomllib
from typing import Any

from page_data import linear

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = "load store atomic barrier return".split()
# With one of these the run is not that of the lab's own tour.
OTHER_RUNS = "TEST WIDTH SHAPE TILE_WIDTH BLOCK BESIDE".split()


class NoSuchStep(Exception):
    """Names the step of a tour that the run does not have, or says why there is no tour."""


def element(array: dict[str, Any], written: str) -> int | None:
    """Returns the index of an element that is written as [0][1]; None in other arrays."""
    indices, at = re.findall(r"\d+", written), 0
    for index, extent in zip(indices, array["extents"]):
        at = at * extent + int(index)
    return at if len(indices) == len(array["extents"]) else None


def found(run: dict[str, Any], stop: dict[str, Any]) -> list[int]:
    """Returns the steps that match a tour's stop."""
    does = re.fullmatch(r"(\w+)(?: (\w+)((?:\[\d+\])*))?", stop["does"])
    if not does or does[1] not in (*KINDS, "race", "other"):
        return []
    if does[1] in ("race", "other"):
        sides = [finding["step" if does[1] == "race" else "other"] for finding in run["findings"]]
        return [step for step in sides[:1] if step >= 0]
    steps, thread = run["steps"], linear([*stop["thread"], 0, 0][:3], run["blockSize"])
    arrays = [n for n, array in enumerate(run["arrays"]) if array["name"] == does[2]]
    return [
        n
        for n, what in enumerate(steps["what"])
        if steps["thread"][n] == thread
        and what == KINDS.index(does[1])
        and (not does[2] or steps["array"][n] in arrays)
        and (not does[3] or steps["index"][n] == element(run["arrays"][arrays[0]], does[3]))
    ]


def stops(file: pathlib.Path, run: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the tour for the page; fails if the run has no such step."""
    try:
        written = tomllib.loads(file.read_text(encoding="utf-8")).get("step", [])
    except (OSError, ValueError) as why:
        raise NoSuchStep(f"{file}: {why}") from None
    told = []
    for number, stop in enumerate(written, 1):
        there, nth = found(run, stop), stop.get("nth", 1)
        if len(there) < nth:
            raise NoSuchStep(f"{file}: step {number}: the run has no such {stop['does']!r}.")
        step = there[nth - 1]
        told.append({"step": step, "text": stop["text"], "thread": run["steps"]["thread"][step]})
    return told


def chosen(lab: str, part: str, run: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the tour that TOUR asks for, or the lab's own through a run without a finding that
    has all of its steps: a kernel may be unfinished, or be written in another way."""
    if os.environ.get("TOUR"):
        return stops(pathlib.Path(os.environ["TOUR"]), run)
    own = ROOT / lab / "tour.toml"
    other = any(map(os.environ.get, OTHER_RUNS)) or run["findings"] or part != "kernel"
    if other or not own.exists():
        return []
    try:
        return stops(own, run)
    except NoSuchStep:
        return []
