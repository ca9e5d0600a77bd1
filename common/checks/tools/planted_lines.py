"""Draws defects of one line from the product's sources: what a mistake may write instead of a line.

A drawn line compiles by itself, or parses, so that a test has to find the defect and not a compiler.
"""

import ast
import functools
import io
import pathlib
import random
import re
import shlex
import subprocess
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from calls import value_of
from cuda_tokens import lexemes
from mutate import numbers_near
from run_report import ROOT
from slips import OTHER_SIGNS

# How many of 60 defects each room gets, and its folder.
ROOMS = {
    "simulator": (20, "common/simulator/**/*"),
    "testing": (6, "common/testing/**/*"),
    "labs": (8, "lab*/**/test_*.cpp"),
    "verdict": (6, "common/verdict/**/*"),
    "grading": (6, "common/grading/**/*"),
    "course": (5, "common/course/**/*", "common/setup/*"),
    "explorer": (4, "common/explorer/**/*", "common/plots/**/*", "common/site/*"),
    "matrix": (5, "common/matrix/**/*", "common/harness/**/*", "common/text/**/*"),
}
# Folders of tests, of programs for tests, and of benchmarks.
NO_PRODUCT = {"tests", "attacks", "fuzz", "programs", "bench"}
SUFFIXES = (".cpp", ".h", ".py", ".js", ".sh")
SIGNS = OTHER_SIGNS | {"===": "!==", "!==": "==="}
SIGN = re.compile(rf"(?<= )({'|'.join(map(re.escape, sorted(SIGNS, key=len)[::-1]))})(?= )")
WORDS = {"true": "false", "false": "true", "True": "False", "False": "True", "and": "or"}
WORDS |= {"or": "and", "not ": "", "-eq": "-ne", "-ne": "-eq", "-n": "-z", "-z": "-n"}
WORD = re.compile(r"(?<![\w-])(not |-eq|-ne|-[nz](?= )|(?:true|false|True|False|and|or)\b)")
LOGIC = re.compile(r" (==|!=|<=?|>=?|&&|\|\||and|or|in|is|===|!==) |\bnot |^!")
# A call, an assignment or a jump; with a type before it, it is a declaration, which must stay.
STATEMENT = re.compile(
    r"\s*((break|continue|return|throw\b[^;]*)|(\+\+|--)?[\w.:>\-]+(\[.*\])?"
    r"( ?[-+*/%&|^]?= |\+\+|--|\().*);\s*"
)
HEREDOC = re.compile(r"<<-?'?(\w+)'?.*?^\1$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Defect:
    room: str
    file: str
    line: int
    before: str
    after: str
    equal: str = ""  # why it changes nothing, as a person has judged; such a defect is not tried

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line}"


def sources(room: str) -> list[str]:
    """Returns the files of a room that are its product and run without a card."""
    found = [path.relative_to(ROOT) for glob in ROOMS[room][1:] for path in ROOT.glob(str(glob))]
    kept = [path for path in found if path.suffix in SUFFIXES and not NO_PRODUCT & set(path.parts)]
    return sorted(str(path) for path in kept if not path.stem.endswith("_gpu"))


def blanked(text: str, spans: Iterator[tuple[int, int]]) -> str:
    """Returns a text with spaces in these spans, so that columns stay."""
    for begin, end in spans:
        text = text[:begin] + re.sub(r"[^\n]", " ", text[begin:end]) + text[end:]
    return text


