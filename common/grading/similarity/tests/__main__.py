"""Tests that a copy is found among right solutions written differently, on the labs' own files.
Prints 'ok ...' or 'FAIL ...' for each fact, for check_all.sh."""

import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from release.contents import ROOT
from similarity import score

RENAMED = dict(
    zip(
        "Row Col Pvalue Mds Nds tx ty ph d_M d_N d_P bytes dimGrid dimBlock k".split(),
        "r c sum a b x y step devA devB devC size g blk i".split(),
    )
)


def disguised(text):
    """Returns the text with other names, other comments, and its functions in another order."""
    text = re.sub(r"//.*", "// all my own work", text)
    names = "|".join(RENAMED)
    text = re.sub(rf"\b({names})\b", lambda name: RENAMED[name[1]], text)
    # The kernel is declared first and defined last.
    begin = text.index("__global__")
    end = text.index("\n}\n", begin) + 3
    kernel = text[begin:end]
    head = kernel[: kernel.index("{")].strip()
    return f"{text[:begin]}{head};\n{text[end:]}\n{kernel}"


def a_class(lab):
    """Returns the solution, its copy in disguise, and the styles: right kernels written
    differently."""
    solution = (ROOT / "solutions" / lab / "kernel.cu").read_text(encoding="utf-8")
    texts = {"original": solution, "copy": disguised(solution)}
    for style in sorted((ROOT / "solutions/styles" / lab).glob("*.cu")):
        texts[style.stem] = style.read_text(encoding="utf-8")
    return texts


def check(fact, holds, shown):
    print(f"ok similarity: {fact}" if holds else f"FAIL similarity: {fact}: {shown}")


def check_order(lab):
    skeleton = (ROOT / lab / "kernel.cu").read_text(encoding="utf-8")
    found = score.pairs(a_class(lab), skeleton)
    best = found[0]
    names = {best.first, best.second}
    shown = [pair[:5] for pair in found[:3]]
    check(f"{lab}: a copy in disguise is on top", names == {"original", "copy"}, shown)
    # Some styles are made from one another, so only pairs with the original or its copy count.
    others = [pair for pair in found if len({"original", "copy"} & {pair.first, pair.second}) == 1]
    highest = max(pair.rare for pair in others)
    check(
        f"{lab}: rare is {best.rare:.0f} for the copy, {highest:.0f} or less for other solutions",
        highest < 0.7 * best.rare,
        shown + [pair[:5] for pair in others[:2]],
    )


def check_extremes():
    skeleton = (ROOT / "lab2_tiled/kernel.cu").read_text(encoding="utf-8")
    untouched = score.pairs({"a": skeleton, "b": skeleton}, skeleton)
    check("two untouched skeletons share nothing of their own", untouched == [], untouched)
    odd = {"a": "", "b": '"never closed /* nor this', "c": "\0\ufffd" * 1000}
    check("files that are no programs share nothing", score.pairs(odd, skeleton) == [], "")


def check_command():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in a_class("lab3_boundary").items():
            path = pathlib.Path(folder, "in", name, "lab3_boundary", "kernel.cu")
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
        pathlib.Path(folder, "in", "broken.zip").write_bytes(b"PK\3\4")
        # The Makefile starts it like this.
        done = subprocess.run(
            [sys.executable, "-m", "similarity"], capture_output=True, text=True,
            env={**os.environ, "SUBMISSIONS": f"{folder}/in", "OUT": f"{folder}/out", "LABS": "lab3"},
        )  # fmt: skip
        out = pathlib.Path(folder, "out")
        if done.returncode:
            check("the report is written", False, done.stderr)
            return
        rows = list(csv.DictReader(io.StringIO((out / "similarity.csv").read_text())))
        page = (out / "similarity.md").read_text()
        first = {rows[0]["student_a"], rows[0]["student_b"]}
        check("the table begins with the copy", first == {"original", "copy"}, rows[0])
        wanted = ("proves\nnothing", "## 1. lab3_boundary/kernel.cu: ", "- broken: the archive")
        missing = [words for words in wanted if words not in page]
        check("the page says what it is worth, shows lines, names what is not read", not missing,
              missing)  # fmt: skip


def main():
    for lab in ("lab1_naive", "lab2_tiled", "lab3_boundary"):
        check_order(lab)
    check_extremes()
    check_command()


if __name__ == "__main__":
    main()
