"""Finds the directives by which a file passes some of its lines off as another file's: what that
file may do, such as the simulated device's own headers, the student's code may not."""

import re

# g++ joins these lines, too.
JOINED = re.compile(r"\\[ \t\f\v\r]*\n")
# Words and numbers stay; comments become blanks, as a directive may follow them, and so do texts,
# which are none. What is not closed takes the rest, so that no place is read twice.
TOKEN = re.compile(
    r'(?:u8|[uUL])?R"([^()\\\s]{0,16})\((?:.*?\)\1"|.*)'
    r"|(?P<word>\.?\d(?:[eEpP][+-]|'?[\w.])*|[\w$]+)"
    r"|//[^\n]*|/\*(?:.*?\*/|.*)"
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""",
    re.DOTALL,
)
MARKER = re.compile(r"^[ \t\f\v]*(?:#|%:)[ \t\f\v]*(?:line\b|\d)", re.MULTILINE)


def renames(path):
    """Returns whether a file has such a directive."""
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        text = JOINED.sub("", file.read())
    return bool(MARKER.search(TOKEN.sub(lambda found: found["word"] or " ", text)))
