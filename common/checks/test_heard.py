"""Checks the code that the build adds to a kernel (common/simulator/hooks/hear.py), and the gate's
messages about code without a hook (common/verdict/gate/unheard.py)."""

import pathlib
import shutil
import subprocess
import sys

import hear
import pytest
import unheard
from calls import ROOT, call
from device_code import DeviceCode
from student_object import StudentObject

MACHINE = subprocess.run(["g++", "-dumpmachine"], capture_output=True, text=True, check=False)
pytestmark = [
    pytest.mark.skipif("x86_64" not in MACHINE.stdout, reason="of g++ for x86-64"),
    pytest.mark.full,
]
FLAGS = """-std=c++17 -w -D__CUDACC__ -O0 -g1 -fsanitize=thread -mstringop-strategy=libcall
    -fno-jump-tables -Icommon/simulator/include""".split()
START = "#include <cuda_runtime.h>\nstruct Three { float x, y, z; };\n"
KERNEL = "__global__ void kernel(Three* all, float* y, int i) {{ {} }}\n"
# Code without a compiler's call of a hook, and the reported access: its bytes, 'l' or 's'.
UNANNOUNCED = {
    "passed by value": ("void f(Three);", "f(all[i]);", "12l"),
    "returned": ("Three f();", "all[i] = f();", "12s"),
    "cleared": ("", "__builtin_memset(y + i, 0, 4);", "4s"),
    "past the caches": ("", "__builtin_ia32_movnti((int*)y + i, 1);", "4s"),
    "loaded by a built-in": (
        "typedef float Four __attribute__((vector_size(16)));",
        "y[0] = __builtin_ia32_loadups(y + i)[1];",
        "16l",
    ),
    "of a constant array": (
        "extern __attribute__((weak)) const float all_of[4]; const float all_of[4] = {};",
        "y[0] = all_of[i];",
        "4l",
    ),
}
ANNOUNCED = {
    "a store": "y[i] = 1;",
    "an update": "y[i] += 2;",
    "a copied structure": "all[i] = all[i + 1];",
    "a shared array": "__shared__ Three s[4]; s[i] = all[i]; y[0] = s[i + 1].z;",
    "a variable of the kernel": "int k[4]; k[i & 3] = i; y[0] = k[0];",
    "a switch": "switch (i) { case 1: y[1] = 1; break; case 2: y[2] = 1; break; case 9: y[3]++; }",
}
UNHEARD = {
    "a masked store": (
        "typedef char Bytes __attribute__((vector_size(16)));",
        "__builtin_ia32_maskmovdqu(Bytes{}, Bytes{}, (char*)y);",
        "maskmovdqu accesses memory unheard; load and store by",
    ),
    "a block move": ("", 'asm volatile("rep movsb" ::: "memory");', "rep movsb"),
    "a masked load": ("", 'asm("vmaskmovps (%0), %%xmm0, %%xmm1" : : "r"(y));', "'target'"),
    "a computed jump": ("", 'asm volatile("jmp *%0" : : "r"(y));', "jumps to an address"),
    "an unknown access": ("", 'asm volatile("fxsave (%0)" : : "r"(y));', "fxsave accesses memory"),
    "another thread": ("", 'asm volatile("wrfsbase %0" : : "r"(y));', "the processor's state"),
}  # fmt: skip


