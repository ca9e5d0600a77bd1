"""Builds the benchmark of lab 4's ladder and runs it on a card, its rungs beside cuBLAS. Called by
`make bench DEVICE=gpu`; the results go to the folder RESULTS, or to build/gpu/bench.

usage: bench.py GIVEN    in the course's root; GIVEN: the names on make's command line

Exit status: that of the benchmark, or 2 where it cannot be built.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.append(str(ROOT / "common"))
from course import usage  # noqa: E402

LADDER = pathlib.Path("solutions/lab4_memtypes/ladder")
KNOWN = ["DEVICE", "ARCH", "COMPILE_ONLY", "RESULTS"]


def answer(*script: str) -> str:
    done = subprocess.run(script, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip()


class Build:
    """The program that times the rungs, and its objects in a folder of the architecture's own."""

    def __init__(self, arch: str, compile_only: bool) -> None:
        arch = arch or ("90" if compile_only else "")
        self.out = pathlib.Path("build/gpu/bench" + (f"-sm{arch}" if arch else ""))
        nvcc = answer("common/setup/cuda.sh", "nvcc")
        target = f"sm_{arch}" if arch else "native"
        self.nvcc = [nvcc, "-std=c++17", "-O3", "-lineinfo", f"-arch={target}"]
        patterns = ("*.cu", "bench/*.cu", "bench/*.cpp")
        files = [path for pattern in patterns for path in sorted(LADDER.glob(pattern))]
        self.objects = {path: self.out / f"{path}.o" for path in files}
        self.newest_header = max(path.stat().st_mtime for path in LADDER.rglob("*.h"))

    def compile(self, source: pathlib.Path) -> bool:
        """Returns whether the object is there; the compiler has said why it is not."""
        into = self.objects[source]
        newest = max(source.stat().st_mtime, self.newest_header)
        if into.exists() and into.stat().st_mtime > newest:
            return True
        into.parent.mkdir(parents=True, exist_ok=True)
        print(f"  nvcc     {source}\n", end="", flush=True)
        # Without -Wshadow, which the toolkit's own headers do not stand; a .cpp file has no loop that
        # is unrolled, but its headers may.
        warnings = "-Xcompiler=-Wall,-Wextra,-Werror,-Wno-unknown-pragmas"
        flags = [f"-I{LADDER}", warnings, "-c", source, "-o", into]
        return subprocess.run([*self.nvcc, *flags], check=False).returncode == 0

    def program(self) -> str:
        """Returns the path of the program; '' where it cannot be built."""
        with concurrent.futures.ThreadPoolExecutor(int(answer("common/setup/jobs.sh"))) as pool:
            if not all(pool.map(self.compile, self.objects)):
                return ""
        program = str(self.out / "gpu_bench")
        link = [*self.nvcc, *self.objects.values(), "-lcublas", "-o", program]
        if subprocess.run(link, check=False).returncode:
            where = "is cuBLAS there? It comes with the CUDA toolkit."
            print(f"gpu_bench does not link; {where}", file=sys.stderr)
            return ""
        return program


def main(given: str = "") -> int:
    value = {name: os.environ.get(name, "") for name in [*KNOWN, *usage.VALUES]}
    try:
        usage.check_names("make bench", given, KNOWN)
        usage.check_values({**value, "DEVICE": "gpu", "SOURCE": "Makefile"})
    except usage.Refused as sentence:
        print(sentence, file=sys.stderr)
        return 2
    compile_only = value["COMPILE_ONLY"] not in ("", "0")
    program = Build(value["ARCH"], compile_only).program()
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
    for what, files in (["shapes"], shapes), ([], rungs):
        if subprocess.run([program, *what, *files, driver], check=False).returncode:
            return 2
    written = [*rungs, *shapes]
    print(f"\nWritten: {', '.join(written)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
