"""Writes the pages that a teacher shows in class: a run of each lab's solution, and of known
mistakes, with a tour through it. The labs' own tours lie in LAB/tour.toml; those through a mistake
in solutions/tours/LAB/MISTAKE.toml.

usage: tours.py
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def commands() -> list[list[str]]:
    """Returns the command for each page."""
    found = []
    for file in sorted([*ROOT.glob("lab*/tour.toml"), *ROOT.glob("solutions/tours/*/*.toml")]):
        lab, own = file.parent.name, file.name == "tour.toml"
        shown = "SOLUTION=1" if own else f"MISTAKE={file.stem}"
        out = ROOT / f"build/tours/{lab}{'' if own else f'-{file.stem}'}.html"
        words = ["make", "-s", "-C", lab, "explore", shown, f"TOUR={file}", f"OUT={out}"]
        found.append(words)
    return found


if __name__ == "__main__":
    ended = [subprocess.run(words, cwd=ROOT).returncode for words in commands()]
    sys.exit(max(ended))
