"""The calls of make and of its programs that judge a submission; see common/verdict/record."""

import functools
import os
import subprocess

from points import facts
from release.contents import Refused

HIDDEN = "solutions/hidden"  # the teacher's own tests, if they exist
BUILT_HIDDEN = f"build/obj/{HIDDEN}", "build/hidden"  # what is built of them: see ../lab.mk
RULES = ["make", "--no-print-directory", "-f", "common/lab_rules.mk"]


def compiler():
    """Returns the compiler's version, because another compiler may judge differently."""
    command = [*(os.environ.get("CXX") or "g++").split(), "--version"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        raise Refused(
            f"'{' '.join(command)}' does not tell which compiler it is; make doctor"
        ) from None


def rules(lab, part, hidden, device="sim"):
    """Returns the command for a part; names the device, as the environment may name another."""
    with_hidden = [f"HIDDEN={HIDDEN}"] if hidden else []
    return [*RULES, f"LAB={lab}", f"PART={part}", f"DEVICE={device}", *with_hidden]


def building(lab, parts, jobs, hidden, solved=""):
    """Yields the commands that build what all submissions share: libraries, tests, `replay`, and in
    the file `solved` the course's kernel as the gate lets it pass, with no line of its source."""
    yield ["make", "--no-print-directory", f"-j{jobs}", "libraries"]
    for part in parts:
        yield [*rules(lab, part, hidden), f"-j{jobs}", "replay"]
    if "answers" in parts and solved:
        made = f"{os.path.splitext(solved)[0]}-made"
        words = [f"MEASURED=solutions/{lab}/kernel.cu", f"KERNEL={lab}/answers.h", f"OUT={made}"]
        yield [*rules(lab, "answers", False), *words, "record"]
        yield ["strip", "--strip-debug", f"{made}/gated.o", "-o", solved]


def record_build(lab, part, source, out, hidden, solved=""):
    """Yields what compiles the submission, and what makes OUT/record of it and the tests, and where
    there are hidden ones OUT/record-hidden. Answers come with the kernel beside them, or with the
    course's, which is solved."""
    kernel = os.path.join(os.path.dirname(source), "kernel.cu")
    words = [f"KERNEL={source}", f"OUT={out}"]
    words += [f"MEASURED={kernel}"] if part == "answers" and not solved else []
    # If the compilers read a student's text, hidden tests and solutions are out of sight.
    if solved:
        yield [*rules(lab, part, hidden), *words, f"{out}/answers.o"]
        words.append(f"GATED={solved}")
    elif hidden:
        yield [*rules(lab, part, hidden), *words, "objects"]
        words.append("COMPILED=1")
    yield [*rules(lab, part, hidden), *words, "record"]


def on_card(lab, part, arch, *words):
    """Returns a build for the card. COMPILE_ONLY lets it run on machines without one."""
    return ["env", "COMPILE_ONLY=1", *rules(lab, part, False, "gpu"), f"ARCH={arch}", *words]


@functools.cache
def sections(lab, part):
    return facts.sections(facts.load(lab), part)


def environment(lab, part, source, seed):
    """Returns the environment of both programs, of one worker: the grader keeps the cores busy."""
    guard = os.environ.get("LAB_GUARD")
    return {
        **({} if guard is None else {"LAB_GUARD": guard}),
        "LAB_PART": f"{lab}/{part}",
        "LAB_SECTIONS": sections(lab, part),
        "LAB_KERNEL": source,
        "LAB_SEED": str(seed),
        "CUSIM_WORKERS": "1",
    }
