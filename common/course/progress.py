"""Shows a student's progress: the TODOs and questions of each part, done, next or open, a line per
part; for one lab with the details of the part at hand. Tests again each part that has changed since
its last test."""

from course.advice import advise
from course.places import all_labs
from course.retest import fresh_state
from course.state import Item, PartState, number, part_at_hand, state
from course.wrap import fold


def ranges(names: list[str]) -> str:
    """Returns "1-3, 5" for TODO(1), TODO(2), TODO(3) and TODO(5)."""
    told: list[list[int]] = []
    for n in map(number, names):
        if told and told[-1][-1] == n - 1:
            told[-1][1:] = [n]
        else:
            told.append([n])
    return ", ".join("-".join(map(str, pair)) for pair in told)


def kind_of(of: PartState, item: Item, at_hand: bool) -> str:
    if at_hand and item.name == of.next:
        return "next"
    return "done" if item.done else "open"


def summary(of: PartState, at_hand: bool) -> str:
    if of.done:
        return "done"
    further = " (goes further)" if of.further else ""
    if of.condition == "changed":
        return f"not tested{further}: build/progress/{of.lab}/{of.part}.log says why"
    named: dict[str, list[str]] = {"done": [], "next": [], "open": []}
    for item in of.items:
        named[kind_of(of, item, at_hand)].append(item.name)
    text = "; ".join(f"{kind} {ranges(names)}" for kind, names in named.items() if names)
    if of.others:
        count = len(of.others)
        text += f"; {count} more test{' fails' if count == 1 else 's fail'}"
    text = {
        "not-built": "does not compile",
        "missing": "file is missing: make reset",
        "stopped": f"tests ended early; {text}",
    }.get(of.condition, text)
    return text + further


def cut(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def table(states: list[PartState], details: bool) -> str:
    """Returns a line per part; with details, the items of the first unfinished part follow."""
    first = part_at_hand(states)
    text, shown = f"{'lab':<15}{'part':<12}TODOs, questions\n", ""
    for count, of in enumerate(states, 1):
        lab = "" if of.lab == shown else of.lab
        # A part that goes further has a next item of its own if all parts before it are done.
        at_hand = of is part_at_hand(states[:count])
        text += fold(f"{lab:<15}{of.part:<12}{summary(of, at_hand)}", margin=" " * 27)
        shown = of.lab
    if details and first and (first.items or first.others):
        text += f"\n{first.source}:\n"
        for item in first.items:
            text += cut(f"  {kind_of(first, item, True)}  {item.title}") + "\n"
        text += "".join(cut(f"  open  {test}") + "\n" for test in first.others)
    return text


def main(lab: str = "") -> int:
    states = fresh_state([lab] if lab else all_labs())
    shown = table(states, bool(lab))
    print(shown, end="\n" * (shown.count("\n") < 22))  # a screen has 24 lines
    print(advise(state(all_labs()) if lab else states, lab), end="")
    return 0
