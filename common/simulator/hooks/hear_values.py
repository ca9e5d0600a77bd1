"""Follows values through a function's code, as far as it takes to see whether an access is of the
address that the compiler has announced to a hook.

A value is a sum: a number, and terms with factors. A term stands for what is not known, such as
what was in a register at the begin of a piece of code; equal sums are equal values.
"""

import functools
import re
from typing import Any, Dict, Optional, Tuple

from hear_operands import REGISTERS, Memory, memory, split

Value = Tuple[int, Tuple[Tuple[Any, int], ...]]
# The stack at the begin of a function; its frame; a stack that it has aligned by itself.
STACK, FRAME, ALIGNED = ((("stack", 1),), (("frame", 1),), (("aligned", 1),))
CHANGED = "rax rcx rdx rsi rdi r8 r9 r10 r11".split()  # by a call
SYMBOL = re.compile(r"([+-]?)([^+-]+)")
MOVES = re.compile(r"mov(?:abs)?[bwlq]?$")
EXTENDS = re.compile(r"mov([sz])[bwl][wlq]$")
TERMS = {"lea": 1, "add": 1, "sub": -1, "inc": 1, "dec": -1}
SUM = re.compile(r"(lea|add|sub|inc|dec)[bwlq]?$")
SHIFT = re.compile(r"(?:sal|shl)[lq]?$")
RESULT = re.compile(
    r"(?:and|or|xor|adc|sbb|neg|not|sh[lr]|sa[lr]|ro[lr]|imul|set[a-z]+|cmov[a-z]+|bs[fr]|bswap)"
)
WIDENS = {"cltq": 4, "cwtl": 2, "cbtw": 1}
KEEPS = re.compile(
    r"(?:cmp|test|bt|nop|prefetch|u?comis|endbr|j|f|ud2|hlt|pause|leave$|[lms]fence|lock)"
)


def plus(one: Value, other: Value, factor: int = 1) -> Value:
    number = one[0] + factor * other[0]
    if not other[1]:
        return (number, one[1])
    terms = dict(one[1])
    for term, times in other[1]:
        terms[term] = terms.get(term, 0) + factor * times
    return (number, tuple(sorted(((t, n) for t, n in terms.items() if n), key=repr)))


def number_of(text: str) -> Optional[int]:
    try:
        number = int(text, 0)
    except ValueError:
        return None
    return number - (1 << 64) if number >> 63 == 1 else number


@functools.lru_cache(maxsize=None)
def symbol(text: str) -> Value:
    """Returns the value of a sum of numbers and a symbol, as the assembler reads it."""
    number, terms = 0, []
    for sign, word in SYMBOL.findall(text):
        known = number_of(word)
        if known is None:
            terms.append(("@" + word.partition("@tpoff")[0], 1))
        else:
            number += -known if sign == "-" else known
    return (number, tuple(terms))


