"""Measures the cases of solutions/model on a card. Called by `make model DEVICE=gpu`; the results
go to the folder RESULTS, or to build/gpu/model: times.csv, card.txt and, where Nsight Compute may
read the card's counters, profile.csv.

usage: model.py GIVEN    in the course's root; GIVEN: the names on make's command line

Exit status: 0; 2 where the program cannot be built or there is no card.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "common"))
from course import usage  # noqa: E402

MODEL = pathlib.Path("solutions/model")
LADDER = pathlib.Path("solutions/lab4_memtypes/ladder")
KNOWN = ["DEVICE", "ARCH", "COMPILE_ONLY", "RESULTS"]
SECTIONS = ("SpeedOfLight", "MemoryWorkloadAnalysis", "WarpStateStats", "Occupancy", "LaunchStats")


def answer(*script: str) -> str:
    done = subprocess.run(script, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip()


def program(arch: str) -> str:
    """Builds the program that measures; returns its path, '' where the compiler refuses."""
    out = pathlib.Path("build/gpu/model" + (f"-sm{arch}" if arch else ""))
    nvcc = [answer("common/setup/cuda.sh", "nvcc"), "-std=c++17", "-O3", "-lineinfo"]
    nvcc += [f"-arch=sm_{arch}" if arch else "-arch=native", "-I.", f"-I{LADDER}"]
    sources = sorted(LADDER.glob("*.cu")) + sorted(MODEL.glob("*.cu"))
    objects = [str(out / f"{source.name}.o") for source in sources]
    out.mkdir(parents=True, exist_ok=True)

    def compiled(source: pathlib.Path, into: str) -> bool:
        print(f"  nvcc     {source}\n", end="", flush=True)
        return not subprocess.run([*nvcc, "-c", source, "-o", into], check=False).returncode

    with concurrent.futures.ThreadPoolExecutor(int(answer("common/setup/jobs.sh"))) as pool:
        if not all(pool.map(compiled, sources, objects)):
            return ""
    linked = subprocess.run([*nvcc, *objects, "-o", out / "measured"], check=False)
    return "" if linked.returncode else str(out / "measured")


def profile(measured: str, file: str) -> None:
    """Asks Nsight Compute what limits each case; leaves no file where it may not, or is not there."""
    ncu = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--log-file", file]
    # One kernel fills the matrices first.
    ncu += ["--launch-skip", "1", *(word for one in SECTIONS for word in ("--section", one))]
    try:
        subprocess.run([*ncu, measured, "once"], check=True)
    except (OSError, subprocess.CalledProcessError) as why:
        print(f"no profile: {why}", file=sys.stderr)


def main(given: str = "") -> int:
    value = {name: os.environ.get(name, "") for name in [*KNOWN, *usage.VALUES]}
    try:
        usage.check_names("make model", given, KNOWN)
        usage.check_values({**value, "DEVICE": "gpu", "SOURCE": "Makefile"})
    except usage.Refused as sentence:
        print(sentence, file=sys.stderr)
        return 2
    compile_only = value["COMPILE_ONLY"] not in ("", "0")
    measured = program(value["ARCH"] or ("90" if compile_only else ""))
    if not measured:
        return 2
    if compile_only:
        print("make model: compiled, not run (COMPILE_ONLY=1)")
        return 0
    results = pathlib.Path(value["RESULTS"] or "build/gpu/model")
    results.mkdir(parents=True, exist_ok=True)
    (results / "card.txt").write_text(answer("common/setup/cuda.sh", "card") + "\n")
    if subprocess.run([measured, results / "times.csv"], check=False).returncode:
        return 2
    profile(measured, str(results / "profile.csv"))
    print(f"Written: {results}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
