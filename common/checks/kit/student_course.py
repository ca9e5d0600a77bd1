"""A copy of the course in which checks type a student's commands.

The checks run only commands in it. They read and change only the results in
build/progress/LAB/PART.jsonl. The first line of these names the judged files.
"""

import contextlib
import json
import os
import pathlib
import re
import select
import subprocess
import time

import course_copy
import pytest
from calls import call, end_group, of_new_terminal, on_terminal


class Said(str):
    """The output of a command, with its exit status."""

    status: int

    def rows(self) -> dict[tuple[str, str], str]:
        """Returns the line of each (lab, part) in the table of make progress, in its order."""
        table = re.search(r"(?ms)^lab +part +TODOs.*?\n(.*?)(?:\n\n|\Z)", self)
        assert table, self
        found: dict[tuple[str, str], str] = {}
        lab = part = ""
        for line in table[1].splitlines():
            goes_on = not line[:27].strip()
            lab, part = line[:15].strip() or lab, line[15:27].strip() or part
            assert goes_on == ((lab, part) in found), f"{lab}, {part} stands there twice: {self}"
            found[lab, part] = f"{found.get((lab, part), '')} {line[27:].strip()}".strip()
        return found

    def tells(self, *words: str, status: int | None = None) -> "Said":
        """Fails unless the output contains these words, and the status is this one."""
        assert all(word in self for word in words), self
        assert status is None or status == self.status, self
        return self

    def fits_a_screen(self) -> bool:
        """Tells whether it fits in 24 lines of 80 columns, without make's lines about folders."""
        lines = [one for one in self.splitlines() if not re.match("make: .* directory '", one)]
        return len(lines) <= 24 and max(map(len, lines)) <= 80


class Student:
    """A student at work in a copy of the course, with the release's store of skeletons."""

    def __init__(self, course: pathlib.Path) -> None:
        self.course = course
        self.progress = course / "build/progress"
        self.labs = sorted(path.parent.name for path in course.glob("lab*/Makefile"))
        files = [*course.glob("lab*/*.cu"), *course.glob("lab*/answers.h")]
        self.skeletons = {
            path.relative_to(course).as_posix(): path.read_text(encoding="utf-8") for path in files
        }

        self.variables = {"GIT_CEILING_DIRECTORIES": str(course.parent)}

    def run(self, *command: str) -> Said:
        status, text = call(*command, folder=self.course, **self.variables)
        said = Said(text)
        said.status = status
        return said

    def make(self, *words: str) -> Said:
        return self.run("make", *words)

    def test(self, lab: str, part: str) -> Said:
        return self.make("-C", lab, "test", f"PART={part}")

    def reset(self) -> None:
        """Restores the skeletons of edited files with make reset."""
        for lab in self.labs:
            said = self.make("-C", lab, "reset", "YES=1")
            if said.status != 0:
                pytest.skip(" ".join(said.splitlines()[-3:]))
        Student.__init__(self, self.course)

    def holds(self, path: str) -> str:
        return (self.course / path).read_text(encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        """Writes a file like an editor that creates a new one and renames it."""
        new = self.course / "new"
        new.write_text(text, encoding="utf-8")
        new.rename(self.course / path)

    def has(self, texts: dict[str, str] = {}) -> None:
        """Writes these texts, and the skeletons of all other files. A file with the right text is
        not written again, so that it is not built again."""
        for path, text in {**self.skeletons, **texts}.items():
            if not (self.course / path).exists() or self.holds(path) != text:
                self.write(path, text)

    def results(self, lab: str, part: str) -> pathlib.Path:
        return self.progress / lab / f"{part}.jsonl"

    def pretend(self, results: dict[tuple[str, str], list[dict]]) -> None:
        """Writes results like those of the tests of these parts. Each part gets a file that does
        not compile: that is the fastest way to get a first line about it."""
        for lab, part in results:
            source = f"{lab}/answers.h" if part == "answers" else f"{lab}/{part}.cu"
            self.write(source, f'#include "nowhere.h"\n{self.skeletons[source]}')
            self.results(lab, part).unlink(missing_ok=True)
        said = self.make("progress")
        for one, lines in results.items():
            first = json.loads(self.results(*one).read_text(encoding="utf-8").splitlines()[0])
            assert first.pop("built") is False, said
            text = [json.dumps(line, separators=(",", ":")) + "\n" for line in [first, *lines]]
            self.results(*one).write_text("".join(text), encoding="utf-8")


def make(folder: pathlib.Path) -> Student:
    """Copies the course with its build; its exercise files are skeletons."""
    student = Student(course_copy.make(folder))
    student.reset()
    return student


class Terminal:
    """A command on a terminal of its own, and its output there since the last save."""

    def __init__(self, student: Student, *command: str) -> None:
        self.student, self.said = student, Said()
        env = of_new_terminal(student.variables)
        self.process, self.ours = on_terminal(list(command), cwd=student.course, env=env)

    def read(self, seconds: float) -> bool:
        """Reads the output during this time; tells whether there was any."""
        if not select.select([self.ours], [], [], seconds)[0]:
            return False
        text = os.read(self.ours, 65536).decode(errors="replace")
        self.said = Said(self.said + text.replace("\r\n", "\n"))
        return True

    def save(self, path: str, text: str) -> None:
        while self.read(0):
            pass
        self.said = Said()
        self.student.write(path, text)

    def shows(self, text: str) -> Said:
        """Waits for it, at most two minutes: only a busy machine takes so long."""
        began = time.monotonic()
        while text not in self.said and time.monotonic() - began < 120:
            self.read(1)
        assert text in self.said, self.said
        return self.said

    def ctrl_c(self) -> int:
        """Returns the exit status."""
        os.write(self.ours, b"\x03")
        return self.process.wait(30)

    def close(self) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.ctrl_c()
        end_group(self.process)
        os.close(self.ours)
