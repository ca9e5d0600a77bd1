"""Checks each lab.toml against the lab: its parts, its sections to read, its tests and points.
Checks the hints of each part: their number and size, and that none contains a solution."""

import pathlib
import re

import points
import pytest
from course import facts
from run_report import ROOT
from test_answers import answers_of, numbers

SPREAD = True
HIDDEN = "solutions/hidden"
LABS = {lab: facts.load(lab, hidden=str(ROOT / HIDDEN)) for lab in facts.labs()}
PARTS = [(lab, part.name) for lab, of_lab in LABS.items() for part in of_lab.parts]
each_lab = pytest.mark.parametrize("lab", LABS)
each_part = pytest.mark.parametrize(("lab", "part"), PARTS, ids=[f"{a}-{b}" for a, b in PARTS])
ITEM = {".cu": r"(TODO\(\d+\))", ".h": r"(?m)^// (Q\d+)\."}


def source_of(lab: str, part: str) -> pathlib.Path:
    return ROOT / lab / (f"{part}.h" if part == "answers" else f"{part}.cu")


def items_of_source(source: pathlib.Path) -> set[str]:
    return set(re.findall(ITEM[source.suffix], source.read_text(encoding="utf-8")))


def sources_of_findings() -> str:
    """Returns all text in which a test or the simulator names a finding."""
    folders = [ROOT / name for name in (*LABS, "common/simulator", "common/testing")]
    files = [
        file for folder in folders for end in ("cpp", "h") for file in folder.rglob(f"*.{end}")
    ]
    compared = (ROOT / "common/matrix/compare.cpp").read_text(encoding="utf-8").replace(" ", "-")
    return compared + "".join(file.read_text(encoding="utf-8") for file in files)


@each_lab
def test_a_lab_lists_each_of_its_parts_with_the_questions_last(lab: str) -> None:
    files = [*(ROOT / lab).glob("*.cu"), *(ROOT / lab).glob("answers.h")]
    names = [part.name for part in LABS[lab].parts]
    assert sorted(names) == sorted(file.stem for file in files)
    assert names[-1] == "answers"


@each_lab
def test_a_lab_tells_to_read_sections_and_steps_that_its_handouts_have(lab: str) -> None:
    for part in LABS[lab].parts:
        for key, place in part.read.items():
            file, heading, *step = place.split(" / ")
            text = re.sub(r"(?ms)^```.*?^```", "", (ROOT / lab / file).read_text(encoding="utf-8"))
            section = re.search(rf"(?ms)^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text)
            assert section, f"{part.name}, {key}: {file} has no section '{heading}'"
            if step:
                number = step[0].removeprefix("step ")
                assert re.search(rf"(?m)^{number}\. ", section[1]), f"{part.name}, {key}: {place}"


@each_part
def test_a_part_tells_what_to_read_for_all_of_its_items_or_none(lab: str, part: str) -> None:
    read = LABS[lab].part(part).read
    items = items_of_source(source_of(lab, part))
    told = {key for key in read if re.match(r"TODO\(|Q\d", key)}
    assert "*" in read
    assert told in (set(), items)


@each_lab
def test_a_lab_tells_what_to_read_for_findings_that_exist(lab: str) -> None:
    text = sources_of_findings()
    for part in LABS[lab].parts:
        for key in part.read:
            assert re.match(r"TODO\(|Q\d|\*", key) or f'"{key}"' in text, f"{part.name}: {key}"


@each_lab
def test_sentences_of_tests_name_a_todo_by_a_value_which_the_report_knows(lab: str) -> None:
    for folder in (ROOT / lab, ROOT / HIDDEN / lab):
        for file in [*folder.rglob("*.cpp"), *folder.rglob("*.h")]:
            text = re.sub(r'TEST_CASE\(\s*"[^"]*"', "", file.read_text(encoding="utf-8"))
            assert not re.findall(r'"[^"\n]*TODO\([^"\n]*"', text), f"{file}: write Todo(n)"


@each_part
def test_each_todo_has_points_of_a_test_that_students_have(lab: str, part: str) -> None:
    tests = points.load(lab).parts[part].tests
    told = {
        item
        for test in tests
        if test.points and not test.hidden
        for item in facts.items_of(test.name)
    }
    assert items_of_source(source_of(lab, part)) <= told


@each_part
def test_a_card_has_the_tests_that_their_files_give_it(lab: str, part: str) -> None:
    inner = lab if part == "kernel" else f"{lab}/{part}"
    files = [file for top in (ROOT, ROOT / HIDDEN) for file in (top / inner).glob("test_*.cpp")]
    text = "".join(file.read_text(encoding="utf-8") for file in files if "_sim" not in file.name)
    for ended, kept in (("ifdef", ""), ("ifndef", r"\1")):
        text = re.sub(rf"(?ms)^#{ended} CUDA_SIMULATED_DEVICE\n(.*?)^#(?:endif|else)", kept, text)
    found = re.findall(r'(?m)^TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"(?!, "\[\.)', text)
    assert sorted(found) == sorted(LABS[lab].part(part).names(card=True))


SOURCES = [str(source_of(lab, part).relative_to(ROOT)) for lab, part in PARTS]
QUESTIONS = [source for source in SOURCES if source.endswith(".h")]
of_each_part = pytest.mark.parametrize("source", SOURCES)


def folder_of(source: str) -> pathlib.Path:
    """Returns the folder of a part's tests and hints."""
    path = ROOT / source
    return path.parent if path.stem == "kernel" else path.with_suffix("")


def hints_of(source: str) -> str:
    return (folder_of(source) / "hints.md").read_text(encoding="utf-8")


def items_of(source: str) -> list[str]:
    """Returns the TODOs or questions of a part. A student may have solved some of them, so the
    tests' names count, too."""
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
    """Returns code without differences in spelling only."""
    return re.sub(r"[\s;{}`]", "", text)


def code_of(path: pathlib.Path) -> set[str]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {code for line in lines if len(code := bare(line.partition("//")[0])) >= 8}


@of_each_part
def test_no_hint_holds_a_line_of_the_solution(source: str) -> None:
    # Each hint in one line, so that a statement across two of its lines is found, too.
    hints = [bare(hint) for hint in re.split(r"(?m)^(?=\d+\. |#|$)", hints_of(source))]
    # Code of the skeleton is no part of the solution.
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
