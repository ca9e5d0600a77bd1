"""Finds macros and sums without the parentheses that they need, calls that a macro makes twice, a
cudaMemset of 0 bytes, and launches with the x of a dim3."""

import re
from collections.abc import Iterator

from course.compile_help.messages import code_of

DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(([\w, \t]*)\))?((?:\\\n|[^\n])*)", re.MULTILINE
)
VALUE = r"[\w.]+"
# As in n + 16 - 1 / 16, and in (n - 1) / 16 + 1 * 16.
DIVIDES_ONE = re.compile(rf"\+\s*({VALUE})\s*-\s*1\s*/\s*\1(?![\w.])")
TIMES_ONE = re.compile(rf"/\s*({VALUE})\s*\+\s*1\s*\*\s*\1(?![\w.])")
SUM = re.compile(r"[\w)\]]\s*[+-](?![+\-=>])")
EXPONENT = re.compile(r"\b[\d.]+[eE][+-]\d")  # as in 1e-5


def without_brackets(text: str) -> str:
    """Returns a text with _ for what is in brackets."""
    while (shorter := re.sub(r"\([^()\[\]]*\)|\[[^()\[\]]*\]", "_", text)) != text:
        text = shorter
    return text


def is_sum(text: str) -> bool:
    return bool(SUM.search(EXPONENT.sub("1", without_brackets(text))))


def arguments(text: str, at: int) -> tuple[list[str], int]:
    """Returns the arguments in the parentheses that open at `at`, and the index of their end."""
    depth, begin, found = 0, at + 1, []
    for end in range(at, len(text)):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        if depth == 0 or (depth == 1 and text[end] == ","):
            found.append(text[begin:end])
            begin = end + 1
        if depth == 0:
            return found, end + 1
    return [], len(text)


def wrong_use(text: str, macro: re.Match[str]) -> str:
    """Returns the fault if a use of a macro does not compute what it seems to; else ''."""
    name, head, names, body = macro.groups()
    parameters = [one.strip() for one in (names or "").split(",")]
    for use in re.finditer(rf"\b{name}\b", text):
        given: list[str] = []
        end = use.end()
        if macro.start() <= use.start() < macro.end():
            continue
        if head:
            opened = re.match(r"\s*\(", text[end:])
            if not opened:
                continue
            given, end = arguments(text, end + opened.end() - 1)
        for one, value in zip(parameters, given):
            near = rf"\b{one}\b\s*[*/%]|[\w)\]]\s*[-*/%]\s*{one}\b"
            if one and is_sum(value) and re.search(near, body):
                return f"in macro {name}, {one} stands for a sum without ( )"
            runs = re.findall(rf"(?<![#\w]){one}\b", body)
            set_once = re.search(rf"[^=!<>]=\s*\(*{one}\b", body)
            if len(runs) > 1 and set_once and re.match(r"\s*cuda[A-Z]\w*\s*\(", value):
                return f"macro {name} makes each call twice: it has {one} twice"
        before = re.search(r"[\w)\]]\s*[*/%]\s*$", text[: use.start()])
        if is_sum(body) and (before or re.match(r"\s*[*/%]", text[end:])):
            return f"macro {name} is a sum without ( ), multiplied or divided"
    return ""


def source_faults(file: str) -> Iterator[tuple[int, str]]:
    """Yields the line and the text of each warning."""
    text = "\n".join(code_of(file)[1:])
    for pattern, sign in ((DIVIDES_ONE, "/"), (TIMES_ONE, "*")):
        for found in pattern.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield line, f"1 {sign} {found[1]} is computed before the sum"
    for macro in DEFINE.finditer(text):
        if told := wrong_use(text, macro):
            yield text.count("\n", 0, macro.start()) + 1, told
    for call in re.finditer(r"\bcudaMemset(Async)?\s*(?=\()", text):
        given = [one.strip() for one in arguments(text, call.end())[0]]
        if len(given) >= 3 and given[2] == "0" and given[1] != "0":
            yield text.count("\n", 0, call.start()) + 1, "cudaMemset sets 0 bytes here"
    for launch in re.finditer(r"<<<([^;{}]*?)>>>", text):
        for name in re.findall(r"(?:^|,)\s*(\w+)\.x\s*(?=,|$)", launch[1]):
            declared = re.search(rf"\bdim3\b[^;]*?\b{name}\s*(?=[({{])", text)
            sizes = arguments(text, declared.end())[0] if declared else []
            if any(one.strip() != "1" for one in sizes[1:]):
                line = text.count("\n", 0, launch.start()) + 1
                yield line, f"this launch passes the number '{name}.x' instead of '{name}'"
