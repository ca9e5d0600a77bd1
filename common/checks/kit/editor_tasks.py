"""The tasks of .vscode/tasks.json as VS Code reads them: the command of a task for the open file,
and the marks that its problem matcher makes from the command's output."""

import dataclasses
import json
import pathlib
import re

from run_report import ROOT

TEXT = (ROOT / ".vscode/tasks.json").read_text(encoding="utf-8")
TASKS = {task["label"]: task for task in json.loads(TEXT)["tasks"]}


@dataclasses.dataclass(frozen=True)
class Mark:
    file: str
    line: int
    severity: str
    message: str

    def lies_in(self, file: pathlib.Path) -> bool:
        """Tells whether it marks an existing line of this file, with some words."""
        lines = (ROOT / file).read_text(encoding="utf-8").count("\n")
        there = ROOT / self.file == ROOT / file and 1 <= self.line <= lines
        return there and len(self.message) > 5


def command(label: str, file: str) -> list[str]:
    """Returns the words of a task's command for the open file."""
    path = pathlib.PurePath(file)
    words = [TASKS[label]["command"], *TASKS[label]["args"]]
    variables = {
        "${relativeFileDirname}": str(path.parent),
        "${fileBasenameNoExtension}": path.stem,
    }
    for name, value in variables.items():
        words = [word.replace(name, value) for word in words]
    return words


def marks(label: str, said: str) -> list[Mark]:
    """Returns the marks of the task for this output of its command."""
    matcher = TASKS[label]["problemMatcher"]
    pattern = matcher["pattern"]
    found = (re.search(pattern["regexp"], line) for line in said.splitlines())

    def group(match: re.Match[str], name: str) -> str:
        return match[pattern[name]] or ""

    return [
        Mark(
            group(match, "file"),
            int(group(match, "line")),
            group(match, "severity") or matcher["severity"],
            group(match, "message"),
        )
        for match in found
        if match
    ]
