"""Checks common/simulator/cusim, which replaces nvcc, and the reports of its programs."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
from program_runs import CUSIM, call, cusim, refused, write
from run_report import ROOT

pytestmark = pytest.mark.seconds(25)
PROGRAMS = ROOT / "common/simulator/programs"

# A race between two lines, and a kernel without one.
RACE = """__global__ void turn(float* a) {
    __shared__ float s[32];
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[31 - threadIdx.x];
}
"""
RIGHT = RACE.replace("    a[thr", "    __syncthreads();\n    a[thr")
MAIN = """#include <cassert>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>
int main(int argc, char** argv) {
    float* a;
    cudaMalloc(&a, 32 * sizeof(float));
    cudaMemset(a, 0, 32 * sizeof(float));
    turn<<<1, 32>>>(a);
    turn<<<1, 32>>>(a);
    switch (argc > 1 ? argv[1][0] : '-') {
        case 'a': abort();
        case 'A': assert(argc == 0);
        case '_': _exit(3);
        case 't': throw std::runtime_error("no");
        case 'n': *(volatile int*)nullptr = 1;
        default: return 3;
    }
}
"""


@pytest.fixture(scope="module", name="race")
def build_race(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("race")
    write(folder, src__k_cu=RACE + MAIN)
    done = cusim(folder, "src/k.cu", "-o", "k")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder / "k"


def test_a_program_reports_a_finding_once_and_its_number_at_the_end(race: pathlib.Path) -> None:
    done = call(str(race), cwd=race.parent)
    assert done.returncode == 3 and done.stdout == ""
    assert done.stderr.startswith("src/k.cu:3: race on s (shared)")
    assert "    3 | s[threadIdx.x] = a[threadIdx.x];" in done.stderr and "Remedy:" in done.stderr
    assert done.stderr.count("Remedy:") == 1
    end = done.stderr.partition("simulated device: ")[2].splitlines()
    assert end[:2] == ["1 finding", "  race, src/k.cu:3, 2 times"]
    assert end[2] == "  never freed: 1 allocation, 128 bytes; the first at src/k.cu:12"


@pytest.mark.parametrize(
    "way, status", [("-", 3), ("a", -6), ("A", -6), ("_", 3), ("t", -6), ("n", -11)]
)
def test_a_program_ends_as_usual_after_its_summary(race, way: str, status: int) -> None:
    done = call(str(race), way, cwd=race.parent)
    assert done.returncode == status
    assert f"simulated device: {2 if way == 'n' else 1} finding" in done.stderr


# More findings of one kind than are shown, and after them one of another kind.
MANY = (
    "__global__ void store(int* a) {\n"
    + "".join(f"    a[{at}] = threadIdx.x;\n" for at in range(30))
    + """}
