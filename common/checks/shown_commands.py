"""Finds the commands that the course shows: in code blocks and in code within a line of every
Markdown file, and in what make help prints."""

import dataclasses
import os
import pathlib
import re
import shlex
import subprocess
from typing import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
HELP = "make help"

SET = r"[A-Z][A-Z_]*=\S+ +"
PROGRAM = rf"(?:{SET})*(?:make$|(?:make|python3|sudo|apt-get|git|mkdir|sha256sum|docker|podman|g\+\+) +\S)"
# A path alone is a file that the document mentions.
SCRIPT = rf"{SET}(?:\S+/)?\S+\.(?:sh|py)\b|(?:\S+/)?\S+\.(?:sh|py) +\S"
COMMAND = re.compile(f"(?:{PROGRAM}|{SCRIPT})")
# Variables by which an outer make would change a make that is run here.
HIDDEN = ("MAKEFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "MFLAGS")
OF_LAB = ("PART", "KERNEL", "SOLUTION", "SCHEDULE", "TILE_WIDTH", "PROFILE", "TRACE", "CHECKS")

# Replaces the reader's own files and words by existing ones: files beside the course as in the
# teacher's guide, with a class of two.
STAND_INS = (
    (r"\bPART=name\b", "PART=kernel"),
    (r"\bFILE=prog\.cu\b", "FILE=common/simulator/programs/sum.cu"),
    (r"\bCHECKS=list\b", "CHECKS=counters"),
    # Other checks have looked at all parts and slips already, and make compiles the library's sources.
    (
        r"^make test LABS=lab2 PART=(?:kernel|banks)$",
        "MISTAKES=1 STYLES=1 make test LABS=lab4 PART=limits",
    ),
    (
        r"\bONLY=common/checks/FILE$",
        "ONLY='common/checks/test_parts.py -k skeleton' LABS=lab4 PART=limits",
    ),
    (r"^(g\+\+ -std=c\+\+17) -O2 (.*) common/matrix/\*\.cpp ", r"\1 -O0 \2 build/libmatrix.a "),
    # One grade on each device, one release and one table of pairs are enough.
    (r"^make grade (.*) LABS= SEED= DEVICE=gpu$", r"make grade DEVICE=gpu \1 LABS=lab2"),
    (r"\bLABS= SEED=$", "LABS=lab1"),
    (r"^(make grade.*) SUBMISSIONS=dir OUT=dir\b", r"\1 SUBMISSIONS=../class OUT=../marks"),
    (r"\bSUBMISSIONS=dir OUT=dir$", "SUBMISSIONS=../class OUT=../similar LABS=lab1"),
    (
        r"^make release OUT=(?:dir|\.\./(?:course|template) LABS=lab1)$",
        "make release OUT=../course",
    ),
    (r"^make github OUT=\S+", "make github OUT=../course"),
    (r"/abs/file\.cu\b", "solutions/lab1_naive/kernel.cu"),
    (r"/abs/out\b", "build/recorded"),
    (r" my\.cu\b", " solutions/lab2_tiled/kernel.cu"),
)


@dataclasses.dataclass(frozen=True)
class Command:
    """A line to type; `folder` is where to type it, from the course's root."""

    text: str
    folder: str
    document: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.text)

    @property
    def goals(self) -> list[str]:
        """Returns the goals of a make command, without options, folders and variables."""
        if "make" not in self.words:
            return []
        words = shlex.split(re.sub(r" -[Cf] \S+", "", self.text))
        return [word for word in words if word != "make" and not re.match(r"-|\w+=", word)]

    def value(self, name: str) -> str:
        """Returns the value of a variable, '' where it is not set."""
        return next((w.partition("=")[2] for w in self.words if w.startswith(f"{name}=")), "")

    @property
    def lab(self) -> str:
        """Returns the lab of the goals, '' for goals of the root."""
        named = re.search(r" (?:-C |LAB=)(lab\w+)", self.text)
        return named[1] if named else self.folder

    def same(self) -> tuple[str, str]:
        """Returns a value that is equal for commands that do the same, as `make -C lab1_naive test`
        and `make lab1`."""
        short = re.fullmatch(r"make (lab\d)", self.text)
        if short:
            return "make test", short[1]
        in_lab = re.sub(r" -C lab\w+", "", self.text)
        lab = self.lab if in_lab != self.text else self.folder
        return in_lab, lab if set(self.goals) - {"test"} else lab.split("_")[0]

    def form(self) -> tuple[bool, str]:
        """Returns a value that is equal for commands that differ in the lab, or in the part of a test,
        alone."""
        in_lab = re.sub(r" -C lab\w+", "", self.text)
        return bool(self.lab), re.sub(r"\blab\d\w*|(?<= test PART=)(?!answers\b)\w+", "*", in_lab)

    def for_card(self) -> bool:
        """Returns whether the command needs a card."""
        asks = self.value("DEVICE") == "gpu" or "sanitize" in self.goals
        return asks or "common/grading/measure.py" in self.words

    def stood_in(self) -> "Command":
        """Returns the command to run, with existing files and words."""
        text = self.text
        for shown, used in STAND_INS:
            text = re.sub(shown, used, text)
        return dataclasses.replace(self, text=text)


