"""Finds the declaration of a name that does not reach the line that uses it."""

import re

from course.compile_help.messages import Message, code_of

UNDECLARED = "not declared in this scope|undeclared identifier"
CONTROL = r"(?:\} *)?(?:(?P<word>if|for|while) *\(.*\)|(?P<other>else))"
TYPE = r"(?:(?:const|unsigned|static|__shared__) +)*(?!return\b|else\b|delete\b)[A-Za-z_][\w:<>]*"
BETWEEN = r"(?:[ *&]+\w+[^;(){}]*,[ *&]*|[ *&]+)"  # int a = 0, *b: what stands before b


def blocks_of(code: list[str]) -> list[tuple[int, int]]:
    """Returns the first and the last line of each { }; none if the braces do not match."""
    found: list[tuple[int, int]] = []
    opened: list[int] = []
    for number, line in enumerate(code):
        for brace in re.findall("[{}]", line):
            if brace == "{":
                opened.append(number)
            elif not opened:
                return []
            else:
                found.append((opened.pop(), number))
    return [] if opened else sorted(found)


def hidden_declaration(message: Message) -> tuple[int, str]:
    """Of a variable that is declared in an inner { }, in an if without { }, or later."""
    name, code = message.quoted(1), code_of(message.file)
    if not re.search(UNDECLARED, message.text) or not re.fullmatch(r"\w+", name):
        return 0, ""
    blocks = [b for b in blocks_of(code) if not re.match(" *(namespace|extern|struct)", code[b[0]])]
    around = [block for block in blocks if block[0] <= message.line <= block[1]]
    if not around:
        return 0, ""
    declares = re.compile(rf"(?:^|[;{{}})]|\belse\b) *({TYPE}){BETWEEN}{name} *[;=,\[({{]")
    for number in range(around[0][0] + 1, around[0][1]):
        found = declares.search(code[number])
        if not found or number == message.line:
            continue
        if number > message.line:
            return message.line, f"{name} is declared later: use it only after line {number}."
        before = code[number][: found.start(1)].strip() or code[number - 1].strip()
        if alone := re.fullmatch(CONTROL, before):
            word = alone["word"] or alone["other"]
            return number, f"the {word} has only this line: put {{ }} around all its lines."
        if any(b[0] <= number <= b[1] and b not in around for b in blocks):
            return number, f"{name} exists only inside its {{ }}: declare it before the {{."
    return 0, ""
