"""Checks that nvcc compiles every .cu file that the simulated device runs, to PTX without
optimization (-G): optimizing takes long for some kernels. test_card_commands.py builds the
solutions as programs for a card."""

import itertools
import pathlib
import re
import shutil
import subprocess
import sys

import judging
import mistakes
import pytest
from calls import call
from run_report import LOGS, ROOT

pytestmark = pytest.mark.full

SPREAD = True
if not shutil.which("nvcc"):
    pytest.skip("nvcc is not installed", allow_module_level=True)

PLACES = "", "solutions/styles", "solutions/hidden"


def files() -> dict[tuple[str, str], list[pathlib.Path]]:
    """Returns the files of each part of a lab except its solution and known mistakes. Styles of
    kernel.cu are in the lab's folder, those of another part in a folder of its name."""
    found: dict[tuple[str, str], list[pathlib.Path]] = {}
    for lab in judging.labs():
        for place in PLACES:
            for path in sorted((ROOT / place / lab).rglob("*.cu")):
                folder = path.parent.name
                if folder == "next":  # below
                    continue
                part = (folder if folder != lab else "kernel") if place else path.stem
                found.setdefault((lab, part), []).append(path.relative_to(ROOT))
    return found


def compiled(source: pathlib.Path, lab: str) -> str:
    """Returns nvcc's errors about a file of a lab, '' if it compiles."""
    out = LOGS / f"nvcc-{re.sub('[^A-Za-z0-9]+', '-', str(source))}.ptx"
    command = ["nvcc", "-std=c++17", "-G", "-ptx", f"-I{lab}", str(source), "-o", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    out.unlink(missing_ok=True)
    return done.stdout + done.stderr if done.returncode else ""


def includes(source: pathlib.Path) -> tuple[str, ...]:
    return tuple(re.findall(r"(?m)^#include <.*", (ROOT / source).read_text(encoding="utf-8")))


def one_of(sources: list[pathlib.Path]) -> str:
    """Returns the path of a file that contains several, each in a namespace, after the headers that
    all of them include."""
    texts = [(ROOT / source).read_text(encoding="utf-8") for source in sources]
    macros = sorted({name for text in texts for name in re.findall(r"^#define (\w+)", text, re.M)})
    lines = [*includes(sources[0])]
    for number, source in enumerate(sources):
        lines += [f"namespace file_{number} {{", f'#include "{ROOT / source}"', "}"]
        lines += [f"#undef {name}" for name in macros]
    return "\n".join(lines) + "\n"


FILES = files()


@pytest.mark.seconds(2)
@pytest.mark.parametrize("lab, part", FILES)
def test_nvcc_compiles(lab: str, part: str, record_property) -> None:
    """Compiles the files of a part with the same includes at once, because reading these takes
    longer than a kernel; if that fails, compiles each alone. Each file counts."""
    made = [*mistakes.found(lab, part), *mistakes.found(lab, part, kind=mistakes.STYLES)]
    sources = sorted([*FILES[lab, part], *map(mistakes.make, made)], key=includes)
    for number, (_, alike) in enumerate(itertools.groupby(sources, key=includes)):
        several = list(alike)
        together = LOGS / f"nvcc-{lab}-{part}-{number}.cu"
        together.parent.mkdir(parents=True, exist_ok=True)
        together.write_text(one_of(several), encoding="utf-8")
        fails = compiled(together, lab)
        for source in several:
            why = compiled(source, lab) if fails else ""
            verdict = f"FAIL nvcc does not compile {source}: {why}" if why else f"ok nvcc: {source}"
            record_property("said", verdict)


@pytest.mark.seconds(3)
@pytest.mark.parametrize("program", ["wmma", "wgmma"])
def test_nvcc_compiles_what_the_page_on_what_comes_next_shows(program: str) -> None:
    """cute.cu needs headers that no package has."""
    source, out = ROOT / f"lab4_memtypes/next/{program}.cu", LOGS / f"nvcc-{program}.cubin"
    target = "-gencode=arch=compute_90a,code=sm_90a"
    status, said = call("nvcc", "-std=c++17", target, "-cubin", str(source), "-o", str(out))
    out.unlink(missing_ok=True)
    assert (status, said) == (0, "")


@pytest.mark.seconds(10)
def test_the_rung_with_the_newest_instructions_compiles_for_every_architecture() -> None:
    """architectures.py without a file compiles all solutions and rungs, which takes minutes."""
    rung = "solutions/lab4_memtypes/ladder/09_async_copies.cu"
    status, said = call(sys.executable, "common/checks/tools/architectures.py", rung)
    assert status == 0 and "09_async_copies.cu | ok |" in said and "FAIL" not in said, said
