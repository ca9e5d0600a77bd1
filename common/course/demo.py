"""Shows the main job of the course: each lab on all of its data sets, one table per lab; then the
kernels of the first two labs side by side. Called by `make demo`. With SOLUTION=1 it runs the
solutions; otherwise the student's own kernels that are begun. If one fails, the next lab still
runs."""

import os
import subprocess

from course import lab_make
from course.skeleton import Skeletons

SETS = "build/datasets"
# The labs whose kernels do the same; compared on the largest data set.
COMPARED, AT = ("lab1_naive", "lab2_tiled"), "square-256-integers"


def main(*labs: str) -> int:
    solution = os.environ.get("SOLUTION", "")
    if not solution:
        print("These are your own kernels, as this copy has no solutions.")
    status = subprocess.call(["build/generate", "--out", SETS])
    if status:
        return status if status > 0 else 128 - status  # a signal, as in make demo | head
    skeletons, failed, begun = Skeletons(), False, set()
    for lab in labs:
        print(lab if lab == labs[0] else f"\n{lab}")
        if not solution and skeletons.untouched(f"{lab}/kernel.cu"):
            print(f"{lab}/kernel.cu is not begun.")
            continue
        begun.add(lab)
        arguments = f"ARGS=--sets {SETS} --sets datasets/libwb --table"
        done = lab_make.run(f"LAB={lab}", f"SOLUTION={solution}", "run", arguments)
        failed = failed or done.returncode != 0
    compile_only = os.environ.get("COMPILE_ONLY", "") not in ("", "0")
    if set(COMPARED) <= begun and not failed and not compile_only:
        compare(solution)
    return 1 if failed else 0


def compare(solution: str) -> None:
    """Shows the kernels of the first two labs on the same matrices, a line each, from the simulated
    device; then the time of each on the card, if that is asked for."""
    print(f"\nBoth kernels on the same product, {AT}:\n")
    print("kernel       global loads    requests  modelled time on a card", flush=True)
    brief(solution, "sim")
    if os.environ.get("DEVICE", "") == "gpu":
        print("\nkernel       measured, the shortest of 20 launches", flush=True)
        brief(solution, "gpu")


def brief(solution: str, device: str) -> None:
    for lab in COMPARED:
        names = (f"LAB={lab}", f"SOLUTION={solution}", f"DEVICE={device}")
        lab_make.run(*names, "run", f"ARGS=--set {SETS}/{AT} --brief")
