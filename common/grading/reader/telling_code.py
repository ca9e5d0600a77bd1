"""Points the teacher to suspicious code in a submission's source; it costs no points."""

import re

from verdict.gate.source_tokens import tokens

from .tree import normal

MOST = 5  # of a file
MOST_LETTERS = 300_000  # of a file; far more than a student writes for a lab
MOST_INCLUDED = 100  # tokens of the name of an included file

INCLUDES = "includes a file that is not a header of the course"
AROUND = "runs code before or after the tests"
SYSTEM = "calls the system"
ENDS = "ends the program as if all were well"
HOW_IT_ENDS = "changes how the program ends"
ASSEMBLY = "contains assembly"
FILES = "opens files"
ENVIRONMENT = "reads or changes the environment"
FOREIGN = "names what belongs to the system or to the grader"
TESTS = "names the tests or the simulator"
CLOCK = "has to do with the clock"
REPORT = "holds what looks like a report"
ADDS = "adds to what belongs to the C++ library, the tests or the simulator"
TABLE = "holds a table of numbers"
FRAMES = "looks at the frames of its callers"
STREAM = "closes a stream that the tests use"
KEEPS = "keeps a value from call to call"
REDEFINES = "redefines a word of the language"
PRODUCT = "multiplies elements on the host"
# The first of these that fits a line is reported.
ORDER = (PRODUCT, INCLUDES, AROUND, SYSTEM, ENDS, HOW_IT_ENDS, ASSEMBLY, FILES,
         ENVIRONMENT, FOREIGN, TESTS, CLOCK, REPORT, ADDS, TABLE, FRAMES, STREAM, KEEPS,
         REDEFINES)  # fmt: skip

# What a name says by itself, where it is called, and where it stands in front of ::.
NAMED = {
    ASSEMBLY: "asm __asm __asm__",
    FILES: "fopen freopen fdopen fstream ifstream ofstream opendir unlink openat creat ftruncate",
    ENVIRONMENT: "getenv setenv putenv environ",
    FOREIGN: "LD_PRELOAD",
    CLOCK: "__DATE__ __TIME__ __TIMESTAMP__",
    TESTS: "TEST_CASE SECTION",
    FRAMES: "__builtin_frame_address __builtin_return_address __builtin_apply"
    " __builtin_unwind_init",
}
CALLED = {
    SYSTEM: "system popen fork vfork execl execlp execle execlpe execv execvp execve execvpe ptrace"
    " posix_spawn posix_spawnp kill raise dlopen dlsym mprotect syscall socket prctl"
    " process_vm_readv process_vm_writev",
    HOW_IT_ENDS: "at_quick_exit atexit set_terminate sigaction sigsetjmp setjmp longjmp",
    CLOCK: "clock_gettime gettimeofday clock_settime",
}
ROOMS = {"cusim", "testing", "guard", "lab", "Catch"}
OWNED = {"std", "cusim", "testing", "guard", "matrix", "device", "lab", "Catch"}
EXITS = {under + name for under in ("", "_", "__") for name in ("exit", "Exit", "quick_exit")}
STREAMS = {"stdin", "stdout", "stderr"}
LANGUAGE = set("if for while return int float double main static const void".split())
COUNTERS = {"size_t", "unsigned", "signed", "long", "short", "bool", "char"}
STARTS = (
    (FOREIGN, re.compile(r"(?:LAB|CUSIM)_[A-Z]")),
    (TESTS, re.compile(r"(?:INTERNAL_)?CATCH_?\w|cusim[A-Z]\w|__(?:real|wrap|tsan)_\w")),
)
INTEGER = re.compile(r"u?int\d*(?:_t)?$")
WITHIN_TEXT = (
    (FOREIGN, re.compile(r"\b(?:LAB|CUSIM)_[A-Z]|\bLD_PRELOAD|/proc/|/etc/|/dev/")),
    (REPORT, re.compile(r"\d passed, \d+ failed|  ok  ")),
    (TESTS, re.compile(r"\bcusim[A-Z]\w|\b__(?:real|wrap|tsan)_\w")),
    (ASSEMBLY, re.compile(r"\basm\b")),
    (ENVIRONMENT, re.compile(r"\benviron\b")),
)


def by_name(table):
    return {name: sentence for sentence, names in table.items() for name in names.split()}


BY_NAME, BY_CALL = by_name(NAMED), by_name(CALLED)


