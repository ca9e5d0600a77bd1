"""Says whether what an #if computes is plain: numbers, operators and macros of the file's own that
are plain. Only such a one cannot put together the word __has_include, as macros of the system's
headers could."""

import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Set

from source_tokens import tokens

SIGNS = set("+-*/%&|^~!<>=?:(),")
OPERATORS = set("and or not bitand bitor xor compl not_eq".split())
# What asks about a name, and expands no macro but one of its own name.
ASKS = re.compile(r"\bdefined\b\s*(?:\(\s*\w+\s*\)|\w+)|\b(__has_\w+)\s*\([^()]*\)")


class Condition(NamedTuple):
    line: int
    text: str
    parameters: frozenset = frozenset()  # of the macro that it is the body of


def names_of(condition: Condition, called: Set[str]) -> Iterator[Optional[str]]:
    """Yields the names in a condition, and None if it is not plain: if two operands have no
    operator between them, a macro can make a call of them."""
    before, operand = "", False
    for kind, text, _ in tokens(ASKS.sub(lambda asked: f" {asked[1] or 1} ", condition.text)):
        is_name = kind == "name" and text not in OPERATORS
        if is_name and not text.isascii() or kind == "string" and text[-1] != "'":
            yield None
        if kind == "sign" and (text == "%:" or not SIGNS.issuperset(text)):
            yield None
        starts = is_name or kind in ("number", "string")
        if operand and starts:
            yield None
        if operand and text == "(" and (before not in called or before in condition.parameters):
            yield None
        if is_name:
            yield text
        before, operand = text, starts or text == ")"


def not_plain(conditions: List[Condition], macros: Dict[str, List[Condition]], called: Set[str]):
    """Returns the line of what is not plain in the conditions and the macros that they name, or
    None. `called` are the macros with parameters."""
    todo, seen = list(conditions), set()
    for condition in todo:
        for name in names_of(condition, called):
            if name is None:
                return condition.line
            if name not in seen:
                seen.add(name)
                todo += macros.get(name, ())
    return None
