"""The calls of make, and of the programs that it makes, which judge a submission: see
common/testing/record/ for what these programs do."""

import functools
import os
import subprocess

from points import facts

HIDDEN = "solutions/hidden"  # the teacher's own tests, where there are some
RULES = ["make", "--no-print-directory", "-f", "common/lab_rules.mk"]


def compiler():
    """Its version: another compiler may judge otherwise."""
    try:
        command = [os.environ.get("CXX") or "g++", "--version"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def rules(lab, part, hidden, device="sim"):
    """The device is named, because the grader's own environment may name the other."""
    with_hidden = [f"HIDDEN={HIDDEN}"] if hidden else []
    return [*RULES, f"LAB={lab}", f"PART={part}", f"DEVICE={device}", *with_hidden]


def building(lab, parts, jobs, hidden):
    """What is built once, in the trusted tree: the libraries, the tests and `replay`."""
    yield ["make", "--no-print-directory", f"-j{jobs}", "libraries"]
    for part in parts:
        yield [*rules(lab, part, hidden), f"-j{jobs}", "replay"]


def record_build(lab, part, source, out, hidden):
    """OUT/record: the submission, with the tests. Answers are measured on the kernel beside it."""
    words = [f"KERNEL={source}", f"OUT={out}"]
    if part == "answers":
        words.append(f"MEASURED={os.path.join(os.path.dirname(source), 'kernel.cu')}")
    return [*rules(lab, part, hidden), *words, "record"]


def on_card(lab, part, arch, *words):
    """COMPILE_ONLY: the card is no business of those who compile."""
    return ["env", "COMPILE_ONLY=1", *rules(lab, part, False, "gpu"), f"ARCH={arch}", *words]


def measured_build(lab, part, arch, source, out):
    """OUT/measured: the program whose calls are timed, see common/grading/performance."""
    return on_card(lab, part, arch, f"KERNEL={source}", f"OUT={out}", "measured")


def record_program(out):
    return os.path.join(out, "record")


def replay_program(lab, part, hidden):
    """From the course's folder."""
    return f"build/sim/{lab}/replay-{part}{'-hidden' if hidden else ''}"


@functools.cache
def sections(lab, part):
    return facts.sections(facts.load(lab), part)


def environment(lab, part, source, seed):
    """Of both programs. One worker each, because the grader keeps all cores busy by itself, and
    so that nothing depends on their number."""
    chosen = {name: os.environ[name] for name in ("LAB_GUARD",) if name in os.environ}
    return {
        **chosen,
        "LAB_PART": f"{lab}/{part}",
        "LAB_SECTIONS": sections(lab, part),
        "LAB_KERNEL": source,
        "LAB_SEED": str(seed),
        "CUSIM_WORKERS": "1",
    }


def replay_environment(record, ended, results, remarks):
    names = {"LAB_RECORD": record, "LAB_RESULTS": results, "LAB_REMARKS": remarks}
    return {**names, **({"LAB_RECORD_ENDED": ended} if ended else {})}
