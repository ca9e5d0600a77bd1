"""Reads a student's file after the preprocessor has replaced its macros."""

import os
import re

# Words that hide code from the simulated device, or bring in code that no compiler has written.
FORBIDDEN = re.compile(
    r"\b(?:asm|__asm|__asm__|no_sanitize\w*|__no_sanitize\w*|no_instrument_function|optimize"
    r"|__optimize__|naked|ifunc|section|__section__|alias|__alias__|weakref|symver|gnu_indirect"
    r"|target_clones|__(?:tsan|ubsan|wrap|real)_\w*|cusimM(?:em|ath)\w*|musttail|_Z\w+)\b"
    # Launches that the gate would not find, and jumps into the middle of a function.
    r"|\bcusim\b(?!::(?!detail\b|run\b|KernelCall\b)\w)|\bgoto\s*(?:\*|$)"
)
ATTRIBUTE = re.compile(r"__attribute__|__attribute\b|\[\[")
MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)$')
GLOBAL = "__attribute__((patchable_function_entry(1, 1)))"  # the meaning of __global__
# Except the pragma that the translator writes (see simulator/translate/device_bodies.cpp).
PRAGMA = re.compile(
    r"\s*#\s*pragma\s+(?!GCC diagnostic (?:error|ignored) \"-Wvla\"\s*$)"
    r"(GCC|clang|STDC|weak|redefine_extname)\b"
)


class StudentSource:
    """A preprocessed file: the files that went into it, and the forbidden words in the student's
    own."""

    def __init__(self, path, system_folders):
        self._system = tuple(os.path.realpath(folder) + os.sep for folder in system_folders)
        self.files, self.forbidden = [], []
        with open(path, errors="replace") as file:
            self._read(file)

    def is_system(self, name):
        return os.path.realpath(name).startswith(self._system)

    def _read(self, lines):
        # A student's #line changes the name, but not the file: the preprocessor marks entering and
        # leaving a file by 1 and 2.
        entered, name, number = [False], "", 0
        for line in lines:
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
            if not entered[-1]:
                self._look_at(line, f"{name}:{number}")
            number += 1

    def _look_at(self, line, place):
        code = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line).replace(GLOBAL, "")
        pragma = PRAGMA.match(line)
        if pragma:
            self.forbidden.append((place, f"#pragma {pragma.group(1)}"))
            return
        found = FORBIDDEN.search(code)
        if not found:
            return
        # Some of these are ordinary words outside of an attribute.
        word = found.group()
        plain = word in ("optimize", "section", "alias", "naked", "ifunc")
        if not plain or ATTRIBUTE.search(code):
            self.forbidden.append((place, word))
