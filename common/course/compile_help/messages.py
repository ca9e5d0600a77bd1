"""Parses the messages of a compiler, and finds the help for them in a file of rules."""

import functools
import re
from difflib import SequenceMatcher

from course.wrap import EDITOR, fold

KIND = re.compile(": (fatal error|error|warning|note): ")
COLOUR = re.compile(r"\033\[[0-9;]*[mK]")
# The expansions of CUDA's keywords; see common/simulator/include/cusim/keywords.h.
KEYWORDS = {
    "__shared__": "static thread_local|thread_local|static",
    "__global__": "__attribute__|patchable_function_entry",
    "__align__": "__attribute__",
    "__noinline__": "__attribute__",
    "__forceinline__": "inline",
    "atomicExch": "atomicSets",
}
INCLUDED, REFUSED = "In file included from ", "is not available on the simulated device"
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
# In g++'s and in clang++'s words.
CONVERSION = re.compile(
    r"no known conversion (?:for argument (\d+) from '(.*)' to '(.*)'"
    r"|from '(.*)' to '(.*)' for (\d+)\w\w argument)"
)
PROPOSAL = re.compile(
    r"'(cuda\w+|\w+(?=' was not declared)|(?<=identifier ')\w+)'.*?(; did you mean '(\w+)'\?)"
)
LOOKS = str.maketrans("Il", "11")  # letters that look like a digit
LONGEST_TEXT = 150
LONGEST_DRAWN = 100


def text_of(name: str) -> str:
    with open(name, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def without_unlike(text: str) -> str:
    """Returns a message without its proposal if that is another name, not the correct spelling."""
    found = PROPOSAL.search(text)
    if not found:
        return text
    name, other = found[1], found[3]
    numbered = len(name) == len(other) and name[:-1] == other[:-1]  # such as d_M and d_N
    alike = SequenceMatcher(None, name, other).ratio() > 0.85 and not numbered
    same = name.lower() == other.lower() or name.translate(LOOKS) == other.translate(LOOKS)
    return text if alike or same else text.replace(found[2], "")


def line_in(place: list[str]) -> int:
    """Returns the line of FILE:LINE:COLUMN; 0 if it names none."""
    return int(place[1]) if place[1:] and place[1].isdigit() else 0


def line_of(name: str, number: int) -> str:
    """Returns a line of a file; '' if there is none."""
    try:
        lines = text_of(name).split("\n")
    except OSError:
        return ""
    return lines[number - 1] if 0 < number <= len(lines) else ""


@functools.cache
def code_of(file: str) -> list[str]:
    """Returns the lines of a file with blanks instead of comments and string literals; line n has
    index n."""
    try:
        text = text_of(file)
    except OSError:
        return []
    return ["", *NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text).split("\n")]


def statement_at(file: str, number: int) -> str:
    """Returns the code from the beginning of a statement to the end of the line."""
    lines = code_of(file)[: number + 1]
    begin = len(lines) - 1
    while begin > 1 and re.match(r"\s*[^#\s].*(?<![;{}\s])\s*$", lines[begin - 1]):
        begin -= 1
    return " ".join(lines[max(begin, 0) :])


