"""Checks that the rooms of common/ use each other in one direction (see common/README.md)."""

import re

import pytest
from run_report import ROOT

CODE = (".h", ".cuh", ".cpp", ".cu")
INCLUDED = re.compile(r'^\s*#\s*include "([\w.]+)/', re.MULTILINE)
# The rooms whose code each may include; its unit tests may use Catch2's main as well.
BELOW = {
    "text": {"text"},
    "matrix": {"matrix"},
    "simulator": {"simulator", "cusim", "text"},
    "testing": {"testing", "simulator", "matrix", "text"},
    "harness": {"harness", "testing", "simulator", "matrix"},
}


def included_by(room: str) -> set[str]:
    """Returns the first folders in the includes of a room's code. Attacks are submissions."""
    files = [path for path in (ROOT / "common" / room).rglob("*") if path.suffix in CODE]
    texts = [path.read_text() for path in files if not {"attacks", "tests"} & set(path.parts)]
    return {folder for text in texts for folder in INCLUDED.findall(text)}


def test_nothing_in_common_includes_a_lab_or_a_solution() -> None:
    found = included_by(".")
    assert "matrix" in found  # something is found at all
    assert {folder for folder in found if re.match(r"lab\d|solutions", folder)} == set()


@pytest.mark.parametrize("room", BELOW)
def test_a_room_includes_itself_and_those_below_it(room: str) -> None:
    found = included_by(room)
    assert found <= BELOW[room]


def test_a_labs_rules_of_make_name_the_grader_in_one_line() -> None:
    files = sorted((ROOT / "common").glob("*.mk"))
    lines = [line for file in files for line in file.read_text().splitlines()]
    assert [line for line in lines if "grading" in line] == ["-include common/grading/lab.mk"]
