"""Takes from what a compiler has said what a student may read: the student's own words."""

import re

# A compiler's error in FILE:LINE:COLUMN or FILE(LINE), a linker's, and a line of a drawn source.
PLACE = re.compile(r"([^\s:()]+)(?::\d+(?::\d+)?|\(\d+\)): (?:fatal )?error: ")
MISSING = re.compile(
    r"(?:undefined reference to|multiple definition of) [`'\u2018][^'\u2019]*['\u2019]"
)
CALLED = re.compile(r"undefined reference to [`'\u2018]([^'\u2019]*)['\u2019]")
DRAWN = re.compile(r" *(\d{1,9}) \| ?(.*)|[ |^~+-]*")
# An error in another file, or in the assembly, may quote what no student is to read.
ELSEWHERE = (
    "The compiler finds no error in its lines, but after them: a } or ; is missing at its end,\n"
    "or it defines a name that the course uses. make test shows the place."
)
ASSEMBLED = re.compile(r"[^\s:]+\.s:\d+: Error: ")
ASM = "The assembler does not know an instruction: leave out asm()."
OF_THE_SYSTEM = ("/usr/", "common/simulator/include/")


def first_error(text, own):
    """Returns the compiler's first error with its line of help, without the notes that follow. `own`
    has the files whose lines a student may read, as {name: bytes}; no other lines are shown."""
    lines, elsewhere = text.splitlines(), ""
    for number, line in enumerate(lines, 1):
        if missing := MISSING.search(line):
            told = CALLED.sub(r"\1 is called, but not defined with these types", missing[0])
            return "\n".join([told, *help_behind(lines[number:])])
        place = PLACE.match(line)
        if place and (place[1] in own or place[1].startswith(OF_THE_SYSTEM)):
            source = own.get(place[1], b"").decode(errors="replace").split("\n")
            drawn = [one for one in lines[number : number + 2] if is_drawn(one, source)]
            shown = [line, *drawn, *help_behind(lines[number:])]
            return "\n".join(one[:300] for one in shown)
        elsewhere = elsewhere or (ELSEWHERE if place else ASM if ASSEMBLED.match(line) else "")
    return elsewhere


def is_drawn(line, source):
    """Returns whether a line shows one of the source's, or points into it."""
    drawn = DRAWN.fullmatch(line)
    if not drawn or not drawn[1]:
        return bool(drawn)
    number = int(drawn[1])
    told = source[number - 1].split() if 0 < number <= len(source) else []
    return drawn[2].split() == told


def help_behind(lines):
    """Returns the first line of help, and the declaration after it."""
    at = next((number for number, one in enumerate(lines) if one.startswith("help: ")), len(lines))
    declared = [one for one in lines[at + 1 : at + 2] if one.startswith("  ")]
    return [one[:300] for one in lines[at : at + 1] + declared]
