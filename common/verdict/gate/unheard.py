"""Finds instructions of kernels that access memory without a word to the simulated device.

Reads the object, and so depends on neither the compiler nor what the build adds to its code: each
access must be of an address that was handed to a hook just before, of the function's own frame, or
of a constant. Knows x86-64 and what g++ writes without optimisation.
"""

import os
import re
from typing import NamedTuple

from disassembly import HEADING, HOOKS, PLACE, RELOCATION, addend_of, section_of
from hear import MEMBERS, SITES
from hear_accesses import ANNOUNCED, Accesses
from hear_operands import PREFIX

# Their functions report their accesses to the device.
HEADERS = os.path.realpath(HOOKS.parent / "include") + os.sep
# Flags of the build if it adds what g++ leaves out.
HEARS = "-mstringop-strategy=libcall"
LINE = re.compile(r" *([0-9a-f]+):\t([^#<]*)(?:<([^>]*)>)?")
# What stands for a symbol until the program is linked: in an address, or as a number.
ZERO, NUMBER = re.compile(r"(?:^|[,:])(0x0)(?=[(,]|$)"), re.compile(r"\$(0x0)(?=,|$)")
STRINGS = re.compile(
    r"(?:rep\S* (?!ret)|maskmov|(?:movs|stos|lods|scas|cmps|ins|outs)[bwlq]? %|xlat|enter"
    # They store more than their operands show, or elsewhere.
    r"|fx(?:save|rstor)|x(?:save|rstor)|f(?:n?save|rstor|n?stenv|ldenv)|clzero|movdir64b|enqcmd"
    r"|tile(?:load|store)|(?:ld|st)tilecfg)"
)
# What no code of a device has: flags, registers of segments, returns elsewhere.
CONTROL = re.compile(
    r"popf|iret|lret|lcall|ljmp|std$|wr[fg]sbase|swapgs|wrpkru|wru?ss|rstorssp|incssp|senduipi"
)
# What the headers' functions call to report an access to the device, and after the report.
INNER = re.compile(
    r"_ZN5cusim(?:12atomicAccess|8exchange|15noteSharedShape|1[23][a-z]+FragmentE|17multiplyFragments)"
    r"|_ZNK4cuda17atomic_operations\w*E(?:6updateI|4noteE|2atE)"
)
# How a function ends, and what the assembler fills the room after it with.
ENDS, FILLS = re.compile(r"ret|jmp|ud2|hlt"), re.compile(r"nop|xchg$")
# What an access with a site of its own does before it calls its hook (hooks/hear.py).
TAKE_UP = """cmp %rdi,%fs:{name}+{next}
jne {slow:x}
subl $0x1,%fs:{name}+{left}
js {slow:x}
add %fs:{name}+{stride},%rdi
mov %rdi,%fs:{name}+{next}
jmp {behind:x}
mov %fs:0x0,%rsi
lea {name}+{site}(%rsi),%rsi
call cusimMem{kind}4"""
OWN_SITE = re.compile(rf"{re.escape(SITES)}\+(\d+)\(%rsi\),%rsi")
HOOK, CALL_BYTES = re.compile(r"cusimMem(Read|Write)4$"), 5
ADVICE = "load and store by a pointer, an index or memcpy()"


class Instruction(NamedTuple):
    address: int
    operation: str
    operands: str
    place: str
    names: str  # the symbol that a call or an address is of


class Function:
    """The instructions of one function, as objdump lists them."""

    def __init__(self, node):
        self.node, self.place, self.file, self.lines = node, "", "", []

    def instructions(self):
        place, read = "", []
        for line in self.lines:
            found = RELOCATION.match(line)
            if found and read:
                read[-1][3].append(found.groups())
                continue
            found = LINE.match(line)
            if found:
                text = PREFIX.sub("", found[2].strip()) if "rep" not in found[2] else found[2]
                read.append((int(found[1], 16), text, place, [], found[3] or ""))
                continue
            found = PLACE.match(line)
            if found:
                place = found[1]
        ends = [one[0] for one in read[1:]] + [0]
        return [complete(*one, end) for one, end in zip(read, ends)]


