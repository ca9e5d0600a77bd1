"""Reads a program's debug information about one kernel file: functions, variables, types, lines."""

import bisect
import dataclasses
import pathlib
from typing import Any

from elftools.dwarf.callframe import FDE
from elftools.elf.elffile import ELFFile
from values import Type, type_of

CFA, FRAME_OFFSET, ADDRESS, TLS = 0x9C, 0x91, 0x03, 0xE0
FRAME_REGISTERS = (0x56, 0x6D)  # x86-64's and arm64's frame pointer
ARM_FRAME = 29  # the number of arm64's
SAVED = 16  # bytes: the caller's frame pointer, and the return address


@dataclasses.dataclass(eq=False)
class Variable:
    """A local variable or a parameter, at an offset from its function's frame."""

    name: str
    type: Type
    line: int
    offset: int
    scopes: list[tuple[int, int]]  # addresses; the function's for a parameter
    ready: tuple[int, int]  # the place in the text where its declaration ends
    function: "Function"
    number: int = 0


@dataclasses.dataclass(eq=False)
class Function:
    name: str
    file: str
    ranges: list[tuple[int, int]]
    by_register: bool  # its variables are relative to the frame pointer
    variables: list[Variable] = dataclasses.field(default_factory=list)


def leb(data: bytes) -> int:
    """Returns a signed number of variable length."""
    value = 0
    for i, byte in enumerate(data):
        value |= (byte & 0x7F) << 7 * i
        if not byte & 0x80:
            return value - (1 << 7 * (i + 1)) if byte & 0x40 else value
    return value


def end_of_declaration(code: list[str], name: str, line: int, column: int) -> tuple[int, int]:
    """Returns the place after a variable's declarator in the text: from there it has its value."""
    text = code[line - 1] if 0 < line <= len(code) else ""
    if not text.startswith(name, column - 1):
        return line, column
    depth, row, at = 0, line, column - 1 + len(name)
    while row <= len(code):
        for here in range(at, len(code[row - 1])):
            letter = code[row - 1][here]
            depth += (letter in "([{") - (letter in ")]}")
            if depth < 0 or (depth == 0 and letter in ";,:"):
                return row, here + 1
        row, at = row + 1, 0
    return line, column