class Code:
    """The tokens of a file; told(at) yields what the one there tells."""

    def __init__(self, text):
        self.all = list(tokens(text))

    def text(self, at):
        return self.all[at].text if 0 <= at < len(self.all) else ""

    def texts(self, at, count):
        return tuple(self.text(at + more) for more in range(count))

    def rest_of_line(self, at):
        """Returns the tokens from here to the line's end, MOST_INCLUDED at most, as one word."""
        some = self.all[at : at + MOST_INCLUDED]
        return "".join(token.text for token in some if token.line == some[0].line)

    def told(self, at):
        kind, text, _ = self.all[at]
        if kind == "string":
            for sentence, pattern in WITHIN_TEXT:
                if pattern.search(text):
                    yield sentence
        elif kind == "name":
            yield from self.of_name(at, text)
        elif text in ("#", "%:"):
            yield from self.of_directive(at)

    def of_directive(self, at):
        word, name = self.texts(at + 1, 2)
        if word == "define" and name in LANGUAGE:
            yield REDEFINES
        elif word.startswith("include"):
            # The gate refuses all others that are not the lab's headers and the system's.
            if self.rest_of_line(at + 2)[:-1].endswith((".cpp", ".cu")):
                yield INCLUDES

    def of_name(self, at, name):
        after = self.text(at + 1)
        if name in BY_NAME:
            yield BY_NAME[name]
        for sentence, pattern in STARTS:
            if pattern.match(name):
                yield sentence
        if after == "::" and name in ROOMS:
            yield TESTS
        if after == "(":
            yield from self.of_call(at, name)
        if name == "namespace" and after in OWNED and self.text(at + 2) == "{":
            yield ADDS
        if name in ("constructor", "destructor") and self.in_attribute(at):
            yield AROUND
        if name == "static" and self.is_counter(at + 1):
            yield KEEPS

    def of_call(self, at, name):
        if name in BY_CALL:
            yield BY_CALL[name]
        argument, *more = self.texts(at + 2, 4)
        if name in EXITS and (
            argument == ")" or (argument in ("0", "EXIT_SUCCESS") and more[0] == ")")
        ):
            yield ENDS
        if name == "fclose" and (argument in STREAMS or (argument == "std" and more[1] in STREAMS)):
            yield STREAM

    def in_attribute(self, at):
        if self.texts(at - 2, 2) == ("gnu", "::"):
            return True
        after = at + 4 if self.text(at + 1) == "(" and self.text(at + 3) == ")" else at + 1
        return self.text(at) == "constructor" and self.texts(after, 2) == (")", ")")

    def is_counter(self, at):
        at += 2 if self.texts(at, 2) == ("std", "::") else 0
        if self.text(at) not in COUNTERS and not INTEGER.match(self.text(at)):
            return False
        while at < len(self.all) and self.all[at].kind == "name" and self.text(at) != "static":
            at += 1
        return self.text(at) in ("=", ";", "{")


def lines_of_tables(all_tokens):
    """Yields the lines that hold twelve numbers with commas in a row."""
    count, line, number = 0, 0, False
    for kind, text, at in all_tokens:
        if at != line:
            count, line, number = 0, at, False
        if kind == "number":
            count, number = (0 if number else count), True
        elif text == "," and number:
            count, number = count + 1, False
            if count == 12:
                yield line
        elif text != "-" or number:
            count, number = 0, False


def without_device_code(all_tokens):
    """Yields the tokens that are in no function of the device."""
    waiting, on_device, depth = [], False, 0
    for token in all_tokens:
        text = token.text
        if depth:
            depth += {"{": 1, "}": -1}.get(text, 0)
        elif on_device and text in ("{", "}", ";"):
            if text == "{":
                depth = 1
            else:
                yield from waiting
                yield token
            waiting, on_device = [], False
        elif on_device or text in ("__global__", "__device__"):
            on_device = True
            waiting.append(token)
        else:
            yield token
    yield from waiting


def lines_of_products(all_tokens):
    """Yields the lines of `+= ...] * ...[`: a sum of products of elements."""
    begun, closed, times = 0, False, False
    for _, text, line in all_tokens:
        if text == "+=":
            begun, times = line, False
        elif text == ";" or "=" in text:
            begun = 0
        elif begun and text == "*" and closed:
            times = True
        elif begun and text == "[" and times:
            yield begun
            begun = 0
        closed = text == "]"


def lines_told(text):
    """Returns {line: remark}."""
    code, found = Code(text), {}

    def note(line, sentence):
        found[line] = min(found.get(line, len(ORDER)), ORDER.index(sentence))

    for at, token in enumerate(code.all):
        for sentence in code.told(at):
            note(token.line, sentence)
    for line in lines_of_tables(code.all):
        note(line, TABLE)
    for line in lines_of_products(without_device_code(code.all)):
        note(line, PRODUCT)
    return {line: ORDER[rank] for line, rank in found.items()}


def look(file, data, skeleton):
    """Returns sentences with file and line."""
    text = data.decode(errors="replace").replace("\r\n", "\n")
    given = set(normal(skeleton).decode(errors="replace").split("\n"))
    lines = text.split("\n")
    told = lines_told(text[:MOST_LETTERS])
    found = [number for number in sorted(told) if lines[number - 1].rstrip() not in given]
    shown = [
        f"{file}:{number} {told[number]}: {' '.join(lines[number - 1][:400].split())[:100]}"
        for number in found[:MOST]
    ]
    if len(found) > MOST:
        shown.append(f"{file}: and {len(found) - MOST} lines more like these.")
    if len(text) > MOST_LETTERS:
        shown.append(f"{file}: of its {len(text):,} letters the first {MOST_LETTERS:,} were read.")
    return shown
