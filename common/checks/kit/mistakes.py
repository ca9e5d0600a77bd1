#!/usr/bin/env python3
"""Makes the known mistakes from their patches: solutions/mistakes/LAB/PART/NAME.patch, applied to
the solution of that part, gives build/mistakes/LAB/PART/NAME.cu (answers: NAME.h). A style that
shares much with its solution is also a patch, in solutions/styles, and begins with a sentence.

usage: mistakes.py [LAB [PART [NAME]]]    all of them, those of a lab or part, or one
       mistakes.py styles                 the styles that are patches

A patch begins with 'Finding: ' and the findings that its report must end with, goes on with a
sentence, lines 'Says: ' that the report must show, and perhaps 'Costs: ' with the points that it
loses of the tests that students have, and ends with the hunks of a unified diff against the
solution. Prints the path of each file. Exit status 2: a patch does not apply, and stderr names it.
"""

import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
from text import uncaught  # noqa: E402, F401

PATCHES = pathlib.Path("solutions/mistakes")
STYLES = pathlib.Path("solutions/styles")
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


class Wrong(Exception):
    """An error in a patch, with its file and line."""


class Mistake:
    """A patch; `lines` are those of its file, without newlines. `solution` is the file that it changes,
    `made` the result."""

    def __init__(self, path: pathlib.Path, lines: list[str]) -> None:
        self.path, self.lines = path, lines
        self.kind, self.lab, self.part = path.parts[-4:-1]
        self.name = path.stem
        end = ".h" if self.part == "answers" else ".cu"
        self.solution = pathlib.Path("solutions", self.lab, f"{self.part}{end}")
        self.made = pathlib.Path("build", self.kind, self.lab, self.part, f"{self.name}{end}")
        begins = (n for n, line in enumerate(lines) if line.startswith(("--- ", "@@ ")))
        self.diff = next(begins, 0)  # the index of the line with which it begins
        # The lines before the diff: findings, sentence, and words of the report.
        self.head = [line for line in lines[: self.diff] if line]

    def texts_of(self, word: str) -> list[str]:
        """Returns the texts of the head's lines that begin with this word."""
        return [line.partition(": ")[2] for line in self.head if line.startswith(f"{word}: ")]

    def complain(self, number: int, why: str) -> Wrong:
        return Wrong(f"{self.path}:{number + 1}: {why}")

    def text(self) -> str:
        """Returns the result: the head as comments, then the solution with the diff applied.

        A hunk must fit exactly: each line that it keeps or removes must be in the solution, at
        the named line. Raises Wrong otherwise.
        """
        is_style = self.kind == "styles"
        if not self.head or not (is_style or self.head[0].startswith("Finding: ")):
            wanted = "a sentence" if is_style else "'Finding: '"
            raise self.complain(0, f"begins with {wanted}, and a diff follows below")
        source = self.solution.read_text(encoding="utf-8").splitlines()
        # The names of two files, which diff writes first, are not needed: the path names the
        # solution.
        result, at, number = [], 0, self.diff + 2 * self.lines[self.diff].startswith("--- ")
        while number < len(self.lines):
            hunk = HUNK.fullmatch(self.lines[number])
            if not hunk:
                raise self.complain(number, "is no head of a hunk, as in @@ -12,3 +12,2 @@")
            begin, length = int(hunk[1]), int(hunk[2] or 1)
            begin -= length > 0  # a hunk without old lines names the line before
            result += source[at:begin]
            at, end = begin, begin + length
            number += 1
            while number < len(self.lines) and not self.lines[number].startswith("@@"):
                kind, line = self.lines[number][:1] or " ", self.lines[number][1:]
                if kind != "+":
                    if at >= end or source[at : at + 1] != [line]:
                        there = f"{self.solution}:{at + 1}"
                        raise self.complain(number, f"does not apply: {there} is another line")
                    at += 1
                if kind != "-":
                    result.append(line)
                number += 1
            if at != end:
                raise self.complain(number - 1, "the hunk is shorter than its head says")
        result += source[at:]
        return "\n".join([*(f"// {line}" for line in self.head), *result]) + "\n"


def read(path: pathlib.Path) -> Mistake:
    return Mistake(path, path.read_text(encoding="utf-8").splitlines())


def found(
    lab: str = "*", part: str = "*", name: str = "*", *, kind: pathlib.Path = PATCHES
) -> list[Mistake]:
    """Returns the known mistakes of these names, in their order; of `kind` STYLES the styles."""
    return [read(path) for path in sorted(kind.glob(f"{lab}/{part}/{name}.patch"))]


def make(mistake: Mistake) -> pathlib.Path:
    """Writes the file of a patch, unless it is up to date; returns its path."""
    text, path = mistake.text(), mistake.made
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path


def make_all() -> None:
    for mistake in found() + found(kind=STYLES):
        make(mistake)


def styles(lab: str, part: str) -> list[pathlib.Path]:
    """Returns a part's right kernels in other styles, whole files and patches."""
    folder = STYLES / lab / ("" if part == "kernel" else part)
    return sorted([*folder.glob("*.cu"), *(STYLES / lab / part).glob("*.patch")])


def file_of(style: pathlib.Path) -> pathlib.Path:
    """Returns the file of a style; makes it first if the style is a patch."""
    return make(read(style)) if style.suffix == ".patch" else style


def main(words: list[str]) -> int:
    mistakes, status = found(kind=STYLES) if words == ["styles"] else found(*words), 0
    if not mistakes:
        print(f"{'/'.join(words)}: there is no such mistake in {PATCHES}.", file=sys.stderr)
        return 2
    for mistake in mistakes:
        try:
            print(make(mistake))
        except Wrong as why:
            print(why, file=sys.stderr)
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