__global__ void read(int* a, int* b) { b[0] = a[40]; }
__global__ void past(int* a) { a[64] = 0; }
int main(int argc, char**) {
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    store<<<1, 32>>>(a);
    read<<<1, 1>>>(a, b);
    if (argc > 1) past<<<1, 1>>>(a);
    cudaFree(a);
    if (argc > 1) cudaFree(b);
}
"""
)


def test_findings_of_all_kinds_are_shown_and_none_follows_from_a_fault(
    tmp_path: pathlib.Path,
) -> None:
    write(tmp_path, k_cu=MANY)
    assert cusim(tmp_path, "k.cu").returncode == 0
    said = call("./a.out", cwd=tmp_path).stderr
    assert said.count("Remedy:") == 20 and "reads a before it is written" in said
    end = said.partition("simulated device: ")[2]
    assert end.startswith("31 findings\n") and end.count("  race, ") == 19
    assert "  unset-read, k.cu:33\n  and 11 more" in end
    assert "never freed: 1 allocation, 256 bytes" in end
    said = call("./a.out", "past", cwd=tmp_path).stderr
    assert "out-of-bounds, k.cu:34" in said and "never freed" not in said


def test_a_program_whose_heap_is_broken_ends_with_a_summary(tmp_path: pathlib.Path) -> None:
    store = "int* h = new int[20000]; for (int i = 0; i < 20100; i++) h[i] = -1; new int[20000];"
    write(tmp_path, k_cu=RACE + MAIN.replace("switch", store + " switch"))
    assert cusim(tmp_path, "k.cu").returncode == 0
    done = call("./a.out", cwd=tmp_path)
    end = done.stderr.partition("simulated device: ")[2]
    assert done.returncode == -6 and end.startswith("1 finding\n  race, k.cu:3\n")
    assert "host code\n  has stored past the end of a host array" in end


def test_a_file_takes_the_findings_and_a_status_is_theirs(race, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "found"
    variables = {"CUSIM_FINDINGS": str(file), "CUSIM_EXIT_STATUS": "9"}
    done = call(str(race), cwd=tmp_path, **variables)
    assert (done.returncode, done.stdout, done.stderr) == (9, "", "")
    (found,) = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    assert (found["kind"], found["line"], found["kernel"]) == ("race", 3, "turn")
    assert found["file"] == str(race.parent / "src/k.cu")


def test_a_finding_shows_its_line_from_any_folder(race, tmp_path: pathlib.Path) -> None:
    done = call(str(race), cwd=tmp_path)
    assert done.stderr.startswith(f"{race.parent}/src/k.cu:3: race")
    assert "| s[threadIdx.x] = a[threadIdx.x];" in done.stderr


# libbacktrace finds no range of the function `after` if no range has gaps.
BOTH = "inline __device__ int both(const int* p) { return p[0]; }\n"
FIRST = """#include "both.h"
template <class T>
__device__ void before(T* p) { p[0] = 1; }
template <class T>
__device__ void after(T* p) {
    p[64] = 1;
}
__global__ void k(int* p) {
    before(p);
    both(p);
    after(p);
}
void other(int* p);
int main() {
    int* p;
    cudaMalloc(&p, 256);
    k<<<1, 1>>>(p);
    other(p);
}
"""
SECOND = """#include "both.h"
__global__ void l(int* p) { both(p); }
void other(int* p) { l<<<1, 1>>>(p); }
"""


def test_a_finding_has_its_line_if_another_file_has_some_of_the_same_functions(
    tmp_path: pathlib.Path,
) -> None:
    write(tmp_path, both_h=BOTH, first_cu=FIRST, second_cu=SECOND)
    assert cusim(tmp_path, "first.cu", "second.cu").returncode == 0
    done = call("./a.out", cwd=tmp_path)
    assert done.stderr.startswith("first.cu:6: out of bounds"), done.stderr


def test_checks_are_chosen_and_a_wrong_value_is_refused(race, tmp_path: pathlib.Path) -> None:
    assert call(str(race), cwd=tmp_path, CUSIM_CHECKS="none").stderr == ""
    for name, value in (("CHECKS", "rases"), ("SCHEDULE", "back"), ("EXIT_STATUS", "x")):
        done = call(str(race), cwd=tmp_path, **{f"CUSIM_{name}": value})
        assert done.returncode == 2 and f"'{value}' is not understood" in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_a_program_without_a_finding_says_nothing_or_so(tmp_path: pathlib.Path) -> None:
    write(tmp_path, k_cu=RIGHT + MAIN)
    assert cusim(tmp_path, "k.cu").stderr == ""
    assert call("./a.out", cwd=tmp_path).stderr == ""
    said = call("./a.out", cwd=tmp_path, CUSIM_SUMMARY="always").stderr
    assert said.startswith("simulated device: no findings\n") and "2 launches" in said


PROJECT = {
    # A launch, dynamic shared memory, a template and a macro, all of them in a header.
    "include__fill_cuh": """#pragma once
#include <cuda_runtime.h>
template <class T>
__global__ void fill(T* a, T value) {
    extern __shared__ int room[];
    room[threadIdx.x] = (int)value;
    __syncthreads();
    a[threadIdx.x] = room[threadIdx.x];
}
#define FILL(a, value) fill<<<1, 32, 32 * sizeof(int)>>>(a, value)
__device__ int twice(int n);
void host(int* a);
""",
    "src__main_cu": """#include "fill.cuh"