class Message:
    """An error or a warning; `picture` is its source line and the marks below."""

    def __init__(self, kind: str, text: str, place: list[str]) -> None:
        # g++ writes a letter that is not ASCII as its code.
        plain = re.sub(r"\\U0000(0[0-9a-f]{3})", lambda found: chr(int(found[1], 16)), text)
        self.kind, self.text = kind, without_unlike(plain)
        self.declared_at = 0  # line of the declaration of its variable; 0: unknown
        self.undeclared = ""  # a name that a later error is about
        self.conversion = ("", "", "")  # an argument's number and type, and its parameter's
        self.in_macro = 0  # the line of the macro that it comes from; 0: none, or unknown
        self.put(place)

    def put(self, place: list[str]) -> None:
        """Moves the message to FILE:LINE:COLUMN."""
        self.file, self.line = place[0].removeprefix("./"), line_in(place)
        self.column = line_in(place[1:])  # 0: unknown
        self.picture = ""

    def in_header(self) -> bool:
        return "common/simulator/include/" in self.file

    def quoted(self, number: int) -> str:
        """Returns the text between the first, second, ... quotation marks; '' if there is none."""
        return (self.text.split("'") + [""] * 4)[2 * number - 1]

    def in_cuda(self) -> str:
        """Returns the text with the keywords of its line instead of their expansions."""
        source, text = line_of(self.file, self.line), self.text
        for keyword, words in KEYWORDS.items():
            if keyword in source and not re.search(rf"(?<!\w)({words})(?!\w)", source):
                text = re.sub(rf"(?<!\w)({words})(?!\w)", keyword, text)
        return text.replace("cusimSignature_", "")  # the translator's prefix of a kernel's name

    def shown(self, columns: int) -> str:
        """Returns the message as a student reads it, with its picture."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        text = self.in_cuda()
        if len(text) > LONGEST_TEXT:
            text = text[: LONGEST_TEXT - 4] + " ..."
        return fold(f"{place}: {self.kind}: {text}", columns) + self.picture


class Reader:
    """Reads a compiler's lines. A note only adds facts to the message above it."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.seen: set[str] = set()
        self.user: list[str] = []  # the line that uses a template of a header
        self.includer: list[str] = []  # the line that includes a header
        self.drawing = self.noted = False

    def read(self, line: str) -> None:
        line = re.sub("[\u2018\u2019`]", "'", COLOUR.sub("", line))
        found = KIND.search(line)
        if re.search("required from( here)?$", line):
            if not re.match("(common|/usr)/", line):
                self.user = line.split(":")
            self.drawing = False
        elif line.startswith(INCLUDED):
            self.includer = line.removeprefix(INCLUDED).rstrip(":").split(":")
            self.drawing = False
        elif found:
            place, said = line[: found.start()].split(":"), line[found.end() :]
            if found[1] == "note":
                self.note(place, said)
            elif line not in self.seen:
                self.message(found[1], place, said)
            self.seen.add(line)
        elif self.drawing and line.startswith(" "):
            if len(line) <= LONGEST_DRAWN:
                self.messages[-1].picture += line + "\n"
        else:
            self.drawing = False

    def message(self, kind: str, place: list[str], said: str) -> None:
        message = Message("warning" if kind == "warning" else "error", said, place)
        self.messages.append(message)
        self.drawing, self.noted = True, False
        if REFUSED in said and self.includer:
            self.user = self.includer
        if message.in_header() and self.user:
            message.put(self.user)
            self.drawing = False
        self.user = []

    def note(self, place: list[str], said: str) -> None:
        self.drawing = False
        if not self.messages:
            return
        message = self.messages[-1]
        # A message about a macro names the line of its definition, as notes about it do.
        if said.startswith("expanded from macro"):
            message.in_macro = line_in(place)
        if said.startswith("in expansion of macro"):
            message.in_macro = message.in_macro or message.line
            if not self.noted:
                message.put(place)
            self.drawing = not self.noted
            return
        self.noted = True
        if found := CONVERSION.search(said):
            number, given, wanted = found[1] or found[6], found[2] or found[4], found[3] or found[5]
            message.conversion = (number, given, wanted)
        if said.endswith("requested here") and message.in_header():
            message.put(place)
            self.drawing = True
        elif re.search(
            "was declared here|^initialize the variable|^shadowed declaration is here", said
        ):
            message.declared_at = message.declared_at or line_in(place)


def read(said: str) -> list[Message]:
    """Returns the errors and warnings among a compiler's lines, each once."""
    reader = Reader()
    for line in said.split("\n"):
        reader.read(line)
    return reader.messages


class Rules:
    """Lines 'MESSAGE => HELP' or 'MESSAGE IN STATEMENT => HELP', both regular expressions. The
    first line that fits a message, and the statement in its line, counts."""

    def __init__(self, *files: str) -> None:
        lines = "\n".join(map(text_of, files)).split("\n")
        self.rules = [line.split(" => ", 1) for line in lines if line[:1] != "#" and " => " in line]

    def help_for(self, message: Message) -> str:
        """Returns the line of help, '' if no rule fits."""
        for pattern, help_ in self.rules:
            said, _, code = pattern.partition(" IN ")
            if not re.search(said, message.text):
                continue
            found = re.search(code, statement_at(message.file, message.line))
            if found:
                words = [message.quoted(1), message.quoted(2), *found.groups()]
                return re.sub(r"%(\d)", lambda number: words[int(number[1]) - 1], help_)
        return ""


def help_line(file: str, line: int, words: str, columns: int) -> str:
    if EDITOR and line:
        return f"{file}:{line}: note: {words}\n"
    return fold(f"help: line {line or ''}: {words}", columns)
