"""Runs the commands that documents and make help show, in a copy of the course, and checks that each
ends as the document implies. If some differ only in the lab or the part, it runs one, as other
checks look at each part; make has to know all others. test_card_commands.py checks those for a card.
"""

import itertools
import os
import re
import resource
import shutil
import subprocess
import sys
from typing import Iterator

import course_copy
import pytest
from command_runs import End, make_class, run_shown, run_until, share_build, wanted
from shown_commands import ROOT, STAND_INS, Command, Course, in_text, run, unknown

pytestmark = [pytest.mark.seconds(60), pytest.mark.full]
SHOWN = ROOT / "build/check/shown"
COPY = SHOWN / "course_here"  # documents put files beside it
SECONDS = ROOT / "build/check/seconds_shown.txt"  # of a processor, those that passed, the command
COURSE = Course(ROOT)
COMMANDS = COURSE.shown()

# Commands that no check can run, with the reasons.
NOT_RUN = {
    "make test": "it runs this check",
    "docker build -t course -f .devcontainer/Dockerfile .": "the workflow builds it",
    'docker run --rm -it -v "$PWD":/course course': "it takes Docker",
    'podman run --rm -it --user root -v "$PWD":/course course': "it takes podman",
    "git add": "the reader names the files",
    "make check": "it runs this check",
    'make check ONLY="common/checks/test_parts.py -k banks"': "make check makes these checks",
    "make check STYLES=all MISTAKES=all ONLY=common/checks/test_parts.py": "others draw some",
    "make grade ENGINE=slurm SUBMISSIONS=../class OUT=../marks LABS=lab1 JOBS=16": (
        "test_slurm.py runs the engine, where Slurm's daemons are installed"
    ),
    "python3 common/checks/on_card.py": "it needs a card; test_card_commands.py tries it without",
    "update.py build/gpu/bench h200": "it takes over what was measured on a card",
    "make figures": "test_figures.py calls it, and draws all of them",
    "make tours": "test_tours.py calls it",
    "make model": "test_model.py makes its table for labs 1 to 3; the ladder takes two minutes",
    "python3 -B common/simulator/bench/instructions.py": "it needs valgrind",
}
# These change the machine; a check looks up their packages instead.
INSTALLS = ("sudo", "apt-get")
# Commands that end only by Ctrl-C or take minutes: Ctrl-C is typed after these words.
UNTIL = {
    "make watch": End((0,), r"Waiting for the next save; Ctrl-C ends"),
    "make bench": End((-2, 2, 130), r"\| naive +\| bounds +\|.*\|\s"),
}


# --- the copy ---


def copy_programs() -> None:
    """Copies the labs' programs with their times, so that the commands build little again."""
    large = shutil.ignore_patterns("record", "gated.*", "*-hidden*")
    for lab in COURSE.labs:
        built = ROOT / "build/sim" / lab
        parts = [path.stem for path in (ROOT / lab).glob("*.cu")]
        names = {f"{part}{end}" for part in [*parts, "answers"] for end in ("", "-solution")}
        for folder in built.glob("*/"):
            if folder.name in names or re.fullmatch("answers-(given|beside.*)", folder.name):
                shutil.copytree(folder, COPY / "build/sim" / lab / folder.name, ignore=large)
    subprocess.run(["cp", "-a", *(ROOT / "build").glob("test_*"), COPY / "build"], check=True)
    # Graders of the same course share their builds.
    (ROOT / "build/grading").mkdir(parents=True, exist_ok=True)
    (COPY / "build/grading").symlink_to(ROOT / "build/grading")


def edited() -> list[str]:
    """Returns the exercise files that have been edited."""
    return run([sys.executable, "common/course/skeleton.py"], ROOT).stdout.split()


def solve() -> None:
    """Puts the solutions instead of the copy's skeletons."""
    for lab in COURSE.labs:
        for source in [*(ROOT / lab).glob("*.cu"), ROOT / lab / "answers.h"]:
            shutil.copy(ROOT / "solutions" / lab / source.name, COPY / lab)


# --- the runs ---


def turn(command: Command) -> int:
    """Returns a command's place in the order: first the others, then those that read what these
    write, those that show a finished kernel, and the one that removes everything."""
    if "clean" in command.goals:
        return 3
    if {"run", "explore"} & set(command.goals) and not command.value("ARGS"):
        return 2
    return 1 if "grade" in command.goals or "../marks/" in command.text else 0


def processor() -> float:
    """Returns the processor seconds of the commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_one(command: Command) -> str:
    """Returns how the command's end is wrong, '' where it is right."""
    asked, began = command.stood_in(), processor()
    if goes_on(command):
        end = UNTIL[f"make {command.goals[0]}"]
        result = run_until(asked, COPY, end.says)
    else:
        end = wanted(asked, solved=turn(command) == 2)
        result = run_shown(asked, COPY)
    why = result.unlike(end)
    trace = command.value("TRACE")
    if not why and trace and not (COPY / command.folder / trace).exists():
        why = f"writes no {trace}"
    with open(SECONDS, "a", encoding="utf-8") as file:
        print(f"{processor() - began:.2f} {result.seconds:.2f} {asked.text}", file=file)
    return f"{why}:\n{result.output[-3000:]}" if why else ""


