"""Finds the line that causes an error, if the compiler names a later one."""

import re

from course.compile_help.messages import Message, code_of, line_of, statement_at
from course.compile_help import scopes
from course.compile_help.scopes import UNDECLARED, hidden_declaration

NO_TEXT = {"×": "*", "·": "*", "÷": "/", "–": "-", "−": "-", "≤": "<=", "≥": ">=", "≠": "!="}
NO_TEXT |= {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"}

ALIKE = dict(zip("АВЕКМНОРСТХаеорсухі", "ABEKMHOPCTXaeopcyxi"))  # Cyrillic and Latin


def typographic(message: Message) -> tuple[int, str]:
    """Explains an operator or a quotation mark from a document."""
    if not re.search("stray|extended character|unexpected character|non-ASCII", message.text):
        return 0, ""
    found = next((c for c in line_of(message.file, message.line) if c in NO_TEXT), "")
    words = f"write {NO_TEXT.get(found)} instead of {found}, as copied from a document."
    return (message.line, words) if found else (0, "")


def cyrillic(message: Message) -> tuple[int, str]:
    """Explains a name with a letter that looks like a Latin one."""
    found = next((c for c in message.quoted(1) if c in ALIKE), "")
    words = f"this {found} is a Cyrillic letter: type a Latin {ALIKE.get(found)} instead."
    return (message.line, words) if found else (0, "")


def in_define(message: Message) -> tuple[int, str]:
    """Explains #define NAME 16; or #define NAME = 16, if the line uses NAME."""
    code = code_of(message.file)
    names = re.findall(r"\w+", code[message.line]) if 0 < message.line < len(code) else []
    for number, line in enumerate(code):
        define = re.match(r"\s*#\s*define\s+(\w+)\s+(?:=|.*;\s*$)", line)
        if define and define[1] in names:
            return number, f"a #define has no ; and no = : write #define {define[1]} 16."
    return 0, ""


def open_macro(message: Message) -> tuple[int, str]:
    """Explains a call of a macro without its closing parenthesis."""
    found = re.search(
        r"unterminated (?:argument list|function-like macro).*?(\w+)[\"']?$", message.text
    )
    if not found:
        return 0, ""
    code = code_of(message.file)
    for number, line in enumerate(code):
        call = re.search(rf"(?<!define )\b{found[1]}\s*\(", line)
        if not call:
            continue
        depth = 0
        for c in "\n".join([line[call.start() :], *code[number + 1 :]]):
            depth += (c == "(") - (c == ")")
            if c == ";" and depth > 0:
                return number, f"{found[1]}( has no matching ); count both in this line."
            if c == ")" and depth == 0:
                break
    return 0, ""


def missing_semicolon(message: Message) -> tuple[int, str]:
    """Explains a statement without its ; if comments and empty lines follow it."""
    if "'#pragma' is not allowed here" in message.text:  # the translator adds one at a kernel's end
        message.text = "expected ';' before '}'"
    if not re.search("expected (',' or ';'|';')|expected initializer before", message.text):
        return 0, ""
    code = code_of(message.file)
    if message.line >= len(code):
        return 0, ""
    at_end = "a ; is missing at the end of this line."
    if message.column and not code[message.line][message.column - 1 :].strip():
        return message.line, at_end
    if message.column and line_of(message.file, message.line)[: message.column - 1].strip():
        return 0, ""
    for number in range(min(message.line, len(code)) - 1, 0, -1):
        line = code[number].rstrip()
        if line and not line.lstrip().startswith("#"):
            ends = line[-1] not in ";{},:(&|+-*/=<>?\\"
            return (number, at_end) if ends else (0, "")
    return 0, ""


def ended_loop(message: Message) -> tuple[int, str]:
    """Explains a loop that ends before the line that uses its variable: for (int k = 0; ...);"""
    if not re.search(UNDECLARED, message.text):
        return 0, ""
    name, code = message.quoted(1), code_of(message.file)
    loop = re.compile(rf"^ *for *\([^;]*\b{re.escape(name)} *=.*\) *(;|{{)?")
    for number in range(min(message.line, len(code) - 1), max(message.line - 12, 0), -1):
        found = loop.match(code[number])
        if not found or (not found[1] and number == message.line):
            continue
        if found[1] == ";":
            return number, "the ; after for (...) ends the loop: remove it."
        if not found[1]:
            return number, f"without {{ }} only one statement is in the loop over {name}."
        depth = 0
        for last in range(number, message.line):
            depth += code[last].count("{") - code[last].count("}")
            if depth <= 0:
                return last, f"the loop over {name} ends here, before {name} is used below."
    return 0, ""


def arguments_of(types: str) -> list[str]:
    """Returns the types that commas separate, outside of < > and ( )."""
    inner = re.compile(r"<[^<>]*>|\([^()]*\)")
    while inner.search(types):
        types = inner.sub("", types)
    return [one.strip(" &") for one in types.split(",")] if types.strip() else []


def plain_types(types: str) -> list[str]:
    return [re.sub(r"\bconst\b|[ &]", "", one) for one in arguments_of(types)]


def launch_of_other_length(message: Message) -> tuple[int, str]:
    """Explains a launch with more or fewer arguments than its kernel has parameters."""
    found = re.search(r"Launcher<void \(\*\)\((.*?)\)[,>].*>\) \((.*)\)'", message.text)
    if not found:
        return 0, ""
    wanted, given = (len(arguments_of(found[n])) for n in (1, 2))
    if wanted == given:
        return 0, ""
    words = f"the kernel has {wanted} parameters, but this launch passes {given} arguments."
    if given == wanted + 1 and arguments_of(found[2])[-1] in ("size_t", "std::size_t"):
        words = f"the kernel takes {wanted} values; bytes go in <<<grid, block, bytes>>>."
    return message.line, words


def launch_of_other_type(message: Message) -> tuple[int, str]:
    """Explains a launch with an argument of another type, unless all of them fit in another
    order."""
    number, given, wanted = message.conversion
    found = re.search(r"Launcher<void \(\*\)\((.*?)\)[,>]", message.text)
    if not found or not number:
        return 0, ""
    parameters = plain_types(found[1])
    all_given = re.search(r">\) \((.*)\)'", message.text)  # only g++ lists them
    if all_given and sorted(plain_types(all_given[1])) == sorted(parameters):
        return 0, ""
    if not all_given and plain_types(given)[0] in parameters:
        return 0, ""
    passed = re.search(r">>>\s*\((.*)\)", statement_at(message.file, message.line))
    name = [*arguments_of(passed[1] if passed else ""), *[""] * int(number)][int(number) - 1]
    name = name if re.fullmatch(r"\w+", name) else f"argument {number}"
    given, wanted = given.replace(" *", "*"), wanted.replace(" *", "*")
    return message.line, f"{name} is {given}, but the kernel wants {wanted}."


def name_not_changed(message: Message) -> tuple[int, str]:
    """Explains a second int J = ...; if K was meant, which is declared nowhere."""
    name = re.sub(r"\W*\[.*", "", message.quoted(1)).split(" ")[-1]
    if not message.undeclared or not re.search("(redeclaration|redefinition) of", message.text):
        return 0, ""
    variable = re.search(rf"\b{re.escape(name)} *[=;\[]", line_of(message.file, message.line))
    words = f"{name} is declared above: is this {message.undeclared}?"
    return (message.line, words) if variable else (0, "")


def misspelt_declaration(message: Message) -> tuple[int, str]:
    """Explains a name that the file uses several times, if a similar name is only declared."""
    name, other = message.quoted(1), message.quoted(2)
    if not other or not re.search(UNDECLARED, message.text):
        return 0, ""
    code = code_of(message.file)
    uses = [n for n, line in enumerate(code) for _ in re.findall(rf"\b{re.escape(name)}\b", line)]
    at = [n for n, line in enumerate(code) for _ in re.findall(rf"\b{re.escape(other)}\b", line)]
    alone = len(uses) > 1 and len(at) == 1 and at[0] < uses[0]
    return (at[0], f"this declares {other}: write {name} here.") if alone else (0, "")


# What these functions set, by address.
SETS = {
    "cudaGetDeviceProperties": "cudaDeviceProp",
    "cudaEventCreate": "cudaEvent_t",
    "cudaStreamCreate": "cudaStream_t",
}


def another_name(message: Message) -> tuple[int, str]:
    """Explains the address of an undeclared name, if a variable of the type set here is
    declared."""
    name, code = message.quoted(1), code_of(message.file)
    if not re.search(UNDECLARED, message.text) or message.line >= len(code):
        return 0, ""
    call = re.search(rf"(\w+)\( *& *{re.escape(name)}\b", code[message.line])
    if not call or call[1] not in SETS:
        return 0, ""
    for number in range(message.line - 1, 0, -1):
        if re.match(r"\S", code[number]):
            break
        if declared := re.search(rf"\b{SETS[call[1]]} +(\w+) *;", code[number]):
            return message.line, f"{name} is not declared: line {number} declares {declared[1]}."
    return 0, ""


def ended_if(message: Message) -> tuple[int, str]:
    """Explains a ; between an if and its else."""
    if not re.search("'else' without a previous 'if'|expected expression", message.text):
        return 0, ""
    code = code_of(message.file)
    for number in range(min(message.line, len(code) - 1), 0, -1):
        before = code[number].partition("else")[0] if number == message.line else code[number]
        if before.strip():
            found = re.search(r"\} *;\s*$", before)
            words = "this ; ends the if: remove it, so that the else can follow."
            return (number, words) if found and "else" in code[message.line] else (0, "")
    return 0, ""


def array_in_parentheses(message: Message) -> tuple[int, str]:
    """Explains int a(16); if a[k] is used."""
    code = code_of(message.file)
    if not re.search("for array subscript|subscripted value is not", message.text):
        return 0, ""
    for name in re.findall(r"(\w+) *\[", code[message.line] if message.line < len(code) else ""):
        declares = re.compile(rf" *{scopes.TYPE} +{name} *\(([^()]+)\) *;")
        for number in range(message.line, 0, -1):
            if found := declares.match(code[number]):
                return number, f"an array is declared with [ ]: {name}[{found[1]}]."
    return 0, ""


def cause_of(message: Message) -> tuple[int, str]:
    """Returns the line that is at fault and the help; '' if the compiler names the line."""
    for rule in (
        typographic,
        cyrillic,
        in_define,
        open_macro,
        missing_semicolon,
        ended_loop,
        scopes.own_define,
        scopes.ended_declaration,
        hidden_declaration,
        scopes.parameter_without_type,
        scopes.unclosed_brace,
        launch_of_other_length,
        launch_of_other_type,
        name_not_changed,
        misspelt_declaration,
        another_name,
        ended_if,
        array_in_parentheses,
    ):
        line, words = rule(message)
        if words:
            return line, words
    return message.line, ""
