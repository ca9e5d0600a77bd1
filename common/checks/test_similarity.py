"""Checks that make similarity finds a copy among right solutions that were written independently,
on the labs' own files."""

import csv
import difflib
import functools
import pathlib
import re
import sys

import mistakes
import pytest
from calls import ROOT, call, ended
from similarity import score

NAMES = "Row Col Pvalue Mds Nds tx ty ph d_M d_N d_P bytes dimGrid dimBlock k".split()
RENAMED = dict(zip(NAMES, "r c sum a b x y step devA devB devC size g blk i".split()))


def disguised(text: str) -> str:
    """Returns a text with other names, other comments, functions in another order."""
    text = re.sub(r"//.*", "// all my own work", text)
    names = "|".join(RENAMED)
    text = re.sub(rf"\b({names})\b", lambda name: RENAMED[name[1]], text)
    # The kernel is declared, and comes last.
    begin = text.index("__global__")
    end = text.index("\n}\n", begin) + 3
    kernel = text[begin:end]
    head = kernel[: kernel.index("{")].strip()
    return f"{text[:begin]}{head};\n{text[end:]}\n{kernel}"


def kept(old: str, new: str) -> float:
    """Returns the share of an old text's lines that are in the new one, whatever the names."""
    lines = [re.sub(r"//.*|[A-Za-z_]\w*", "", text).split("\n") for text in (old, new)]
    lines = [[line for line in text if line.strip()] for text in lines]
    alike = difflib.SequenceMatcher(None, *lines, autojunk=False).get_matching_blocks()
    return sum(block.size for block in alike) / len(lines[0])


def a_class(lab: str) -> dict[str, str]:
    """Returns the solution, its disguised copy, and independent right kernels: the styles except
    those that differ from the solution, or from one another, in only a few lines."""
    solution = (ROOT / "solutions" / lab / "kernel.cu").read_text(encoding="utf-8")
    own = {"original": solution}
    for style in mistakes.styles(lab, "kernel"):
        text = mistakes.file_of(style).read_text(encoding="utf-8")
        if max(kept(other, text) for other in own.values()) < 4 / 5:
            own[style.stem] = text
    return {**own, "copy": disguised(solution)}


@functools.lru_cache(maxsize=None)
def pairs_of(lab: str) -> list:
    """Returns the pairs of a lab's class, the most alike first."""
    return score.pairs(a_class(lab), (ROOT / lab / "kernel.cu").read_text(encoding="utf-8"))


of_each_lab = pytest.mark.parametrize("lab", ["lab1_naive", "lab2_tiled", "lab3_boundary"])


@of_each_lab
def test_a_copy_in_disguise_is_on_top(lab: str) -> None:
    best = pairs_of(lab)[0]
    assert {best.first, best.second} == {"original", "copy"}, pairs_of(lab)[:3]


@of_each_lab
def test_a_copy_in_disguise_shares_far_more_that_is_rare_than_other_solutions(lab: str) -> None:
    best, pairs = pairs_of(lab)[0], pairs_of(lab)
    # Some styles are made from one another, so only those beside the original are independent.
    others = [pair for pair in pairs if len({"original", "copy"} & {pair.first, pair.second}) == 1]
    assert others and max(pair.rare for pair in others) < 0.7 * best.rare, others[:2]


def test_two_untouched_skeletons_share_nothing_of_their_own() -> None:
    skeleton = (ROOT / "lab2_tiled/kernel.cu").read_text(encoding="utf-8")
    assert score.pairs({"a": skeleton, "b": skeleton}, skeleton) == []


def test_files_that_are_no_programs_share_nothing() -> None:
    skeleton = (ROOT / "lab2_tiled/kernel.cu").read_text(encoding="utf-8")
    odd = {"a": "", "b": '"never closed /* nor this', "c": "\0\ufffd" * 1000}
    assert score.pairs(odd, skeleton) == []


EQUAL = [f"equal{number}" for number in range(10)]


@pytest.fixture(scope="module", name="out")
def report_of_a_class(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Returns the output of make similarity for a class with a copy, ten equal files, two skeletons
    and a broken archive."""
    folder, handed_in = tmp_path_factory.mktemp("class"), a_class("lab3_boundary")
    equal = handed_in.pop("loads_in_a_function")
    handed_in |= {name: re.sub(r"\bRow\b", name, f"// {name}\n{equal}") for name in EQUAL}
    skeleton = (ROOT / "lab3_boundary/kernel.cu").read_text(encoding="utf-8")
    handed_in |= {"lazy": skeleton, "late": f"{skeleton}// late\n"}
    for name, text in handed_in.items():
        path = folder / "in" / name / "lab3_boundary/kernel.cu"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    (folder / "in/broken.zip").write_bytes(b"PK\3\4")
    given = {"SUBMISSIONS": f"{folder}/in", "OUT": f"{folder}/out", "LABS": "lab3"}
    command = (sys.executable, "-B", "-m", "similarity")  # as the Makefile starts it
    ended(call(*command, PYTHONPATH=str(ROOT / "common/grading"), **given), 0)
    return folder / "out"


@pytest.fixture(scope="module", name="rows")
def rows_of_the_table(out: pathlib.Path) -> list[dict[str, str]]:
    with open(out / "similarity.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_begins_with_the_group_of_equal_files(rows: list[dict[str, str]]) -> None:
    first = rows[0]
    assert [first["student_a"], *first["student_b"].split("; ")] == EQUAL, first
    assert (first["shared_of_a"], first["lines"]) == ("100.0", "all")


def test_ten_equal_files_hide_no_other_pair(rows: list[dict[str, str]]) -> None:
    assert {rows[1]["student_a"], rows[1]["student_b"]} == {"original", "copy"}, rows[:3]
    beside = [name for row in rows[1:] for name in (row["student_a"], row["student_b"])]
    assert {name for name in beside if "equal" in name} == {"; ".join(EQUAL)}


def test_untouched_skeletons_are_no_group(out: pathlib.Path) -> None:
    page = (out / "similarity.md").read_text(encoding="utf-8")
    group = f"10 students handed in the same lab3_boundary/kernel.cu: {', '.join(EQUAL)}."
    assert [line for line in page.splitlines() if "handed in the same" in line] == [group]
    assert f"{EQUAL[0]} and 9 with an equal file" in page and "lazy" not in page


@pytest.mark.parametrize(
    "words", ["proves\nnothing", "## 1. lab3_boundary/kernel.cu: ", "- broken: the archive"]
)
def test_the_page_says_what_it_is_worth_shows_lines_and_names_what_is_not_read(
    out: pathlib.Path, words: str
) -> None:
    assert words in (out / "similarity.md").read_text(encoding="utf-8")
