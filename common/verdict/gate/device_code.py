"""Finds what kernels call, from function to function of a student's object.

The simulated device sees the loads and stores of the student's own code, but not those of functions
in the system's libraries. nvcc refuses such a call in a kernel, and so does the gate. Host code may
call any function.
"""

import re
from collections import defaultdict

from disassembly import HEADING, PLACE, RELOCATION, addend_of, section_of
from hear_operands import DESTRUCTOR
from student_object import Unlisted, output_of

# These take values only: none reads or writes what a pointer names.
MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2"
    " expm1 fabs fdim floor fma fmax fmin fmod hypot ilogb j0 j1 jn ldexp lgamma llrint llround log"
    " log10 log1p log2 logb lrint lround nearbyint nextafter pow remainder rint round scalbln"
    " scalbn sin sinh sqrt tan tanh tgamma trunc y0 y1 yn isnan isinf finite"
).split()
ALLOWED = re.compile(
    r"(?:" + "|".join(MATH) + r")f?$"
    r"|__(?:isnan|isinf|finite|signbit|fpclassify)f?$|l?l?abs$"
    # The simulator observes these: see WRAPPED in common/build.mk.
    r"|v?printf$|__assert_fail$|exit$|abort$|clock$"
    r"|malloc$|free$|_Zn[wa][mj](?:RKSt9nothrow_t)?$|_Zd[la]Pv[mj]?$"
    # The compiler's own functions.
    r"|__(?:popcount|clz|ctz|ffs|parity|bswap|clrsb)[sdt]i2$|__(?:ashl|ashr|lshr|u?div|u?mod|mul)ti3$"
    r"|__(?:extend|trunc|float|fix)[a-z]{4,8}2?$|__(?:mul|div)[sd]c3$|__powi[sd]f2$"
    r"|__stack_chk_\w+$|_Unwind_Resume$|__gxx_personality_v0$|__dso_handle$|_GLOBAL_OFFSET_TABLE_$"
    r"|__tls_get_addr$|__tls_init$|_ZT[HVISW]|_ZSt9terminatev$|_ZSt\d+__throw_"
    # Not __cxa_atexit, __cxa_thread_atexit and the guards of variables: what a kernel constructs
    # would be destroyed by no kernel, and nvcc has none of these.
    r"|__cxa_(?:pure_virtual|deleted_virtual|throw_bad_\w+"
    r"|begin_catch|end_catch|rethrow|throw|allocate_exception|free_exception|bad_\w+)$"
)
# Kernels do not call these, but every file that prints takes their address.
PRINTS = re.compile(
    r"std(?:in|out|err)$|_ZSt(?:4c(?:out|err|log)|3cin|4endl|4ends|5flush|7nothrow)"
)
# A launch calls its kernel through this pointer, and the simulator checks what it names.
CHECKED_POINTER = re.compile(r"_ZN5cusim6detail(?:8callWith|9callBelow)IPF")
INVOKES = re.compile(r"_ZN5cusim6detail6Packed.*6invokeEPKv$")
LAUNCHES = re.compile(r"_ZNK5cusim6detail8Launcher|_Z16cudaLaunchKernel")
RUN = "_ZN5cusim3runE"
# Inline functions of the C++ library; some versions of objdump show their lines as the file's own.
LIBRARY = re.compile(r"_Z(?:N[KVRO]*)?(?:S[tabsiod]|9__gnu_cxx)")

INSTRUCTION = re.compile(r"\s*[0-9a-f]+:\t(?:(?:notrack|bnd) )*(\S+)\s*(.*)$")
RELATIVE = re.compile(r"PC32|PLT32|GOTPC|REX")
CALLS = ("call", "callq", "jmp", "bl", "b")
# Sections without tables of functions: code, debug data, and lists for the loader, which no code
# can name.
NO_TABLES = (".text", ".debug", ".eh_frame", ".gcc_except", ".init_array", ".fini_array")
MARKS, BYTES_OF_MARK = "__patchable_function_entries", 8  # one for each kernel
SPACE_IN_FRONT = 8  # most bytes between a kernel's mark and the kernel


