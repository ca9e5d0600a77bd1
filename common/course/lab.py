"""Carries out a goal that make was given in a lab: refuses mistyped words, and calls the lab's
rules, common/lab_rules.mk, or the tool of the goal.

usage: student.py lab LAB GOAL GIVEN        GIVEN: the names on make's command line
       student.py lab LAB/PART GOAL GIVEN   says that make works in the lab above
       student.py lab '' GOAL GIVEN         a goal of the root, for every lab

Every test of a lab waits for this, so that it imports what its goal needs.
"""

import contextlib
import importlib
import os
import signal
import sys

from course import lab_make, usage
from course.asked import Asked, parts_of, value
from course.usage import Refused
from text import uncaught

BUILD = value("BUILD") or "build"
GOALS = "help test run explore profile hint watch progress reset figures sanitize".split()
HELP = """\
make test                 test every exercise file; each line is one fact
make test PART=name       test only that part; here: {parts}
make test EXPLAIN=all     explain every failed test, not only the first
make progress             show which TODOs are done, which is next, which open
make hint                 show a hint for the next TODO; TODO=3 for another,
                          AGAIN=1 shows the last hint again
make watch                run the tests at every save; Ctrl-C ends it
make reset PART=name      replace name.cu by the original skeleton
                          (your file is kept)
make run                  run kernel.cu once and show what it did
make run ARGS=--help      show how to run it on other data sets
make explore              write a page that replays a small run step by step
                          and shows the variables of each thread;
                          TEST="name" replays the run of that test,
                          BESIDE=file.cu shows two kernels side by side;
                          also WIDTH=n, BLOCK=x,y, OUT=file.html
make profile              show what was counted, under the names of Nsight
                          Compute; DEVICE=gpu shows the card's counts beside;
                          also WIDTH=n, TEST="name"
make sanitize             run compute-sanitizer on a real GPU
make figures              draw pictures of your kernels, to build/figures
All of them also take: {solution}KERNEL=path/to/file.cu, TILE_WIDTH=n,
SCHEDULE=forward|reverse|random:SEED, DEVICE=sim|gpu, ARCH=90
DEVICE=gpu COMPILE_ONLY=1 only compiles and links, and needs no card
PROFILE=name simulates another device with its limits: 8800gtx, cc12,
device-d, maxwell, turing, v100, h200; without it, the default device
make run TRACE=file.csv   write each memory access of a small launch to a file
make run CHECKS=list      make only these checks: counters,races,unset,warps
                          or none
"""


def goals(lab: str) -> list[str]:
    """Returns a lab's goals; its rules.mk declares those that only this lab has, as .PHONY."""
    found = list(GOALS)
    if os.path.exists(f"{lab}/rules.mk"):
        with open(f"{lab}/rules.mk", encoding="utf-8") as file:
            for line in filter(lambda line: line.startswith(".PHONY: "), file):
                found += line.split()[1:]
    return found


def rules(asked: Asked, *words: str) -> list[str]:
    """Returns the command that calls the lab's rules."""
    command = [*lab_make.RULES, f"LAB={asked.lab}"]
    if asked.kernel:
        command.append(f"KERNEL={asked.kernel}")
    if value("TRACE"):  # relative to the folder where make was called
        command.append(f"TRACE={os.path.join(value('PWD'), value('TRACE'))}")
    return [*command, *words]


def heed_interrupts() -> None:
    """Lets Ctrl-C end the command that runs; this program ends after it."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)


def run(command: list[str], filtered: bool = True) -> int:
    """Runs make, without its lines about failed recipes if a report has said more."""
    heed_interrupts()
    if filtered:
        from course import without_make

        status = without_make.main(*command)
    else:
        process = os.posix_spawnp(command[0], command, os.environ)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return own_status(status)


def own_status(status: int) -> int:
    """Returns the status of this program for that of make, or minus a signal's number. Names a
    folder that may not be written, because make does not say what to do then."""
    if status and (sentence := uncaught.unwritable(BUILD)):
        print(sentence, file=sys.stderr)
    return status if status >= 0 else 128 - status


def nothing_built() -> bool:
    library = "gpu/libtesting.a" if value("DEVICE") == "gpu" else "libsimulator.a"
    return not os.path.exists(f"{BUILD}/{library}")


def leave_make() -> None:
    """Removes the outer make's variables from the environment; its job server ends there."""
    for name in lab_make.OF_MAKE:
        os.environ.pop(name, None)


def in_parallel(command: list[str], filtered: bool) -> int:
    """Runs a make with as many jobs as the machine has room for, unless -j is given."""
    import subprocess

    jobs = subprocess.run(["common/setup/jobs.sh"], stdout=subprocess.PIPE).stdout.decode().strip()
    os.environ["GNUMAKEFLAGS"] = f"-j{jobs}"
    status = run(command, filtered)
    del os.environ["GNUMAKEFLAGS"]
    return status


