"""Cuts C++ source into tokens with their lines, without comments."""

import re
from typing import NamedTuple

TOKEN = re.compile(
    r"(?P<skip>//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|\\\n|\s+)"
    r'|(?P<string>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|[\w.'])*)"
    r"|(?P<sign><<<|>>>|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^!=<>]=|<<|>>|::|.)",
    re.DOTALL,
)


class Token(NamedTuple):
    kind: str  # string, name, number or sign
    text: str
    line: int


def tokens(text):
    line = 1
    for match in TOKEN.finditer(text):
        if match.lastgroup != "skip":
            yield Token(match.lastgroup, match.group(), line)
        line += match.group().count("\n")
