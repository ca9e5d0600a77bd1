#!/usr/bin/env python3
"""Shows what a slip costs: solutions with one slip each, and the points that they earn.

usage: slip_costs.py [WORDS]    the slips whose name holds these words; all without

A slip is a replacement in a lab's solution; `costs` names the tests that it may fail, by the
beginnings of their names. All other tests must pass (see test_slip_costs.py).
"""

import functools
import pathlib
import re
import sys
from dataclasses import dataclass

import judging
from run_report import ROOT

sys.path.append(str(ROOT / "common/grading"))
import points  # noqa: E402
import scoring  # noqa: E402

HIDDEN = "solutions/hidden"


@dataclass(frozen=True)
class Slip:
    lab: str
    name: str
    old: str  # a pattern, replaced once
    new: str
    costs: tuple[str, ...]
    part: str = "kernel"

    @property
    def file(self) -> pathlib.Path:
        """Writes the file with the slip; returns its path from the root."""
        name = re.sub(r"\W+", "_", self.name)
        path = pathlib.Path("build/check/marks", self.lab, self.part, f"{name}.cu")
        solved = ROOT / "solutions" / self.lab / f"{self.part}.cu"
        text = solved.read_text(encoding="utf-8")
        text, count = re.subn(self.old, self.new, text, count=1, flags=re.DOTALL)
        assert count == 1, f"'{self.name}' does not fit {solved}"
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text, encoding="utf-8")
        return path

    @functools.cached_property
    def tests(self) -> list[dict]:
        """Returns the part's tests with their scores, the hidden ones as well."""
        words = (f"HIDDEN={HIDDEN}", "LAB_SEED=marks", f"KERNEL={self.file}")
        run = judging.Run(self.lab, self.part, f"marks-{self.file.stem}", *words)
        with open(run.log.with_suffix(".results"), encoding="utf-8") as lines:
            verdicts = scoring.verdicts_of(lines)
        return scoring.score_tests(points.load(self.lab).parts[self.part], verdicts)

    def may_fail(self, test: str) -> bool:
        return test.startswith(self.costs)


# What runs kernel and host side together.
BOTH = ("the product", "hidden: ")
# What no kernel earns that a bad access ends.
KERNEL = ("TODO(1)", "TODO(2)", "TODO(3)", "TODO(4)", "each element", "the kernel is right", *BOTH)
KERNEL = (*KERNEL, "M and N", "at Width", "a warp")
HOST = tuple(f"TODO({n})" for n in range(5, 11)) + ("an allocation", *BOTH, "M and N", "at Width")
BODY = r"(void matrixMulKernel\([^{]*\{).*?\n\}"
SLIPS = [
    Slip("lab1_naive", "k <= Width", "k < Width", "k <= Width", KERNEL),
    Slip("lab1_naive", "no guard", r"if \(Row < Width && Col < Width\) ", "", KERNEL),
    Slip(
        "lab1_naive",
        "row from x",
        r"blockIdx\.y (\* blockDim)\.y (\+ threadIdx)\.y(.*?)blockIdx\.x [^;]*",
        r"blockIdx.x \1.x \2.x\3blockIdx.y \1.y \2.y",
        ("a warp",),
    ),
    Slip(
        "lab1_naive",
        "M and N swapped in the kernel",
        r"M\[Row \* Width \+ k\] \* N\[",
        "N[Row * Width + k] * M[",
        ("TODO(3)", "the kernel is right", "a warp", *BOTH),
    ),
    Slip("lab1_naive", "no store", r" +P\[Row[^\n]*\n", "", KERNEL),
    Slip("lab1_naive", "kernel untouched", BODY, r"\1\n}", KERNEL),
    Slip("lab1_naive", "host untouched", r"(void matrixMul\([^{]*\{).*?\n\}", r"\1\n}", HOST),
    Slip(
        "lab1_naive",
        "one cudaFree forgotten",
        r" +CHECK\(cudaFree\(d_N\)\);\n",
        "",
        ("TODO(10)",),
    ),
    Slip(
        "lab1_naive",
        "grid rounded down",
        r"\(Width \+ BLOCK_WIDTH - 1\) / BLOCK_WIDTH",
        "Width / BLOCK_WIDTH",
        ("TODO(7)", "TODO(9)", *BOTH, "M and N"),
    ),
    Slip(
        "lab1_naive",
        "no copy back",
        r" +CHECK\(cudaMemcpy\(P,[^\n]*\n",
        "",
        ("TODO(9)", *BOTH, "M and N"),
    ),
    Slip(
        "lab1_naive",
        "M and N swapped at the launch",
        r"\(d_M, d_N, d_P",
        "(d_N, d_M, d_P",
        ("TODO(7)", *BOTH),
    ),
    Slip(
        "lab1_naive",
        "a copy without CHECK",
        r"CHECK\((cudaMemcpy\(d_M.*?)\);",
        r"\1;",
        ("TODO(6)",),
    ),
    Slip(
        "lab1_naive",
        "a cudaMalloc without CHECK",
        r"CHECK\((cudaMalloc\(&d_M, bytes\))\)",
        r"\1",
        ("an allocation",),
    ),
    Slip(
        "lab1_naive",
        "launch not looked at",
        r" +CHECK\(cudaGetLastError\(\)\);\n",
        "",
        ("TODO(8)",),
    ),
    # Each run of the host side then reads memory that nobody has written.
    Slip("lab1_naive", "N not copied in", r" +CHECK\(cudaMemcpy\(d_N[^\n]*\n", "", HOST),
]


def main() -> None:
    words = " ".join(sys.argv[1:])
    for slip in (slip for slip in SLIPS if words in slip.name):
        score = points.total(test["score"] for test in slip.tests)
        most = points.total(test["points"] for test in slip.tests)
        failed = [test["test"] for test in slip.tests if not test["score"]]
        print(f"{slip.lab:12} {slip.name:32} {score:4} of {most}", flush=True)
        for test in failed:
            mark = " " if slip.may_fail(test) else "!"
            print(f"    {mark} {test[:74]}", flush=True)


if __name__ == "__main__":
    main()
