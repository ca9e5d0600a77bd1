"""Finds the declaration of a name that does not reach the line that uses it."""

import re

from course.compile_help.messages import Message, code_of

UNDECLARED = "not declared in this scope|undeclared identifier"
CONTROL = r"(?:\} *)?(?:(?P<word>if|for|while) *\(.*\)|(?P<other>else))"
TYPE = r"(?:(?:const|unsigned|static|__shared__) +)*(?!return\b|else\b|delete\b)[A-Za-z_][\w:<>]*"
BETWEEN = r"(?:[ *&]+\w+[^;(){}]*,[ *&]*|[ *&]+)"  # in int a = 0, *b: the text before b


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
    """Explains a variable that is declared in an inner { }, in an if without { }, or later."""
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


def unclosed_brace(message: Message) -> tuple[int, str]:
    """Explains an if or a loop without its }, above a line indented like its head."""
    if not re.search("function.definition is not allowed|expected '}'", message.text):
        return 0, ""
    code = [line.expandtabs(4) for line in code_of(message.file)]
    opened: list[tuple[int, int, bool]] = []  # line and indentation of each {, and if it ends it
    for number, line in enumerate(code):
        text, indent = line.strip(), len(line) - len(line.lstrip())
        if opened and text and text[0] not in "#}{" and indent <= opened[-1][1] and opened[-1][2]:
            brace = opened[-1][0]
            head = code[brace - (code[brace].strip() == "{")]
            if re.match(r" *(}|(if|for|while|else|do)\b)", head):
                return brace, "the { of this line has no }: see the indentation below it."
        for found in re.finditer("[{}]", line):
            if found[0] == "{":
                opened.append((number, indent, not line[found.end() :].strip()))
            elif opened:
                opened.pop()
    return 0, ""


def ended_declaration(message: Message) -> tuple[int, str]:
    """Explains a name after a ; that should be a comma: int tx = 0; ty = 1;"""
    name, code = message.quoted(1), code_of(message.file)
    if not re.search(UNDECLARED, message.text) or not 0 < message.line < len(code):
        return 0, ""
    line = rf"^\s*{TYPE}[ *&]+\w+[^;(){{}}]*;[ *&]*{re.escape(name)} *[=;,\[]"
    words = f"write a , instead of the ; before {name}."
    return (message.line, words) if re.search(line, code[message.line]) else (0, "")


def own_define(message: Message) -> tuple[int, str]:
    """Explains a #define inside an #ifdef of the same name."""
    name, code = message.quoted(1), code_of(message.file)
    if not re.search(UNDECLARED, message.text) or not re.fullmatch(r"\w+", name):
        return 0, ""
    opened: list[tuple[int, str]] = []
    for number, line in enumerate(code):
        if found := re.match(r"\s*#\s*if(?:def|\s+defined)?\W*(\w*)", line):
            opened.append((number, found[1]))
        elif opened and re.match(r"\s*#\s*(endif|el)", line):
            opened.pop()
            if "endif" not in line:
                opened.append((number, ""))
        elif opened and re.match(rf"\s*#\s*define\s+{name}\b", line) and opened[-1][1] == name:
            return opened[-1][0], f"write #ifndef instead: line {number} defines {name}."
    return 0, ""


def parameter_without_type(message: Message) -> tuple[int, str]:
    """Explains f(int rows, cols): g++ takes cols for a type."""
    name, code = message.quoted(1), code_of(message.file)
    if not re.search(r"'\w+' has not been declared|unknown type name", message.text):
        return 0, ""
    line = code[message.line] if 0 < message.line < len(code) else ""
    found = re.search(rf"[(,] *{re.escape(name)} *[,)]", line)
    words = f"each parameter has its own type, as in int {name}."
    return (message.line, words) if found else (0, "")
