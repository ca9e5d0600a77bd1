"""Reads a Dockerfile of the few instructions that the course's own is made of."""

import dataclasses
import fnmatch
import pathlib
import re
import shlex

from shown_commands import ROOT

FOLDER = ROOT / ".devcontainer"
KNOWN = ("FROM", "COPY", "RUN", "ENV", "USER", "WORKDIR")
ONE_WORD = ("FROM", "USER", "WORKDIR")


class Wrong(ValueError):
    """A sentence on a line that a builder would refuse, or that no check here can run."""


@dataclasses.dataclass(frozen=True)
class Step:
    kind: str
    text: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.text)


def checked(step: Step) -> Step:
    """Returns a step that can be run; raises Wrong otherwise."""
    why = ""
    if step.kind not in KNOWN:
        why = f"is none of {', '.join(KNOWN)}"
    elif step.kind in ONE_WORD and len(step.words) != 1:
        why = "takes one word"
    elif step.kind == "COPY" and (len(step.words) != 2 or "-" in step.text[:1]):
        why = "takes a source and a place"
    elif step.kind == "ENV" and not all(re.match(r"\w+=", word) for word in step.words):
        why = "takes NAME=value"
    elif step.text in ("", "\\") or (step.kind == "RUN" and step.text.endswith("\\")):
        why = "ends too early"
    if why:
        raise Wrong(f"{step.kind} {step.text[:40]}: {why}")
    return step


def steps(text: str) -> list[Step]:
    """Returns the steps of a Dockerfile; a line that ends with a backslash goes on."""
    lines = [line for line in text.splitlines() if line.strip() and not re.match(r"\s*#", line)]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found = []
    for line in joined.splitlines():
        kind, _, rest = line.strip().partition(" ")
        found.append(checked(Step(kind, rest.strip())))
    if not found or found[0].kind != "FROM" or sum(one.kind == "FROM" for one in found) != 1:
        raise Wrong("FROM stands first, and once")
    return found


def course_steps() -> list[Step]:
    return steps((FOLDER / "Dockerfile").read_text(encoding="utf-8"))


def last(kind: str) -> str:
    """Returns what the last step of a kind says, as it holds in the image."""
    return [one.text for one in course_steps() if one.kind == kind][-1]


def sent(names: list[str]) -> list[str]:
    """Returns which of these files a builder sees, as Dockerfile.dockerignore says."""
    lines = (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line.strip() for line in lines if line.strip() and line[0] != "#"]
    seen = []
    for name in names:
        kept = True
        for pattern in patterns:
            bare = pattern.removeprefix("!")
            paths = [name, *map(str, pathlib.PurePosixPath(name).parents)]
            if any(fnmatch.fnmatchcase(path, bare) for path in paths):
                kept = pattern != bare
        seen += [name] if kept else []
    return seen
