"""Shows the warnings about a kernel's file, with a line of help for each. They fail no build.

usage: show_warnings.py FILE...        the output of a compiler and of collect_warnings.py
"""

import os
import re
import sys

HERE = os.path.dirname(__file__)
sys.path.insert(0, f"{HERE}/../..")
sys.pycache_prefix = os.path.abspath("build/pycache")
from text import uncaught  # noqa: E402, F401
from course.compile_help.messages import Message, Rules, code_of, help_line, line_of  # noqa: E402
from course.compile_help.messages import read, text_of  # noqa: E402
from course.wrap import columns_of  # noqa: E402

MOST = 3


def help_of(message: Message, rules: Rules) -> tuple[int, str]:
    """Returns the line that the help is about, and the help; '' if there is none."""
    text, name = message.text, message.quoted(1)
    source = line_of(message.file, message.line)
    assigned = re.search("as truth value|as a condition", text)
    if assigned and re.search(r"for *\(", source):
        return message.line, "= stores; a loop goes on while k < n."
    if assigned and message.in_macro not in (0, message.line):
        if re.search(r"if *\(.*[^=!<>]=[^=]", line_of(message.file, message.in_macro)):
            return message.in_macro, "= stores, in this macro: write == or !=."
    if "result unused" in text and re.match(" *__[a-z]+ *;", source):
        return message.line, "a call needs ( ), as in __syncthreads();"
    if "shadows a previous local" in text and message.declared_at:
        words = (
            f"this is a second {name}, which ends with its {{ }}; see line {message.declared_at}."
        )
        return message.line, words
    if not message.declared_at:
        return message.line, rules.help_for(message)
    declared = line_of(message.file, message.declared_at)
    # With a cast, the compiler accepts the pointer instead of its address.
    passed = re.compile(rf"cudaMalloc\w* *\( *\(void *\*\*\) *{re.escape(name)} *,")
    for number, code in enumerate(code_of(message.file)):
        if passed.search(code) and not re.search(rf"\* *\* *{re.escape(name)}\b", declared):
            return number, f"the first argument is the address of the pointer: write &{name}."
    if re.search(rf"cudaDeviceProp *\* *{re.escape(name)}", declared):
        words = f"declare cudaDeviceProp {name}; and pass its address, &{name}."
    elif re.search(rf"[*] *{re.escape(name)}([^A-Za-z_0-9]|$)", declared):
        words = f"{name} is uninitialized; check that cudaMalloc sets it."
    else:
        zero = "0.0f" if re.search("float|double", declared) else "0"
        one = (
            "its first value here." if "size_t" in declared else f"a value, as in {name} = {zero};"
        )
        words = f"{name} is uninitialized; give it {one}"
    return message.declared_at, words


def shown(said: str, columns: int) -> str:
    """Returns the first warnings, each with a line of help if a rule fits."""
    rules, told, result = Rules(f"{HERE}/warnings.txt"), set(), []
    for message in read(said):
        # A loop's own counter may have the name of an outer variable.
        if "shadows" in message.text and re.search(r"for *\(", line_of(message.file, message.line)):
            continue
        line, words = help_of(message, rules)
        # clang++ and collect_warnings.py find the same fault, and each call of a macro repeats it.
        if (line, words) in told:
            continue
        told.add((line, words))
        helped = help_line(message.file, line, words, columns) if words else ""
        result.append(message.shown(columns) + helped)
    more = [f"and {len(result) - MOST} more\n"] if len(result) > MOST else []
    return "".join([*result[:MOST], *more, "\n"]) if result else ""


def main(files: list[str]) -> int:
    columns = columns_of(1)
    for file in filter(os.path.exists, files):
        text = shown(text_of(file), columns)
        sys.stdout.buffer.write(text.encode(errors="surrogateescape"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
