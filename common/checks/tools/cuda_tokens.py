"""Reads a .cu file as tokens and statements, as far as mutate.py needs them.

Comments, strings and preprocessor lines are no tokens, so that nothing in them is changed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from verdict.gate.source_tokens import pieces

PAIRS = {"(": ")", "[": "]", "{": "}", "<<<": ">>>"}
TYPES = set("void bool char short int unsigned long float double size_t auto const".split())
TYPES |= {"float4", "dim3", "cudaError_t", "cudaStream_t", "cudaDeviceProp"}


class Token(NamedTuple):
    kind: str  # quote, raw, number, name or sign; skip or comment
    text: str
    begin: int  # in the file's text
    end: int


def lexemes(text: str) -> Iterator[Token]:
    """Yields all pieces of a text; preprocessor lines are blanks."""
    end = 0
    plain = re.sub(r"(?m)^[ \t]*#(?:\\\n|.)*", lambda line: re.sub(".", " ", line[0]), text)
    for kind, piece, *_ in pieces(plain):
        yield Token(kind, piece, end, end := end + len(piece))


@dataclass
class Statement:
    """A statement: of `if`, `for` and the like `head` is the last token before the first body."""

    kind: str  # simple, block, if, for, while or function
    function: str  # that contains it
    first: int  # of its tokens
    last: int
    head: int
    inner: list["Statement"] = field(default_factory=list)  # of a block; the bodies of others


class File:
    """The tokens of a .cu file, its functions, and what each of them declares."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [one for one in lexemes(text) if one.kind not in ("skip", "comment")]
        self.close: dict[int, int] = {}  # from each opening bracket to its closing one
        self.match_brackets()
        # Names that the preprocessor gives a number.
        self.macros = re.findall(r"^#define (\w+) \d+$", text, re.MULTILINE)
        self.top = list(self.parse_top())

    def __getitem__(self, at: int) -> str:
        """Returns a token's text, '' outside of the file."""
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def match_brackets(self) -> None:
        opened: list[int] = []
        for at, token in enumerate(self.tokens):
            if token.text in PAIRS:
                opened.append(at)
            elif token.text in PAIRS.values():
                self.close[opened.pop()] = at

    def source(self, first: int, last: int) -> str:
        return self.text[self.tokens[first].begin : self.tokens[last].end]

    def end_of(self, at: int, *ends: str) -> int:
        """Returns the first token from `at` on that is one of these, outside of brackets."""
        while self[at] not in ends:
            at = self.close.get(at, at) + 1
        return at

    def parse_top(self) -> Iterator[Statement]:
        """Yields the functions of the file, and what it declares outside of them."""
        at = 0
        while at < len(self.tokens):
            end = self.end_of(at, ";", "{")
            if self[end] == ";":
                yield Statement("simple", "", at, end, end)
            else:
                opened = next(
                    n for n in range(at, end) if self[n] == "(" and self.close[n] == end - 1
                )
                name, close = self[opened - 1], self.close[end]
                body = self.parse(end, name)
                yield Statement("function", name, at, close, end - 1, [body])
                end = close
            at = end + 1

    def parse(self, at: int, name: str) -> Statement:
        """Returns the statement that begins with this token."""
        word = self[at]
        if word == "{":
            inner, next_one = [], at + 1
            while next_one < self.close[at]:
                inner.append(self.parse(next_one, name))
                next_one = inner[-1].last + 1
            return Statement("block", name, at, self.close[at], at, inner)
        if word in ("if", "for", "while"):
            head = self.close[at + 1]
            body = self.parse(head + 1, name)
            made = Statement(word, name, at, body.last, head, [body])
            if word == "if" and self[body.last + 1] == "else":
                made.inner.append(self.parse(body.last + 2, name))
                made.last = made.inner[-1].last
            return made
        end = self.end_of(at, ";")
        return Statement("simple", name, at, end, end)

    def functions(self) -> dict[str, list[str]]:
        """Returns the words of each function."""
        found = [one for one in self.top if one.kind == "function"]
        return {one.function: [self[n] for n in range(one.first, one.last)] for one in found}

    def declared(self, function: Statement) -> dict[str, str]:
        """Returns the names that a function declares, with their types."""
        names: dict[str, str] = {}
        at, of_type = function.first, ""
        while at < function.last:
            word = self[at]
            if word in TYPES and word != "const" and self[at + 1] not in (">", ")"):
                of_type = word
            pointer = self[at - 1] == "*"
            before = self[at - 1] in TYPES or (pointer and self[at - 2] in (*TYPES, ","))
            listed = self[at - 1] == "," and self[at + 1] in ("=", ";", ",", "[")
            if self.tokens[at].kind == "name" and word not in TYPES and self[at + 1] != "::":
                if of_type and (before or listed):
                    names.setdefault(word, of_type + "*" * (pointer or self[at + 1] == "["))
            if word in (";", "{"):
                of_type = ""
            at = self.close[at] + 1 if of_type and word in ("[", "{") else at + 1
        return names


def walk(statements: list[Statement]) -> Iterator[tuple[list[Statement], int]]:
    """Yields for each statement the list that contains it, and its index."""
    for place, one in enumerate(statements):
        yield statements, place
        yield from walk(one.inner)
