"""Finds faults of a kernel that its compilation does not warn about.

usage: collect_warnings.py FILE SOURCE TRANSLATED COMPILER [-DNAME=VALUE...]

Adds its warnings, in a compiler's form, to FILE.
"""

import os
import re
import sys
from collections.abc import Iterator

sys.path.insert(0, os.path.dirname(__file__) + "/../..")
sys.pycache_prefix = os.path.abspath("build/pycache")
from text import uncaught  # noqa: E402, F401
from course.compile_help.messages import line_of, text_of  # noqa: E402
from course.compile_help.odd_statements import odd_statements  # noqa: E402
from course.compile_help.source_warnings import source_faults  # noqa: E402

STATEMENT = re.compile(r"[ \t]*(if|for|while)[ \t]*\(")
EMPTY = re.compile(r"[ \t]*;[ \t]*(\{.*|return.*|//.*|\r)?")
TYPE = r"((unsigned|int|long|short|float|double|size_t|char|bool|float[234]) +)+"
NAME = r"[A-Za-z_0-9]+( *\[[^];\n]*\])*"
FLAGS = "-std=c++17 -D__CUDACC__ -Wno-unknown-pragmas -Icommon/simulator/include".split()
PRELUDE = f"{os.environ.get('BUILD') or 'build'}/prelude/unset/simulator/include/cuda_runtime.h"
UNSET = re.compile(
    rf"(^|[;{{}}]|\bfor *\() *{TYPE}([^;()\n]*, *)?{NAME} *(,[^;()\n]*)?;", re.MULTILINE
)


def after_parentheses(text: str) -> str:
    """Returns the text after the first pair; '' if it is not closed on its line."""
    depth = 0
    for at in range(text.index("("), len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return text[at + 1 :]
    return ""


def indent(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def empty_bodies(source: str) -> Iterator[tuple[str, int, str]]:
    """Yields each if (...); and each for (...); or while (...); above a block or a line that is
    indented as its body: its kind, its line's number and the line. In the translated file g++ sees
    none of these, and clang++ not all."""
    loop: tuple[str, int, str] | None = None
    for number, line in enumerate(source.split("\n"), 1):
        if not line.strip(" \t") or line.lstrip(" \t").startswith("//"):
            continue
        if loop and (indent(line) > indent(loop[2]) or line.lstrip(" \t").startswith("{")):
            yield loop
        loop = None
        found = STATEMENT.match(line)
        rest = after_parentheses(line) if found else ""
        if not found or not EMPTY.fullmatch(rest):
            continue
        if found[1] == "if":
            yield "if", number, line
        elif "{" in rest:
            yield "loop", number, line
        else:
            loop = ("loop", number, line)


def unset_variables(source: str, translated: str, compiler: list[str]) -> None:
    """Writes the warnings about variables that may be read before they are set. Unlike clang++,
    g++ sees that only when it optimises. So it compiles once more if a variable is declared
    without a value."""
    if not UNSET.search(text_of(translated)):
        return
    import subprocess

    version = [*(word for word in compiler if not word.startswith("-D")), "--version"]
    if b"clang" in subprocess.run(version, capture_output=True, check=False).stdout:
        return
    # g++ uses the headers that build.mk has compiled if the flags are the same.
    prelude = ["-include", PRELUDE] if os.path.exists(PRELUDE) else []
    flags = [*FLAGS, *prelude, "-iquote", os.path.dirname(source) or "."]
    warned = ["-O1", "-Wuninitialized", "-Wmaybe-uninitialized"]
    command = [*compiler, *flags, *warned, "-S", translated, "-o", "/dev/null"]
    subprocess.run(command, env={**os.environ, "LC_ALL": "C"}, check=False)


def main(file: str, name: str, translated: str, *compiler: str) -> int:
    empty = empty_bodies(text_of(name))
    faults = [(n, f"the body of the {what} is empty") for what, n, _ in empty]
    with open(file, "ab", buffering=0) as out:
        for line, told in [*faults, *source_faults(name), *odd_statements(name)]:
            text = f"{name}:{line}: warning: {told}\n{line:5} | {line_of(name, line)}\n"
            out.write(text.encode(errors="surrogateescape"))
        os.dup2(out.fileno(), sys.stderr.fileno())
    unset_variables(name, translated, list(compiler))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
