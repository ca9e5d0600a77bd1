"""Checks that `make release` finds what a release must not contain: parts of a solution, or a
README that is wrong for students."""

import pathlib
import shutil

import mistakes
import pytest
from release import contents, documents, exercises, leftovers
from run_report import ROOT

KERNEL = "lab1_naive/kernel.cu"
HANDOUT = "lab1_naive/README.md"


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


SOLVED = text_of(f"solutions/{KERNEL}")
(MISTAKE,) = mistakes.found("lab2_tiled", "kernel", "second_barrier_missing")
BARE_MISTAKE = MISTAKE.text().partition("\n")[2]
HIDDEN = "solutions/hidden/lab1_naive/test_hidden.cpp"


def lines(name: str, first: str, last: str) -> str:
    """Returns a file's lines from the one with `first` to the one with `last`."""
    everything = text_of(name).splitlines(keepends=True)
    begin = next(i for i, line in enumerate(everything) if first in line)
    end = next(i for i, line in enumerate(everything) if i >= begin and last in line)
    return "".join(everything[begin : end + 1])


LOOP = lines(f"solutions/{KERNEL}", "int Row =", "Pvalue;")


def with_todo_solved(todo: int, code: str) -> str:
    """Returns the skeleton with code directly below a TODO's comment."""
    skeleton = text_of(KERNEL).splitlines(keepends=True)
    below = next(i for i, line in enumerate(skeleton) if f"TODO({todo})" in line) + 1
    while skeleton[below].strip().startswith("//"):
        below += 1
    return "".join(skeleton[:below] + [code] + skeleton[below:])


QUOTED = "".join(f"> {line}" for line in LOOP.splitlines(True))
RESPACED = LOOP.replace(" ", "  ").replace(";", "; // mine\n")
OPEN_ANSWERS = text_of("solutions/lab1_naive/answers.md")
STORED = with_todo_solved(4, "    P[Row * Width + Col] = Pvalue;\n")
AS_IN = "as in solutions/"
# (file, its new text, the check's message)
WAYS = {
    "a solution under another name": ("lab1_naive/old.txt", SOLVED, AS_IN),
    "a solution in a README": (HANDOUT, f"{text_of(HANDOUT)}\n```\n{LOOP}```\n", AS_IN),
    "a solution quoted line by line": (HANDOUT, text_of(HANDOUT) + QUOTED, AS_IN),
    "a solution with other spaces and comments": ("common/matrix/notes.h", RESPACED, AS_IN),
    "the answers to open questions": ("lab1_naive/hints.md", OPEN_ANSWERS, AS_IN),
    "a solution's folder": ("solutions/lab1_naive/kernel.cu", SOLVED, "lies in a folder"),
    "the folder of mistakes": ("mistakes/lab2_tiled/one.cu", BARE_MISTAKE, "lies in a folder"),
    "a mistake with its first line": ("lab2_tiled/my/x.cu", "// Finding: race\n", "known mist"),
    "a mistake without it": ("lab2_tiled/banks/x.h", BARE_MISTAKE, "% of solutions/mistakes/"),
    "a mistake's name": ("lab2_tiled/banks/second_barrier_missing.cu", "", "has the name of"),
    "one TODO solved in a skeleton": (KERNEL, STORED, "TODO(4) is solved"),
    "a skeleton that is the solution": (KERNEL, SOLVED, "TODO(1) is not in it"),
    "an exercise that is not recorded": (
        "lab1_naive/new.cu",
        "// TODO(1)\n",
        "its skeleton is neither",
    ),
    "a hidden test": ("lab1_naive/test_9_more.cpp", text_of(HIDDEN), "holds the hidden test"),
    "a hidden test's name": ("lab1_naive/test_hidden.cpp", "", "has the name of"),
    "an archive": ("lab1_naive/all.zip", "PK\x03\x04\xff\xfe", "is no text"),
}


@pytest.fixture(scope="module")
def secrets() -> leftovers.Secrets:
    names = contents.released(contents.labs())
    return leftovers.Secrets([name for name in names if exercises.is_one(name)])


@pytest.fixture(name="said_of")
def a_release_with_a_file(tmp_path: pathlib.Path):
    """Returns a function that returns the message about a file in a release of lab 1."""
    shutil.copytree(ROOT / "lab1_naive", tmp_path / "lab1_naive")  # its tests name its TODOs

    def said_of(name: str, text: str, secrets: leftovers.Secrets) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="latin-1" if name.endswith(".zip") else "utf-8")
        return "\n".join(leftovers.of_file(tmp_path, name, secrets))

    return said_of


@pytest.mark.parametrize("way", WAYS)
def test_a_release_is_refused_that_holds(way: str, said_of, secrets: leftovers.Secrets) -> None:
    name, text, wanted = WAYS[way]
    assert wanted in said_of(name, text, secrets)


def test_what_the_skeleton_of_a_lab_that_is_left_out_gives_is_no_excuse(
    said_of, secrets: leftovers.Secrets
) -> None:
    given = lines("lab4_memtypes/overlap.cu", "__global__ void", "Pvalue;")
    alone = leftovers.Secrets([KERNEL])
    assert "as in solutions/lab1_naive/kernel.cu" in said_of("x.h", given, alone)
    assert not said_of("x.h", given, secrets)


def test_a_signature_is_no_secret(said_of) -> None:
    header = text_of("lab3_boundary/lab3.h")
    assert "int j, int k, int l);" in header
    alone = leftovers.Secrets(["lab3_boundary/kernel.cu"])
    assert not said_of("lab3_boundary/lab3.h", header, alone)


def test_a_readme_loses_what_is_about_what_a_release_does_not_hold() -> None:
    text = (
        "a\n<!-- with solutions:begin -->\nb\n<!-- with solutions:end -->\n\n"
        "<!-- with common:begin -->\nc\n<!-- with common:end -->\n"
        "| [l](lab9_x/README.md) | d |\n| `solutions` | e |\n| `common` | f |\n"
    )
    fitted = documents.fitted(text, lambda path: path in ("solutions", "lab9_x"))
    assert fitted == "a\n\nc\n| `common` | f |\n"


def test_the_examples_of_the_readme_are_for_the_first_lab_that_is_released() -> None:
    text = "make -C lab1_x test PART=add\n`make lab1`, [lab 1](lab1_x/README.md)\n| lab1_x |\n"
    begins = documents.beginning_with(text, ("lab1_x", "add"), ("lab3_z", "kernel"))
    assert begins == (
        "make -C lab3_z test PART=kernel\n`make lab3`, [lab 3](lab3_z/README.md)\n| lab1_x |\n"
    )


UNTRUE = {
    "see `solutions/lab1_naive`": "shows 'solutions/'",
    "see `common/grading`": "shows 'common/grading'",
    "`make test SOLUTION=1`": "shows 'SOLUTION='",
    "[gone](../nowhere.md)": "links to ../nowhere.md",
    "`make -C lab9_x test`": "names lab9_x",
    "Next: `lab9_x`.": "names lab9_x",
    "make lab9": "names lab9_x",
}


@pytest.mark.parametrize("line", UNTRUE)
def test_a_release_is_refused_whose_readme_says(line: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "README.md").write_text(f"{line}\n", encoding="utf-8")
    said = list(documents.untrue(tmp_path, "README.md", ["lab9_x"]))
    assert len(said) == 1 and UNTRUE[line] in said[0]
