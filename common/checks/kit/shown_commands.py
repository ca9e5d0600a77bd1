"""Finds the commands that the course shows: in code blocks marked `sh` and in code within a line of
every Markdown file, and in what make help prints."""

import pathlib
import re
import shlex
from typing import Iterator, NamedTuple

from calls import call

BLOCK = re.compile(r"^```(.*)\n((?s:.*?))^```$", re.MULTILINE)
# A script's name alone is not a command: the document only mentions the file.
COMMAND = re.compile(r"([A-Z_]+=\S+ )*(make\b|python3 \S)")
# Only the reader or a machine with a card knows these values.
NOT_HERE = re.compile(r"(KERNEL|FILE|DEVICE|COMPILE_ONLY)=|\w+=(name|list)$")
VARIABLES = ["Makefile", "common/course/usage.py", "common/course/try_program.py"]
VARIABLES += ["common/grading/goals.mk", "common/grading/variables.txt"]


class Command(NamedTuple):
    """A line to type; `folder` is where to type it, relative to the course's root."""

    text: str
    folder: str
    document: str

    def for_card(self) -> bool:
        return re.search(r"DEVICE=gpu|\bsanitize\b|measure\.py", self.text) is not None


def documents(course: pathlib.Path) -> dict[str, str]:
    """Returns the Markdown files that git knows; without git, those that are not in a build."""
    names = {path.relative_to(course).as_posix() for path in course.rglob("*.md")}
    if (course / ".git").exists():
        listed = call("git", "ls-files", "-co", "--exclude-standard", "*.md", folder=course)[1]
        names &= set(listed.splitlines())
    kept = sorted(name for name in names if not name.startswith("build/"))
    return {name: (course / name).read_text(encoding="utf-8") for name in kept}


def in_blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yields each command of the blocks marked sh, and the folder to which the block has changed."""
    for kind, block in BLOCK.findall(text):
        folder = ""
        for line in re.sub(r"\\\n\s*", "", block).splitlines() if kind == "sh" else ():
            command = line.partition(" # ")[0].strip()
            if command.startswith("cd "):
                folder = command.removeprefix("cd ")
            elif command:
                yield command, folder


def in_sentences(text: str) -> Iterator[str]:
    for code in re.findall(r"`([^`]+)`", BLOCK.sub("", text)):
        if COMMAND.match(command := " ".join(code.split())):
            yield command


def in_help(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.startswith("In a lab: make"):
            yield from re.split("[,;] ", line.removeprefix("In a lab: ").removesuffix(" there"))
        elif line.startswith("make "):
            yield re.sub(r"[\[\]]", "", line.partition("  ")[0])


def run_as_shown(course: pathlib.Path) -> list[Command]:
    """Returns the commands of the code blocks, each once in a folder, in the order of the pages."""
    first: dict[tuple[str, str], str] = {}
    for name, text in documents(course).items():
        for command in in_blocks(text):
            first.setdefault(command, name)
    return [Command(*command, name) for command, name in first.items()]


def parsed(course: pathlib.Path) -> list[Command]:
    """Returns the commands in sentences, each once, and those that make help prints. The folder is
    the lab of the page or of the help, else ''."""
    first: dict[tuple[str, str], str] = {}
    labs = sorted(path.parent.name for path in course.glob("lab*/Makefile"))
    for name, text in documents(course).items():
        for command in in_sentences(text):
            first.setdefault((command, name.split("/")[0] if name.startswith("lab") else ""), name)
    for lab in ["", *labs]:
        said = call("make", "--no-print-directory", "help", folder=course / lab)[1]
        for command in in_help(said):
            first.setdefault((command, lab), "make help")
    return [Command(*command, name) for command, name in first.items()]


def unknown(course: pathlib.Path, command: Command) -> str:
    """Returns the first wrong word of a command, or make's reason; '' if it is right in the root or
    in a lab."""
    words = shlex.split(command.text)
    if "make" not in words:
        return next((w for w in words if w.endswith(".py") and not (course / w).exists()), "")
    files = [course / name for name in VARIABLES if (course / name).exists()]
    known = "".join(file.read_text(encoding="utf-8") for file in files)
    words = words[words.index("make") + 1 :]
    for name in (word.partition("=")[0] for word in words if "=" in word):
        if not re.search(rf"\b{name}\b", known):
            return name
    asked = ["make", "-n", *(word for word in words if not NOT_HERE.match(word))]
    labs = [course / command.folder] if command.folder else sorted(course.glob("lab*_*"))
    reasons = []
    for folder in (course, *labs):
        status, said = call(*asked, folder=folder)
        reasons.append(said)
        if status == 0:
            return ""
    return reasons[0]
