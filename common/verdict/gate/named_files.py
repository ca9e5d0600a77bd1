"""Refuses a file that names files which are not its own, before a compiler looks for them: what the
compiler says would tell whether they are there, and what stands in them.

usage: named_files.py LAB FILE...

An #include or a __has_include names a header by "x.h" or <x.h>, without a folder above but
"../LAB/x.h", and not by a macro; a #line names no file; an #if is plain (see plain_condition.py).
If another name is found, or compilers could differ on what is a comment (see logical_lines.py),
a line on stderr begins "refused: ", and the exit status is 1.
"""

import re
import sys

from logical_lines import Doubtful, logical_lines
from plain_condition import Condition, not_plain

DIRECTIVE = re.compile(r"\s*(?:#|%:)\s*(\w+)(.*)", re.DOTALL)
NAME = re.compile(r'\s*(?:"([-\w.+/]{1,200})"|<([-\w.+/]{1,200})>)')
AFTER = re.compile(r"[^<\"'\\]*$")  # after the name, while compilers still take < for a quote
NAMING = ("include", "include_next", "import", "embed")
ELSEWHERE = ("solutions", "build", "proc")
ASKS = re.compile(r"\b__has_(?:include|embed)(?:_next)?(?:__)?\b(\s*\()?")
# If it is only asked whether there is a __has_include.
EXISTS = re.compile(r"(?:\bdefined\s*\(?|(?:#|%:)\s*(?:(?:el)?ifn?def|undef))\s*$")
MACRO = re.compile(r"\s*(\w+)(?:\(([^)]*)\))?(.*)", re.DOTALL)
DEPENDENCY = re.compile(r"\s*(?:GCC|clang)\s+dependency\b")
PACK = re.compile(r"\s*pack\b(.*)", re.DOTALL)
# A _Pragma of a literal; what another one says, and what can put its words together.
PRAGMA = re.compile(r'\b_Pragma\s*\(\s*"((?:[^"\\]|\\.)*)"')
MADE_PRAGMA = re.compile(r'\b_Pragma\b(?!\s*\(\s*""\s*\))')
MAKES = re.compile(r"##|%:%:|(?:CAT|JOIN)\w*\s*\(|\bdependency\b|\bpack\s*\(")


class File:
    """Says line by line what is wrong with a file, and gathers its macros and conditions."""

    def __init__(self, lab, made_pragma):
        self.above, self.made_pragma = f"../{lab}/", made_pragma
        self.macros, self.called, self.conditions = {}, set(), []

    def own_name(self, text, at=0):
        """Returns the match of a name of the file's own headers, the lab's or the system's."""
        found = NAME.match(text, at)
        name = (found[1] or found[2]).removeprefix(self.above) if found else ""
        folders = [part for part in name.split("/") if part not in ("", ".")]
        if name.startswith("/") or not folders:
            return None
        return None if folders[0] in ELSEWHERE or ".." in folders else found

    def asks_elsewhere(self, text):
        return any(
            not (asked[1] and self.own_name(text, asked.end()))
            and not EXISTS.search(text[max(0, asked.start() - 60) : asked.start()])
            for asked in ASKS.finditer(text)
        )

    def reason_against(self, line):
        for pragma in PRAGMA.finditer(line.text) if "_Pragma" in line.code else ():
            if self.is_bad_pragma(line.number, pragma[1].replace("\\", "")):
                return "_Pragma names a file"
        if self.made_pragma and MAKES.search(line.text):
            return "what a _Pragma says is put together by a macro"
        found = DIRECTIVE.match(line.text)
        word, rest = found.groups() if found else ("", line.code)
        if word in NAMING:
            name = self.own_name(rest)
            if not name or not AFTER.match(rest, name.end()):
                return f"#{word} names a file that is not beside it: {rest.strip()[:60]}"
        # A point makes it a number of a list in an #if 0; what a macro stands for is unknown here.
        elif word == "line" or (word.isdigit() and not rest.startswith(".")):
            if not re.fullmatch(r"\s*\d*\s*", rest):
                return "names a file of another place by #line"
        elif word == "pragma" and self.is_bad_pragma(line.number, rest):
            return "#pragma GCC dependency names a file"
        elif word == "define":
            rest = self.define(line.number, rest)
        elif word in ("if", "elif"):
            self.conditions.append(Condition(line.number, rest))
        if word not in ("error", "warning") and self.asks_elsewhere(
            rest if word == "define" or not found else line.text
        ):
            return "__has_include asks for a file that is not beside it"
        return None

    def define(self, number, rest):
        """Notes a macro and returns its body."""
        found = MACRO.match(rest)
        name, parameters, body = found.groups() if found else ("", None, rest)
        condition = Condition(number, body, frozenset(re.findall(r"\w+", parameters or "")))
        self.macros.setdefault(name, []).append(condition)
        if parameters is not None:
            self.called.add(name)
        return body

    def is_bad_pragma(self, number, rest):
        pack = PACK.match(rest)
        if pack:
            self.conditions.append(Condition(number, pack[1]))
        return bool(DEPENDENCY.match(rest))


def reason_in(text, lab):
    try:
        lines = list(logical_lines(text))
    except Doubtful as why:
        return why.args
    file = File(lab, any(MADE_PRAGMA.search(line.code) for line in lines))
    for line in lines:
        reason = file.reason_against(line)
        if reason:
            return line.number, reason
    wrong = not_plain(file.conditions, file.macros, file.called)
    return (wrong, "an #if computes with more than numbers and its own macros") if wrong else None


def reason_against(text, lab=""):
    """Returns the line and why the file is refused; None if it is not."""
    text = text.lstrip("\ufeff").replace("\0", " ").replace("\r\n", "\n")
    # Compilers differ on whether a carriage return ends a line.
    readings = [text.replace("\r", end) for end in ("\n", " ")] if "\r" in text else [text]
    return next(filter(None, (reason_in(reading, lab) for reading in readings)), None)


def main(lab, files):
    for file in files:
        with open(file, encoding="utf-8", errors="replace", newline="\n") as source:
            found = reason_against(source.read(), lab)
        if found:
            print(f"refused: {file}:{found[0]}: {found[1]}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
