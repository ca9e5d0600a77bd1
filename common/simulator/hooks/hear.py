"""Makes each access of a .cu file's code call a hook, also if g++ wrote no call: structures that
are passed or returned by value, what is built into the compiler, constants of an unknown size.

usage: hear.py ASSEMBLY     from g++ -O0; what is written over it goes to the assembler

It knows x86-64's instructions. On another processor it makes gaps between functions alone.
"""

import functools
import itertools
import os
import re
import sys
from typing import Dict, Iterator, List, NamedTuple, Tuple

sys.dont_write_bytecode = sys.pycache_prefix is None  # not beside what it reads
sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "../..")))
from text import uncaught  # noqa: E402, F401
from hear_accesses import ANNOUNCED, CALLED, HEARD, Accesses, Unheard, touched  # noqa: E402
from hear_operands import DESTRUCTOR, PREFIX, REGISTERS  # noqa: E402

OWN = "common/simulator/include/"  # its functions report their accesses
OWN_FROM_ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../include")) + "/"
FILE = re.compile(r'\t\.file (\d+) "([^"]*)"(?: "([^"]*)")?')
NO_TARGET = re.compile(r"\.L(?:BB|BE|FB|FE|EHB|EHE|VL|SDA|text|etext)")
# objdump takes the first lines of a section for those of file 0, unless their file is named anew.
OTHER_PLACE = "\t.loc 0 1\n"
# Skips what a function may keep below its stack, and saves %rdi; the hook saves all else.
SAVED = 128 + 8
CALL = """\tleaq\t-128(%rsp), %rsp
\tpushq\t%rdi
\tleaq\t{place}, %rdi
\tpushq\t{what}
\tcall\t{hook}@PLT
\tpopq\t%rdi
\tleaq\t128(%rsp), %rsp"""

# Skips the hook of an access that its site predicts (see AccessSite in observers/runs.h).
PREDICTED = re.compile(r"\tcall\t__tsan_(read|write)4(@PLT)?$")
# Only the header has the numbers of the structure; the compiler asserts them there.
with open(os.path.join(os.path.dirname(__file__), "../observers/runs.h"), encoding="utf-8") as file:
    ASSERTED = re.findall(r"(?:sizeof|offsetof)\(AccessSite(?:, (\w+))?\) == (\d+)", file.read())
MEMBERS = {name or "all": int(number) for name, number in ASSERTED}
TAKE_UP = """\tcmpq\t%rdi, %fs:{site}+{next}
\tjne\t1f
\tsubl\t$1, %fs:{site}+{left}
\tjs\t1f
\taddq\t%fs:{site}+{stride}, %rdi
\tmovq\t%rdi, %fs:{site}+{next}
\tjmp\t2f
1:\tmovq\t%fs:0, %rsi
\tleaq\t{site}(%rsi), %rsi
\tcall\t{hook}@PLT
2:"""
SITES = ".LcusimMemSites"
RESERVED = f"""\t.section\t.tbss,"awT",@nobits
\t.balign 64
{SITES}:
\t.zero\t{{}}
"""

# Shifts as a card does: by more bits than there are. The processor takes the number modulo the
# width (PTX ISA, shl and shr).
SHIFT = re.compile(r"\t(s[ah][lr]([lq]))\t%cl, (.*)")
SHIFTED = """\tcmpl\t${most}, %ecx
\tja\t1f
\t{shift}\t%cl, {operand}
\tjmp\t2f
1:\t{shift}\t${most}, {operand}
\t{shift}\t$1, {operand}
2:"""

# A call that never returns has nothing after it, which might be the next function, or what is for
# exceptions alone: there a call stops that does return.
STOP = "\tud2"
# Another one makes a gap between functions. Without gaps libbacktrace takes a file's for one range,
# and misses lines where another file has some of them, too, such as those of a header.
END = re.compile(r"\t\.size\t.*, \.-")
LANDING = re.compile(r"\t\.uleb128 (\.L\d+)-\.LFB")
# The functions whose address the file takes: only these may be called by a pointer.
TAKEN = re.compile(
    r"\t(?:(leaq)|movq|\.quad)\t([A-Za-z_][\w.$]*)(?:(?(1)\(%rip\)|@GOTPCREL\(%rip\))|$)"
)
VARIABLE = re.compile(r"\t\.type\t(\S+), @object")
FUNCTIONS = ".LcusimMemFunctions"
LIST = f"""\t.section\t.data.rel.ro.local,"aw"
\t.align 8
{FUNCTIONS}:
\t.quad\t{FUNCTIONS}+8
"""


class Announced(NamedTuple):
    """A run of bytes that one call reports, before the first access to it."""

    line: int
    first: Unheard
    start: int
    end: int


def call_for(run: Announced) -> str:
    memory = run.first.access.memory
    more = run.start - run.first.address[0] + (SAVED if memory.base == "rsp" else 0)
    place = memory.place + (f"{more:+}" if more else "")
    if memory.base or memory.index:
        index = f",%{memory.index},{memory.scale}" if memory.index else ""
        place += f"({'%' + memory.base if memory.base else ''}{index})"
    what = (run.end - run.start) << 2 | (memory.segment == "fs") << 1 | (run.first.kind == "s")
    return CALL.format(place=place or "0", what=f"${what}", hook=HEARD)


def take_up(found: "re.Match[str]", sites: Iterator[int]) -> str:
    """Returns what replaces the call of a hook, with the next site."""
    site = f"{SITES}@tpoff+{MEMBERS['all'] * next(sites)}"
    return TAKE_UP.format(site=site, hook=f"cusimMem{found[1].capitalize()}4", **MEMBERS)


