"""Checks that nvcc accepts every .cu file that the simulated device runs, down to PTX, which takes a
third of the time. test_card_commands.py makes programs of the solutions."""

import pathlib
import re
import shutil
import subprocess

import judging
import mistakes
import pytest
from run_report import LOGS, ROOT

SPREAD = True
if not shutil.which("nvcc"):
    pytest.skip("nvcc is not installed", allow_module_level=True)

PLACES = "", "solutions/styles", "solutions/hidden"


def files() -> list[tuple[str, str]]:
    """Returns each file of a lab but solutions and mistakes."""
    found = []
    for lab in judging.labs():
        paths = (path for place in PLACES for path in (ROOT / place / lab).rglob("*.cu"))
        found += [(lab, str(path.relative_to(ROOT))) for path in sorted(paths)]
        found += [(lab, str(style.path)) for style in mistakes.found(lab, kind=mistakes.STYLES)]
    return found


def compiled(source: pathlib.Path) -> str:
    """Returns what nvcc has against a file, '' where it compiles."""
    out = LOGS / f"nvcc-{re.sub('[^A-Za-z0-9]+', '-', str(source))}.ptx"
    out.parent.mkdir(parents=True, exist_ok=True)
    command = ["nvcc", "-std=c++17", "-ptx", str(source), "-o", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    out.unlink(missing_ok=True)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize("lab, source", files())
def test_nvcc_compiles(lab: str, source: str) -> None:
    why = compiled(mistakes.file_of(pathlib.Path(source)))
    if why:
        pytest.fail(why, pytrace=False)


def one_of(sources: list[pathlib.Path]) -> str:
    """Returns a file that holds several, each in a namespace, behind the headers of all."""
    texts = [(ROOT / source).read_text(encoding="utf-8") for source in sources]
    headers = sorted({line for text in texts for line in re.findall("^#include <.*", text, re.M)})
    macros = sorted({name for text in texts for name in re.findall(r"^#define (\w+)", text, re.M)})
    lines = [*headers]
    for number, source in enumerate(sources):
        lines += [f"namespace file_{number} {{", f'#include "{ROOT / source}"', "}"]
        lines += [f"#undef {name}" for name in macros]
    return "\n".join(lines) + "\n"


PARTS = dict.fromkeys((one.lab, one.part) for one in mistakes.found() if one.part != "answers")


@pytest.mark.seconds(2)
@pytest.mark.parametrize("lab, part", PARTS)
def test_nvcc_compiles_the_known_mistakes(lab: str, part: str, record_property) -> None:
    """All of a part at once, as reading the headers takes longer than a kernel; where that fails,
    each alone. Each counts."""
    sources = [mistakes.make(one) for one in mistakes.found(lab, part)]
    together = LOGS / f"nvcc-{lab}-{part}-mistakes.cu"
    together.parent.mkdir(parents=True, exist_ok=True)
    together.write_text(one_of(sources), encoding="utf-8")
    fails = compiled(together)
    for source in sources:
        why = compiled(source) if fails else ""
        verdict = f"FAIL nvcc does not compile {source}: {why}" if why else f"ok nvcc: {source}"
        record_property("said", verdict)