def goes_on(command: Command) -> bool:
    """Returns whether the command ends only by Ctrl-C."""
    return any(f"make {goal}" in UNTIL for goal in command.goals)


def there_is_a_terminal() -> bool:
    """Returns whether this machine has pseudo-terminals."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        return False
    return True


def to_run() -> list[Command]:
    """Returns a command of each form, that of the first lab, in the order of their runs."""
    here = [one for one in COMMANDS if not (one.for_card() or one.words[0] in INSTALLS)]
    here = [one for one in here if one.text not in NOT_RUN]
    here = [one for one in here if not goes_on(one) or there_is_a_terminal()]
    by_lab = sorted(here, key=lambda one: one.lab)
    first = {one.stood_in().form(): one for one in reversed(by_lab)}.values()
    return sorted((one for one in here if one in first), key=turn)


@pytest.fixture(scope="module", name="wrong")
def run_all() -> Iterator[dict[Command, str]]:
    """Returns the commands that end wrongly, with the reasons."""
    if edited():
        pytest.skip(f"{edited()[0]} is no skeleton any more")
    shutil.rmtree(SHOWN, ignore_errors=True)
    SECONDS.unlink(missing_ok=True)
    course_copy.make(COPY)
    copy_programs()
    make_class(SHOWN / "class", "lab1_naive")
    os.environ["GIT_CEILING_DIRECTORIES"] = str(SHOWN)
    found = {}
    for number, commands in itertools.groupby(to_run(), key=turn):
        if number == 1:  # graders identify a course by its files
            for written in COPY.glob("lab*/*.csv"):
                written.unlink()
            share_build(COPY)
        elif number == 2:
            solve()
        elif number == 3:  # make clean removes what the link leads to, too, where others grade
            (COPY / "build/grading").unlink()
        found.update({command: why for command in commands if (why := run_one(command))})
    yield found
    if not found:
        shutil.rmtree(SHOWN, ignore_errors=True)


# --- the checks ---


@pytest.mark.parametrize("document", dict.fromkeys(one.document for one in to_run()))
def test_every_command_that_is_shown_ends_as_it_has_to(document: str, wrong) -> None:
    told = [
        f"{document} shows '{command.text}', which {why}"
        for command, why in wrong.items()
        if command.document == document
    ]
    if told:
        pytest.fail("\n\n".join(told), pytrace=False)


def test_commands_that_go_on_are_run_until_ctrl_c() -> None:
    if not there_is_a_terminal():
        pytest.skip("no pseudo-terminal here: is /dev/pts mounted?")
    assert {goal for one in to_run() if goes_on(one) for goal in one.goals} == {"watch", "bench"}


def test_packages_that_documents_install_are_those_of_the_course() -> None:
    files = [ROOT / "common/setup/install.sh", ROOT / "common/course/doctor.py"]
    known = set(re.split(r"[^a-z0-9.+-]+", "".join(path.read_text() for path in files)))
    installs = [one for one in COMMANDS if one.words[0] in INSTALLS]
    packages = [word for one in installs for word in one.text.partition("install ")[2].split()]
    assert packages
    assert [package for package in packages if package not in known] == []


def test_make_knows_each_command_that_is_not_run() -> None:
    left = set(COMMANDS) - set(to_run())
    assert [(one.text, why) for one in left if (why := unknown(COURSE, one))] == []


def test_another_check_calls_what_is_not_run_for_that_reason() -> None:
    calling = {text: why.split()[0] for text, why in NOT_RUN.items() if " calls it" in why}
    assert len(calling) == 2
    for text, file in calling.items():
        words = r"\W+(?:-n\W+)?".join(text.split())
        assert re.search(words, (ROOT / "common/checks" / file).read_text("utf-8")), text


def test_every_exception_is_for_a_command_that_is_still_shown() -> None:
    texts = [one.text for one in COMMANDS]
    goals = [f"make {goal}" for one in COMMANDS for goal in one.goals]
    assert [text for text in NOT_RUN if text not in texts] == []
    assert [text for text in UNTIL if text not in goals] == []
    unused = [shown for shown, _ in STAND_INS if not any(re.search(shown, text) for text in texts)]
    assert unused == []


def test_commands_are_found_in_blocks_and_in_lines() -> None:
    text = "One `make hint\n--x` and `kernel.cu`, `make run` in a lab. In a lab's folder:\n"
    text += "```\nLAB_SEED=a make test \\\n    PART=kernel   # comment\nbuild/generate\n```\n"
    text += "Data:\n```\nmade of make\nmake test\n```\n"
    assert list(in_text(text)) == [
        ("make hint --x", False),
        ("make run", True),
        ("LAB_SEED=a make test PART=kernel", True),
        ("build/generate", True),
    ]
