"""Finds the accesses of a function that call no hook."""

import functools
import re
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from hear_operands import REGISTERS, Access, Memory, access
from hear_values import ALIGNED, FRAME, STACK, Value, Values, symbol

HOOK = re.compile(r"__tsan_(?:unaligned_|volatile_)*(read|write)(\d+|_range)$")
# These take an address in %rdi and a word on the stack: see heard.cpp.
HEARD, CALLED = "cusimMemHeard", "cusimMemCalled"
# These change none of the caller's variables.
QUIET = re.compile(r"__[tu]b?san_")
# The name of a copy or a fill that has been reported, by its usual name.
ANNOUNCED = {"memcpy": "cusimMemCopied", "memset": "cusimMemCleared"}
MOST = 64  # bytes of an access whose size is not known
NEAR = 1 << 16  # the guard below each stack is as large
BUILT_IN = re.compile(r"@(?:threadIdx|blockIdx|blockDim|gridDim)$")
CONSTANT = re.compile(r"@(?:\.rodata|\.L|\.data\.rel\.ro)")
JUMP = re.compile(r"(?:ret|jmp)")
# What functions of the device's headers access by a pointer or reference without a word, as it is
# mostly of a local variable of their caller's: groups of threads, references to atomics, states of
# random numbers. The pattern, the register that holds the address, bytes, and which kinds.
_GROUP = "12thread_group|12thread_block|10grid_group"
_LANES = "15coalesced_group|17thread_block_tile"
_DRAWS = "6nextOf|4seed|7advance|4skip|8normalOf|14normalDoubleOf|15uniformDoubleOf|9poissonOf"
_TOUCHED = [
    (re.compile(pattern), register, size, kinds)
    for pattern, register, size, kinds in (
        (rf"_ZNK18cooperative_groups(?:{_GROUP})", "rdi", 8, "l"),
        (rf"_ZN18cooperative_groups(?:{_GROUP})C", "rdi", 8, "s"),
        (rf"_ZNK18cooperative_groups(?:{_LANES})", "rdi", 16, "l"),
        (rf"_ZN18cooperative_groups(?:{_LANES})\w*C[12]", "rdi", 16, "s"),
        (r"_ZN18cooperative_groups17thread_block_tile\w*C[12]\w*RK", "rsi", 16, "l"),
        (
            r"_ZN18cooperative_groups(?:\d+\w*_partition|4sync|11thread_rank|10group_size)I?\w*RK",
            "rdi",
            8,
            "l",
        ),
        (r"_ZN4cuda(?:10atomic_ref|14aligned_size_t)\w*C[12]", "rdi", 8, "s"),
        (r"_ZNK4cuda(?:10atomic_ref|14aligned_size_t)", "rdi", 8, "l"),
        (r"_ZNK4cuda17atomic_operations\w*10atomic_ref", "rdi", 8, "l"),
        (rf"_ZN5cusim(?:{_DRAWS})(?=\w*11RandomState)\w*6Philox", "rdi", 80, "ls"),
        (rf"_ZN5cusim(?:{_DRAWS}|10skipXorwow)\w*6(?:Philox|Xorwow)", "rdi", 48, "ls"),
    )
]


@functools.lru_cache(maxsize=None)
def touched(function: str) -> Optional[Access]:
    """Returns what a function of the device's headers accesses for its caller; None for others."""
    for pattern, register, size, kinds in _TOUCHED:
        if pattern.match(function):
            return Access(Memory("", "", register, "", 1), size, kinds)
    return None


class Unheard(NamedTuple):
    access: Access
    kind: str  # 'l' or 's'
    address: Value


