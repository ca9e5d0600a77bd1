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

    def __str__(self) -> str:
        return f"{self.lab}, {self.part}, {self.name}"

    @property
    def file(self) -> pathlib.Path:
        """Writes the file with the slip; returns its path from the root."""
        name = re.sub(r"\W+", "_", self.name)
        path = pathlib.Path("build/check/slips", self.lab, self.part, f"{name}.cu")
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
ENDS = ("the kernel is right", *BOTH, "M and N", "at Width", "a warp")
KERNEL = ("TODO(1)", "TODO(2)", "TODO(3)", "TODO(4)", "each element", *ENDS)
HOST = tuple(f"TODO({n})" for n in range(5, 11)) + ("an allocation", *BOTH, "M and N", "at Width")
SLIPS: list[Slip] = []

# Lines of several solutions, with one slip each.
LEAK = r" +CHECK\(cudaFree\(d_N\)\);\n", ""
UNCHECKED = r"CHECK\((cudaMemcpy\(d_M.*?)\);", r"\1;"
NO_STORE = r" +P\[Row[^\n]*\n", ""


def slips(lab: str, *rows: tuple, part: str = "kernel") -> None:
    """Adds slips, of each its name, the replacement, and the tests that it may fail."""
    SLIPS.extend(Slip(lab, name, *change, tuple(costs), part) for name, change, *costs in rows)


slips(
    "lab1_naive",
    ("k <= Width", ("k < Width", "k <= Width"), "TODO(3)", "each element", *ENDS),
    ("no guard", (r"if \(Row < Width && Col < Width\) ", ""), "TODO(2)", "TODO(4)", *ENDS),
    (
        "row from x",
        (
            r"blockIdx\.y (\* blockDim)\.y (\+ threadIdx)\.y(.*?)blockIdx\.x [^;]*",
            r"blockIdx.x \1.x \2.x\3blockIdx.y \1.y \2.y",
        ),
        "a warp",
    ),
    (
        "M and N swapped in the kernel",
        (r"M\[Row \* Width \+ k\] \* N\[", "N[Row * Width + k] * M["),
        *("TODO(3)", "the kernel is right", "a warp", *BOTH),
    ),
    ("no store", NO_STORE, *KERNEL),
    ("kernel untouched", (r"(void matrixMulKernel\([^{]*\{).*?\n\}", r"\1\n}"), *KERNEL),
    ("host untouched", (r"(void matrixMul\([^{]*\{).*?\n\}", r"\1\n}"), *HOST),
    ("one cudaFree forgotten", LEAK, "TODO(10)"),
    (
        "grid rounded down",
        (r"\(Width \+ BLOCK_WIDTH - 1\) / BLOCK_WIDTH", "Width / BLOCK_WIDTH"),
        *("TODO(7)", "TODO(9)", *BOTH, "M and N"),
    ),
    (
        "no copy back",
        (r" +CHECK\(cudaMemcpy\(P,[^\n]*\n", ""),
        *("TODO(9)", *BOTH, "M and N"),
    ),
    (
        "M and N swapped at the launch",
        (r"\(d_M, d_N, d_P", "(d_N, d_M, d_P"),
        *("TODO(7)", *BOTH),
    ),
    ("a copy without CHECK", UNCHECKED, "TODO(6)"),
    (
        "a cudaMalloc without CHECK",
        (r"CHECK\((cudaMalloc\(&d_M, bytes\))\)", r"\1"),
        "an allocation",
    ),
    ("launch not looked at", (r" +CHECK\(cudaGetLastError\(\)\);\n", ""), "TODO(8)"),
    (
        "N not copied in",
        (r" +CHECK\(cudaMemcpy\(d_N[^\n]*\n", ""),
        *("TODO(6)", *BOTH, "M and N", "at Width"),
    ),
)

# What a tiled kernel fails whose product is wrong.
WRONG = ("the product", "hidden: ", "M and N", "P is covered", "a thread waits", "the same bits")
WRONG = (*WRONG, "a warp's loads", "no bank conflicts", "warps diverge", "the larger the tile")


