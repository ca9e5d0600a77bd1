"""What make's variables say about the file that a lab judges."""

import os
import re
import shlex
import sys
from collections.abc import Sequence

from course import usage
from course.usage import Refused

# Browsers, file managers and editors add these to a name.
COPY = re.compile(r"[ _-]*(?:(?:\(\d+\)|copy|kopie)(?: ?\d+)?)?((\.cu|\.h)(?:\.txt)?)$")
# If one of these is set, a test is not the default one of the student's own files.
CHANGES = ("KERNEL", "MISTAKE", "TILE_WIDTH", "SCHEDULE", "PROFILE", "ARCH")


def value(name: str) -> str:
    return os.environ.get(name, "")


def strays(lab: str) -> dict[str, str]:
    """Returns the files of a lab that have nearly the name of an exercise, such as Kernel.cu and a
    browser's kernel (1).cu, and that exercise's file."""
    names = os.listdir(lab)
    files = ["kernel.cu", "answers.h", *(f"{name}.cu" for name in names if "." not in name)]
    meant = {name: COPY.sub(r"\2", name.lower()) for name in names if name not in files}
    return {f"{lab}/{name}": f"{lab}/{file}" for name, file in meant.items() if file in files}


def to_rename(stray: str, file: str) -> str:
    """Returns the command that replaces a file by a stray; the file is kept as FILE~."""
    return f"mv -b {shlex.quote(stray)} {file}"


def parts_of(lab: str) -> list[str]:
    """Returns the parts in the order of their tests: the kernel first, the questions last. Each of
    the others has a folder, even if its file is missing."""
    names = [name for name in os.listdir(lab) if os.path.exists(f"{lab}/{name}/Makefile")]
    return ["kernel", *sorted(names, key=lambda name: (name == "answers", name))]


def own_file(lab: str, part: str) -> str:
    return f"{lab}/answers.h" if part == "answers" else f"{lab}/{part}.cu"


class Asked:
    """A lab, and the part and the file of it that make's variables name."""

    def __init__(self, lab: str) -> None:
        self.lab, self.parts = lab, parts_of(lab)
        self.part = value("PART") or "kernel"
        self.solved = value("SOLUTION") not in ("", "0")
        self.kernel = self.named_file("KERNEL")
        if value("MISTAKE") and not self.kernel:
            (self.kernel,) = self.mistakes(value("MISTAKE"))
        own = f"{'solutions/' if self.solved else ''}{own_file(lab, self.part)}"
        self.source = self.kernel.removeprefix(f"{os.getcwd()}/") or own

    def named_file(self, variable: str) -> str:
        """Returns the absolute path of the file that KERNEL, or BESIDE, names relative to the lab,
        PWD or the root; '' if it names none."""
        folders = (self.lab, value("PWD"), ".", self.lab) if value(variable) else ()
        paths = [os.path.abspath(os.path.join(folder, value(variable))) for folder in folders]
        return next(filter(os.path.isfile, paths), "".join(paths[-1:]))

    def mistakes(self, name: str = "") -> list[str]:
        """Returns this mistake's file, or all of the part's; see common/checks/kit/mistakes.py."""
        import glob
        import subprocess

        folder = f"solutions/mistakes/{self.lab}/{self.part}"
        if not glob.glob(f"{folder}/{name or '*'}.patch"):
            if name:
                raise Refused(f"MISTAKE={name}: not among the patches in {folder}.")
            return []
        command = [sys.executable, "common/checks/kit/mistakes.py", self.lab, self.part]
        made = subprocess.run([*command, *([name] if name else [])], stdout=subprocess.PIPE)
        if made.returncode:
            sys.exit(made.returncode)
        return made.stdout.decode().splitlines()

    def check(self, given: str, known: Sequence[str] = usage.OF_LABS, **values: str) -> None:
        """Refuses a part that the lab does not have, and names and values that no goal takes."""
        if self.part not in self.parts:
            has = f"{self.lab} has no such part; it has {' '.join(self.parts)}"
            raise Refused(f"PART={self.part}: {has}.")
        usage.check_names(self.lab, given, known)
        self.check_strays()
        self.check_missing([self.part])
        told = {name: value(name) for name in usage.VALUES}
        usage.check_values({**told, "SOURCE": self.source, **values})

    def check_strays(self) -> None:
        """Says which file is tested if another has nearly its name; refuses if only that other one
        exists."""
        if not self.own():
            return
        sources = [own_file(self.lab, part) for part in self.tested()]
        for stray, file in strays(self.lab).items():
            if not os.path.exists(file):
                raise Refused(f"{file}: no such file; rename yours:\n{to_rename(stray, file)}")
            if file in sources and not os.path.samefile(stray, file):
                print(f"Tested is {file}, and not\n{stray}. To test that one, and keep the other:")
                print(f"{to_rename(stray, file)}\n", flush=True)

    def check_missing(self, parts: list[str]) -> None:
        """Refuses if a file of these parts is missing: the student's own, and for the questions the
        kernel that they are compared with."""
        for part in [] if self.solved or self.kernel else parts:
            for name in [part] + ["kernel"] * (part == "answers"):
                if not os.path.exists(own_file(self.lab, name)):
                    puts = f"make -C {self.lab} reset PART={name} puts the skeleton there."
                    raise Refused(f"{own_file(self.lab, name)}: no such file;\n{puts}")

    def tested(self) -> list[str]:
        """Returns the parts that a test is about."""
        return [self.part] if value("PART") or self.kernel else self.parts

    def own(self) -> bool:
        """Tells whether the judged files are the student's own, tested in the default way."""
        changed = self.solved or any(map(value, CHANGES))
        return not changed and value("DEVICE") in ("", "sim")
