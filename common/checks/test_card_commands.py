"""Checks that every command shown for a card compiles and links here what a card would run, and
runs the notebook for hosted cards with the simulated device instead of one."""

import os
import re
import shutil
import sys

import course_copy
import on_card
import pytest
from calls import ROOT, call, make, there_is
from shown_commands import parsed, run_as_shown

pytestmark = [pytest.mark.seconds(130), pytest.mark.full]


def test_every_command_for_a_card_compiles_and_links_what_it_would_run() -> None:
    if not there_is("cuda.sh", "nvcc"):
        pytest.skip("there is no nvcc")
    status, said = call(sys.executable, "common/checks/tools/on_card.py", "--compile-only")
    if status != 0:
        pytest.fail(said, pytrace=False)


def words_of(command: str) -> set[str]:
    """Returns the words of a command, variables without values, without folders and files."""
    words = {word.partition("=")[0] for word in command.split()}
    return {word for word in words if not re.match(r"-C$|lab\d|.*\.cu$", word)}


def test_the_list_for_a_card_has_every_command_that_is_shown() -> None:
    shown = [words_of(one.text) for one in [*run_as_shown(ROOT), *parsed(ROOT)] if one.for_card()]
    listed = [words_of(command) for command in on_card.COMMANDS]
    assert [one for one in shown if not any(one <= other for other in listed)] == []


def test_without_nvcc_compiling_for_a_card_ends_with_a_sentence() -> None:
    folders = [one for one in os.environ["PATH"].split(":") if not os.path.exists(f"{one}/nvcc")]
    words = ("-C", "lab1_naive", "test", "DEVICE=gpu", "COMPILE_ONLY=1")
    status, said = make(*words, PATH=":".join(folders), CUDA_HOME="/nowhere")
    assert status == 2 and "DEVICE=gpu: there is no nvcc; install the CUDA toolkit" in said, said


NOTEBOOK = "common/setup/free_card.ipynb"
LADDER = "build/gpu/bench-sm90"
# Replacements for a hosted machine's values: the course's address, a card, the time to build.
ADDRESS = """
COURSE, DEVICE = "origin", "sim"
"""
BUILT = """
import shutil
sys.path.append("{root}/common/checks/kit")
import course_copy
course_copy.copy_build(pathlib.Path(), pathlib.Path("{root}"))
if pathlib.Path("{root}/{ladder}").exists():
    shutil.copytree("{root}/{ladder}", "{ladder}")
!find . -path ./build -prune -o -type f -exec touch -d 2001-01-01 {{}} +
"""
# Instead of the ladder's measurements.
MEASURED = """
os.makedirs("build/ladder")
os.link("solutions/lab4_memtypes/ladder/results/h200.md", "build/ladder/bench.md")
"""


def printed(cell: dict) -> str:
    """Returns the output of a cell, printed and displayed, without colours."""
    shown = [out.get("text") or out["data"].get("text/markdown", "") for out in cell["outputs"]]
    return re.sub(r"\033\[[0-9;]*m", "", "".join(shown))


def test_the_notebook_for_a_hosted_card_runs_from_its_start_to_its_end() -> None:
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    import nbformat

    folder = ROOT / "build/check/notebook"
    shutil.rmtree(folder, ignore_errors=True)
    course_copy.copy_files(folder / "origin")
    for words in ("init -q", "add .", "-c user.name=a -c user.email=b commit -qm course"):
        assert call("git", *words.split(), folder=folder / "origin")[0] == 0
    book = nbformat.read(ROOT / NOTEBOOK, as_version=4)
    address, clone, on_card, simulated, ladder = (
        cell for cell in book.cells if cell.cell_type == "code"
    )
    address.source += ADDRESS
    clone.source += BUILT.format(root=ROOT, ladder=LADDER)
    assert "!$MAKE bench " in ladder.source
    ladder.source = MEASURED + ladder.source.replace("bench ", "bench DEVICE=gpu COMPILE_ONLY=1 ")
    resources = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(book, timeout=600, resources=resources).execute()
    assert "Needed:" in printed(clone)
    for cell in (on_card, simulated):
        wrong = "lab1_naive/matrix_add.cu on the simulated device\r\nFAIL  TODO(1): each thread"
        assert wrong in printed(cell), printed(cell)
    assert "| 10_tuned |" in printed(ladder), printed(ladder)
    compiled = "make bench: compiled, not run" in printed(ladder)
    assert compiled or not there_is("cuda.sh", "nvcc"), printed(ladder)
    shutil.rmtree(folder)
