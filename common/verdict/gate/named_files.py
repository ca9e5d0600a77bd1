"""Refuses a file that names files which are not its own, before a compiler looks for them: what the
compiler says would tell whether they are there, and what stands in them.

usage: named_files.py FILE...

An #include or a __has_include names a header by "x.h" or <x.h>, without a folder above, and not by
a macro; a #line names no file. Where another name is found, a line on stderr begins "refused: ", and
the exit status is 1.
Takes what looks like a directive in a comment or a string for one, which needs no C++ to be read.
"""

import re
import sys

SPLICED = re.compile(r"\\[ \t\f\v\r]*\n")
BLANK = "\0 \t\f\v\r"
WORD = re.compile(r"\w+")
PLAIN = re.compile(r'[\0 \t\f\v\r]*(?:"([^"\\]{0,200})"|<([^>\\]{0,200})>)')
ASKED = re.compile(r"__has_(?:include(?:_next)?|embed)\b(?![ \t]*\()")
ASKED_FOR = re.compile(r"__has_(?:include(?:_next)?|embed)[\0 \t\f\v\r]*\(")
WITH_CALL = re.compile(r"\s*(\w+)\b.*\w\s*\(")
NAMING = ("include", "include_next", "import", "embed")
ELSEWHERE = ("solutions", "build", "proc")


def without_comments(line):
    """Returns what stands behind the comments and blanks at the beginning of a directive."""
    line = line.lstrip(BLANK)
    while line.startswith("/*"):
        _, end, line = line.partition("*/")
        if not end:
            return ""
        line = line.lstrip(BLANK)
    return line


def is_own(text, at=0):
    """Returns whether a header of the file's own or of the system is named there."""
    found = PLAIN.match(text, at)
    folders = (found[1] or found[2] or "/").split("/") if found else [""]
    return folders[0] not in ("", *ELSEWHERE) and ".." not in folders


def directives(text):
    """Yields the line's number, the word and the rest of all that may be a directive. Leaves out
    comments where each of the file begins a line and there is no raw string: no C++ is needed to
    see where they end."""
    number, inside = 1, False
    lines = SPLICED.sub("\1", text.lstrip("\ufeff")).split("\n")
    amid = any(line.replace("\1", "").lstrip(BLANK).find("/*", 1) >= 0 for line in lines)
    plain = not amid and 'R"' not in text
    for line in lines:
        splices = line.count("\1")
        line = line.replace("\1", "")
        if plain and (inside or line.lstrip(BLANK).startswith("/*")):
            _, inside, line = (line if inside else line.lstrip(BLANK)[2:]).partition("*/")
            inside = not inside
        before, sign, rest = line.partition("#")
        if "%:" in before:
            before, sign, rest = line.partition("%:")
        before = before.strip(BLANK)
        # A comment that ends on the line may have begun on one above.
        if sign and (not before or before.endswith("*/")):
            rest = without_comments(rest)
            word = WORD.match(rest)
            if word:
                yield number, word[0], without_comments(rest[word.end() :])
            elif rest == "" and "/*" in line:
                yield number, "include", ""  # a comment over lines would hide the word
        number += 1 + splices


def reason_against(text):
    """Returns the line and why the file is refused; None where it is not."""
    pastes, calling = "##" in text, set()
    for number, word, rest in directives(text):
        if word in NAMING and not is_own(rest):
            return number, f"#{word} names a file that is not beside it: {rest[:60]}"
        # A point makes it a number of a list in a comment; what a macro stands for is unknown here.
        if word == "line" or (word.isdigit() and not rest.startswith(".")):
            if not re.fullmatch(r"\d*\s*", rest):
                return number, "names a file of another place by #line"
        if word == "define":
            called = WITH_CALL.match(rest)
            calling |= {called[1]} if called else set()
            if ASKED.search(rest):
                return number, "a macro stands for __has_include"
        if word == "pragma" and rest.split()[:2] == ["GCC", "dependency"]:
            return number, "#pragma GCC dependency names a file"
        for asked in ASKED_FOR.finditer(rest):
            if not is_own(rest, asked.end()):
                return number, "__has_include asks for a file that is not beside it"
        if word in ("if", "elif") and pastes and calling.intersection(WORD.findall(rest)):
            return number, f"#{word} takes a word that a macro puts together"
    return None


def main(files):
    for file in files:
        with open(file, encoding="utf-8", errors="replace", newline="\n") as source:
            found = reason_against(source.read())
        if found:
            print(f"refused: {file}:{found[0]}: {found[1]}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
