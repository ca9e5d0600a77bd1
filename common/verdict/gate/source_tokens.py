"""Cuts C++ source into tokens with their lines, without comments, in time linear in its length: no
pattern takes back what it has passed, and what comes to no end is cut at the end of the line."""

import itertools
import re
from typing import Iterator, NamedTuple

START = re.compile(
    r"(?P<skip>\s+)"
    r"|(?P<comment>//|/\*)"
    r'|(?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s"]{0,16})\()'
    r"|(?P<quote>(?:u8|[uUL])?[\"'])"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<number>\.?\d[\w.]*)"
    r"|(?P<sign><<<|>>>|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^!=<>]=|<<|>>|::|%:|.)",
    re.DOTALL,
)
IN_A_LINE = "name", "sign"
WHOLE = "skip", "name", "sign"  # nothing more of them is to be found
NAME = re.compile(r"(?P<name>[^\W\d]\w*)")
MORE_OF_NUMBER = re.compile(r"(?:'(?=\w)|(?<=[eEpP])[+-])[\w.]*")
PLAIN = {quote: re.compile(rf"[^{quote}\\\n]*") for quote in "\"'"}
SPLICE = re.compile(r"\\[ \t\r\f\v]*\n")  # joins two lines


class Token(NamedTuple):
    kind: str  # string, name, number or sign
    text: str
    line: int


class Piece(NamedTuple):
    kind: str  # name, number, sign, quote, raw, comment or skip
    text: str
    line: int
    spliced: bool  # goes on after a backslash at a line's end


def end_of_quoted(text: str, at: int, quote: str) -> int:
    while True:
        at = PLAIN[quote].match(text, at).end()
        if text[at : at + 1] != "\\" or text[at + 1 : at + 2] == "\n":
            return at + (text[at : at + 1] == quote)
        at = min(at + 2, len(text))


def end_of_number(text: str, at: int) -> int:
    while part := MORE_OF_NUMBER.match(text, at):
        at = part.end()
    return at


def found_or_end(text: str, wanted: str, at: int) -> int:
    """Returns the end of the wanted text; the end of all text if it does not come."""
    found = text.find(wanted, at)
    return len(text) if found < 0 else found + len(wanted)


def end_of(found: re.Match, text: str) -> int:
    """Returns the end of the token that begins so."""
    kind, at = found.lastgroup, found.end()
    if kind == "comment":
        end = found_or_end(text, "*/" if text[at - 1] == "*" else "\n", at)
        return end - 1 if text[end - 1 : end] == "\n" else end
    if kind == "raw":
        return found_or_end(text, f'){found["mark"]}"', at)
    if kind == "quote":
        return end_of_quoted(text, at, text[at - 1])
    return end_of_number(text, at) if kind == "number" else at


def cut(text: str) -> Iterator[tuple[str, str, int, bool]]:
    """Yields the pieces of a text as plain tuples."""
    parts = SPLICE.split(text)
    splices = iter([*itertools.accumulate(map(len, parts[:-1])), len(text) + 1])
    text, splice = "".join(parts), next(splices)
    at, line, kind, match, length = 0, 1, "", START.match, len(text)
    while at < length:
        behind, found = kind, match(text, at)
        kind, end = found.lastgroup, found.end()
        # R directly after a literal is its suffix, and begins no raw string.
        if kind == "raw" and behind in ("raw", "quote"):
            kind, end = "name", NAME.match(text, at).end()
        elif kind not in WHOLE:
            end = end_of(found, text)
        while splice <= at:
            splice, line = next(splices), line + 1
        yield kind, text[at:end], line, splice < end
        if kind not in IN_A_LINE:
            line += text.count("\n", at, end)
        at = end


def pieces(text: str) -> Iterator[Piece]:
    """Yields all of a text, comments and blanks too, but what joins lines."""
    return map(Piece._make, cut(text))


def tokens(text: str) -> Iterator[Token]:
    for kind, piece, line, _ in cut(text):
        if kind not in ("skip", "comment"):
            yield Token("string" if kind in ("raw", "quote") else kind, piece, line)