def assembly(folder: pathlib.Path, before: str, body: str) -> list[str]:
    source = folder / "kernel.cpp"
    source.write_text(START + before + "\n" + KERNEL.format(body), encoding="utf-8")
    command = ["g++", *FLAGS, "-S", str(source), "-o", "-"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split("\n")


def added_to(lines: list[str]) -> list[str]:
    """Returns the added accesses: how many bytes, and how."""
    added = "\n".join(hear.heard(lines)).split(f"\tcall\t{hear.HEARD}@PLT")[:-1]
    words = [int(before.rpartition("$")[2]) for before in added]
    return [f"{word >> 2}{'ls'[word & 1]}" for word in words]


def refused(folder: pathlib.Path, lines: list[str]) -> str:
    text, path = folder / "kernel.s", folder / "kernel.o"
    text.write_text("\n".join(lines), encoding="utf-8")
    subprocess.run(["g++", "-c", str(text), "-o", str(path)], check=True)
    student = StudentObject(str(path), "kernel.cpp")
    return unheard.unheard(student, DeviceCode(student))


@pytest.mark.parametrize("what", UNANNOUNCED)
def test_an_access_without_a_hook_gets_one_and_is_refused_without(
    what: str, tmp_path: pathlib.Path
) -> None:
    before, body, access = UNANNOUNCED[what]
    lines = assembly(tmp_path, before, body)
    assert refused(tmp_path, lines), "the gate lets it pass as it was compiled"
    assert added_to(list(lines)) == [access]
    assert refused(tmp_path, hear.heard(lines)) == ""


@pytest.mark.parametrize("what", ANNOUNCED)
def test_what_the_compiler_has_announced_is_reported_once(
    what: str, tmp_path: pathlib.Path
) -> None:
    lines = assembly(tmp_path, "", ANNOUNCED[what])
    assert added_to(list(lines)) == []
    assert refused(tmp_path, lines) == ""


def test_an_access_is_taken_up_by_all_lines_of_its_own_site_or_refused(
    tmp_path: pathlib.Path,
) -> None:
    lines = "\n".join(hear.heard(assembly(tmp_path, "", "y[i] = 1; y[i + 1] = 2;")))
    site = f"%fs:{hear.SITES}@tpoff+"
    assert refused(tmp_path, lines.split("\n")) == ""
    for right, wrong in {
        f"subl\t$1, {site}0+24": "nop",
        f"addq\t{site}0+16": f"addq\t{site}128+16",
        f"movq\t%rdi, {site}0+8": f"movq\t%rsi, {site}0+8",
    }.items():
        assert lines.count(right) == 1
        assert "memory unheard" in refused(tmp_path, lines.replace(right, wrong).split("\n"))


def test_a_call_by_a_pointer_is_looked_at(tmp_path: pathlib.Path) -> None:
    lines = assembly(tmp_path, "__device__ void f() {}", "void (*g)() = f; g();")
    found = refused(tmp_path, lines)
    assert found and "calls through a pointer" in found
    more = hear.heard(lines)
    assert refused(tmp_path, more) == ""
    assert "\t.quad\t_Z1fv" in "\n".join(more)


@pytest.mark.parametrize("what", UNHEARD)
def test_what_no_hook_can_observe_is_refused_with_its_line_and_advice(
    what: str, tmp_path: pathlib.Path
) -> None:
    before, body, advice = UNHEARD[what]
    found = refused(tmp_path, hear.heard(assembly(tmp_path, before, body)))
    assert found and advice in found
    assert found.startswith("kernel.cpp:4: ")


def test_a_call_that_must_not_return_leads_nowhere(tmp_path: pathlib.Path) -> None:
    lines = hear.heard(assembly(tmp_path, "", "__builtin_unreachable();"))
    assert refused(tmp_path, lines) == ""
    found = refused(tmp_path, [line for line in lines if line != hear.STOP])
    assert "goes on after the function's end" in found


def test_the_file_of_a_kernel_is_gone_through_in_a_fifth_of_a_second(
    tmp_path: pathlib.Path,
) -> None:
    text = tmp_path / "kernel.s"
    body = "".join(f"y[{n}] = all[{n}].x; " for n in range(300))
    text.write_text("\n".join(assembly(tmp_path, "", body)), encoding="utf-8")
    command = ["bash", "-c", 'TIMEFORMAT=%U; time "$@"', "-", sys.executable, "-E", "-S"]
    command += [str(ROOT / "common/simulator/hooks/hear.py"), str(text)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert float(done.stderr) < 0.2


@pytest.mark.skipif(not shutil.which("localedef"), reason="no locale can be made here")
def test_the_build_adds_them_in_a_language_that_sorts_names_in_another_way(tmp_path) -> None:
    made = tmp_path / "en_US.UTF-8"
    if call("localedef", "-i", "en_US", "-f", "UTF-8", made)[0]:
        pytest.skip("no description of en_US is installed here")
    rule = f"BUILD={tmp_path}", f"{tmp_path}/cu/common/simulator/tests/test_warp.o"
    said = call("make", "-n", *rule, LOCPATH=str(tmp_path), LC_ALL="en_US.UTF-8")[1]
    assert " common/simulator/hooks/hear.py " in said
