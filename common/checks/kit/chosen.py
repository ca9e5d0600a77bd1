"""Restricts the checks to some labs, and to one of their parts: `make test LABS=lab2 PART=banks`.

usage: chosen.py LABS PART    exit status 2 if there is none of that name
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterable, Mapping

import judging
from course import facts


def find(words: str, part: str) -> tuple[list[str], str]:
    """Returns the labs that are named, by lab2 or lab2_tiled, and the part; no word means all.
    Raises ValueError with a sentence if there is none of that name."""
    there = judging.labs()
    among = sorted(set(facts.named(words.split(), there)))
    parts = {name for lab in among or there for name in [*judging.parts(lab), "answers"]}
    if part and part not in parts:
        names = ", ".join(sorted(parts))
        raise ValueError(f"PART={part}: there is no such part here; there are {names}.")
    return among, part


def seed() -> str:
    """Returns the word by which checks are drawn: DRAW, or else the commit."""
    if draw := os.environ.get("DRAW"):
        return draw
    commit = ["git", "rev-parse", "--short", "HEAD"]
    said = subprocess.run(commit, cwd=judging.ROOT, capture_output=True, text=True, check=False)
    return said.stdout.strip() or "0"


def quick(number: int, values: Iterable[object]) -> list[object]:
    """Returns the values of a check's parameters: `number` of them, drawn by seed(), are in the
    quick ring, and all others in the full one."""
    there = list(values)
    drawn = random.Random(seed()).sample(range(len(there)), min(number, len(there)))
    return [parameters(one, full=at not in drawn) for at, one in enumerate(there)]


def parameters(value: object, full: bool) -> object:
    """Returns the value, or the tuple of values, of a check's parameters, with its ring's mark."""
    import pytest  # students do not need pytest

    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=[pytest.mark.full] if full else [])


def is_about(values: Mapping[str, object]) -> bool:
    """Tells whether a check with these values of its parameters is chosen."""
    labs, part = os.environ.get("CHECKED_LABS", "").split(), os.environ.get("CHECKED_PART", "")
    return (not labs or values.get("lab") in labs) and (not part or values.get("part") == part)


def main(words: list[str]) -> int:
    try:
        find(*words)
    except ValueError as why:
        print(why, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
