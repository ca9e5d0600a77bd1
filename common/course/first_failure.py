"""What make watch shows of a test: the first failing fact, or the compiler's first error."""

import re

from course.places import text_of
from course.state import parsed
from course.wrap import EDITOR, fold

ENDED_EARLY = re.compile(r"^FAIL  the tests did not finish$.*?(?:^$\n|\Z)", re.M | re.S)
FOR_EDITOR = re.compile(r"^For the editor:\n(?:\S+:\d+: .*\n)+", re.M)
HELP = re.compile(r"\S+:\d+: note: |help: " if EDITOR else "help: ")
MOST_LINES = 12  # of an error with its picture of the line


def of_results(results: str, log: str, columns: int) -> str:
    """Returns the first test that fails, with its explanation, the number of other failed tests,
    and what the log says about an early end."""
    lines = results.split("\n")
    tests = [parsed(line) for line in lines if '"status":"' in line]
    failed = [test for test in tests if test.get("status") == "failed"]
    text = ""
    if failed:
        text = fold(f"FAIL  {failed[0]['test']}", columns, " " * 6)
        for line in failed[0].get("explanation", "").removesuffix("\n").split("\n"):
            text += "      " + (f" {line}" if line else "") + "\n"
    text += f"\n{sum(test.get('status') == 'passed' for test in tests)} passed, "
    if '"end":true' not in results.rstrip("\n").rpartition("\n")[2]:
        text += "then the tests ended early\n"
    elif len(failed) == 1:
        text += "1 failed\n"
    else:
        text += f"and {len(failed) - 1} more failed, perhaps of the same cause\n"
    text += "".join(ENDED_EARLY.findall(text_of(log)))
    return text + "".join(f"\n{lines}" for lines in FOR_EDITOR.findall(text_of(log)))


def of_build(log: str, columns: int) -> str:
    """Returns the compiler's first error with its picture and help, or else the first message."""
    text, shown, helping, next_one = "", 0, False, False
    for line in text_of(log).splitlines():
        if re.match(r"make(\[\d+\])?: ", line):
            helping = False
            continue
        helping = helping or HELP.match(line) is not None
        if helping:
            text += fold(line, columns)
            continue
        is_step = re.match(r"  (compile|nvcc|link|archive) ", line)
        if is_step or (not shown and re.search(r": In |^In file|^ +from ", line)):
            continue
        next_one = next_one or (shown > 0 and re.search(r"(error|warning): ", line) is not None)
        if not next_one:
            shown += 1
            if shown <= MOST_LINES:
                text += fold(line, columns)
                next_one = "undefined reference" in line
    return text