def check_of(register: str) -> str:
    return CALL.format(place=f"(%{register})", what=f"{FUNCTIONS}(%rip)", hook=CALLED)


def list_of(lines: List[str]) -> str:
    """Returns the list of functions for calls by pointers."""
    taken, variables = set(), set()
    for line in lines:
        found = TAKEN.match(line)
        if found and (line[1] == "." or not DESTRUCTOR.match(found.group(2))):
            taken.add(found.group(2))
        elif line.startswith("\t.type"):
            variables.update(VARIABLE.findall(line))
    named = sorted(name for name in taken - variables if not touched(name))
    return LIST + "".join(f"\t.quad\t{name}\n" for name in [*named, 0])


@functools.lru_cache(maxsize=None)
def parts_of(line: str) -> Tuple[str, str]:
    """Returns an instruction's operation and its operands, '' if it has none."""
    operation, operands = (PREFIX.sub("", line[1:]).split(None, 1) + [""])[:2]
    return operation, operands.replace(", ", ",")


class Function:
    """Reads the lines of one function, and collects the accesses to report."""

    def __init__(self) -> None:
        self.runs: List[Announced] = []
        self.checks: List[Tuple[int, str]] = []
        self._accesses = Accesses()
        self._open: Dict[Tuple[str, object], int] = {}  # runs that may still grow

    def label(self) -> None:
        self._open.clear()
        self._accesses.label()

    def _note(self, line: int, unheard: Unheard) -> None:
        (start, terms), kind = unheard.address, unheard.kind
        end = start + unheard.access.size
        self._accesses.tell(kind, unheard.address, unheard.access.size)
        at = self._open.get((kind, terms))
        if at is not None and self.runs[at].start <= end and start <= self.runs[at].end:
            run = self.runs[at]
            self.runs[at] = run._replace(start=min(run.start, start), end=max(run.end, end))
            return
        self._open[kind, terms] = len(self.runs)
        self.runs.append(Announced(line, unheard, start, end))

    def instruction(self, number: int, line: str) -> str:
        """Returns the instruction, or what replaces it."""
        operation, operands = parts_of(line)
        copy = operands.partition("@")[0]
        told = copy in ANNOUNCED and operation == "call" and self._accesses.is_announced(copy)
        if operation == "call" and operands[:2] == "*%" and operands[2:] in REGISTERS:
            self.checks.append((number, check_of(operands[2:])))
        for unheard in self._accesses.step(operation, operands):
            # A gather by a vector has no single address to report; the gate refuses it.
            if unheard.access.size and unheard.access.memory.index in ("", *REGISTERS):
                self._note(number, unheard)
        if operation[0] == "j" or operation in ("call", "ret"):
            self._open.clear()
        shift = SHIFT.match(line) if operation[0] == "s" else None
        if shift:
            most = 31 if shift[2] == "l" else 63
            return SHIFTED.format(shift=shift[1], most=most, operand=shift[3])
        return line.replace(copy, ANNOUNCED[copy]) if told else line


def heard(lines: List[str]) -> List[str]:
    """Returns the lines of a file, with the missing calls."""
    files: Dict[str, str] = {}
    sites = itertools.count()
    calls: List[Tuple[int, str]] = []
    function, begun, here = Function(), False, ""
    landings = {found[1] + ":" for found in map(LANDING.match, lines) if found}
    for number, line in enumerate(lines):
        if line[:1] != "\t":
            if begun and line[:2] == ".L" and not NO_TARGET.match(line):
                function.label()
                calls += [(number, STOP)] if line in landings else []
        elif line[1:2] != ".":
            if begun and line[1:2] != "#":
                line = function.instruction(number, line)
                predicted = PREDICTED.match(line)
                lines[number] = take_up(predicted, sites) if predicted else line
        elif line.startswith("\t.loc "):
            if not here and "0" in files and line.startswith("\t.loc 1 "):
                lines[number] = OTHER_PLACE + line
            here = line.split(" ", 2)[1]
        elif line == "\t.cfi_startproc":
            function, begun = Function(), not files.get(here, "").startswith((OWN, OWN_FROM_ROOT))
        elif line == "\t.cfi_endproc":
            calls += [(run.line, call_for(run)) for run in function.runs] + function.checks
            calls += [(number, STOP)] if begun else []
            begun, here = False, ""
        elif END.match(line):
            calls.append((number + 1, STOP))
        elif line.startswith("\t.file "):
            file = FILE.match(line)
            if file:
                files[file.group(1)] = "/".join(filter(None, file.group(2, 3)))
    count = next(sites)
    more = [RESERVED.format(MEMBERS["all"] * count)] if count else []
    more += [list_of(lines)] if any(CALLED in call for _, call in calls) else []
    whole, last = [], 0
    for number, call in sorted(calls):
        whole += [*lines[last:number], call]
        last = number
    return whole + lines[last:] + more


def apart(lines: List[str]) -> List[str]:
    """Returns the lines of a file, with a gap after each function."""
    return [f"{line}\n\tnop" if END.match(line) else line for line in lines]


def main(path: str) -> None:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        lines = file.read().split("\n")
    is_x86 = not lines[0].startswith("\t.arch ")
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write("\n".join(heard(lines) if is_x86 else apart(lines)))


if __name__ == "__main__":
    main(sys.argv[1])
