"""Runs each command of all pages' code blocks in a copy of the course with solved labs, and lets
make parse those in sentences and in make help. on_card.py runs those for a card."""

import pathlib
import re
import shutil
from typing import Iterator

import course_copy
import pytest
from calls import ROOT, call, make_class, share_build
from shown_commands import (
    BLOCK,
    Command,
    documents,
    in_blocks,
    in_help,
    in_sentences,
    parsed,
    run_as_shown,
    unknown,
)

pytestmark = [pytest.mark.seconds(200), pytest.mark.full]
SHOWN = ROOT / "build/check/shown"
COPY = SHOWN / "course_here"  # pages create files beside it
SECONDS = "600"  # that a command may take
KINDS = {"sh", "text", "toml"}
BLOCKS = [one for one in run_as_shown(ROOT) if not one.for_card()]
# Commands of code blocks that no check can run, with the reasons.
NOT_RUN = {
    "make test": "it runs this check",
    "make check": "it runs this check",
    "make test LABS=lab2 PART=banks": "it runs checks of that part, which make check makes anyway",
    "make test LABS=lab2 PART=kernel": "it runs checks of that part, which make check makes anyway",
    "make -C lab1_naive watch": "Ctrl-C ends it; test_watch.py types it",
    "docker build -t course -f .devcontainer/Dockerfile .": "the workflow builds it",
    'docker run --rm -it -v "$PWD":/course course': "it takes Docker",
    'podman run --rm -it --user root -v "$PWD":/course course': "it takes podman",
    "make grade ENGINE=slurm SUBMISSIONS=../class OUT=../marks LABS=lab1 JOBS=16": (
        "test_slurm.py runs the engine, if Slurm's daemons are installed"
    ),
}
# Commands in sentences that no other check runs.
ALSO_RUN = (
    "make -C lab4_memtypes properties",
    "make -C lab4_memtypes resources PART=qualifiers",
    "make bench | grep -m 1 '| naive'",  # the whole benchmark takes minutes
)
TO_RUN = [one for one in BLOCKS if one.folder or one.text not in NOT_RUN]
TO_RUN += [Command(text, "", "test_commands.py") for text in ALSO_RUN]
MISSING = r"needs (Python 3 with (matplotlib|pyelftools)|MkDocs)|there is no nvcc"


@pytest.fixture(scope="module", name="exercises")
def exercises_of_a_copy_with_a_class_of_two() -> Iterator[dict[pathlib.Path, list[bytes]]]:
    """Yields the skeleton and the solution of each file for students."""
    shutil.rmtree(SHOWN, ignore_errors=True)
    course_copy.make(COPY)
    shutil.copy(ROOT / "common/simulator/programs/sum.cu", COPY / "prog.cu")  # the reader's own
    make_class(SHOWN / "class", "lab1_naive")
    (SHOWN / "people.csv").write_text("id,name\nada,Ada Lovelace\n3,Cleo\n", encoding="utf-8")
    # Graders of the same course share their builds.
    (ROOT / "build/grading").mkdir(parents=True, exist_ok=True)
    (COPY / "build/grading").symlink_to(ROOT / "build/grading")
    names = [*COPY.glob("lab*/*.cu"), *COPY.glob("lab*/answers.h")]
    solutions = {name: ROOT / "solutions" / name.relative_to(COPY) for name in names}
    yield {name: [name.read_bytes(), of.read_bytes()] for name, of in solutions.items()}
    shutil.rmtree(SHOWN)


@pytest.mark.parametrize("shown", TO_RUN, ids=lambda one: f"{one.document}: {one.text}")
def test_a_command_of_a_code_block_ends_well(
    exercises: dict[pathlib.Path, list[bytes]], shown: Command
) -> None:
    for file, contents in exercises.items():  # a teacher's labs are not solved
        wanted = contents[not shown.document.startswith("solutions/")]
        if file.read_bytes() != wanted:
            file.write_bytes(wanted)
    if "make grade" in shown.text:
        share_build(COPY)
    limited = ("timeout", "-k", "5", SECONDS, "bash", "-c", shown.text)
    folder, above = COPY / shown.folder, str(SHOWN)
    status, said = call(*limited, folder=folder, YES="1", GIT_CEILING_DIRECTORIES=above)
    (COPY / "prog").unlink(missing_ok=True)
    if re.search(MISSING, said):
        pytest.skip(said)
    fails = "MISTAKE=" in shown.text and " test " in shown.text
    assert status == (2 if fails else 0), said[-3000:]
    assert fails or not re.search(r"(?m)\b[1-9]\d* failed", said), said[-3000:]


def test_every_code_block_says_what_it_holds() -> None:
    kinds = [
        (name, kind) for name, text in documents(ROOT).items() for kind, _ in BLOCK.findall(text)
    ]
    wrong = [(name, kind) for name, kind in kinds if kind not in KINDS]
    assert wrong == [], "begin a block with ```sh, if each line is a command that runs, or ```text"


def test_make_knows_each_command_that_is_not_run() -> None:
    left = [*parsed(ROOT), *(one for one in run_as_shown(ROOT) if one not in TO_RUN)]
    told = [f"{one.document}: {one.text}: {why}" for one in left if (why := unknown(ROOT, one))]
    assert told == [], "".join(told)


def test_every_exception_is_for_a_command_that_is_still_shown() -> None:
    blocks, sentences = ({one.text for one in found} for found in (BLOCKS, parsed(ROOT)))
    assert set(NOT_RUN) - blocks == set()
    assert {text.partition(" |")[0] for text in ALSO_RUN} - sentences == set()


def test_commands_are_found_in_blocks_in_lines_and_in_help() -> None:
    text = "One `make hint\n--x` and `kernel.cu`.\n"
    text += "```sh\ncd lab1\nLAB_SEED=a make test \\\n    PART=kernel   # comment\nbuild/generate\n"
    text += "```\nData:\n```text\nmake test\n```\n"
    assert list(in_sentences(text)) == ["make hint --x"]
    in_lab = [("LAB_SEED=a make test PART=kernel", "lab1"), ("build/generate", "lab1")]
    assert list(in_blocks(text)) == in_lab
    said = "make a [B=]  c\n  make d\nIn a lab: make test, make run; make help there\n"
    assert list(in_help(said)) == ["make a B=", "make test", "make run", "make help"]