slips(
    "lab2_tiled",
    ("k <= TILE_WIDTH", ("k < TILE_WIDTH", "k <= TILE_WIDTH"), "TODO(5)", *WRONG),
    (
        "a phase too many",
        ("ph < Width / TILE", "ph <= Width / TILE"),
        *("TODO(2)", "TODO(3)", "1/TILE_WIDTH", "TODO(5)", *WRONG),
    ),
    (
        "no second barrier",
        (r"(Nds\[k\]\[tx\];\n +\})\n +__syncthreads\(\);", r"\1"),
        *("TODO(6)", "TODO(5)", *WRONG),
    ),
    ("a wrong row of M", (r"M\[Row \* Width", "M[ty * Width"), "TODO(2)", "TODO(5)", *WRONG),
    ("no store", NO_STORE, "TODO(7)", "TODO(5)", *WRONG),
    ("one cudaFree forgotten", LEAK, "P is covered"),
    ("a copy without CHECK", UNCHECKED, "P is covered"),
)
slips(
    "lab3_boundary",
    (
        "a phase too many",
        (r"\(k - 1\) / TILE_WIDTH \+ 1;\n    float", "k / TILE_WIDTH + 1;\n    float"),
        "TODO(1)",
    ),
    ("no row guard of M", (r"Row < j && (ph)", r"\1"), "TODO(2)", "TODO(4)", *WRONG),
    ("M's guard goes too far", (r"\+ tx < k", "+ tx <= k"), "TODO(2)", "TODO(4)", *WRONG),
    ("no row guard of N", (r"ph \* TILE_WIDTH \+ ty < k && ", ""), "TODO(3)", "TODO(4)", *WRONG),
    ("no guard of P", (r"if \(Row < j && Col < l\) \{\n", "{\n"), "TODO(4)", "TODO(5)", *WRONG),
    ("a sum that goes too far", ("i < TILE_WIDTH", "i <= TILE_WIDTH"), "TODO(4)", *WRONG),
    ("no store", NO_STORE, "TODO(4)", "TODO(5)", *WRONG),
    ("grid untouched", (r"dimGrid\([^;]*", "dimGrid(1, 1)"), "TODO(6)", *WRONG),
    (
        "grid rounded down",
        (r"dimGrid\([^;]*", "dimGrid(l / TILE_WIDTH, j / TILE_WIDTH)"),
        *("TODO(6)", *WRONG),
    ),
    ("one cudaFree forgotten", LEAK, "TODO(6)"),
    ("a copy without CHECK", UNCHECKED, "TODO(6)"),
)
slips("lab3_boundary", ("one cudaFree forgotten", LEAK, "the zeros"), part="padding")
slips("lab3_boundary", ("one cudaFree forgotten", LEAK, "TODO(3)"), part="submatrix")
slips(
    "lab4_memtypes",
    ("k <= tileWidth", ("k < tileWidth", "k <= tileWidth"), "TODO(3)", *WRONG),
    (
        "no guard of M",
        (r"insideM \? (M\[Row \* Width \+ ColOfM\]) : 0.0f", r"\1"),
        *("TODO(2)", *WRONG),
    ),
    ("no guard of P", (r"if \(Row < Width && Col < Width\) \{", "{"), "TODO(4)", *WRONG),
    (
        "a sum of a wrong column",
        (r"\* Nds\[k \* tileWidth \+ tx\]", "* Nds[tx * tileWidth + k]"),
        *("TODO(3)", *WRONG),
    ),
    (
        "no size of the shared array",
        (", sharedBytes>>>", ">>>"),
        *("TODO(6)", "TODO(7)", "TODO(8)", *WRONG),
    ),
    (
        "the size not asked for",
        (r" +CHECK\(cudaFuncSet.*?;\n", ""),
        *("TODO(6)", "TODO(8)", *WRONG),
    ),
    ("always the least tile", (r"chooseTileWidth\(device\)\)", "ROWS)"), "TODO(8)"),
    ("one cudaFree forgotten", LEAK, "TODO(7)"),
    ("the attribute without CHECK", (r"CHECK\((cudaFuncSet.*?)\);", r"\1;"), "TODO(6)"),
)
slips("lab4_memtypes", ("one cudaFree forgotten", LEAK, "TODO(3): M is cut"), part="constant")


def main() -> None:
    words = " ".join(sys.argv[1:])
    for slip in (slip for slip in SLIPS if words in slip.name):
        score = points.total(test["score"] for test in slip.tests)
        most = points.total(test["points"] for test in slip.tests)
        failed = [test["test"] for test in slip.tests if not test["score"]]
        print(f"{slip.lab:13} {slip.part:9} {slip.name:32} {score:4} of {most}", flush=True)
        for test in failed:
            mark = " " if slip.may_fail(test) else "!"
            print(f"    {mark} {test[:74]}", flush=True)


if __name__ == "__main__":
    main()
