"""Checks that the simulated device and Oclgrind find the same faults at the same lines.

Each fault lies in common/simulator/peers/faults with a near miss of it, as a CUDA file, of which
Oclgrind gets the same lines in OpenCL. A file's first comment names the finding, `// FAULT` marks
its lines; `// LEADS OVER IT` marks a return that the simulated device alone names. If the two cannot
agree, the file says what Oclgrind reports besides, and the reason:
    // Differs: KIND LINE...: reason
"""

import pathlib
import re
import shutil
import subprocess

import pytest
from run_report import ROOT

pytestmark = pytest.mark.seconds(10)
FAULTS = ROOT / "common/simulator/peers/faults"
NAMES = sorted(str(path.relative_to(FAULTS).with_suffix("")) for path in FAULTS.glob("*/*.cu"))
OCLGRIND = shutil.which("oclgrind-kernel")
each_fault = pytest.mark.parametrize("fault", NAMES)

# Without optimization, so that two barriers in two branches stay two. One thread, as with more the
# order of the blocks would be left to chance.
OPTIONS = """--data-races --uninitialized --uniform-writes --num-threads 1 --max-errors 1000000
    --build-options -cl-opt-disable""".split()
KINDS = {
    r"(Read-write|Write-write) data race": "race",
    r"Work-group divergence": "barrier-divergence",
    r"Invalid (read|write)": "out-of-bounds",
    r"Uninitialized|.*depends on uninitialized": "unset-read",
}
# CUDA's words and those of OpenCL, in the order in which they are replaced.
WORDS = {
    "__global__ void": "kernel void",
    "(const int* in, int* out)": "(global const int* in, global int* out)",
    "__shared__": "local",
    "blockIdx.x * blockDim.x + threadIdx.x": "get_global_id(0)",
    "threadIdx.x": "get_local_id(0)",
    "threadIdx.y": "get_local_id(1)",
    "blockIdx.x": "get_group_id(0)",
    "blockIdx.y": "get_group_id(1)",
    "__syncthreads()": "barrier(CLK_LOCAL_MEM_FENCE)",
    "atomicAdd": "atomic_add",
}


class Marked:
    """What a file says of itself."""

    def __init__(self, fault: str) -> None:
        self.text = (FAULTS / f"{fault}.cu").read_text(encoding="utf-8")
        self.kind = self.text.partition("\n")[0].removeprefix("// Finding: ")
        lines = enumerate(self.text.splitlines(), 1)
        self.lines = [number for number, line in lines if "// FAULT" in line]
        self.differs = re.findall("^// Differs: ([^:]*): .", self.text, re.MULTILINE)

    @property
    def opencl(self) -> str:
        """Returns the kernel in OpenCL, each line with its number."""
        text = self.text.partition("\nvoid launch")[0]
        for cuda, opencl in WORDS.items():
            text = text.replace(cuda, opencl)
        return text


def simulated(fault: str) -> list[str]:
    """Returns the simulated device's findings, each a kind and its lines."""
    program = [str(ROOT / "build/faults" / fault)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"no verdict, but status {done.returncode}: {done.stderr}"
    text = (FAULTS / f"{fault}.cu").read_text(encoding="utf-8").splitlines()
    over = [str(at) for at, line in enumerate(text, 1) if "// LEADS OVER IT" in line]
    found = [
        [word for word in line.split() if word not in over] for line in done.stdout.splitlines()
    ]
    return sorted({" ".join(words) for words in found})


def geometry(text: str) -> str:
    """Returns the threads in each direction, of the grid and of a block, as Oclgrind wants them;
    the launch is <<<4, 16>>> or <<<dim3(2, 2), dim3(4, 4)>>>."""
    launch = re.search("<<<(.*)>>>", text)[1].replace("dim3", "")
    sizes = [int(size) for size in re.findall(r"\d+", launch)]
    half = len(sizes) // 2
    grid, block = sizes[:half], sizes[half:]
    threads = [blocks * width for blocks, width in zip(grid, block)]
    return "".join(" ".join(map(str, (*it, 1, 1)[:3])) + "\n" for it in (threads, block))


def findings(report: str) -> list[str]:
    """Returns what a report of Oclgrind's says, as simulated() does; a message of no known kind
    stands for itself."""
    found = []
    for one in re.split("^(?=[A-Z])", report, flags=re.MULTILINE)[1:]:
        title = one.partition("\n")[0]
        kind = next((kind for words, kind in KINDS.items() if re.match(words, title)), title)
        lines = sorted({int(line) for line in re.findall(r"^\tAt line (\d+)", one, re.MULTILINE)})
        found.append(" ".join([kind, *map(str, lines)]))
    return sorted(set(found))


def oclgrinds(fault: str, folder: pathlib.Path) -> list[str]:
    """Returns Oclgrind's findings, as simulated() does."""
    marked = Marked(fault)
    buffers = "<size=256 range=1:1:64 int>\n<size=256 fill=0 int>\n"
    (folder / "fault.cl").write_text(marked.opencl, encoding="utf-8")
    asked = f"fault.cl\nfault\n{geometry(marked.text)}{buffers}"
    (folder / "fault.sim").write_text(asked, encoding="utf-8")
    command = [OCLGRIND, *OPTIONS, "fault.sim"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    return [f"no verdict, but '{said.strip()}'"] if done.returncode else findings(said)


@each_fault
def test_a_fault_marks_lines_and_is_opencl_without_a_word_of_cuda(fault: str) -> None:
    marked = Marked(fault)
    assert (marked.kind == "none") == (marked.lines == [])
    assert not re.search(r"__\w+|Idx|Dim|<<<|#include", marked.opencl)


@each_fault
def test_the_simulated_device_finds_a_fault_and_nothing_in_its_near_miss(fault: str) -> None:
    marked, said = Marked(fault), simulated(fault)
    assert {line.split()[0] for line in said} == {marked.kind} - {"none"}
    assert {int(word) for line in said for word in line.split()[1:]} == set(marked.lines)


def test_oclgrind_finds_the_same_but_for_the_differences_explained(tmp_path: pathlib.Path) -> None:
    if not OCLGRIND:
        pytest.skip("Oclgrind is not installed")
    wanted = {fault: sorted({*simulated(fault), *Marked(fault).differs}) for fault in NAMES}
    assert {fault: oclgrinds(fault, tmp_path) for fault in NAMES} == wanted
