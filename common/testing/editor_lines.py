"""Prints a line for each failed test: where to look, in the form of a compiler's error.
run_tests.py ends its report with them if LAB_EDITOR is set, for an editor that marks the lines: its
patterns (see .vscode/tasks.json) cannot take a report that is broken into lines for a terminal."""

import re

BELOW = re.compile(r"^(?:where|read|It printed): ?", re.MULTILINE)
SHOWN = re.compile(r"\.?\n(.*:)(?=\n )")  # the line above wrong elements
NAMED = re.compile(r"(?<![.,:;?])\n(?=TODO\(\d+\): |\w+: the product)")  # "Width 33"


def sentence(test: dict) -> str:
    """Returns what is wrong: a finding and its remedy, or else the test's own sentences."""
    for found in test["found"]:
        if "title" in found:
            return f"{found['title']}. {found.get('remedy', '')}".rstrip()
    own = NAMED.sub(":\n", SHOWN.sub(".", BELOW.split(test["explanation"])[0]))
    return " ".join(line for line in own.splitlines() if not line.startswith(" "))


def place(test: dict, source: str) -> tuple[str, int]:
    """Returns the file and the line of a failed test; line 0 if it is not known."""
    if "line" in test:
        return test["file"], test["line"]
    return source, next((one["line"] for one in test["found"] if one.get("file") == source), 0)


def of_tests(failed: list[dict], source: str) -> list[str]:
    """Returns a line for each line of the file, about the first of these tests that fails there.
    Tests that no line is known of fail for the causes of others; alone they get line 1."""
    found: dict[tuple[str, int], str] = {}
    for test in failed:
        found.setdefault(place(test, source), f"{sentence(test)} [{test['test']}]")
    nowhere = found.pop((source, 0), "")
    found = found or ({(source, 1): nowhere} if nowhere else {})
    return [f"{file}:{line}: error: {text}" for (file, line), text in found.items()]
