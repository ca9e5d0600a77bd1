"""Shows the main job of the course: each lab on all of its data sets, one table a lab; then the
kernels of the first two labs side by side. Called by `make demo`. With SOLUTION=1 it runs the
solutions; otherwise the student's own kernels, and where one fails the next lab's still runs."""

import os
import subprocess

from course import lab_make

SETS = "build/datasets"
# The labs whose kernels do the same, on the largest of the sets.
COMPARED, AT = ("lab1_naive", "lab2_tiled"), "square-256-integers"


def main(*labs: str) -> int:
    solution = os.environ.get("SOLUTION", "")
    if not solution:
        print("Your own kernels, as there are no solutions here; a lab that is not finished fails.")
    status = subprocess.call(["build/generate", "--out", SETS])
    if status:
        return status if status > 0 else 128 - status  # a signal, as in make demo | head
    failed = False
    for lab in labs:
        print(lab if lab == labs[0] else f"\n{lab}")
        arguments = f"ARGS=--sets {SETS} --sets datasets/libwb --table"
        done = lab_make.run(f"LAB={lab}", f"SOLUTION={solution}", "run", arguments)
        failed = failed or done.returncode != 0
    # On a card the time is that of the whole call, of which copies take the most.
    if set(COMPARED) <= set(labs) and not failed and os.environ.get("DEVICE", "") != "gpu":
        compare(solution)
    return 1 if failed else 0


def compare(solution: str) -> None:
    """Shows the kernels of the first two labs on the same matrices, a line each."""
    print(f"\nThe same product by both, {AT}:\n")
    print("kernel       global loads    requests  modelled time on a card", flush=True)
    for lab in COMPARED:
        arguments = f"ARGS=--set {SETS}/{AT} --brief"
        lab_make.run(f"LAB={lab}", f"SOLUTION={solution}", "run", arguments)