def complete(address, text, place, relocations, local, end):
    """Returns an instruction with what the linker will put into it."""
    operation, _, operands = text.strip().partition(" ")
    operands, names = operands.strip(), local.partition("+")[0]
    if operation.startswith("rep"):
        operation, operands = f"{operation} {operands}", ""
    for offset, kind, name, sign, addend in relocations:
        number = addend_of(sign, addend)
        names = name
        if operation == "call" or operation[0] == "j":
            operands = name
        elif "GOT" in kind:
            operands = operands.replace("0x0(%rip)", f"{name}@GOT(%rip)")
        elif "(%rip)" in operands:
            number += end - int(offset, 16)
            operands = operands.replace("0x0(%rip)", f"{name}{number:+d}(%rip)")
        else:
            found = ZERO.search(operands) or NUMBER.search(operands)
            if found:
                at = found.start(1)
                operands = f"{operands[:at]}{name}{number:+d}{operands[at + 3 :]}"
    return Instruction(address, operation, operands, place, names)


def functions(student):
    """Yields the functions of an object."""
    section, function = "", None
    for line in student.disassembly():
        heading = HEADING.match(line)
        begun = section_of(line)
        if begun is not None:
            section = begun
        elif heading:
            if function:
                yield function
            function = Function(("code", section, int(heading[1], 16)))
        elif function:
            place = "" if function.file else PLACE.match(line)
            if place:
                function.place = place[1]
                function.file = os.path.realpath(place[1].rpartition(":")[0])
            function.lines.append(line)
    if function:
        yield function


def is_taken_up(lines, kind):
    """Returns whether these instructions are all of one access with a site."""
    site = OWN_SITE.match(lines[-2].operands)
    if not site:
        return False
    text = "\n".join(f"{one.operation} {one.operands}" for one in lines)
    first, slow, behind = int(site[1]), lines[-3].address, lines[-1].address + CALL_BYTES
    places = {"site": first, **{name: first + at for name, at in MEMBERS.items()}}
    return text == TAKE_UP.format(name=SITES, kind=kind, slow=slow, behind=behind, **places)


def with_calls(instructions):
    """Returns the instructions with a plain call of its hook for each access with a site."""
    kept, many = [], TAKE_UP.count("\n")
    for at, one in enumerate(instructions):
        hook = HOOK.match(one.names)
        if hook and at >= many and is_taken_up(instructions[at - many : at + 1], hook[1]):
            del kept[-many:]
            name = f"__tsan_{hook[1].lower()}4"
            one = one._replace(operands=name, names=name)
        kept.append(one)
    return kept


def what_is_wrong(one, accesses):
    """Returns what an instruction does unheard, or ''."""
    if one.operation[0] == "v":
        return f"{one.operation} is no instruction of every x86-64; leave out 'target'"
    if CONTROL.match(one.operation):
        return f"{one.operation} changes the processor's state; leave out what is not CUDA"
    if STRINGS.match(f"{one.operation} {one.operands}"):
        return f"{one.operation} accesses memory unheard; {ADVICE}"
    if one.operation == "jmp" and one.operands[:1] == "*":
        return "jumps to an address that is computed; call a function instead"
    if one.operation == "call" and one.operands[:1] == "*":
        if not accesses.is_checked(one.operands):
            return (
                "calls through a pointer, which the gate cannot follow; call a function by its name"
            )
    if INNER.match(one.names):
        return "calls what belongs to the simulated device; call CUDA's own function"
    if one.operation == "call" and one.names in ANNOUNCED.values():
        if not accesses.is_announced(one.names):
            return f"copies memory unheard; {ADVICE}"
    if accesses.step(one.operation, one.operands.replace(", ", ",")):
        return f"{one.operation} accesses memory unheard; {ADVICE}"
    return ""


def unheard(student, code):
    """Returns the place of the first thing that no hook hears of in the code that kernels may
    reach, and what it is; '' where all is heard."""
    reached = code.reached(by_pointers=True)
    for function in functions(student):
        if function.node not in reached or function.file.startswith(HEADERS):
            continue
        instructions, accesses = with_calls(function.instructions()), Accesses()
        last = next((one for one in reversed(instructions) if not FILLS.match(one.operation)), None)
        if last and not ENDS.match(last.operation):
            return f"{last.place}: {last.operation} goes on after the function's end; return"
        targets = {one.operands.split(" ")[0] for one in instructions if one.operation[0] == "j"}
        for one in instructions:
            if f"{one.address:x}" in targets:
                accesses.label()
            wrong = what_is_wrong(one, accesses)
            if wrong:
                return f"{one.place}: {wrong}"
    return ""
