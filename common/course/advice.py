"""Says what is next, in a line or two, and how to watch what failed: after a test of a lab or of one
of its parts, or in the whole course. Reads only the stored results."""

from course import facts, shown_run
from course.places import all_labs
from course.state import PartState, state
from course.wrap import fold


def has_barriers(of: PartState) -> bool:
    """Tells whether a part's handout has a section on barriers. If not all threads reach a barrier,
    that is the section to read, whichever TODO's test found it (see ofNoTodo in
    testing/blame.h)."""
    read = facts.load(of.lab, ".").part(of.part).read
    return read.get("barrier-divergence", "").endswith(" / Barriers")


def about(of: PartState) -> list[str]:
    """Returns the next step in a part that is not done."""
    findings, test = of.findings, of.command("test")
    if of.condition == "missing":
        return [f"Next: {of.source} is missing.", f"{of.command('reset')} puts the skeleton there."]
    if of.condition == "not-built":
        return [f"Next: {of.source} does not compile.", f"{test} shows why."]
    if of.condition == "changed":
        return [f"Next: {of.source} has not been tested as it is now:", test]
    if "kernel-first" in findings:
        return [f"Next: {of.lab}/kernel.cu. The test of {of.next} in {of.source} uses it."]
    if "barrier-divergence" in findings and has_barriers(of):
        first = f"Next: the barriers of {of.source}: not all threads reach each of them."
        return [first, f"See {of.lab}/README.md, section Barriers."]
    if of.next:
        return [f"Next: {of.next} in {of.source}; make hint helps."]
    if of.others:  # as hint.py says it
        first = f"Next: every {of.kind} of {of.source} is done, but another test fails:"
        return [first, f"  {of.others[0]}"]
    return [f"Next: {of.source}", test]


def advise(states: list[PartState], lab: str = "", part: str = "") -> str:
    def first_open(further: bool, inside: str = "") -> PartState | None:
        undone = (one for one in states if not one.done and inside in ("", one.lab))
        return next((one for one in undone if one.further == further), None)

    def folded(of: PartState) -> str:
        return "".join(fold(line) for line in about(of)) + shown_run.command(of)

    text = ""
    if part:
        tested = next(one for one in states if (one.lab, one.part) == (lab, part))
        if not tested.done:
            return folded(tested)
        text = f"{tested.source} is done"
    if lab:
        left = first_open(False, lab)
        if left:
            return text + (".\n" if part else "") + folded(left)
        text += f", and with it {lab}.\n" if part else f"{lab} is done.\n"
    left = first_open(False)
    if left and lab:
        return text + f"Next: {left.lab}; its handout is {left.lab}/README.md.\n"
    if left:
        return text + folded(left)
    text += "That was the whole course: all of its labs are done.\n"
    more = first_open(True)
    return text + (f"To go further: {more.source}; see {more.lab}/README.md.\n" if more else "")


def main(lab: str = "", part: str = "") -> int:
    print(advise(state(all_labs()), lab, part), end="")
    return 0
