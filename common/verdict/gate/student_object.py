"""Reads a student's object with nm, readelf and objdump."""

import os
import re
import subprocess

from disassembly import HEADING, PLACE

# Each file that is compiled with hooks calls this before all else.
ALWAYS = "__tsan_init"


class Unlisted(Exception):
    """A list that a tool has not made as it always does: nothing can be judged by it."""


def output_of(*command):
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, errors="replace"
    ).stdout


class StudentObject:
    """Symbols, sections and system calls of one object file."""

    def __init__(self, path, source="", has_hooks=True):
        """Raises Unlisted if nm lists nothing, or not what each file with hooks calls."""
        self.path = path
        # Some places name the translated source, which has the same lines.
        self._translated = os.path.abspath(path)[: -len(".o")] + ".cpp:"
        self._source = source + ":"
        self.undefined, self.defined = set(), {}
        for line in output_of("nm", "--format=posix", "--extern-only", path).splitlines():
            name, kind = line.split()[:2]
            if kind in ("U", "w", "v"):
                self.undefined.add(name)
            else:
                self.defined[name] = kind
        if not (ALWAYS in self.undefined if has_hooks else self.defined):
            raise Unlisted(f"nm lists no {ALWAYS if has_hooks else 'function'} in {path}")
        self._lines = None
        self._system_call = None
        self._dump = None
        self._symbols = None

    def resolvers(self):
        """Returns the functions that choose other functions while the program is loaded."""
        return re.findall(r" IFUNC .* (\S+)$", self.symbols(), re.M)

    def symbols(self):
        """Returns the symbol table as readelf shows it."""
        if self._symbols is None:
            self._symbols = output_of("readelf", "--wide", "--symbols", self.path)
            if not re.search(rf" UND {ALWAYS}$", self._symbols, re.M):
                raise Unlisted(f"readelf lists no {ALWAYS} in {self.path}")
        return self._symbols

    def sections(self):
        """Returns name and flags of each section."""
        listing = output_of("readelf", "--wide", "--sections", self.path)
        pattern = r"^ *\[ *\d+\] (\S+) +\S+ +\S+ \S+ \S+ \S+ +([A-Z]*) +\d+ +\d+ +\d+$"
        found = re.findall(pattern, listing, re.M)
        missing = {".text", ".symtab"} - {name for name, _ in found}
        if missing:
            raise Unlisted(f"readelf lists no section {min(missing)} in {self.path}")
        return found

    def line_of(self, symbol):
        """Returns the 'file:line' at which the code first names a symbol, or ''."""
        self._disassemble()
        return self._lines.get(symbol, "")

    def system_call(self):
        """Returns 'file:line' of an instruction that makes a system call, '?' without a line, or
        None."""
        self._disassemble()
        return self._system_call

    def disassembly(self):
        """Returns all code line by line, with places in the source and relocations."""
        if self._dump is None:
            self._dump = output_of(
                "objdump",
                "--disassemble",
                "--line-numbers",
                "--reloc",
                "--no-show-raw-insn",
                self.path,
            )
            self._dump = self._dump.replace(self._translated, self._source).splitlines()
            if not any(map(HEADING.match, self._dump)):
                raise Unlisted(f"objdump shows no function of {self.path}")
        return self._dump

    def _disassemble(self):
        if self._lines is not None:
            return
        self._lines, place = {}, ""
        calls = re.compile(r"\t(syscall|sysenter|int +\$0x80|svc|hvc)\b")
        for line in self.disassembly():
            found = PLACE.match(line)
            if found:
                place = found.group(1)
            elif "\tR_" in line or ": R_" in line:
                symbol = re.sub(r"[-+]0x[0-9a-f]+$", "", line.split()[-1])
                self._lines.setdefault(symbol, place)
            elif calls.search(line) and self._system_call is None:
                self._system_call = place or "?"
