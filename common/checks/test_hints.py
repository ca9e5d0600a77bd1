"""Checks the hints of each part: their number and size, and that none gives a solution away."""

import pathlib
import re

import pytest
from calls import ROOT
from test_answers import answers_of, numbers

FILES = [*ROOT.glob("lab*/*.cu"), *ROOT.glob("lab*/answers.h")]
SOURCES = sorted(path.relative_to(ROOT).as_posix() for path in FILES)
QUESTIONS = [source for source in SOURCES if source.endswith(".h")]
of_each_part = pytest.mark.parametrize("source", SOURCES)


def folder_of(source: str) -> pathlib.Path:
    """Returns where a part's tests and hints lie."""
    path = ROOT / source
    return path.parent if path.stem == "kernel" else path.with_suffix("")


def hints_of(source: str) -> str:
    return (folder_of(source) / "hints.md").read_text(encoding="utf-8")


def items_of(source: str) -> list[str]:
    """Returns the TODOs or questions of a part. A student may have solved some: the tests' names
    tell, too."""
    tests = "".join(path.read_text() for path in folder_of(source).glob("test_*.cpp"))
    names = re.findall(r'(?m)^TEST_CASE\(\s*"((?:TODO\(\d+\)|Q\d+)[^:"]*):', tests)
    text = " ".join(names) + (ROOT / source).read_text(encoding="utf-8") * source.endswith(".cu")
    return sorted(set(re.findall(r"TODO\(\d+\)|Q\d+", text)))


def hints_by_item(source: str) -> dict[str, list[list[str]]]:
    """Returns the lines of each hint under its heading, without its number and blank lines."""
    found: dict[str, list[list[str]]] = {}
    for section in re.split(r"(?m)^## ", hints_of(source))[1:]:
        heading, _, rest = section.partition("\n")
        lines = [line for line in rest.splitlines() if line.strip() and line[:3] != "```"]
        hints = found.setdefault(heading, [])
        for line in lines:
            if re.match(r"\d+\. ", line):
                hints.append([])
            if hints:
                hints[-1].append(line)
    return found


@of_each_part
def test_each_todo_has_three_hints_each_question_two_and_nothing_else_has_any(source: str) -> None:
    items = items_of(source)
    wanted = {item: 2 if item.startswith("Q") else 3 for item in items}
    assert items and {item: len(hints) for item, hints in hints_by_item(source).items()} == wanted


@of_each_part
def test_a_hint_has_at_most_three_lines_of_80_columns(source: str) -> None:
    assert max(map(len, hints_of(source).splitlines())) <= 80
    hints = hints_by_item(source)
    assert [[item, hint] for item in hints for hint in hints[item] if len(hint) > 3] == []


def bare(text: str) -> str:
    """Returns code without what only looks different."""
    return re.sub(r"[\s;{}`]", "", text)


def code_of(path: pathlib.Path) -> set[str]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {code for line in lines if len(code := bare(line.partition("//")[0])) >= 8}


@of_each_part
def test_no_hint_holds_a_line_of_the_solution(source: str) -> None:
    # Each hint in one line, so that a statement across two of its lines is found as well.
    hints = [bare(hint) for hint in re.split(r"(?m)^(?=\d+\. |#|$)", hints_of(source))]
    # What the skeleton holds, too, gives nothing away.
    given = code_of(ROOT / "solutions" / source) - code_of(ROOT / source)
    assert [code for code in given for hint in hints if code in hint] == []


@pytest.mark.parametrize("source", QUESTIONS)
def test_no_hint_for_a_question_holds_the_number_that_answers_it(
    source: str, tmp_path: pathlib.Path
) -> None:
    if not (ROOT / "solutions" / source).exists():
        pytest.skip("there are no solutions here")
    answers = answers_of(source.partition("/")[0], tmp_path)
    assert answers
    for item, hints in hints_by_item(source).items():
        text = re.sub(r"(?m)^\d+\. ", "", "\n".join("\n".join(hint) for hint in hints))
        given = {number.replace(",", "").rstrip(".") for number in re.findall(r"\d[\d.,]*", text)}
        right = {f"{one:.6g}" for name, one in answers.items() if numbers([name]) == {item}}
        assert not {f"{float(it):.6g}" for it in given if it.count(".") < 2} & right
