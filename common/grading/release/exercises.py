"""Finds exercises that have been solved, in three ways, as each misses some cases: by the skeleton
that make reset puts there, by the TODOs that tests are named after, by the code below each TODO."""

import difflib
import functools
import pathlib
import re

from .contents import ROOT, skeleton

TODO = re.compile(r"//.*\bTODO\((\d+)\)")
NAMED_TODO = re.compile(r'TEST_CASE\(\s*"[^":]*\bTODO\((\d+)\)')


def is_one(name):
    """Returns whether a name is an exercise's: lab1_naive/kernel.cu, lab1_naive/answers.h"""
    return re.fullmatch(r"lab[^/]+/(?:[^/]+\.cu|answers\.h)", name) is not None


skeletons = functools.cache(lambda: skeleton.Skeletons(str(ROOT)))


def unlike_its_skeleton(name, text):
    if not skeletons().known(name):
        yield f"{name}: its skeleton is neither in git's history nor in {skeleton.STORE}"
    elif text.encode() != skeletons().text(name):
        yield f"{name}: differs from the skeleton that make reset puts there; is a TODO of it solved?"


def without_a_todo(folder, name, text):
    part = pathlib.PurePath(name)
    tests = folder / part.parent / ("" if part.stem == "kernel" else part.stem)
    texts = [test.read_text(encoding="utf-8") for test in tests.glob("test_*.cpp")]
    named = {number for test in texts for number in NAMED_TODO.findall(test)}
    for number in sorted(named.difference(TODO.findall(text)), key=int):
        yield f"{name}: TODO({number}) is not in it, though a test is named after it"


def outline(text):
    """Returns the lines of code, and of each TODO (number, line, lines of code before it)."""
    code, todos = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if todo := TODO.search(line):
            todos.append((todo[1], number, len(code)))
        line = re.sub(r"\s*//.*", "", line)
        if line.strip():
            # The indentation matters for a brace only: other statements may stand deep in an if.
            code.append(line if line.strip() == "}" else line.strip())
    return code, todos


def like_its_solution(name, text):
    """Yields a sentence for each TODO whose code, up to the next or the end, is solved."""
    solution = ROOT / "solutions" / name
    if not solution.exists():
        return
    code, todos = outline(text)
    solved_code, _ = outline(solution.read_text(encoding="utf-8"))
    match = difflib.SequenceMatcher(None, code, solved_code, autojunk=False)
    different = [
        (i, j)
        for what, i, j, k, m in match.get_opcodes()
        if what != "equal" and set("".join(code[i:j] + solved_code[k:m])) - set("{} ")
    ]
    source = text.splitlines()
    for index, (todo, number, begin) in enumerate(todos):
        function_ends = (at + 1 for at in range(begin, len(code)) if code[at] == "}")
        end = min([place for _, _, place in todos[index + 1 :]] + [next(function_ends, len(code))])
        # If several TODOs share a place, only the last can have code, directly below it.
        shared = index > 0 and todos[index - 1][2] == begin != end
        below = next((line for line in source[number:] if "//" not in line), "")
        # An addition after a brace may also count as one before it.
        first = begin
        while first > 0 and code[first - 1].strip() == "}":
            first -= 1
        touched = [(i, j) for i, j in different if first <= i <= begin or i < end and j > begin]
        if shared and below.strip().endswith(";"):
            touched = [(i, j) for i, j in touched if j > begin]
        if not touched:
            yield f"{name}:{number}: TODO({todo}) is solved: the code below it is the solution's"


def solved(folder, name, text):
    """Yields sentences on what is solved in the exercise of that name in a folder."""
    yield from unlike_its_skeleton(name, text)
    yield from without_a_todo(folder, name, text)
    yield from like_its_solution(name, text)
