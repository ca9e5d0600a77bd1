"""Finds statements of a kernel that compile but are hardly ever meant."""

import re
from collections.abc import Iterator

from course.compile_help.messages import code_of
from course.compile_help.scopes import blocks_of

SIGN_AFTER = re.compile(r"[\w\])] *=([+-])(?=\s)")
STORED_TWICE = re.compile(r"\] *=\s*([A-Za-z_]\w*(?: *\[[^\[\]]*\])+) *([-+*/%]=)(?!=)")
FOR = re.compile(r"\bfor *\( *(?:[\w:]+[ *]+)*(\w+) *=[^;]*;([^;]*);(.*)\)")
CHANGED = re.compile(r"(?:\+\+|--) *(\w+)|(\w+) *(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))")
RETURN = re.compile(r" *return\b[^;]*;\s*")
IF = re.compile(r" *(?:\} *else +)?if *\(.*\) *\{?\s*")


def changed_in(text: str) -> set[str]:
    return {before or after for before, after in CHANGED.findall(text)}


def counts_another(code: list[str], number: int, blocks: list[tuple[int, int]]) -> str:
    """Returns the fault of a loop if its condition tests a variable that the loop does not
    change."""
    found = FOR.search(code[number])
    if not found:
        return ""
    name, tested, changed = found[1], re.findall(r"\w+", found[2]), changed_in(found[3])
    last = max([end for begin, end in blocks if begin == number], default=number + 1)
    body = "\n".join([code[number][found.end() :], *code[number + 1 : last + 1]])
    if name not in tested or not changed or changed & {*tested}:
        return ""
    if name in changed_in(body) or re.search(rf"& *{name}\b", body):
        return ""
    return f"the loop tests '{name}', but counts '{min(changed)}'"


def ends_early(code: list[str], number: int) -> bool:
    """Tests whether statements follow a return that is not inside an if."""
    if not RETURN.fullmatch(code[number]):
        return False
    before = next((line for line in reversed(code[:number]) if line.strip()), "").rstrip()
    after = next((line for line in code[number + 1 :] if line.strip()), "}").strip()
    return before[-1:] in list(";{}") and not re.match(r"[}#]|case\b|default\b|\w+ *:(?!:)", after)


def odd_statements(file: str) -> Iterator[tuple[int, str]]:
    """Yields the line of each such statement, and its effect."""
    code = code_of(file)
    blocks = blocks_of(code)
    heads = {begin: code[begin - (code[begin].strip() == "{")] for begin, _ in blocks}
    bodies = {last for begin, last in blocks if IF.fullmatch(heads[begin])}
    for number, line in enumerate(code):
        if found := SIGN_AFTER.search(line):
            yield number, f"this '={found[1]}' stores, and '{found[1]}=' is another operator"
        if found := STORED_TWICE.search(line):
            yield number, f"this also stores into '{found[1]}', by '{found[2]}'"
        if told := counts_another(code, number, blocks):
            yield number, told
        if ends_early(code, number):
            yield number, "nothing after this return is executed"
        after_if = number - 1 in bodies and line.strip() == "{"
        if after_if or (number in bodies and re.fullmatch(r" *\} *\{\s*", line)):
            yield number, "this block always runs, after the if as well"
