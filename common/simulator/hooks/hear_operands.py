"""Reads x86-64 instructions as g++ writes and objdump prints them: their operands, and how much of
memory each loads and stores."""

import functools
import re
from typing import List, NamedTuple, Optional, Tuple

NAMES = {
    "rax": "eax ax al ah",
    "rbx": "ebx bx bl bh",
    "rcx": "ecx cx cl ch",
    "rdx": "edx dx dl dh",
    "rsi": "esi si sil",
    "rdi": "edi di dil",
    "rbp": "ebp bp bpl",
    "rsp": "esp sp spl",
}
NAMES.update({f"r{n}": f"r{n}d r{n}w r{n}b" for n in range(8, 16)})
# Each name of a register: the 64 bits that it is part of, and its size in bytes.
REGISTERS = {name: (name, 8) for name in NAMES}
for _whole, _parts in NAMES.items():
    for _name, _size in zip(_parts.split(), (4, 2, 1, 1)):
        REGISTERS[_name] = (_whole, _size)

PREFIX = re.compile(r"^(?:(?:lock|notrack|bnd|data16|rex\S*|[cdefgs]s) +)+")
# Source code cannot take the address of a destructor; the compiler hands it to atexit().
DESTRUCTOR = re.compile(r"_ZN.*D[012]Ev$")
MEMORY = re.compile(r"(?:%(\w\w):)?([^%()]*)(?:\((?:%(\w+))?(?:,%(\w+))?(?:,(\d))?\))?$")
SUFFIX = {"b": 1, "w": 2, "l": 4, "q": 8}
EXTENDS = re.compile(r"mov[sz]([bwl])[wlq]?$")
# The last letter of an x87 instruction is the size.
X87 = {"s": 4, "l": 8, "t": 10, "q": 8, "w": 2}
EXACT = {
    "movd": 4, "movq": 8, "movlps": 8, "movhps": 8, "movlpd": 8, "movhpd": 8, "cvtps2pd": 8,
    "cvtdq2pd": 8, "cvtpd2pi": 16, "cvtpi2ps": 8, "cvtpi2pd": 8, "cvttps2pi": 8, "cvtps2pi": 8,
    "cvttss2si": 4, "cvtss2si": 4, "cvttsd2si": 8, "cvtsd2si": 8, "cvtsi2ss": 4, "cvtsi2sd": 4,
    "cvttss2siq": 4, "cvttsd2siq": 8, "cvtss2siq": 4, "cvtsd2siq": 8, "cvttss2sil": 4,
    "cvttsd2sil": 8, "cvtss2sil": 4, "cvtsd2sil": 8, "pinsrw": 2, "stmxcsr": 4, "ldmxcsr": 4,
    "cmpxchg16b": 16, "cmpxchg8b": 8, "fisttps": 2, "filds": 2, "fistps": 2, "fists": 2,
}  # fmt: skip
# These only load if memory is their last operand, or store all of it without a load.
LOADS = re.compile(
    r"(?:cmp|test|push|u?comis|div|idiv|mul|imul|bt)[bwlqsd]?$|call|jmp|f(?!n?st|ist)"
)
STORES = re.compile(r"(?:mov|set|pop|f(?:n?st|ist)|stmxcsr|pextr)")
BOTH = re.compile(
    r"(?:add|sub|and|or|xor|adc|sbb|inc|dec|neg|not|sh[lr]d?|sa[lr]|ro[lr]|rc[lr]|xadd|xchg|cmpxchg"
    r"(?:8b|16b)?|bt[src])[bwlq]?$"
)
# They only name an address.
NO_ACCESS = re.compile(r"(?:lea[wlq]?|nop[wlq]?|prefetch\w+)$")


class Memory(NamedTuple):
    segment: str
    place: str  # symbol and offset
    base: str
    index: str  # type: ignore[assignment]
    scale: int


class Access(NamedTuple):
    memory: Memory
    size: int  # 0: not known
    kinds: str  # of 'l' and 's'


@functools.lru_cache(maxsize=None)
def memory(operand: str) -> Optional[Memory]:
    """Returns an operand in memory; None if it is a register or a number."""
    if operand[:1] in ("", "$") or (operand[0] == "%" and ":" not in operand):
        return None
    found = MEMORY.match(operand)
    if not found:
        return None
    segment, place, base, index, scale = found.groups()
    return Memory(segment or "", place, base or "", index or "", int(scale or "1"))


@functools.lru_cache(maxsize=None)
def split(operands: str) -> Tuple[str, ...]:
    """Returns the operands; the commas in parentheses belong to them."""
    if "(" not in operands:
        return tuple(operands.split(",")) if operands else ()
    parts: List[str] = []
    depth = start = 0
    for at, letter in enumerate(operands):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(operands[start:at])
            start = at + 1
    return (*parts, operands[start:])


@functools.lru_cache(maxsize=None)
def size_of(operation: str, parts: Tuple[str, ...]) -> int:
    """Returns the bytes that an instruction accesses in memory; 0 if that is not known."""
    extends = EXTENDS.match(operation)
    if extends:
        return SUFFIX[extends.group(1)]
    if operation in EXACT:
        return EXACT[operation]
    if operation.startswith(("call", "jmp")):
        return 8
    if operation.startswith("set"):
        return 1
    if operation[0] == "f":
        return X87.get(operation[-1], 0)
    if operation.startswith("cvtsi2"):
        return SUFFIX.get(operation[-1], 0)
    if any("%xmm" in part for part in parts):
        if operation.endswith("ss"):
            return 4
        return 8 if operation.endswith("sd") else 16
    for part in reversed(parts):
        register = REGISTERS.get(part[1:]) if part[0] == "%" else None
        if register and not (part == "%cl" and operation[:2] in ("sh", "sa", "ro", "rc")):
            return register[1]
    return SUFFIX.get(operation[-1], 0)


@functools.lru_cache(maxsize=None)
def access(operation: str, operands: str) -> Optional[Access]:
    """Returns how an instruction accesses memory by an operand; None if it does not."""
    if "(" not in operands and ":" not in operands or NO_ACCESS.match(operation):
        return None
    parts = split(operands)
    for at, part in enumerate(parts):
        named = memory(part.lstrip("*"))
        if named is None:
            continue
        size = size_of(operation, parts)
        last = at == len(parts) - 1
        if not last or LOADS.match(operation):
            kinds = "ls" if operation.startswith("xchg") else "l"
        elif STORES.match(operation):
            kinds = "s"
        elif BOTH.match(operation):
            kinds = "ls"
        else:
            return Access(named, 0, "ls" if len(parts) > 1 else "l")
        return Access(named, size, kinds)
    return None
