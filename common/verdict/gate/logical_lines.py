"""Cuts C++ source into the lines that a preprocessor sees: joined if a backslash ends one, and
with a blank for each comment. Refuses to guess where compilers differ, or where a literal begins by
a letter that not all of them know."""

import re
from typing import Iterator, List, NamedTuple

from source_tokens import Piece, pieces

RAW = re.compile(r'(?:u8|[uUL])?R"[-\w=*~]{0,16}\(', re.ASCII)
RAW_PREFIX = re.compile(r"(?:u8|[uUL])?R")
# One compiler takes the sign of a binary exponent for a part of the number, another does not.
UNSURE_NUMBER = re.compile(r"[pP][+-]'|[^\0-\x7f]")
NOTHING = Piece("skip", "", 1, False)


class Line(NamedTuple):
    number: int
    text: str
    code: str  # the same with empty literals


class Doubtful(Exception):
    """With the line's number and the reason why the end of a comment or a literal is unclear."""


def check_literal(piece: Piece, before: Piece) -> None:
    """Refuses a literal whose beginning is not the same for all compilers."""
    unsure = before.kind == "number"
    if piece.kind == "raw":
        ends = piece.text.partition("(")[0].partition('"')[2]
        unsure |= not RAW.match(piece.text) or not piece.text.endswith(f'){ends}"')
        unsure |= piece.spliced or before.text[-1:] in ("$", "\\")
    elif before.kind == "name":
        unsure |= bool(RAW_PREFIX.fullmatch(before.text))
    if before.kind in ("name", "sign"):
        unsure |= not before.text.isascii()
    if unsure:
        raise Doubtful(piece.line, "holds a literal that compilers may read in two ways")


def check_over_lines(piece: Piece, begun: List[str]) -> None:
    """Refuses a comment or raw string over lines, of a directive, that not all compilers take for
    one; `begun` is what stands first on the line."""
    if begun[:1] not in (["#"], ["%:"]):
        return
    if piece.kind == "raw" or begun[1:2] in (["error"], ["warning"]) or "mark" in begun[2:3]:
        raise Doubtful(piece.line, "holds a directive over lines without a backslash")


def logical_lines(text: str) -> Iterator[Line]:
    number, texts, codes, begun, before = 1, [], [], [], NOTHING
    for piece in pieces(text):
        kind, said = piece.kind, piece.text
        if kind == "skip" and "\n" in said:
            yield Line(number, "".join(texts), "".join(codes))
            texts, codes, begun, before = [], [], [], NOTHING
            continue
        if not begun and kind not in ("comment", "skip"):
            number = piece.line
        if kind in ("raw", "quote"):
            check_literal(piece, before)
        elif kind == "number" and UNSURE_NUMBER.search(said):
            raise Doubtful(piece.line, "holds a number that compilers may read in two ways")
        if "\n" in said:
            check_over_lines(piece, begun)
        code = said
        if kind == "comment":
            said = code = " "
        elif kind in ("raw", "quote"):
            said = '""' if "\n" in said else said
            code = '""' if said[0] == '"' and kind == "quote" else "''"
        if kind not in ("comment", "skip") and len(begun) < 3:
            begun.append(said)
        texts.append(said)
        codes.append(code)
        before = piece
    yield Line(number, "".join(texts), "".join(codes))
