"""Reads a student's file after the preprocessor has replaced its macros."""

import os
import re

from source_tokens import tokens
from student_object import Unlisted

# Words that hide code from the simulated device, or bring in code that no compiler has written.
FORBIDDEN = re.compile(
    r"\b(?:asm|__asm|__asm__|no_sanitize\w*|__no_sanitize\w*|no_instrument_function|optimize"
    r"|__optimize__|naked|ifunc|section|__section__|alias|__alias__|weakref|symver|gnu_indirect"
    # A structure that is returned by an address although its size says otherwise.
    r"|packed|__packed__"
    r"|target_clones|__(?:tsan|ubsan|wrap|real)_\w*|cusimM(?:em|ath)\w*|musttail|_Z\w+"
    # What the compiler calls for itself: kernels may come to it, but not by its name.
    r"|__cxa_\w+|_Unwind_\w+|__gxx_\w+|__dso_handle|__tls_\w+|__builtin_thread_pointer)\b"
    # Returns to anywhere.
    r"|\b__builtin_(?:eh_return|apply|return|longjmp)\b"
    # Launches that the gate would not find, and jumps into the middle of a function.
    r"|\bcusim\b(?!::(?!detail\b|run\b|KernelCall\b)\w)|\bgoto(?:\*|$)"
    # Here a macro of this name decides whether a raw string begins.
    r'|""(?:u8|[uUL])?R(?="")'
)
ATTRIBUTE = re.compile(r"__attribute__|__attribute\b|\[\[")
MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)$')
GLOBAL = "__attribute__((patchable_function_entry(1,1)))"  # the meaning of __global__
# What the translator makes of extern __shared__ T name[]; outside of functions.
SHARED = re.compile(
    r"(\bextern __thread [\w:<>, ]+ \w+\[\](?:\[[^][;]*\])*) __asm__\(\"cusimDynamicShared\"\)(?=;)"
)
RAW = re.compile(r'(?:u8|[uUL])?R"([^(]*)\(')
# Except the pragma that the translator writes (see simulator/translate/device_bodies.cpp).
PRAGMA = re.compile(
    r"\s*#\s*pragma\s+(?!GCC diagnostic (?:error|ignored) \"-Wvla\"\s*$)"
    r"(GCC|clang|STDC|weak|redefine_extname|pack)\b"
)


def names_the_simulator(text):
    """Returns the first line with a name that begins with cusim; None without one. `text` is the
    file as it was handed in: the headers' macros and the translator write such names, too."""
    names = (one for one in tokens(text) if one.kind == "name")
    return next((name.line for name in names if name.text.startswith("cusim")), None)


def begun_attribute(code):
    """Returns the begin of the line below if an attribute continues there; '' otherwise."""
    begins = [found.start() for found in ATTRIBUTE.finditer(code)]
    depth = 0
    for sign in re.findall(r"[][()]", code[begins[-1] :]) if begins else ():
        depth += 1 if sign in "([" else -1
        if depth == 0:
            return ""
    return "__attribute__" + "(" * depth if begins else ""


def code_of(line):
    """Returns the line's code with empty texts and no needless blanks, and what ends the raw string
    that goes on after the line; '' where none does."""
    code, word, ends = [], False, ""
    for kind, text, _ in tokens(line):
        if kind == "string":
            raw = RAW.match(text)
            ends = f'){raw[1]}"' if raw else ""
            ends = "" if text.endswith(ends) else ends
            text = '""'
        name = kind in ("name", "number")
        code += [" ", text] if word and name else [text]
        word = name
    return "".join(code), ends


class StudentSource:
    """A preprocessed file: the files that went into it, and the forbidden words in the student's
    own."""

    def __init__(self, path, system_folders):
        self._system = tuple(os.path.realpath(folder) + os.sep for folder in system_folders)
        self.files, self.forbidden = [], []
        # Only the preprocessor's own line ends count: a text may hold another one.
        with open(path, errors="replace", newline="\n") as file:
            self._read(file)
        if not self.files:
            raise Unlisted(f"the preprocessor names no file in {path}")

    def is_system(self, name):
        """Tests whether a file lies in a system folder, or is what a link there leads to: the
        compiler may name asm/types.h of Debian 13 by either of its two paths."""
        path, parts = os.path.realpath(name), os.path.abspath(name).split(os.sep)
        if path.startswith(self._system):
            return True
        ends = [os.sep.join(parts[at:]) for at in range(1, len(parts))]
        return any(os.path.realpath(top + end) == path for top in self._system for end in ends)

    def _read(self, lines):
        # A student's #line changes the name, but not the file: the preprocessor marks entering and
        # leaving a file by 1 and 2.
        entered, name, number, raw_end = [False], "", 0, ""
        self._attribute = ""
        for line in lines:
            if raw_end:
                # What looks like a mark within a raw string is none.
                _, found, rest = line.partition(raw_end)
                line, raw_end = '""' + rest, "" if found else raw_end
            marker = MARKER.match(line)
            if marker:
                number, name = int(marker.group(1)), marker.group(2)
                flags = marker.group(3).split()
                if "1" in flags and not name.startswith("<"):
                    self.files.append(name)
                    entered.append(self.is_system(name))
                elif "2" in flags and len(entered) > 1:
                    entered.pop()
                continue
            if not entered[-1] and not raw_end:
                raw_end = self._look_at(line, f"{name}:{number}")
            number += 1

    def _look_at(self, line, place):
        """Notes what is forbidden; returns what ends the raw string that the line begins."""
        line = SHARED.sub(r"\1", line)
        code, raw_end = code_of(line)
        self._note(line, code.replace(GLOBAL, ""), place)
        return raw_end

    def _note(self, line, code, place):
        pragma = PRAGMA.match(line)
        if pragma:
            self.forbidden.append((place, f"#pragma {pragma.group(1)}"))
            return
        found, code = FORBIDDEN.search(code), self._attribute + code
        self._attribute = begun_attribute(code)
        if not found:
            return
        # Some of these are ordinary words outside of an attribute.
        word = found.group()
        plain = word in ("optimize", "packed", "section", "alias", "naked", "ifunc")
        if not plain or ATTRIBUTE.search(code):
            self.forbidden.append((place, word))
