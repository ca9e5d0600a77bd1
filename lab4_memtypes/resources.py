#!/usr/bin/env python3
"""What each kernel of a .cu file takes of each memory, as the assembler reports it; this needs nvcc
and no card. Called from the root:  resources.py FILE|FOLDER/

Exit status: 1 where a file does not compile, 2 where there is no nvcc. The assembler's lines:

    ptxas info    : 0 bytes gmem, 16 bytes cmem[3]
    ptxas info    : Compiling entry function 'NAME' for 'sm_75'
        40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
    ptxas info    : Used 17 registers, used 1 barriers, 4 bytes smem, 368 bytes cmem[0]
"""

import dataclasses
import os
import re
import subprocess
import sys
import tempfile

# Of newer devices the assembler does not tell the constant bytes any more.
ARCH = os.environ.get("ARCH") or "75"
OPTIONS = ("-std=c++17", "-O3", f"-arch=sm_{ARCH}", "-cubin", "-Xptxas", "-v")


@dataclasses.dataclass
class Kernel:
    name: str
    registers: int = 0
    local: int = 0
    shared: int = 0
    constant: object = "-"


def amount(line: str, unit: str) -> int | None:
    """Returns the bytes of this memory that a line names."""
    found = re.search(rf"(\d+) bytes {re.escape(unit)}", line)
    return int(found[1]) if found else None


def table(file: str, log: str) -> str:
    outside = {"gmem": 0, "cmem[3]": 0}
    kernels: list[Kernel] = []
    for line in log.splitlines():
        if " bytes gmem" in line:
            for unit in outside:
                outside[unit] += amount(line, unit) or 0
        elif "Compiling entry function" in line:
            name = line.split("'")[1].removeprefix("void ").removeprefix("(anonymous namespace)::")
            kernels.append(Kernel(name))
        elif " bytes stack frame" in line and kernels:
            kernels[-1].local = amount(line, "stack frame") or 0
        elif used := re.search(r": Used (\d+) registers", line):
            kernels[-1].registers = int(used[1])
            kernels[-1].shared = amount(line, "smem") or 0
            constant = amount(line, "cmem[0]")
            kernels[-1].constant = "-" if constant is None else constant
    lines = [
        f"{file}, compute capability {int(ARCH.rstrip('af')) / 10:.1f}",
        f"  outside of functions: {outside['gmem']} bytes __device__, "
        f"{outside['cmem[3]']} bytes __constant__",
        f"  {'kernel':<32} {'registers':>9} {'local':>8} {'shared':>8} {'constant':>9}",
    ]
    # The assembler takes the last kernel first.
    for k in reversed(kernels):
        lines.append(f"  {k.name:<32} {k.registers:9} {k.local:8} {k.shared:8} {k.constant:>9}")
    return "\n".join(lines)


def files(path: str) -> list[str]:
    """Returns the file, or the .cu files of a folder, kernel.cu first."""
    if not os.path.isdir(path):
        return [path]
    names = sorted(name for name in os.listdir(path) if name.endswith(".cu"))
    return [f"{path}{name}" for name in sorted(names, key=lambda name: name != "kernel.cu")]


def main() -> int:
    found = subprocess.run(["common/setup/cuda.sh", "nvcc"], stdout=subprocess.PIPE, text=True)
    if found.returncode != 0:
        print("Resources: there is no nvcc; install the CUDA toolkit, 12 or 13.", file=sys.stderr)
        return 2
    for file in files(sys.argv[1]):
        with tempfile.NamedTemporaryFile(suffix=".cubin") as cubin:
            command = [found.stdout.strip(), *OPTIONS, file, "-o", cubin.name]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            sys.stderr.buffer.write(done.stdout)
            return 1
        names = subprocess.run(["c++filt", "-p"], input=done.stdout, stdout=subprocess.PIPE)
        print(table(file, names.stdout.decode()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