#include <cstdio>
#include "part.inl"
int main() {
    int* a;
    cudaMallocManaged(&a, 32 * sizeof(int));
    FILL(a, START);
    host(a);
    cudaDeviceSynchronize();
    std::printf("%d\\n", a[5]);
    cudaFree(a);
}
""",
    "src__part_inl": """__global__ void more(int* a, int n = 3) {
    a[threadIdx.x] = twice(a[threadIdx.x]) + n;
}
void launchMore(int* a) { more<< <1, 32>> >(a); }
""",
    "src__twice_cu": "__device__ int twice(int n) { return 2 * n; }\n",
    "src__host_cpp": """#include <cuda_runtime.h>
void launchMore(int*);
void host(int* a) {
    if (cudaGetLastError() == cudaSuccess) launchMore(a);
}
""",
    "Makefile": """NVCC = nvcc
prog: build/main.o build/twice.o build/host.o
	$(NVCC) -arch=sm_80 -rdc=true $^ -o $@ -lcudart
build/%.o: src/%.cu
	@mkdir -p build
	$(NVCC) -g -G -O3 -lineinfo -std=c++14 --expt-relaxed-constexpr -Xcompiler -Wall,-fPIC \\
	    -gencode arch=compute_80,code=sm_80 -Xptxas -v -maxrregcount=32 -use_fast_math -Iinclude \\
	    -DSTART=7 -MMD -dc $< -o $@
build/%.o: src/%.cpp
	$(NVCC) -I include -x c++ -ccbin g++ -m64 --ptxas-options=-v -c -o $@ $<