def run(command: list[str], folder: pathlib.Path) -> subprocess.CompletedProcess:
    """Runs a command as in a newly opened terminal."""
    env = {name: value for name, value in os.environ.items() if name not in HIDDEN}
    return subprocess.run(
        command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


# --- in a text ---


def joined(lines: list[str]) -> Iterator[str]:
    """Yields the lines of a code block, continued ones as one, without comments."""
    held = ""
    for line in lines:
        line = held + line.strip()
        held = ""
        if line.endswith("\\"):
            held = line[:-1].strip() + " "
            continue
        line = re.sub(r"(^|\s)#\s.*", "", line).strip()
        if line:
            yield line


def in_text(text: str) -> Iterator[tuple[str, bool]]:
    """Yields each command of a Markdown text, and whether its context sends the reader to a lab."""
    prose = ""
    for number, part in enumerate(re.split(r"^```.*\n", text, flags=re.MULTILINE)):
        if number % 2:  # a code block, of commands or of something else
            lines = list(joined(part.splitlines()))
            to_lab = re.search(r"\b[Ii]n a lab\b[^.]*:\s*$", prose) is not None
            if lines and COMMAND.match(lines[0]):
                yield from ((line, to_lab) for line in lines)
            continue
        prose = part
        for found in re.finditer(r"`([^`]+)`([^`]{0,20})", part):
            code = " ".join(found[1].split())
            if COMMAND.match(code):
                yield code, " ".join(found[2].split()).startswith("in a lab")


def in_help(text: str) -> Iterator[tuple[str, bool]]:
    """Yields each command that make help prints, and whether it is for a lab."""
    for line in text.splitlines():
        if line.startswith("In a lab: make"):
            goals = line.removeprefix("In a lab: ").removesuffix(" there")
            yield from ((goal, True) for goal in re.split(r"[,;] ", goals))
        elif line.startswith("make "):
            command, _, words = line.partition("  ")
            plain = command.strip().replace(" [DEVICE=gpu]", "")
            yield re.sub(r"[\[\]]", "", plain), False
            if "[DEVICE=gpu]" in command:
                yield re.sub(r"[\[\]]", "", command), False
            if "DEVICE=gpu:" in words:
                yield f"{plain} DEVICE=gpu", False
            if "there are " in words:
                yield from ((f"make {lab}", False) for lab in words.split("there are ")[1].split())


# --- in a course ---


def documents(course: pathlib.Path) -> list[str]:
    """Returns the Markdown files that git knows; without git, those that are not built."""
    if (course / ".git").exists():
        listed = run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], course).stdout
        return sorted(name for name in set(listed.splitlines()) if (course / name).exists())
    found = (path.relative_to(course).as_posix() for path in course.rglob("*.md"))
    return sorted(name for name in found if not name.startswith("build/"))


class Course:
    """A folder with the course or a release of it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.labs = sorted(path.parent.name for path in folder.glob("lab*/Makefile"))
        known = run(["make", "-npq", "help"], folder).stdout
        self.goals = set(re.findall(r"^([\w-]+):", known, re.MULTILINE))

    def place(self, command: Command, in_lab: bool) -> str | None:
        """Returns the folder in which a reader types this command, None for any lab."""
        if "make" not in command.words or re.search(r" -[Cf] ", command.text):
            return ""
        of_lab = any(command.value(name) for name in OF_LAB)
        of_lab = of_lab and not command.value("LABS")
        of_lab = of_lab or (command.goals == ["test"] and command.value("DEVICE") == "gpu")
        if not in_lab and not of_lab and set(command.goals) <= self.goals:
            return ""
        of_document = [lab for lab in self.labs if command.document.startswith(f"{lab}/")]
        named = [lab for lab in self.labs if lab in command.text]
        return next(iter(named + of_document), None)

    def _each(self) -> Iterator[tuple[Command, str | None]]:
        """Yields each command as shown, and the folder in which to type it."""
        for name in documents(self.folder):
            for text, in_lab in in_text((self.folder / name).read_text(encoding="utf-8")):
                command = Command(text, "", name)
                yield command, self.place(command, in_lab)
        for lab in ["", *self.labs]:
            said = run(["make", "--no-print-directory", "help"], self.folder / lab).stdout
            for text, in_lab in in_help(said):
                command = Command(text, lab, HELP)
                yield command, lab or self.place(command, in_lab)

    def shown(self) -> list[Command]:
        """Returns the commands, the first of those that do the same. A command for any lab is typed
        in the lab for which it is shown elsewhere, or else in the first lab."""
        found: dict[tuple[str, str], Command] = {}
        for_any = []
        for command, folder in self._each():
            if folder is None:
                for_any.append(command)
                continue
            placed = dataclasses.replace(command, folder=folder)
            found.setdefault(placed.same(), placed)
        for command in for_any:
            placed = [dataclasses.replace(command, folder=lab) for lab in self.labs]
            if not any(one.same() in found for one in placed):
                found[placed[0].same()] = placed[0]
        return list(found.values())


# --- whether make knows them ---


def unknown(course: Course, command: Command) -> str:
    """Returns why a command cannot be right, as make -n or its check of values says; '' where no
    reason is found."""
    if "make" not in command.words:
        return ""
    asked = command.stood_in()
    words = asked.words[asked.words.index("make") + 1 :]
    # The student's file does not exist here, so one of the course takes its place.
    words = [
        re.sub(r"^KERNEL=[.$].*", f"KERNEL={course.labs[0]}/kernel.cu", word) for word in words
    ]
    # What a machine with a card takes, and the same of the simulator.
    words = [word for word in words if not re.match("DEVICE=gpu|COMPILE_ONLY=", word)]
    if run(["make", "-n", *words], course.folder / command.folder).returncode != 0:
        return "which make does not know, or with a value that is refused"
    return ""
