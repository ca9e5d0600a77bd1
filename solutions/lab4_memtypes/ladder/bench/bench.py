"""Builds the benchmark of lab 4's ladder and runs it on a card, its rungs beside cuBLAS. Called by
`make bench DEVICE=gpu`; the results go to the folder RESULTS, or to build/gpu/bench.

usage: bench.py GIVEN    in the course's root; GIVEN: the names on make's command line

Exit status: that of the benchmark, or 2 if it cannot be built.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.append(str(ROOT / "common"))
from course import usage  # noqa: E402
from text import uncaught  # noqa: E402, F401

LADDER = pathlib.Path("solutions/lab4_memtypes/ladder")
KNOWN = ["DEVICE", "ARCH", "COMPILE_ONLY", "RESULTS"]


def answer(*script: str) -> str:
    done = subprocess.run(script, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip()


class Build:
    """A program for a card, and its objects in a folder of the architecture. Other programs with
    the rungs share their objects."""

    def __init__(self, arch: str, compile_only: bool, others: list[pathlib.Path]) -> None:
        """`others`: the sources beside the rungs."""
        arch = arch or ("90" if compile_only else "")
        self.out = pathlib.Path("build/gpu/bench" + (f"-sm{arch}" if arch else ""))
        nvcc = answer("common/setup/cuda.sh", "nvcc")
        target = f"sm_{arch}" if arch else "native"
        self.nvcc = [nvcc, "-std=c++17", "-O3", "-lineinfo", f"-arch={target}"]
        files = [*sorted(LADDER.glob("*.cu")), *others]
        self.objects = {path: self.out / f"{path}.o" for path in files}

    def compile(self, source: pathlib.Path) -> bool:
        """Compiles the object; returns False after an error, which the compiler has printed."""
        into = self.objects[source]
        if is_made(into):
            return True
        into.parent.mkdir(parents=True, exist_ok=True)
        print(f"  nvcc     {source}\n", end="", flush=True)
        # Without -Wshadow, because the toolkit's headers would get warnings. A .cpp file has no
        # loop that is unrolled, but its headers may.
        warnings = "-Xcompiler=-Wall,-Wextra,-Werror,-Wno-unknown-pragmas"
        flags = ["-I.", f"-I{LADDER}", warnings, "-MMD", "-c", str(source), "-o", str(into)]
        return subprocess.run([*self.nvcc, *flags], check=False).returncode == 0

    def program(self, name: str, library: str = "", advice: str = "") -> str:
        """Returns the path of the program; '' if it cannot be built; stderr explains why."""
        with concurrent.futures.ThreadPoolExecutor(int(answer("common/setup/jobs.sh"))) as pool:
            if not all(pool.map(self.compile, self.objects)):
                return ""
        program = str(self.out / name)
        objects = map(str, self.objects.values())
        link = [*self.nvcc, *objects, *filter(None, [library]), "-o", program]
        if subprocess.run(link, check=False).returncode:
            print(f"{name} does not link{advice}", file=sys.stderr)
            return ""
        return program


def is_made(into: pathlib.Path) -> bool:
    """Tells whether an object is newer than all files that the compiler has read for it."""
    try:
        rule = into.with_suffix(".d").read_text(encoding="utf-8")
        read = rule.partition(":")[2].replace("\\\n", " ").split()
        return into.stat().st_mtime > max(os.stat(file).st_mtime for file in read)
    except FileNotFoundError:
        return False


def gpu_bench(arch: str, compile_only: bool) -> str:
    own = [path for end in ("cu", "cpp") for path in sorted(LADDER.glob(f"bench/*.{end}"))]
    advice = "; is cuBLAS there? It comes with the CUDA toolkit."
    return Build(arch, compile_only, own).program("gpu_bench", "-lcublas", advice)


def main(given: str = "") -> int:
    value = {name: os.environ.get(name, "") for name in [*KNOWN, *usage.VALUES]}
    try:
        usage.check_names("make bench", given, KNOWN)
        usage.check_values({**value, "DEVICE": "gpu", "SOURCE": "Makefile"})
    except usage.Refused as sentence:
        print(sentence, file=sys.stderr)
        return 2
    compile_only = value["COMPILE_ONLY"] not in ("", "0")
    program = gpu_bench(value["ARCH"], compile_only)
    if not program:
        return 2
    if compile_only:
        print("make bench: compiled, not run (COMPILE_ONLY=1)")
        return 0
    results = value["RESULTS"] or "build/gpu/bench"
    os.makedirs(results, exist_ok=True)
    driver = answer("common/setup/cuda.sh", "card").rpartition("driver ")[2]
    shapes = [f"{results}/shapes.csv", f"{results}/shapes.md"]
    rungs = [f"{results}/bench.csv", f"{results}/bench.md"]
    for what, files in (("shapes",), shapes), ((), rungs):
        if subprocess.run([program, *what, *files, driver], check=False).returncode:
            return 2
    written = [*rungs, *shapes]
    print(f"\nWritten: {', '.join(written)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
