"""Shows the next hint: for TODO=3 or TODO=Q1 if it is given, else for the one that is next, in
PART= if it is given, else in the unfinished file that was saved last, else in the first unfinished
part. AGAIN=1 repeats the last one.
"""

import glob
import os
import re
import sys

from course.advice import has_barriers
from course.places import PROGRESS, all_labs, folder_of, parts_of, say_and_exit, source_of, text_of
from course.retest import fresh_state
from course.state import PartState, part_at_hand
from course.wrap import fold

GIVEN = f"{PROGRESS}/hints"


def item_named(todo: str, part: str) -> str:
    """Returns the TODO or question that a student means by a number or a name."""
    if todo == "" or todo.startswith("TODO(") or re.match(r"Q[1-9]", todo):
        return todo
    if re.fullmatch(r"[1-9]\d?", todo):
        return f"Q{todo}" if part == "answers" else f"TODO({todo})"
    wanted = "write the number of a TODO, as in TODO=3, or a question, as in TODO=Q1."
    say_and_exit(2, f"TODO={todo}: {wanted}")


def hints_for(item: str, file: str) -> list[list[str]]:
    """Returns the hints in the list under an item's heading, "## TODO(1)" or "## Q1"."""
    hints: list[list[str]] = []
    inside = False
    for line in text_of(file).splitlines():
        if line.startswith("## "):
            inside = line[3:] == item
        elif not inside or line.startswith("```"):
            continue
        elif re.match(r"\d+\. ", line):
            hints.append([re.sub(r"^\d+\. +", "", line)])
        elif hints and line.strip():
            hints[-1].append(line.lstrip(" "))
    return hints


def without_item(of: PartState) -> str:
    """Returns the text if only tests without a TODO fail."""
    test = f"  {of.others[0]}" if of.others else "the tests do not finish."
    but = "another test fails:" if of.others else ""
    first = f"Every {of.kind} of {of.source} is done, but {but}"
    return "".join(map(fold, [first, test, f"{of.command('test')} explains it."]))


def instead(of: PartState) -> str:
    """Returns the text instead of a hint if the next TODO is unknown; else ""."""
    if of.condition == "not-built":
        first = f"{of.source} does not compile,\nso no test can say which TODO is next.\n"
        return f"{first}{of.command('test')} shows why; make hint TODO=3 hints at a TODO.\n"
    if of.condition == "missing":
        return f"{of.source} is missing; {of.command('reset')} puts the skeleton there.\n"
    if not of.next:
        return without_item(of)
    if "barrier-divergence" in of.findings and has_barriers(of):
        first = f"Not all threads reach each barrier of {of.source}.\nThe test names its line. "
        read = f"Read {of.lab}/README.md, section Barriers;"
        return f"{first}{read}\nmake hint TODO=3 hints at a TODO.\n"
    return ""


def number_of_next(key: str, count: int) -> int:
    """Returns the number of the next hint, and stores it; the last one again if AGAIN=1."""
    given = text_of(GIVEN).splitlines().count(key)
    if (os.environ.get("AGAIN") and given > 0) or given >= count:
        return given
    try:
        os.makedirs(PROGRESS, exist_ok=True)
        with open(GIVEN, "a", encoding="ascii") as file:
            file.write(f"{key}\n")
    except OSError:
        print(f"{GIVEN} cannot be written; the next hint will be this one again.", file=sys.stderr)
    return given + 1


def show(item: str, lab: str, part: str) -> None:
    source, folder = source_of(lab, part), folder_of(lab, part)
    hints = hints_for(item, f"{folder}/hints.md")
    if not hints:
        word, files = re.sub("^Q", "// Q", item), [source, *glob.glob(f"{folder}/test_*.cpp")]
        if not any(word in text_of(name) for name in files):
            say_and_exit(2, f"{source} has no {item}.")
        print(f"There are no hints for {item} of {source}. Its test says where to look:")
        print(f"make -C {lab} test PART={part}")
        return
    number = number_of_next(f"{lab} {part} {item}", len(hints))
    print(f"{item} of {source}, hint {number} of {len(hints)}:")
    for line in hints[number - 1] if number <= len(hints) else []:
        print(f"  {line}")
    if number < len(hints):
        todo = os.environ.get("TODO", "")
        print(f"make hint gives the next one{f', with TODO={todo}' if todo else ''}.")
    else:
        read = next(one.read for one in parts_of(lab) if one.name == part)
        place = next((place for key, place in read.items() if key in (item, "*")), "README.md")
        print("That was the last hint. If it does not help,")
        print(f"read {lab}/{place.replace(' / ', ', ')} again,")
        print("and show your teacher what you have tried.")


def last_saved(states: list[PartState]) -> PartState | None:
    """Returns the part whose file was saved last, of those that are begun and not done."""
    begun = [of for of in states if not of.done and of.condition not in ("skeleton", "missing")]
    return max(begun, key=lambda of: os.path.getmtime(of.source)) if begun else None


def main(lab: str = "") -> int:
    part = os.environ.get("PART", "")
    item = item_named(os.environ.get("TODO", ""), part)
    if item.startswith("Q"):
        part = part or "answers"  # all questions are in this part
    labs = [lab] if lab else all_labs()
    there = {one.name for name in labs for one in parts_of(name)}
    if part and part not in there:
        has = f"{lab or 'the course'} has no such part; it has {' '.join(sorted(there))}"
        say_and_exit(2, f"PART={part}: {has}.")
    if not (lab and part and item):
        states = [of for of in fresh_state(labs) if part in ("", of.part)]
        at_hand = last_saved(states) or part_at_hand(states)
        if not at_hand:
            inside = f"{part} of {lab or 'every lab'}" if part else lab or "every lab"
            print(f"There is nothing to hint at: {inside} is done.")
            return 0
        lab, part = at_hand.lab, at_hand.part
        if not item:
            if text := instead(at_hand):
                print(text, end="")
                return 0
            item = at_hand.next
    show(item, lab, part)
    return 0