def shared(asked: Asked) -> list[str]:
    """Returns the words for the lab's rules to build what the tested parts share."""
    return [f"PART={' '.join(asked.tested())}", "shared"]


def first_build(asked: Asked, filtered: bool) -> int:
    """Builds what is compiled once, and shows the progress."""
    print("The first build may take a minute or two; later builds take seconds.")
    command = rules(asked, *shared(asked))
    counted = [sys.executable, "-I", "-S", "common/setup/counting.py", *command]
    status = in_parallel(counted, filtered)
    if status == 2 and nothing_built() and not uncaught.unwritable(BUILD):
        print("The course itself does not build here: make doctor, in the course's folder, says\n"
              "what is missing.", file=sys.stderr)  # fmt: skip
    return status


def hold(stack: contextlib.ExitStack, lock: str, what: str = "test of this part") -> None:
    """Takes a lock, a file, until the stack is closed: `make watch` and `make test` at the same
    time must not build and run the same files. If another process holds the lock, says so and
    waits."""
    import fcntl

    os.makedirs(os.path.dirname(lock), exist_ok=True)
    held = stack.enter_context(open(lock, "a", encoding="ascii"))
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"Another {what} is running; waiting for its end ...", flush=True)
        fcntl.flock(held, fcntl.LOCK_EX)
    except OSError:
        pass  # a network folder without locks


def date_changed(judged: str) -> None:
    """Sets a file's time to now if it differs from the last judged one but is not newer: make
    compares times, and a mounted drive may take them from another clock."""
    if not os.path.exists(judged):
        return
    with open(judged, encoding="utf-8") as lines:
        before = [line.strip().partition("  ") for line in lines]
    for digest, _, file in before:
        if os.path.exists(file) and os.path.getmtime(file) <= os.path.getmtime(judged):
            from course.places import digest_of

            if digest_of(file) not in ("", digest):
                with contextlib.suppress(OSError):  # of another user
                    os.utime(file)


def each(asked: Asked, commands: list[list[str]]) -> int:
    """Runs the tests of several parts, one part per core, or one after the other on a card. What
    the parts share is built first, because each runs a make of its own."""
    from course import in_turn

    heed_interrupts()
    os.environ["ADVICE"] = "no"
    many = len(os.sched_getaffinity(0)) if value("DEVICE") in ("", "sim") else 1
    if "n" in value("MAKEFLAGS").split(" ")[0] or run(rules(asked, *shared(asked))):
        many = 1
    return own_status(in_turn.main(commands, many))


def test(asked: Asked) -> int:
    """Tests one part, which says what is next; or all, even if one does not compile."""
    parts, own, advised = asked.tested(), asked.own(), value("ADVICE") != "no"
    with contextlib.ExitStack() as stack:
        if own and os.path.isdir(BUILD):  # absent if make -n has built nothing
            for part in parts:
                hold(stack, f"{BUILD}/sim/{asked.lab}/{part}/lock")
                date_changed(f"{BUILD}/sim/{asked.lab}/{part}/judged.sha256")
        commands = [rules(asked, f"PART={part}", *["OWN=yes"] * own, "test") for part in parts]
        status = run(commands[0]) if len(parts) == 1 else each(asked, commands)
    if own and advised and len(parts) > 1:
        from course import advice

        print(flush=True)
        advice.main(asked.lab)
    return status


def figures(asked: Asked, given: str) -> int:
    """Draws pictures of runs, with matplotlib: see common/plots."""
    asked.check(given)
    leave_make()
    programs = ("-s", "libraries", "build/device_limits")
    if status := in_parallel(rules(asked, *programs), filtered=False):
        return status
    lab_make.set_device("SCHEDULE", "PROFILE")
    kernel = asked.source if asked.kernel else ""
    part = value("PART") or ("kernel" if kernel else "")
    drawn = [sys.executable, "-B", "common/plots/draw.py", asked.lab, kernel, part]
    with contextlib.ExitStack() as stack:
        hold(stack, f"build/figures/{asked.lab}.lock", "make figures")
        status = run([*drawn, "1" if asked.solved else ""], filtered=False)
    return status


def explore(asked: Asked, given: str) -> int:
    """Writes the page that replays a run: see common/explorer."""
    asked.check(given, usage.OF_EXPLORE)
    if "OUT" not in given.split():
        os.environ.pop("OUT", None)  # of another program
    if asked.part == "answers":
        raise Refused("PART=answers: the questions run nothing; make explore is for .cu files.")
    if value("BESIDE") and not os.path.isfile(asked.named_file("BESIDE")):
        raise Refused(f"BESIDE={value('BESIDE')}: no such file; it takes the path of a .cu file.")
    leave_make()
    if status := in_parallel(rules(asked, "-s", "libraries"), filtered=False):
        return status
    if value("BESIDE"):
        os.environ["BESIDE"] = asked.named_file("BESIDE")
    for name in filter(value, ("OUT", "TOUR")):  # relative to the folder where make was called
        os.environ[name] = os.path.abspath(os.path.join(value("PWD"), value(name)))
    lab_make.set_device("SCHEDULE", "PROFILE")
    replayed = [sys.executable, "-B", "common/explorer/explore.py", asked.lab, asked.part]
    kernel = asked.source if asked.kernel else ""
    return run([*replayed, kernel, "1" if asked.solved else ""], filtered=False)