def python_texts(text: str) -> Iterator[tuple[int, int]]:
    """Yields the spans of strings and comments of a Python file."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    depth, begin = 0, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        (row, column), (last_row, last_column) = token.start, token.end
        here, end = starts[row - 1] + column, starts[last_row - 1] + last_column
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_START":  # from Python 3.12 on, the tokens inside follow
            begin, depth = begin if depth else here, depth + 1
        elif kind == "FSTRING_END":
            depth -= 1
            if not depth:
                yield begin, end
        elif kind in ("STRING", "COMMENT"):
            yield here, end


def code_of(file: str, text: str) -> list[str]:
    """Returns the lines of a file with spaces for comments, strings and preprocessor lines."""
    if file.endswith(".py"):
        return blanked(text, python_texts(text)).splitlines()
    if file.endswith(".sh"):
        texts = re.compile(r"(?<!\S)#[^\n]*|'[^']*'|\"[^\"]*\"")
        text = blanked(text, (match.span() for match in HEREDOC.finditer(text)))
        return blanked(text, (match.span() for match in texts.finditer(text))).splitlines()
    if file.endswith(".js"):
        text = blanked(text, (match.span() for match in re.finditer(r"`[^`]*`", text)))
    kept = ("name", "number", "sign")
    return blanked(text, (t[2:] for t in lexemes(text) if t.kind not in kept)).splitlines()


def closing(code: str, at: int) -> int:
    """Returns the index of the bracket that closes the one at `at`; -1 if it is on another line."""
    depth = 0
    for place in range(at, len(code)):
        depth += (code[place] in "([{") - (code[place] in ")]}")
        if not depth:
            return place
    return -1


def condition(file: str, code: str) -> tuple[int, int] | None:
    """Returns the span of the condition of an `if`, or of a result that is a condition."""
    heads = {".py": r"\s*(?:if|elif|while) (.+):$", ".sh": r"\s*(?:if|elif) (.+); then$"}
    found = re.match(heads.get(file[-3:], r"\s*return (.+);$"), code.rstrip())
    word = re.search(r"\bif \(", code)
    if word and file[-3:] not in heads:
        close = closing(code, word.end() - 1)
        return (word.end(), close) if close > 0 else None
    if found is None and file.endswith(".py"):
        found = re.match(r"\s*return (.+)$", code.rstrip())
    if found is None or found[1].count("(") != found[1].count(")"):
        return None
    is_result = "return" in found[0][: found.start(1)]
    is_choice = re.search(r" \? | if ", found[1])
    return None if is_result and (is_choice or not LOGIC.search(found[1])) else found.span(1)


def starts_statement(lines: list[str], at: int) -> bool:
    """Tells whether a line does not continue one above."""
    above = next((line.strip() for line in lines[:at][::-1] if line.strip()), "")
    return (
        above == ""
        or above.endswith((";", "{", "}", ":", "else"))
        or (above.endswith(")") and re.match(r"(} else )?(if|for|while)\b", above) is not None)
    )


@functools.lru_cache
def python_statements(text: str) -> set[int]:
    """Returns the lines of a Python file that are a statement without which names stay defined."""
    found = set()
    jumps = ast.Raise | ast.Continue | ast.Break | ast.Return
    for node in ast.walk(ast.parse(text)):
        defines = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name | ast.Tuple)
        changes_it = isinstance(node, ast.Assign | ast.AugAssign | jumps) and not defines
        called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        if isinstance(node, ast.stmt) and (changes_it or called) and node.lineno == node.end_lineno:
            found.add(node.lineno)
    return found


def changes(file: str, text: str, lines: list[str], at: int) -> Iterator[str]:
    """Yields replacements of a line; `lines` are the file's without texts."""
    before, code = text.splitlines()[at], lines[at]
    indent = before[: len(before) - len(before.lstrip())]

    def changed(begin: int, end: int, new: str) -> str:
        return before[:begin] + new + before[end:]

    for match in SIGN.finditer(code):
        yield from (changed(*match.span(), new) for new in SIGNS[match[1]].split())
    for match in re.finditer(r"(?<![\w.$])\d+(?![\w.])", code):
        yield from (changed(*match.span(), new) for new in numbers_near(match[0])[:1])
    for match in WORD.finditer(code):
        if file.endswith(".sh") == match[1].startswith("-") or match[1] in ("true", "false"):
            yield changed(*match.span(), WORDS[match[1]])
    for match in re.finditer(r"!(?=[\w(])", code):
        yield changed(*match.span(), "")
    if span := condition(file, code):
        inside = before[slice(*span)]
        negated = {".py": f"not ({inside})", ".sh": f"! {inside}"}.get(file[-3:], f"!({inside})")
        yield changed(*span, negated)
    if file.endswith(".py"):
        if at + 1 in python_statements(text):
            yield f"{indent}pass"
    elif file.endswith(".sh"):
        if re.match(r"\s*[a-z_]+( |=)", code) and not re.search(
            r"\b(set|if|for|done|fi|esac)\b|\\$|[;|{(]", code
        ):
            yield f"{indent}:"
    elif STATEMENT.fullmatch(code) and starts_statement(lines, at):
        yield f"{indent}{{}}"


@functools.cache
def flags(kind: str) -> list[str]:
    """Returns the flags of a HOST file, or of a lab's TEST."""
    return shlex.split(value_of(f"$({kind}_FLAGS)", "lab1_naive"))


def compiles(file: str, text: str) -> bool:
    """Tells whether a changed file still compiles, or parses."""
    if file.endswith(".py"):
        try:
            compile(text, file, "exec")
        except SyntaxError:
            return False
        return True
    if file.endswith(".js"):
        return True  # a sign replaces a sign, or a word a word
    command = ["sh", "-n"]
    if file.endswith((".cpp", ".h")):
        of_kind = flags("TEST" if file.startswith("lab") else "HOST")
        words = [word for word in of_kind if not re.match(r"-M|-O", word)]
        command = ["g++", *words, "-O1", "-iquote", str(pathlib.Path(file).parent)]
        command += ["-x", "c++", "-c", "-", "-o", "/dev/null"]
        text = text.replace("#pragma once", "")
    done = subprocess.run(
        command, cwd=ROOT, input=text, capture_output=True, text=True, check=False
    )
    return done.returncode == 0


def with_line(text: str, at: int, line: str) -> str:
    lines = text.splitlines()
    return "\n".join([*lines[:at], line, *lines[at + 1 :]]) + "\n"


def drawn(room: str, number: int, seed: str) -> Iterator[Defect]:
    """Yields `number` defects of a room: of a random file a random line, and a random change of
    it."""
    order, there, taken = random.Random(f"{seed} {room}"), sources(room), set()
    while number:
        file = order.choice(there)
        text = (ROOT / file).read_text(encoding="utf-8")
        lines = code_of(file, text)
        able = {at: made for at in range(len(lines)) if (made := [*changes(file, text, lines, at)])}
        if not able:
            continue
        at = order.choice(list(able))
        after = order.choice(able[at])
        if (file, at) in taken or not compiles(file, with_line(text, at, after)):
            continue
        taken.add((file, at))
        number -= 1
        yield Defect(room, file, at + 1, text.splitlines()[at], after)
