"""Checks the handouts: those of all labs have the same sections in the same order, each part has
one, none is long or wide, the targets of their links, and of those in hints and tests, exist, their
pictures have a text for readers who cannot see them, and their tables and pictures come from runs
or from measurements on a card."""

import pathlib
import re
import sys
from collections.abc import Iterator

import handout_sections
import judging
import pytest
from calls import call
from release import contents
from run_report import ROOT

SPREAD = True
SECTIONS = "Why", "What you build", "Steps", "What the tests prove", "Questions", "Going further"
# Two screens; pictures, and the sections from runs between markers, do not count.
LINES_OF_LAB, LINES_OF_PART = 120, 78
LINES = {"README.md": 200, "common/COMMANDS.md": 150, "solutions/README.md": 280}
LINES["lab4_memtypes/next/README.md"] = 120
WORDS_OF_README = 1200
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^) ]+)\)")
WORDS_OF_ALT_TEXT = 6

LABS = judging.labs()
PARTS = [(lab, part) for lab in LABS for part in judging.parts(lab)]
PARTS_ELSEWHERE = [(lab, part) for lab, part in PARTS if part != "kernel"]


def text_of(path: pathlib.Path) -> str:
    return path.read_text(encoding="utf-8")


def headings(path: pathlib.Path, level: str = "#+") -> list[str]:
    """Returns the headings outside of code."""
    plain = re.sub("(?ms)^```.*?^```", "", text_of(path))
    return re.findall(f"^{level} (.*)", plain, re.MULTILINE)


def written_lines(path: pathlib.Path) -> int:
    """Returns the lines of a handout that neither come from a run nor show a picture."""
    text = re.sub(r"(?ms)^<!-- ([a-z]+):begin -->$.*?^<!-- \1:end -->$\n", "", text_of(path))
    text = re.sub(rf"{PICTURE.pattern}\n+", "", text)
    return sum(not line.startswith("<!--") for line in text.splitlines())


def wrong_form(path: pathlib.Path, most: int) -> Iterator[str]:
    """Yields the faults of a handout's form and of its links."""
    lines = written_lines(path)
    if lines > most:
        yield f"{path} has {lines} lines; at most {most} beside figures"
    for number, line in enumerate(text_of(path).splitlines(), 1):
        # A table and a link cannot be broken.
        if len(line) > 80 and not line.startswith("|") and not re.search(r"\]\([^)]*\)", line):
            yield f"{path}:{number}: wider than 80 columns"
    for link in re.findall(r"\]\(([^) ]+)\)", text_of(path).replace("\n", " ")):
        elsewhere = re.match("mailto:|.*://", link)
        if not elsewhere and not (path.parent / link.partition("#")[0]).exists():
            yield f"{path} links to {link}, which is not there"
    for alt_text, picture in PICTURE.findall(text_of(path)):
        if len(alt_text.split()) < WORDS_OF_ALT_TEXT:
            yield f"{path}: the text of {picture} does not say what the picture shows"


def dead_pointers(path: pathlib.Path, lab: str, *handouts: pathlib.Path) -> Iterator[str]:
    """Yields the references of a text, such as: See "Steps", step 2; See hazards/README.md."""
    there = [heading for handout in handouts for heading in headings(handout)]
    text = text_of(path).replace("\\", "")
    for section, file in re.findall(r'[Ss]ee (?:"([^"\n]+)"|([a-z_]+/README\.md))', text):
        if section not in there if section else not (ROOT / lab / file).exists():
            yield f"{path} says 'See {section or file}', which is not there"


def check_lab(lab: str) -> None:
    """Fails unless the handout of a lab has the form of all."""
    handout = ROOT / lab / "README.md"
    assert headings(handout, "##") == list(SECTIONS)
    assert list(wrong_form(handout, LINES_OF_LAB)) == []
    assert list(dead_pointers(ROOT / lab / "hints.md", lab, handout)) == []
    parts = [*judging.parts(lab), *(["answers"] if (ROOT / lab / "answers.h").exists() else [])]
    assert [part for part in parts if f"PART={part}" not in text_of(handout)] == []