class DeviceCode:
    """The functions and tables of an object as a graph, walked from its kernels."""

    def __init__(self, student):
        self._symbols = {}  # name -> (section, address)
        self._starts = defaultdict(dict)  # section -> address -> name of a function
        self._objects = defaultdict(list)  # section -> (address, end) of a variable
        self._edges = defaultdict(dict)  # from -> to -> place
        self._indirect = {}  # function -> place of its first call through a pointer
        self._taken = set()
        self._read_symbols(student)
        self._read_tables(student)
        self._read_code(student)

    def _read_symbols(self, student):
        listing = output_of("readelf", "--wide", "--sections", student.path)
        sections = dict(re.findall(r"^ *\[ *(\d+)\] (\S+)", listing, re.M))
        marks = re.findall(rf"\] {MARKS} +\S+ +\S+ \S+ (\S+) ", listing)
        self._marked = sum(int(size, 16) for size in marks) // BYTES_OF_MARK
        listing = student.symbols()
        pattern = r"^ *\d+: ([0-9a-f]+) +(\S+) (\S+) +\S+ +\S+ +(?:\[.*\] +)?(\d+) (\S+)$"
        for value, size, kind, index, name in re.findall(pattern, listing, re.M):
            section, address = sections.get(index, "?"), int(value, 16)
            if kind == "SECTION":
                self._symbols.setdefault(section, (section, 0))
                continue
            # Local names may come twice; a relocation by such a name then means the first one.
            self._symbols.setdefault(name, (section, address))
            if kind == "FUNC":
                self._starts[section].setdefault(address, name)
            elif kind == "OBJECT":
                self._objects[section].append((address, address + int(size, 0)))

    def _target(self, kind, name, sign, addend):
        """Returns what a relocation names: ('code', section, address), ('data', ...) or ('outside',
        name)."""
        if name not in self._symbols:
            return ("outside", name)
        section, address = self._symbols[name]
        address += addend_of(sign, addend)
        if RELATIVE.search(kind):
            address += 4
        if section in self._starts or section.startswith(".text"):
            return ("code", section, address)
        # A variable, or everything in the section that has no name.
        for start, end in self._objects[section]:
            if start <= address < end:
                return ("data", section, start)
        return ("data", section, None)

    def _add(self, source, target, place, taken):
        if target[0] == "code" and target[2] not in self._starts[target[1]]:
            return  # a place within a function, such as a case of a switch
        self._edges[source].setdefault(target, place)
        if taken and target[0] != "data":
            self._taken.add(target)

    def _read_tables(self, student):
        self.kernels = set()
        section = ""
        for line in output_of("objdump", "--wide", "--reloc", student.path).splitlines():
            heading = re.match(r"RELOCATION RECORDS FOR \[(.*)\]", line)
            if heading:
                section = heading.group(1)
                continue
            found = RELOCATION.match(line)
            if not found or section.startswith(NO_TABLES):
                continue
            offset, kind, *target = found.groups()
            if not kind.endswith("64"):
                continue
            where = self._target(kind, *target)
            if section == MARKS:
                for start in range(where[2], where[2] + SPACE_IN_FRONT + 1):
                    if start in self._starts[where[1]]:
                        self.kernels.add(("code", where[1], start))
                        break
                continue
            owner = None
            for start, end in self._objects[section]:
                if start <= int(offset, 16) < end:
                    owner = start
            self._add(("data", section, owner), where, "", taken=True)
        if len(self.kernels) != self._marked:
            raise Unlisted(f"objdump shows {len(self.kernels)} of {self._marked} kernels")

    def _read_code(self, student):
        section, function, place, taken, here, operation = "", None, "", False, None, ""
        for line in student.disassembly():
            relocation = RELOCATION.match(line)
            if relocation and function:
                _, kind, *target = relocation.groups()
                named = taken and not DESTRUCTOR.match(target[0])
                # What a hook is handed is the list of all functions with an address.
                if operation != "push":
                    self._add(function, self._target(kind, *target), place, named)
                here = None
                continue
            # No relocation follows: the assembler itself has found a function of the same section.
            if here:
                self._add(function, here, place, taken)
                here = None
            heading, begun = HEADING.match(line), section_of(line)
            instruction, source = INSTRUCTION.match(line), PLACE.match(line)
            if begun is not None:
                section, function = begun, None
            elif heading:
                address = int(heading.group(1), 16)
                function = ("code", section, address) if address in self._starts[section] else None
            elif source:
                place = source.group(1)
            elif instruction and function:
                operation, operands = instruction.groups()
                taken = operation not in CALLS or operands.startswith("*")
                if operation == "blr" or (operation in CALLS[:2] and operands.startswith("*")):
                    self._indirect.setdefault(function, place)
                found = re.search(r"\b([0-9a-f]+) <[^>]+>$", operands)
                if found:
                    here = ("code", section, int(found.group(1), 16))

    def name(self, node):
        return node[1] if node[0] == "outside" else self._starts[node[1]].get(node[2], "")

    def _is_library(self, node):
        return bool(LIBRARY.match(self.name(node)))

    def reached(self, by_pointers):
        """Returns each node that kernels may reach, with the place on the way to it and the node
        before; by_pointers adds every call through a pointer to a function."""
        todo, came = [], {}

        def come(node, place, before):
            if node not in came:
                came[node] = (place, before)
                todo.append(node)

        for section, starts in list(self._starts.items()):
            for address, name in starts.items():
                node = ("code", section, address)
                if node in self.kernels or INVOKES.match(name):
                    come(node, "", None)
        anywhere = False
        while todo:
            node = todo.pop()
            if node[0] == "outside":
                continue
            for target, place in self._edges[node].items():
                come(target, place, node)
            if (
                by_pointers
                and node in self._indirect
                and not anywhere
                and not CHECKED_POINTER.match(self.name(node))
            ):
                anywhere = True
                for target in self._taken:
                    if not (target[0] == "outside" and PRINTS.match(target[1])):
                        come(target, self._indirect[node], node)
        return came

    def outside(self, own, by_pointers):
        """Yields (symbol, place) for each outside symbol that kernels may reach. The place is the
        nearest one on the way in a file for which `own` is true."""
        came = self.reached(by_pointers)
        for node in sorted(n for n in came if n[0] == "outside"):
            place, before = came[node]
            first = place
            while before is not None and (not own(place) or self._is_library(before)):
                place, before = came[before]
            yield node[1], place if own(place) else first

    def own_place(self, symbol, own):
        """Returns the nearest place on a way to an outside symbol in a file for which `own` is
        true, or ''. The symbol itself may be named deep in the headers of the system's
        libraries."""
        callers = defaultdict(list)
        for node, targets in self._edges.items():
            for target, place in targets.items():
                callers[target].append((node, place))
        todo, seen = [("outside", symbol)], set()
        for target in todo:
            for node, place in callers[target]:
                if own(place) and not self._is_library(node):
                    return place
                if node not in seen:
                    seen.add(node)
                    todo.append(node)
        return ""

    def launches_by_hand(self):
        """Returns 'file:line' of a launch that does not come from the headers, or None."""
        for node, targets in self._edges.items():
            for target, place in targets.items():
                if target[0] == "outside" and target[1].startswith(RUN):
                    if not LAUNCHES.match(self.name(node)):
                        return place or "?"
        return None