class DebugInfo:
    """The functions of the compiled file that contains an address."""

    def __init__(self, program: str, base: int, address: int, source: str) -> None:
        self.file = open(program, "rb")
        self.elf = ELFFile(self.file)
        self.arm = self.elf["e_machine"] == "EM_AARCH64"
        self.dwarf = self.elf.get_dwarf_info(relocate_dwarf_sections=False)
        self.source, self.base = source, base
        self.code = pathlib.Path(source).read_text(encoding="utf-8", errors="replace").splitlines()
        self.unit = self.find_unit(address)
        self.functions: list[Function] = []
        self.arrays: dict[str, Type] = {}  # of variables in device or shared memory
        self.types: dict[int, Type] = {}
        self.saved: dict[int, int] = {}  # by a function's first address: see saved_below()
        self.read_lines()
        self.walk(self.unit.get_top_DIE())
        self.places: dict[int, tuple[Function | None, int, list[Variable]]] = {}

    def find_unit(self, address: int) -> Any:
        aranges = self.dwarf.get_aranges()
        offset = aranges and aranges.cu_offset_at_addr(address)
        if offset is not None:
            return self.dwarf.get_CU_at(offset)
        for unit in self.dwarf.iter_CUs():  # clang writes no .debug_aranges
            if any(low <= address < high for low, high in self.ranges(unit.get_top_DIE(), unit)):
                return unit
        raise ValueError("the program says nothing of the kernel's variables")

    # Lines

    def file_name(self, index: int) -> str:
        header = self.lines.header
        new = header["version"] >= 5
        entry = header["file_entry"][index if new else index - 1]
        folder = entry["dir_index"] - (0 if new else 1)
        folders = header["include_directory"]
        name = entry.name.decode()
        if folder >= 0 and (folder > 0 or not new):
            name = f"{folders[folder].decode()}/{name}"
        return name

    def read_lines(self) -> None:
        self.lines = self.dwarf.line_program_for_CU(self.unit)
        states = [entry.state for entry in self.lines.get_entries() if entry.state]
        names = {state.file: self.file_name(state.file) for state in states}
        rows = [(s.address, s.line, s.column, names[s.file]) for s in states if not s.end_sequence]
        rows += [(s.address, 0, 0, "") for s in states if s.end_sequence]
        rows.sort(key=lambda row: row[0])
        self.rows = rows
        self.addresses = [row[0] for row in rows]

    def relative(self, address: int) -> int:
        """Returns the address relative to the program's file."""
        return address - self.base

    def line_at(self, address: int) -> tuple[int, int, str]:
        at = bisect.bisect_right(self.addresses, address) - 1
        return self.rows[at][1:] if at >= 0 else (0, 0, "")

    # Functions

    def ranges(self, die: Any, unit: Any = None) -> list[tuple[int, int]]:
        given = die.attributes
        if "DW_AT_low_pc" in given and "DW_AT_high_pc" in given:
            low, high = given["DW_AT_low_pc"].value, given["DW_AT_high_pc"]
            return [(low, high.value if high.form == "DW_FORM_addr" else low + high.value)]
        if "DW_AT_ranges" not in given:
            return []
        top = (unit or die.cu).get_top_DIE().attributes.get("DW_AT_low_pc")
        base, found = top.value if top else 0, []
        offset = given["DW_AT_ranges"].value
        for entry in self.dwarf.range_lists().get_range_list_at_offset(offset, unit or die.cu):
            if hasattr(entry, "base_address"):
                base = entry.base_address
            elif getattr(entry, "is_absolute", False):
                found.append((entry.begin_offset, entry.end_offset))
            else:
                found.append((base + entry.begin_offset, base + entry.end_offset))
        return found

    def attribute(self, die: Any, name: str) -> Any:
        """Returns an attribute of a DIE, or of what it is made from."""
        while name not in die.attributes:
            for origin in ("DW_AT_abstract_origin", "DW_AT_specification"):
                if origin in die.attributes:
                    die = die.get_DIE_from_attribute(origin)
                    break
            else:
                return None
        if name == "DW_AT_type":
            return die.get_DIE_from_attribute(name)
        value = die.attributes[name].value
        return value.decode() if isinstance(value, bytes) else value

    def walk(self, die: Any) -> None:
        for child in die.iter_children():
            if child.tag == "DW_TAG_namespace":
                self.walk(child)
            elif child.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in child.attributes:
                self.add_function(child)
            elif child.tag == "DW_TAG_variable":
                self.add_array(child)

    def add_function(self, die: Any) -> None:
        base = die.attributes.get("DW_AT_frame_base")
        by_register = bool(base and bytes(base.value)[0] in FRAME_REGISTERS)
        where = self.attribute(die, "DW_AT_decl_file")
        file = self.file_name(where) if where else ""
        name = self.attribute(die, "DW_AT_name") or ""
        function = Function(name, file, self.ranges(die), by_register)
        self.functions.append(function)
        if file == self.source:
            self.add_variables(die, function, function.ranges)

    def add_variables(self, die: Any, function: Function, scopes: list[tuple[int, int]]) -> None:
        for child in die.iter_children():
            if child.tag in ("DW_TAG_variable", "DW_TAG_formal_parameter"):
                self.add_variable(child, function, scopes)
            elif child.tag == "DW_TAG_lexical_block":
                self.add_variables(child, function, self.ranges(child) or scopes)
            elif child.tag == "DW_TAG_inlined_subroutine":
                name = self.attribute(child, "DW_AT_name") or ""
                inner = Function(name, function.file, self.ranges(child), function.by_register)
                self.functions.append(inner)
                self.add_variables(child, inner, inner.ranges)

    def add_variable(self, die: Any, function: Function, scopes: list[tuple[int, int]]) -> None:
        location = die.attributes.get("DW_AT_location")
        name, line = self.attribute(die, "DW_AT_name"), self.attribute(die, "DW_AT_decl_line")
        if not name or not location or not isinstance(location.value, list) or not line:
            return
        code = bytes(location.value)
        kind = self.attribute(die, "DW_AT_type")
        if code[0] != FRAME_OFFSET:
            self.add_array(die)
            return
        column = self.attribute(die, "DW_AT_decl_column") or 0
        ready = (0, 0)
        if die.tag == "DW_TAG_variable":
            ready = end_of_declaration(self.code, name, line, column)
        told = Variable(
            name, type_of(kind, self.types), line, leb(code[1:]), scopes, ready, function
        )
        function.variables.append(told)

    def add_array(self, die: Any) -> None:
        name, kind = self.attribute(die, "DW_AT_name"), self.attribute(die, "DW_AT_type")
        if name and kind:
            self.arrays.setdefault(name, type_of(kind, self.types))

    def saved_below(self, function: Function) -> int:
        """Returns how many bytes of a function's frame are above its frame pointer. On arm64 the
        caller's frame pointer is saved at the lower end of the frame."""
        if not self.saved:
            lows = {low for one in self.functions for low, _ in one.ranges}
            for entry in filter(lambda entry: isinstance(entry, FDE), self.dwarf.EH_CFI_entries()):
                if (low := entry.header["initial_location"]) in lows:
                    rules = (
                        row[ARM_FRAME] for row in entry.get_decoded().table if ARM_FRAME in row
                    )
                    self.saved[low] = next((-rule.arg for rule in rules), SAVED)
        return self.saved.get(function.ranges[0][0], SAVED)

    # Look-up

    def at(self, address: int) -> tuple[Function | None, int, list[Variable]]:
        """Returns the function of an instruction, its line in the source, or 0, and the variables
        that have a value there."""
        if address not in self.places:
            self.places[address] = self.look_up(address)
        return self.places[address]

    def look_up(self, address: int) -> tuple[Function | None, int, list[Variable]]:
        def holds(ranges: list[tuple[int, int]]) -> bool:
            return any(low <= address < high for low, high in ranges)

        inside = [function for function in self.functions if holds(function.ranges)]
        if not inside:
            return None, 0, []
        line, column, file = self.line_at(address)
        ready = [
            variable
            for function in inside
            for variable in function.variables
            if holds(variable.scopes) and (line, column) > variable.ready
        ]
        return inside[-1], line if file == self.source else 0, ready