def check_part(lab: str, part: str) -> None:
    """Fails unless a part other than kernel.cu has its own handout, of the same form."""
    handout, own = ROOT / lab / "README.md", ROOT / lab / part / "README.md"
    assert list(wrong_form(own, LINES_OF_PART)) == []
    assert f"]({part}/README.md)" in text_of(handout)
    sections = headings(own, "##")
    assert sections == [section for section in SECTIONS if section in sections]
    assert {"Steps", "What the tests prove"} <= set(sections)
    assert list(dead_pointers(ROOT / lab / part / "hints.md", lab, own, handout)) == []


@pytest.mark.parametrize("lab", LABS)
def test_the_handout_of_a_lab_has_the_sections_of_all(lab: str) -> None:
    check_lab(lab)


@pytest.mark.parametrize("lab, part", PARTS_ELSEWHERE)
def test_a_part_has_a_handout_with_sections_of_its_lab(lab: str, part: str) -> None:
    check_part(lab, part)


@pytest.mark.parametrize("lab", [lab for lab in LABS if (ROOT / lab / "answers.h").exists()])
def test_what_questions_and_their_hints_point_to_is_there(lab: str) -> None:
    folder = ROOT / lab / "answers"
    files = [*folder.glob("*.cpp"), folder / "hints.md"]
    handout = ROOT / lab / "README.md"
    assert [dead for file in files for dead in dead_pointers(file, lab, handout)] == []


@pytest.mark.parametrize("document", LINES)
def test_a_readme_is_neither_long_nor_wide(document: str) -> None:
    if not (ROOT / document).exists():  # in a release
        pytest.skip("it is not here")
    assert list(wrong_form(ROOT / document, LINES[document])) == []


def test_the_readme_is_read_in_a_few_minutes() -> None:
    assert len(text_of(ROOT / "README.md").split()) <= WORDS_OF_README


def test_each_picture_is_shown_by_a_document() -> None:
    files = [ROOT / name for name in contents.tracked()]
    documents = [file for file in files if file.suffix == ".md"]
    links = [(file.parent, PICTURE.findall(text_of(file))) for file in documents]
    shown = {(folder / link).resolve() for folder, found in links for _, link in found}
    pictures = [file for file in files if file.suffix in (".svg", ".png")]
    assert pictures and [str(file) for file in pictures if file not in shown] == []


@pytest.mark.seconds(40)
@pytest.mark.full
def test_the_tables_and_pictures_of_the_handouts_are_what_the_runs_give() -> None:
    status, said = call(sys.executable, "common/checks/tools/update_pages.py", CHECK="1")
    if status != 0:
        pytest.fail(said, pytrace=False)


def test_a_section_is_replaced_between_its_markers(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "a.md"
    begin, end = "<!-- x:begin -->\n", "<!-- x:end -->\n"
    file.write_text(f"{begin}old\n\nold\n{end}b\n", encoding="utf-8")
    with pytest.raises(handout_sections.Wrong, match="the section 'x' is stale"):
        handout_sections.put(str(file), "x", "new\n", check=True)
    handout_sections.put(str(file), "x", "new\n", check=False)
    assert file.read_text(encoding="utf-8") == f"{begin}new\n{end}b\n"
    handout_sections.put(str(file), "x", "new\n", check=True)
    for name, block, why in (("y", "new\n", "no section 'y'"), ("x", "\n", "nothing came")):
        with pytest.raises(handout_sections.Wrong, match=why):
            handout_sections.put(str(file), name, block, check=False)


def test_a_file_is_written_or_compared_as_a_whole(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "a.svg"
    for text in ("old\n", "new\n"):
        with pytest.raises(handout_sections.Wrong, match="the file is stale"):
            handout_sections.put(file, "", text, check=True)
        handout_sections.put(file, "", text, check=False)
        handout_sections.put(file, "", text, check=True)
