#!/usr/bin/env python3
"""Measures on this machine's card the changes that rung 10 does not have: applies each patch here
to a copy of it, and times copy and rung in turns. Writes the table to build/gpu/bench/tried.md.

usage: tried.py [--compile-only]    for sm_90 if there is no card

Exit status: 0; 1 if a product is wrong; 2 if a patch does not apply or compile.
"""

import concurrent.futures
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LADDER = HERE.parent
ROOT = HERE.parents[3]
RUNG = LADDER / "10_tuned.cu"
sys.path.append(str(ROOT / "common/checks/kit"))
import mistakes  # noqa: E402

OUT = ROOT / "build/gpu/tried"
LENGTHS = ["4096", "8192"]
TURNS = 3


def patched(name: str) -> str:
    """Returns rung 10 with a patch, or unchanged if the name is ''. Raises mistakes.Wrong if it
    does not apply."""
    if not name:
        return RUNG.read_text(encoding="utf-8")
    patch = mistakes.read(HERE / f"{name}.patch")
    patch.kind, patch.solution = "styles", RUNG  # a sentence and a diff
    return patch.text()


def names() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.patch"))


def title(name: str) -> str:
    return (HERE / f"{name}.patch").read_text(encoding="utf-8").splitlines()[0]


def build(name: str, target: str) -> str:
    """Builds the program that measures a patch. Returns the errors."""
    folder = OUT / (name or "as_it_is")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        (folder / RUNG.name).write_text(patched(name), encoding="utf-8")
    except mistakes.Wrong as why:
        return f"tried.py: {why}"
    nvcc = subprocess.run(
        ["common/setup/cuda.sh", "nvcc"], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    sources = [folder / RUNG.name, LADDER / "09_async_copies.cu", HERE / "measure.cu"]
    flags = ["-std=c++17", "-O3", f"-arch={target}", f"-I{LADDER}", "-o", str(folder / "measure")]
    done = subprocess.run(
        [nvcc.stdout.strip(), *flags, *sources], capture_output=True, text=True, check=False
    )
    return f"tried.py: {name}.patch does not compile:\n{done.stderr}" if done.returncode else ""


def rates(name: str) -> list[float]:
    """Returns GFLOP/s at each length; 0 if the product is wrong."""
    program = OUT / (name or "as_it_is") / "measure"
    done = subprocess.run([program, *LENGTHS], stdout=subprocess.PIPE, text=True, check=False)
    return [float(line) for line in done.stdout.split()]


def table(measured: dict[str, list[list[float]]]) -> str:
    """Returns a row per patch: its change, its GFLOP/s, and their share of rung 10's."""
    lines = ["| rung 10 | 4096 | 8192 | of rung 10 |", "|---|---:|---:|---:|"]
    middle = {
        name: [statistics.median(each) for each in zip(*runs)] for name, runs in measured.items()
    }
    for name, row in middle.items():
        share = statistics.geometric_mean(own / of for own, of in zip(row, middle[""]))
        cells = [
            title(name) if name else "as it is",
            *(f"{rate:,.0f}" for rate in row),
            f"{100 * share:.1f} %",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    compile_only = sys.argv[1:] == ["--compile-only"]
    if sys.argv[1:] and not compile_only:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    all_names, target = ["", *names()], "sm_90" if compile_only else "native"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        wrong = [text for text in pool.map(lambda name: build(name, target), all_names) if text]
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 2
    if compile_only:
        return 0
    measured: dict[str, list[list[float]]] = {name: [] for name in all_names}
    for _ in range(TURNS):
        for name in all_names:
            measured[name].append(rates(name))
            if len(measured[name][-1]) < len(LENGTHS) or not all(measured[name][-1]):
                print(f"tried.py: {name or 'rung 10'}: the product is wrong", file=sys.stderr)
                return 1
    into = ROOT / "build/gpu/bench/tried.md"
    into.parent.mkdir(parents=True, exist_ok=True)
    into.write_text(table(measured), encoding="utf-8")
    print(table(measured), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
