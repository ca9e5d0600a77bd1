"""Says which function a linker misses, whichever linker it is."""

import pathlib
import re
import subprocess

OWN = re.compile("(lab|testing|cusim|device|matrix)::")
TYPES = r"void|int|bool|float|unsigned|const char\*|size_t"


def functions(said: str) -> list[str]:
    """Returns the names of the functions that are missing, without their types."""
    text = {"encoding": "utf-8", "errors": "surrogateescape"}
    plain = subprocess.run(["c++filt"], input=said, capture_output=True, **text).stdout
    found = re.findall(r".*undefined (?:reference to|symbol:) [`']?([^('\n]*)\(", plain)
    return sorted(set(found))


def declaration(lab: str, name: str) -> str:
    """Returns a function's declaration in the lab's tests, on one line; '' where there is none."""
    pattern = re.compile(rf"((__global__ )?({TYPES}) {re.escape(name)}\([^();]*\);)")
    for file in sorted(pathlib.Path(lab).rglob("*")):
        if file.suffix in (".h", ".cpp"):
            found = pattern.search(file.read_text(encoding="utf-8").replace("\n", " "))
            if found:
                return re.sub(" +", " ", found[1])
    return ""


def explain(lab: str, said: str, whole: bool) -> str:
    """Returns a sentence with its line of help; where the `whole` has been shown, the help."""
    names = functions(said)
    for name in filter(re.compile(r"\w+").fullmatch, names):
        if declared := declaration(lab, name):
            words = "the lab wants a function that the file does not define (name or types)"
            return f"undefined reference to {name}(...)\nhelp: {words}:\n  {declared}\n"
    for name in filter(OWN.match, names):
        words = "build/ does not fit the sources; make clean, then try again"
        return f"undefined reference to {name}(...)\nhelp: {words}.\n"
    first = re.search(".*undefined (reference|symbol).*\n", said)
    told = first[0] if first and not whole else ""
    return told + "help: the file uses that name, and nothing defines it.\n"
