"""Whether the check of a release sees what it is there for. Hides something of a solution in a
release, file by file, and prints 'ok ...' or 'FAIL ...' a way to hide it, for check_all.sh.

usage: python3 -m release.tests FOLDER    a fresh release with all labs; it is spoilt
"""

import pathlib
import shutil
import sys

from release import contents, documents, exercises, leftovers

ROOT = contents.ROOT
KERNEL = "lab1_naive/kernel.cu"
SOLVED = (ROOT / "solutions" / KERNEL).read_text(encoding="utf-8")


def solution_lines(first, last):
    """The solution's lines from the one that holds `first` to the one that holds `last`."""
    lines = SOLVED.splitlines(keepends=True)
    begin = next(i for i, line in enumerate(lines) if first in line)
    end = next(i for i, line in enumerate(lines) if i >= begin and last in line)
    return "".join(lines[begin : end + 1])


LOOP = solution_lines("int Row =", "Pvalue;")
MISTAKE = "solutions/mistakes/lab2_tiled/second_barrier_missing.cu"
BARE_MISTAKE = (ROOT / MISTAKE).read_text(encoding="utf-8").split("\n", 1)[1]
HIDDEN = sorted(ROOT.glob("solutions/hidden/**/test_*.cpp"))


def todo_solved(release, todo, code):
    """The skeleton with code directly below a TODO's comment."""
    lines = (release / KERNEL).read_text(encoding="utf-8").splitlines(keepends=True)
    below = next(i for i, line in enumerate(lines) if f"TODO({todo})" in line) + 1
    while lines[below].strip().startswith("//"):
        below += 1
    return "".join(lines[:below] + [code] + lines[below:])


def ways(release):
    """(what is done, file, its new text, what the check must say)"""
    handout = (release / "lab1_naive/README.md").read_text(encoding="utf-8")
    yield "a solution copied under another name", "lab1_naive/old.txt", SOLVED, "as in solutions/"
    yield "a solution pasted into a README", "lab1_naive/README.md", (
        f"{handout}\n```\n{LOOP}```\n"
    ), "as in solutions/"  # fmt: skip
    yield "a solution quoted line by line", "lab1_naive/README.md", (
        handout + "".join(f"> {line}" for line in LOOP.splitlines(True))
    ), "as in solutions/"  # fmt: skip
    yield "a solution with other spaces and comments", "common/matrix/notes.h", (
        LOOP.replace(" ", "  ").replace(";", "; // mine\n")
    ), "as in solutions/"  # fmt: skip
    answers = (ROOT / "solutions/lab1_naive/answers.md").read_text(encoding="utf-8")
    yield "the answers to open questions", "lab1_naive/hints.md", answers, "as in solutions/"
    yield "a solution's folder", "solutions/lab1_naive/kernel.cu", SOLVED, "lies in a folder"
    yield "the folder of mistakes", "mistakes/lab2_tiled/one.cu", BARE_MISTAKE, "lies in a folder"
    yield "a mistake with its first line", "lab2_tiled/my/x.cu", "// Finding: race\n", "known mist"
    yield "a mistake without it", "lab2_tiled/banks/x.h", BARE_MISTAKE, "% of solutions/mistakes/"
    yield "a mistake's name", "lab2_tiled/banks/second_barrier_missing.cu", "", "has the name of"
    yield "one TODO solved in a skeleton", KERNEL, (
        todo_solved(release, 4, "    P[Row * Width + Col] = Pvalue;\n")
    ), "TODO(4) is solved"  # fmt: skip
    yield "a skeleton that is the solution", KERNEL, SOLVED, "TODO(1) is not in it"
    yield "an exercise that is not recorded", "lab1_naive/new.cu", "// TODO(1)\n", "checksums of"
    if HIDDEN:
        text = HIDDEN[0].read_text(encoding="utf-8")
        yield "a hidden test", "lab1_naive/test_9_more.cpp", text, "holds the hidden test"
        yield "a hidden test's name", f"lab1_naive/{HIDDEN[0].name}", "", "has the name of"
    yield "an archive", "lab1_naive/all.zip", b"PK\x03\x04\xff\xfe", "is no text"


def check(release, secrets, what, name, text, wanted):
    path = release / name
    kept = path.read_bytes() if path.exists() else None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    said = list(leftovers.of_file(release, name, secrets))
    if any(wanted in sentence for sentence in said):
        print(f"ok a release with {what} is refused")
    else:
        print(f"FAIL a release with {what}: '{wanted}' is not in {said}")
    if kept is None:
        path.unlink()
    else:
        path.write_bytes(kept)


def check_documents(release):
    text = (
        "a\n<!-- with solutions:begin -->\nb\n<!-- with solutions:end -->\n\n"
        "<!-- with common:begin -->\nc\n<!-- with common:end -->\n"
        "| [l](lab9_x/README.md) | d |\n| `solutions` | e |\n| `common` | f |\n"
    )
    fitted = documents.fitted(text, lambda path: path in ("solutions", "lab9_x"))
    if fitted == "a\n\nc\n| `common` | f |\n":
        print("ok a README loses what is about what a release does not hold")
    else:
        print(f"FAIL a README in a release: {fitted!r}")

    readme = release / "lab1_naive/README.md"
    for line, wanted in (
        ("see `solutions/lab1_naive`", "shows 'solutions/'"),
        ("`make test SOLUTION=1`", "shows 'SOLUTION='"),
        ("[gone](../nowhere.md)", "links to ../nowhere.md"),
        ("`make -C lab9_x test`", "command for lab9_x"),
    ):
        kept = readme.read_text(encoding="utf-8")
        readme.write_text(f"{line}\n{kept}", encoding="utf-8")
        said = list(documents.untrue(release, "lab1_naive/README.md", ["lab9_x"]))
        readme.write_text(kept, encoding="utf-8")
        verdict = "ok" if len(said) == 1 and wanted in said[0] else f"FAIL {said}"
        print(f"{verdict} a README that says {line} is refused")


def main():
    release = pathlib.Path(sys.argv[1])
    names = [path.relative_to(release).as_posix() for path in release.glob("lab*/*")]
    secrets = leftovers.Secrets([name for name in names if exercises.is_one(name)])
    for way in ways(release):
        check(release, secrets, *way)
    check_documents(release)
    shutil.rmtree(release)


if __name__ == "__main__":
    main()