def profile(asked: Asked, given: str) -> int:
    """Shows the counts of a run: see profile.py."""
    from course import profile

    asked.check(given, usage.OF_PROFILE)
    if asked.part == "answers":
        raise Refused("PART=answers: the questions run nothing; make profile is for .cu files.")
    leave_make()
    if status := in_parallel(rules(asked, "-s", "libraries"), filtered=False):
        return status
    return profile.main(asked)


def of_lab(lab: str, goal: str, given: str) -> int:
    if goal not in goals(lab):
        usage.check_goal(goal, goals(lab))
    if goal == "help":
        solution = "SOLUTION=1, " if os.path.isdir("solutions") else ""
        print(HELP.format(parts=" ".join(parts_of(lab)), solution=solution), end="")
        return 0
    asked = Asked(lab)
    if goal == "figures":
        return figures(asked, given)
    if goal == "explore":
        return explore(asked, given)
    if goal == "profile":
        return profile(asked, given)
    if goal == "sanitize":
        from course import sanitize

        asked.check(given, DEVICE="gpu")
        several = value("MISTAKES") not in ("", "0")
        return sanitize.main(lab, asked.part, *(asked.mistakes() if several else [asked.source]))
    if goal in ("hint", "progress", "reset", "watch"):
        usage.check_names(lab, given)
        if goal == "watch" and nothing_built():
            asked.check(given)
            leave_make()
            if status := first_build(asked, filtered=False):
                return status
        return importlib.import_module(f"course.{goal}").main(lab)
    asked.check(given)
    if goal == "run" and asked.part != "kernel":
        to_run = f"make run is for kernel.cu; use make test PART={asked.part}"
        raise Refused(f"PART={asked.part}: {to_run}.")
    if goal == "test":
        asked.check_missing(asked.tested())
    if goal in ("test", "run") and nothing_built():
        if status := first_build(asked, filtered=True):
            return status
    return test(asked) if goal == "test" else run(rules(asked, goal), goal == "run")


def test_labs(labs: list[str], given: str) -> int:
    """Tests the student's files in each lab that has the part; no lab has its own goal "test"."""
    has = [lab for lab in labs if value("PART") in ("", *parts_of(lab))] or labs[:1]
    return max([of_lab(lab, "test", given) for lab in has])


def of_course(goal: str, given: str) -> int:
    from course import facts
    from course.places import all_labs

    there, solutions = all_labs(), os.path.isdir("solutions")
    try:
        labs = facts.named(value("LABS").split() if "LABS" in given.split() else [], there) or there
    except ValueError as sentence:
        raise Refused(str(sentence)) from None
    for lab in sorted(os.listdir(".")):  # also one whose lab.toml is missing
        if goal in (lab, lab.partition("_")[0]) and os.path.exists(f"{lab}/Makefile"):
            return of_lab(lab, "test", given)
    if goal == "test":
        return test_labs(labs, given)
    if goal == "try":
        from course import try_program

        return try_program.main(given)
    if goal == "bench":
        raise Refused("make bench: there is no benchmark here; it comes with the solutions.")
    if goal in ("watch", "reset"):
        raise Refused(f"make {goal} works in a lab: make -C {there[0]} {goal}")
    usage.check_names(there[0], given)
    os.environ.update({"SOLUTION": "1"} if solutions and goal in ("demo", "figures") else {})
    if goal == "figures":  # from the solutions, if there are any
        leave_make()
        build = ["make", "--no-print-directory", "-s", "libraries"]
        if status := in_parallel(build, filtered=False):
            return status
        return 2 if any(of_lab(lab, goal, given) for lab in labs) else 0
    tool = importlib.import_module(f"course.{goal}")
    if goal in ("progress", "hint") and labs != there and len(labs) == 1:
        return tool.main(*labs)
    return tool.main(*labs) if goal == "demo" else tool.main()


def main(lab: str, goal: str, given: str = "") -> int:
    part = lab.partition("/")[2]
    try:
        if part:
            asked = "test" if goal == "help" else goal
            raise Refused(f"make works in the lab above: make -C .. {asked} PART={part}")
        return of_lab(lab, goal, given) if lab else of_course(goal, given)
    except Refused as sentence:
        print(sentence, file=sys.stderr)
        return 2
