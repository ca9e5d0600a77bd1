"""Shows the first error of a translator, a compiler or a linker, with a line of help.

usage: explain.py LAB STATUS SAID

SAID is the file with what the command wrote to stderr in English; STATUS is its exit status. The
rules of help are those of the file RULES or of the lab, then those of rules.txt. EXPLAIN=all shows
all of SAID, as STATUS 0 does. Exit status: STATUS.
"""

import os
import re
import sys

HERE = os.path.dirname(__file__)
sys.path.insert(0, f"{HERE}/../..")
sys.pycache_prefix = os.path.abspath("build/pycache")
from text import uncaught  # noqa: E402, F401
from course.wrap import EDITOR, columns_of, fold  # noqa: E402
from course.compile_help.causes import cause_of  # noqa: E402
from course.compile_help.messages import Message, Rules, help_line, line_of  # noqa: E402
from course.compile_help.messages import read, text_of  # noqa: E402
from course.compile_help.scopes import UNDECLARED  # noqa: E402

# g++ reports an unknown -Wno- option only if there is another message.
UNKNOWN_OPTION = re.compile(".*: note: unrecognized command-line option '-Wno-.*\n?")
OF_TRANSLATOR = re.compile(r"^help: line (\d+): ", re.MULTILINE)
PLACED = re.compile(r"^\S+:\d+:.* error: ", re.MULTILINE)
UNDEFINED = re.compile("undefined (reference|symbol)")
OWN = re.compile("(lab|testing|cusim|device|matrix)::")
TYPES = r"void|int|bool|float|unsigned|const char\*|size_t"


def missing_answer(message: Message) -> bool:
    """Moves the error about an answer that an answers.h lacks to the line where it belongs."""
    name, file = message.quoted(1), os.environ.get("LAB_KERNEL", "")
    if not (message.file.endswith("answers/read.cpp") and re.match(r"Q\d+_\w+$", name)):
        return False
    read_there = re.findall(r"\bQ\d+_\w+", text_of(message.file))
    declared = re.compile(r"[^/]*\bAnswer\s+(\w+)")
    found: dict[str, int] = {}  # the line of each name that is no answer
    at, question = 1, name.partition("_")[0]
    for number, line in enumerate(text_of(file).split("\n"), 1):
        if (own := declared.match(line)) and own[1] not in read_there:
            found[own[1]] = number
        if line.startswith(f"// {question}."):
            at = number
    like = [own for own in found if own.startswith(f"{question}_")] or [message.quoted(2)]
    at = found.get(like[0], at)
    message.put([file, str(at)])
    message.text = f"there is no answer '{name}'"
    message.picture = f"{at:5} | {line_of(file, at).rstrip()}\n"
    return True


def help_of(message: Message, rules: Rules) -> tuple[int, str]:
    """Returns the line that the help is about, and the help; '' if there is none."""
    if missing_answer(message) or message.text.startswith("there is no answer"):
        return message.line, f"the tests read constexpr Answer {message.quoted(1)} = ...;"
    line, words = cause_of(message)
    return (line, words) if words else (message.line, rules.help_for(message))


def first_error(said: str, rules: Rules, whole: bool, columns: int) -> str:
    """Returns the first error with its help; only the help if the `whole` has been shown; '' if
    there is no error. A later error may follow from the first, so it gets no help."""
    errors = [message for message in read(said) if message.kind == "error"]
    if not errors:
        return ""
    first, more = errors[0], len(errors) - 1
    unknown = [error.quoted(1) for error in errors if re.search(UNDECLARED, error.text)]
    first.undeclared = unknown[0] if unknown else ""
    line, words = help_of(first, rules)
    result = "" if whole else first.shown(columns)
    if more and not whole:
        result += f"and {more} more; EXPLAIN=all shows {'it' if more == 1 else 'them'}\n"
    return result + (help_line(first.file, line, words, columns) if words else "")


def functions(said: str) -> list[str]:
    """Returns the names of the functions that are missing, without their types."""
    import subprocess

    text = {"encoding": "utf-8", "errors": "surrogateescape"}
    plain = subprocess.run(["c++filt"], input=said, capture_output=True, **text).stdout
    found = re.findall(r".*undefined (?:reference to|symbol:) [`']?([^('\n]*)\(", plain)
    return sorted(set(found))


def declaration(lab: str, name: str) -> str:
    """Returns a function's declaration in the lab's tests, on one line; '' if there is none."""
    import pathlib

    pattern = re.compile(rf"((__global__ )?({TYPES}) {re.escape(name)}\([^();]*\);)")
    for file in sorted(pathlib.Path(lab).rglob("*")):
        if file.suffix in (".h", ".cpp"):
            found = pattern.search(file.read_text(encoding="utf-8").replace("\n", " "))
            if found:
                return re.sub(" +", " ", found[1])
    return ""


def of_linker(lab: str, said: str, whole: bool) -> str:
    """Returns a sentence with its line of help; only the help if the `whole` has been shown."""
    names = functions(said)
    for name in filter(re.compile(r"\w+").fullmatch, names):
        if declared := declaration(lab, name):
            words = "the lab needs a function that the file does not define (check name and types)"
            return f"undefined reference to {name}(...)\nhelp: {words}:\n  {declared}\n"
    for name in filter(OWN.match, names):
        words = "build/ does not fit the sources; make clean, then try again"
        return f"undefined reference to {name}(...)\nhelp: {words}.\n"
    first = re.search(".*undefined (reference|symbol).*\n", said)
    told = first[0] if first and not whole else ""
    return told + "help: the file uses that name, but nothing defines it.\n"


def report(lab: str, said: str, whole: bool, columns: int) -> str:
    """Returns what to show of a failed command, in addition to its `whole` output."""
    if re.search("multiple definition of .main", said):
        words = "the tests have their own main; remove yours from the file"
        return f"error: multiple definition of main\nhelp: {words}.\n"
    if UNDEFINED.search(said):
        return of_linker(lab, said, whole)
    if OF_TRANSLATOR.search(said):
        if EDITOR:
            said = OF_TRANSLATOR.sub(rf"{read(said)[0].file}:\1: note: ", said)
        return "" if whole else "".join(fold(line, columns) for line in said.splitlines())
    own = os.environ.get("RULES") or f"{lab}/compile_help.txt"
    rules = Rules(*filter(os.path.exists, [own]), f"{HERE}/rules.txt")
    return first_error(said, rules, whole, columns) or ("" if whole else said)


def main(lab: str, status: int, file: str) -> int:
    said = UNKNOWN_OPTION.sub("", text_of(file))
    whole = status == 0 or os.environ.get("EXPLAIN") in ("all", "rules")
    # without_make.py filters the output to a terminal, and passes its width in LAB_COLUMNS.
    columns = columns_of(2) or int(os.environ.get("LAB_COLUMNS") or 0)
    shown = (said if whole else "") + (report(lab, said, whole, columns) if status else "")
    if EDITOR and status and not PLACED.search(shown):
        shown += f"{os.environ['LAB_KERNEL']}:1: error: {' '.join(shown.split())}\n"
    sys.stderr.buffer.write(shown.encode(errors="surrogateescape"))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