def is_own(address: Value, kind: str, size: int) -> bool:
    """Returns whether an address lies in the function's own frame, or is one of a constant."""
    number, terms = address
    if terms in (FRAME, STACK):
        return -NEAR <= number and (number < NEAR if kind == "l" else number + size <= 0)
    if terms == ALIGNED:
        return -NEAR <= number < NEAR
    if kind == "s":
        return False
    if len(terms) == 1 and terms[0][1] == 1:
        name = str(terms[0][0])
        # A compiler reads only two values of the host's thread: its address and the stack's mark.
        own = name == "fs" and number in (0, 40)
        return own or "@G" in name or "@g" in name or bool(CONSTANT.match(name))
    if len(terms) == 2 and terms[1] == ("fs", 1) and terms[0][1] == 1:
        return bool(BUILT_IN.match(str(terms[0][0]))) and 0 <= number <= 12 - size
    return False


class Accesses:
    """Reads a function's instructions, and returns for each what it accesses without a hook."""

    def __init__(self) -> None:
        self.values = Values()
        self._told: Dict[Tuple[str, Any], List[Tuple[int, int]]] = {}
        self._checked: List[Value] = []
        self._pushed = 0

    def label(self) -> None:
        """A jump may lead here."""
        self.values.forget()
        self._forget()

    def _forget(self) -> None:
        self._told.clear()
        self._checked.clear()

    def tell(self, kind: str, address: Value, size: int) -> None:
        self._told.setdefault((kind, address[1]), []).append((address[0], address[0] + size))

    def _is_told(self, kind: str, address: Value, size: int) -> bool:
        number, terms = address
        return is_own(address, kind, size) or any(
            low <= number and number + size <= high
            for low, high in self._told.get((kind, terms), ())
        )

    def is_announced(self, name: str) -> bool:
        """Returns whether all that a copy or a fill accesses has been reported."""
        number, terms = self.values.register("rdx")
        sides = {"s": self.values.register("rdi")}
        if name in ("memcpy", ANNOUNCED["memcpy"]):
            sides["l"] = self.values.register("rsi")
        return (
            not terms
            and all(self._is_told(kind, address, number) for kind, address in sides.items())
            and not all(is_own(address, kind, number) for kind, address in sides.items())
        )

    def is_checked(self, operand: str) -> bool:
        """Returns whether the pointer to the called function, in a register, has been checked."""
        return operand[2:] in REGISTERS and self.values.register(operand[2:]) in self._checked

    def _call(self, name: str) -> None:
        found = HOOK.match(name)
        if found:
            kind, size = "l" if found.group(1) == "read" else "s", found.group(2)
            number, terms = self.values.register("rsi") if size == "_range" else (int(size), ())
            if not terms:
                self.tell(kind, self.values.register("rdi"), number)
        elif name == HEARD:
            address = self.values.register("rdi")
            if self._pushed & 2:
                terms = tuple(sorted((*address[1], ("fs", 1)), key=repr))
                address = (address[0], terms)
            self.tell("ls"[self._pushed & 1], address, self._pushed >> 2)
            self.values.take(8)
            return
        elif name == CALLED:
            self._checked.append(self.values.register("rdi"))
            self.values.take(8)
            return
        self.values.called()
        if not QUIET.match(name):
            self.values.forget_slots()
            self._forget()

    def step(self, operation: str, operands: str) -> List[Unheard]:
        """Takes an instruction into account; returns what it accesses without a hook."""
        unheard: List[Unheard] = []
        found = access(operation, operands)
        if operation == "call" and not found:
            found = touched(operands.partition("@")[0])
        if found:
            address = self.values.address(found.memory)
            for kind in found.kinds:
                if not self._is_told(kind, address, found.size or MOST):
                    unheard.append(Unheard(found, kind, address))
        if operation == "call":
            self._call(operands.partition("@")[0])
        elif operation[:4] == "push":
            if operands[:1] == "$":
                self._pushed = symbol(operands[1:])[0]
            named: Optional[Value] = None
            if operands[:1] == "%" and ":" not in operands:
                named = self.values.register(operands[1:])
            self.values.push(named)
        elif operation[:3] == "pop" and operands[:1] == "%":
            self.values.pop(operands[1:])
        elif JUMP.match(operation):
            self.label()
        else:
            self.values.step(operation, operands, found.size if found else 0)
        return unheard