""",
}


def test_the_makefile_of_another_project_builds_and_its_program_runs(
    tmp_path: pathlib.Path,
) -> None:
    write(tmp_path, **PROJECT)
    (tmp_path / "other").mkdir()
    done = call("make", "-C", "..", f"NVCC={CUSIM}", cwd=tmp_path / "other")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "fill.cuh" in (tmp_path / "build/main.d").read_text(encoding="utf-8")
    done = call("../prog", cwd=tmp_path / "other")
    assert (done.stdout, done.stderr, done.returncode) == ("17\n", "", 0)


# Launches and arrays in macros, templates, classes, lambdas and pointers, and code for one side.
def test_an_error_in_a_header_names_its_line_and_nothing_is_left(tmp_path: pathlib.Path) -> None:
    write(tmp_path, h__bad_cuh="\n\n__global__ void k() { nothing; }\n")
    said = refused(tmp_path, '#include "h/bad.cuh"\nint main() {}\n')
    assert "h/bad.cuh:3:23: error: 'nothing' was not declared" in said.replace("‘", "'").replace(
        "’", "'"
    )


def test_options_are_refused_in_a_sentence(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu="int main() {}\n")
    for words, part in {
        ("-ptx", "p.cu"): "not PTX",
        ("--wrong", "p.cu"): "nvcc has no such option",
        ("p.cu", "-lcublasLt"): "cublasLt is not available",
        ("q.cu",): "q.cu: no such file",
        ("p.cu", "-o"): "-o needs a value",
        (): "no file is named",
    }.items():
        done = cusim(tmp_path, *words)
        assert done.returncode == 2 and part in done.stderr, words
    assert "release" in cusim(tmp_path, "--version").stdout


def test_make_try_runs_a_program_with_all_checks(tmp_path: pathlib.Path) -> None:
    write(tmp_path, k_cu=RACE + MAIN)
    root = ("make", "--no-print-directory", "-C", str(ROOT), "try")
    example = "FILE=common/simulator/programs/sum.cu"
    done = call(*root, example, "ARGS=1000", cwd=tmp_path)
    assert (done.stdout, done.returncode) == ("500500\n", 0)
    assert done.stderr == "simulated device: no findings\n"
    done = call(*root, "FILE=k.cu", "CHECKS=races", cwd=tmp_path)
    assert done.stderr.startswith("k.cu:3: race on s (shared)") and done.returncode == 2
    # One lane sets what the others read, as in the programming guide.
    shared = "int t; if (threadIdx.x == 3) t = a[0]; a[2] = __shfl_sync(~0u, t, 3);"
    unset = "int s; s += a[0]; a[1] = s;"
    main = "int main() { return std::min(1, 0); }"  # nvcc has std::min without <algorithm>
    write(tmp_path, u_cu=f"__global__ void k(int* a) {{ {unset} {shared} }}\n{main}\n")
    done = call(*root, f"FILE={tmp_path}/u.cu", cwd=ROOT)
    assert "u.cu:1: warning: 's' is used uninitialized" in done.stderr.splitlines()[0]
    assert done.stderr.count("warning") == 1, done.stderr
    assert "help: line 1: s is uninitialized; give it a value, as in s = 0;" in done.stderr
    for words, said in {
        ("FILE=l.cu",): "FILE=l.cu: no such file; name a program, as in make try FILE=common",
        (): "FILE is missing; name a program, as in make try FILE=common/",
        (example, "ARG=1"): "ARG: did you mean ARGS?",
        (example, "ARGS='"): "ARGS=': No closing quotation.",
    }.items():
        done = call(*root, *words, cwd=tmp_path)
        assert done.stderr.startswith(said) and done.returncode == 2


def test_two_calls_of_make_try_at_once_keep_their_programs_apart(tmp_path: pathlib.Path) -> None:
    text = (
        "int main(int n, char** a) { puts(*a); fflush(stdout); return n > 1 && getchar() == 0; }\n"
    )
    write(tmp_path, k_cu=text)
    root = ("make", "--no-print-directory", "-C", str(ROOT), "try", f"FILE={tmp_path}/k.cu")
    words = (*root, "ARGS=waits")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdin and first.stdout
        path = first.stdout.readline()
        second = call(*root, cwd=tmp_path)
        assert second.stdout not in ("", path) and os.path.exists(path.strip())
        first.stdin.close()
    assert (first.returncode, second.returncode) == (0, 0) and not os.path.exists(path.strip())


def test_to_ask_whether_the_simulator_is_built_changes_nothing(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "common/simulator"))
    is_newer = importlib.import_module("driver.build").is_newer
    write(tmp_path, cusim__runtime_o="", cusim__options="")
    ready = tmp_path / "cusim/ready"  # another process is about to set its time
    ready.touch()
    assert not is_newer(ready) and ready.exists()
    (tmp_path / "translate").touch()
    assert is_newer(ready)
    ready.unlink()
    assert not is_newer(ready)


LIST = """[[suite]]
name = "ours"
repository = "some/body"
commit = "1234"
passes = "done"
[suite.programs]
"a/k.cu" = { findings = { race = "true: a barrier is missing" } }
"a/l.cu" = {}
"a/m.cu" = { build = "CUSIM k.cu -o PROGRAM", not_run = "it is large" }
"""


def test_the_scoreboard_reports_the_result_of_each_program(tmp_path, monkeypatch) -> None:
    spec = importlib.util.spec_from_file_location("scoreboard", PROGRAMS / "scoreboard.py")
    assert spec and spec.loader
    scoreboard = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scoreboard)
    monkeypatch.setitem(sys.modules, "scoreboard", scoreboard)  # its processes look for it there
    for name in ("HERE", "RESULTS", "SUMMARY"):
        monkeypatch.setattr(scoreboard, name, tmp_path / name.lower())
    main = MAIN.replace("switch", 'puts("done");\n    switch')
    write(tmp_path, some__x_cu="", here__scoreboard_toml=LIST)
    write(tmp_path / "some+body/a", k_cu=RACE + main, l_cu="int main() { nothing; }\n")
    scoreboard.main(["--jobs", "2", str(tmp_path)])
    summary = (tmp_path / "summary").read_text(encoding="utf-8")
    assert "| ours | 3 | 2 | 1 | 1 | 0 |" in summary
    assert re.search(r"ran on\n.*, \d+ cores \(1 of them\)\.\n", summary), summary
    k, one_l, m = (tmp_path / "results").read_text(encoding="utf-8").splitlines()[1:]
    assert re.fullmatch(r'ours,a/k.cu,yes,yes,yes,"1 race, true",[\d.]+,".*cores",', k), k
    assert re.fullmatch(r"ours,a/l.cu,no,,,,,,.nothing. was not declared.*", one_l), one_l
    assert m == "ours,a/m.cu,yes,,,,,,it is large"


# Eight host threads with a stream each, and a kernel that waits for its host.