class Values:
    """What is known of registers and of the function's own variables at an instruction."""

    def __init__(self) -> None:
        self._count = 0
        self._made: Dict[Any, int] = {}
        self._narrow: Dict[Any, int] = {}  # terms of so many bytes
        self._registers: Dict[str, Value] = {"rsp": (0, STACK)}
        self._slots: Dict[Tuple[Any, int], Tuple[int, Value]] = {}

    def forget(self) -> None:
        """Keeps only what is known wherever a jump comes from."""
        self._registers = self._fixed()
        self._slots.clear()

    def _fixed(self) -> Dict[str, Value]:
        """Returns the registers that mean the same in all of a function: one that aligns its stack
        keeps where that began."""
        return {
            name: value
            for name, value in self._registers.items()
            if name in ("rsp", "rbp") or value[1] == STACK
        }

    def forget_slots(self) -> None:
        self._slots.clear()

    def called(self) -> None:
        for name in CHANGED:
            self._registers.pop(name, None)

    def _unknown(self) -> Value:
        self._count += 1
        return (0, ((self._count, 1),))

    def _made_of(self, *key: Any) -> Value:
        """Returns the same value each time that it is made of the same values."""
        if key not in self._made:
            self._count += 1
            self._made[key] = self._count
        return (0, ((self._made[key], 1),))

    def _low(self, value: Value, size: int) -> Value:
        """Returns the value's lowest bytes."""
        number, terms = value
        if size == 8 or (not terms and 0 <= number < 1 << 31):
            return value
        if number == 0 and len(terms) == 1 and self._narrow.get(terms[0][0], 9) <= size:
            return value
        low = self._made_of("low", size, value)
        self._narrow[low[1][0][0]] = size
        return low

    def register(self, name: str) -> Value:
        if name not in REGISTERS:  # a vector, which holds the addresses of many elements
            return self._unknown()
        whole, size = REGISTERS[name]
        if whole not in self._registers:
            self._registers[whole] = self._unknown()
        return self._low(self._registers[whole], size)

    def _set(self, name: str, value: Value) -> None:
        whole, size = REGISTERS[name]
        if size < 4:
            value = self._made_of("part", size, self.register(whole), value)
        if whole == "rbp" and value[1] in (STACK, ALIGNED) and value == self._registers["rsp"]:
            value = self._registers["rsp"] = (0, FRAME)
        elif whole == "rsp" and value[1] not in (STACK, FRAME, ALIGNED):
            value = (0, ALIGNED)
        self._registers[whole] = self._low(value, size)

    def address(self, named: Memory) -> Value:
        value = symbol(named.place)
        if named.base not in ("", "rip"):
            value = plus(value, self.register(named.base))
        if named.index:
            value = plus(value, self.register(named.index), named.scale)
        return plus(value, (0, ((named.segment, 1),))) if named.segment else value

    def _load(self, named: Memory, size: int) -> Value:
        number, terms = self.address(named)
        if "@GOT" in named.place or "@got" in named.place:
            return (0, (("@" + named.place.partition("@")[0], 1),))
        if named.segment == "fs" and (number, terms) == (0, (("fs", 1),)):
            return (0, (("fs", 1),))
        known = self._slots.get((terms, number))
        if known and known[0] == size:
            return known[1]
        value = self._unknown()
        self._narrow[value[1][0][0]] = size
        if terms in (FRAME, STACK, ALIGNED):
            self._slots[terms, number] = (size, value)
        return value

    def _store(self, address: Value, size: int, value: Optional[Value]) -> None:
        number, terms = address
        if size == 0 or terms not in (FRAME, STACK, ALIGNED):
            self._slots.clear()
            return
        for at in range(number - 15, number + size):
            known = self._slots.get((terms, at))
            if known and at + known[0] > number:
                del self._slots[terms, at]
        if value is not None:
            self._slots[terms, number] = (size, value)

    def push(self, value: Optional[Value]) -> None:
        number, terms = self._registers["rsp"]
        self._registers["rsp"] = (number - 8, terms)
        self._store((number - 8, terms), 8, value)

    def pop(self, name: str) -> None:
        number, terms = self._registers["rsp"]
        known = self._slots.get((terms, number))
        if name != "rbp":
            self._set(name, known[1] if known and known[0] == 8 else self._unknown())
        self.take(8)

    def take(self, number: int) -> None:
        """Takes this many bytes from the stack."""
        self._registers["rsp"] = plus(self._registers["rsp"], (number, ()))

    def _read(self, part: str, size: int) -> Value:
        if part[0] == "$":
            return symbol(part[1:])
        if part[0] == "%" and part[1:] in REGISTERS:
            return self.register(part[1:])
        named = memory(part)
        return self._load(named, size) if named else self._unknown()

    def _write(self, part: str, size: int, value: Optional[Value]) -> None:
        named = memory(part)
        if named:
            self._store(self.address(named), size, value)
        elif part[1:] in REGISTERS:
            self._set(part[1:], self._unknown() if value is None else value)

    def step(self, operation: str, operands: str, size: int) -> None:
        """Takes an instruction into account that is no jump, call, push or pop, and accesses `size`
        bytes of memory, if any."""
        parts = split(operands)
        last = parts[-1] if parts else ""
        whole, wide = REGISTERS.get(last[1:], ("", size))
        size = size or wide
        if "%xmm" in operands or "%st" in operands or operation[0] == "f":
            self._write(last, size, None)
        elif MOVES.match(operation):
            value = self._read(parts[0], size)
            self._write(last, size, self._low(value, size) if memory(last) else value)
        elif EXTENDS.match(operation):
            value = self._read(parts[0], size)
            if operation[3] == "s":
                value = self._made_of("signed", value)
            self._write(last, wide, value)
        elif operation in WIDENS:
            size = WIDENS[operation]
            self._set("rax", self._made_of("signed", self._low(self.register("rax"), size)))
        elif SUM.match(operation):
            self._sum(operation[:3], parts, size)
        elif SHIFT.match(operation) and whole and parts[0][0] == "$" and len(parts) == 2:
            factor = 1 << (symbol(parts[0][1:])[0] & 63)
            self._set(last[1:], plus((0, ()), self.register(last[1:]), factor))
        elif RESULT.match(operation) and len(parts) + operation.startswith("imul") > 1:
            if len(parts) == 1 and operation.startswith("imul"):
                self._set("rax", self._unknown())
                self._set("rdx", self._unknown())
                return
            read = [self._read(part, size) for part in parts]
            self._write(last, size, self._made_of(operation, *read))
        elif RESULT.match(operation):
            self._write(last, size, None)
        elif not KEEPS.match(operation):
            self._registers = self._fixed()
            if memory(last or "%"):
                self._write(last, size, None)

    def _sum(self, operation: str, parts: Tuple[str, ...], size: int) -> None:
        last = parts[-1]
        if operation == "lea":
            named = memory(parts[0])
            self._write(last, size, self.address(named) if named else None)
            return
        more: Value = (1, ()) if len(parts) == 1 else self._read(parts[0], size)
        value = plus(self._read(last, size), more, TERMS[operation])
        self._write(last, size, self._low(value, size))
