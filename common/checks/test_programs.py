"""Checks common/simulator/cusim, which stands in for nvcc, and the programs that it builds."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess

import pytest
from run_report import ROOT

pytestmark = pytest.mark.seconds(25)
PROGRAMS = ROOT / "common/simulator/programs"
CUSIM = str(ROOT / "common/simulator/cusim")

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


def call(*words: str, cwd: pathlib.Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PWD": str(cwd), **variables}
    return subprocess.run(
        words, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def cusim(cwd: pathlib.Path, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return call(CUSIM, *words, cwd=cwd, **variables)


def write(folder: pathlib.Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def refused(folder: pathlib.Path, text: str, *words: str, **variables: str) -> str:
    """Returns what cusim says of a program that it does not build."""
    write(folder, p_cu=text)
    done = cusim(folder, "p.cu", *words, **variables)
    assert done.returncode in (1, 2) and not (folder / "a.out").exists()
    return done.stderr


@pytest.fixture(scope="module", name="race")
def build_race(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("race")
    write(folder, src__k_cu=RACE + MAIN)
    done = cusim(folder, "src/k.cu", "-o", "k")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder / "k"


def test_a_program_tells_a_finding_once_and_its_number_at_the_end(race: pathlib.Path) -> None:
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
def test_a_program_ends_as_it_would_behind_its_summary(race, way: str, status: int) -> None:
    done = call(str(race), way, cwd=race.parent)
    assert done.returncode == status
    assert f"simulated device: {2 if way == 'n' else 1} finding" in done.stderr


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


def test_somebody_elses_makefile_builds_and_its_program_runs(tmp_path: pathlib.Path) -> None:
    write(tmp_path, **PROJECT)
    (tmp_path / "other").mkdir()
    done = call("make", "-C", "..", f"NVCC={CUSIM}", cwd=tmp_path / "other")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "fill.cuh" in (tmp_path / "build/main.d").read_text(encoding="utf-8")
    done = call("../prog", cwd=tmp_path / "other")
    assert (done.stdout, done.stderr, done.returncode) == ("17\n", "", 0)

# Launches and arrays of macros, templates, classes, lambdas and pointers, and code for one side.
FEATURES = """#include <cstdio>
#include <vector>
#include <functional>
#define LAUNCH(k, ...) k<<<1, 32>>>(__VA_ARGS__)
#define KERNEL(name) __global__ void name(int* a)
#define TILE __shared__ int tile[32]
#define DYN extern __shared__ char dyn[]
namespace ns { __device__ int offset = 3; __constant__ int table[4] = {1, 2, 3, 4}; }
KERNEL(first) {
    TILE;
    tile[threadIdx.x] = threadIdx.x; __syncthreads();
    a[threadIdx.x] = tile[31 - threadIdx.x] + ns::offset; }
template <class T, int N = 2> __global__ void second(T* a, T v, int n = N) {
    a[threadIdx.x] += v * n + ns::table[threadIdx.x % 4]; }
template <class F> __global__ void apply(int* a, F f) { a[threadIdx.x] = f(a[threadIdx.x]); }
template <class T> struct Runner {
    static void run(T* a) {
        second<T, 3><<<1, 32>>>(a, T(2));
        second<T><<<dim3(1), dim3(32), 0, 0>>>(a, 1, 5); }
};
__global__ void dynamic(int* a) {
    DYN; int* d = (int*)dyn;
    d[threadIdx.x] = a[threadIdx.x]; __syncthreads(); a[threadIdx.x] = d[threadIdx.x ^ 1]; }
struct Functor { __device__ __host__ int operator()(int x) const { return x + 1; } };
class Solver {
    int* a_;
  public:
    Solver(int* a) : a_(a) {}
    void go() { LAUNCH(first, a_); dynamic << <1, 32, 128>> >(a_); } };
static inline __device__ int unusedPtx() {
    int r;
    asm("mov.u32 %0, %laneid;" : "=r"(r));
    return r;
}
using Fn = int (*)(int);
__device__ int addOne(int x) { return x + 1; }
__device__ Fn fn = addOne;
__global__ void indirect(int* a) { a[threadIdx.x] = fn(a[threadIdx.x]); }
struct Side {
    __host__ __device__ int is() const {
#ifdef __CUDA_ARCH__
        return 20;
#else
        return 30;
#endif
    }
};
#if __CUDA_ARCH__ >= 600
__device__ int newer(int x) { return x + Side().is(); }
#else
__device__ int newer(int x) { return x; }
#endif
__global__ void forDevice(int* a, int* b = NULL) {
#if __CUDA_ARCH__ >= 700
    if (!b) a[threadIdx.x] = newer(a[threadIdx.x]);
#endif
}
int main() {
    int* a;
    cudaMallocManaged(&a, 32 * sizeof(int));
    Solver(a).go();
    Runner<int>::run(a);
    apply<<<1, 32>>>(a, [=] __device__(int x) { return x * 2; });
    apply<<<1, 32>>>(a, Functor{});
    indirect<<<1, 32>>>(a);
    forDevice<<<1, 32>>>(a);
    void (*p)(int*) = dynamic;
    p<<<1, 32, 128>>>(a);
    std::function<void()> f = [&] { LAUNCH(dynamic, a); };
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; ++i) printf("%d ", a[i]);
#ifndef __CUDA_ARCH__
    printf("%d ", Side().is());
#endif
    printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(a);
}
"""


def test_launches_are_found_wherever_they_stand(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=FEATURES)
    assert cusim(tmp_path, "--extended-lambda", "p.cu").stderr == ""
    done = call("./a.out", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("120 114 124 118 30 no error\n", "")


def test_an_error_in_a_header_names_its_line_and_nothing_is_left(tmp_path: pathlib.Path) -> None:
    write(tmp_path, h__bad_cuh="\n\n__global__ void k() { nothing; }\n")
    said = refused(tmp_path, '#include "h/bad.cuh"\nint main() {}\n')
    assert "h/bad.cuh:3:23: error: 'nothing' was not declared" in said.replace("‘", "'").replace(
        "’", "'"
    )


LACKING = {
    "#include <cub/device/device_scan.cuh>": "<cub/device/device_scan.cuh> needs CUB, which",
    "#include <thrust/all.h>": "<thrust/all.h> needs Thrust",
    "#include <cufft.h>": "cufft.h is not available on the simulated device",
    '__global__ void k() { asm volatile("bar.sync 0;"); }': "inline PTX (asm) is not supported",
    "__global__ void k() {}\n__global__ void p() { k<<<1, 1>>>(); }": "dynamic parallelism",
    "texture<float, 1> t;": "a texture reference is not supported",
    "void f() { cudaGraph_t g; cudaGraphCreate(&g, 0); }": "cudaGraph_t is not supported",
    "cudaMemPoolProps p;": "cudaMemPoolProps needs memory pools of a program's own, which",
}


@pytest.mark.parametrize("text", LACKING)
def test_what_the_device_lacks_is_refused_in_a_sentence(text: str, tmp_path: pathlib.Path) -> None:
    said = refused(tmp_path, "// a comment\n" + text + "\nint main() {}\n")
    assert said.startswith(f"p.cu:{2 + text.count(chr(10))}: error: ") and LACKING[text] in said
    assert all(line.startswith("p.cu:") for line in said.splitlines())


def test_the_headers_of_a_toolkit_on_the_path_are_not_taken(tmp_path: pathlib.Path) -> None:
    write(tmp_path, kit__cuda_runtime_api_h="", kit__cufftXt_h="#error taken\n")
    (tmp_path / "kit/cuda_runtime_api.h").write_text("#error taken\n", encoding="utf-8")
    (tmp_path / "kit/cuda_runtime.h").write_text("#error taken\n", encoding="utf-8")
    text = "#include <cuda_runtime.h>\n#include <cufftXt.h>\nint main() {}\n"
    said = refused(tmp_path, text, CPATH=str(tmp_path / "kit"))
    assert said.startswith("p.cu:2: error: <cufftXt.h> needs cuFFT, which the simulated")
    (tmp_path / "kit/cufftXt.h").write_text("int taken;\n", encoding="utf-8")
    assert refused(tmp_path, text, CPATH=str(tmp_path / "kit")) == said
    write(tmp_path, q_cpp="#include <cufftXt.h>\nint main() {}\n")
    done = cusim(tmp_path, "q.cpp", CPATH=str(tmp_path / "kit"))
    assert done.returncode == 1 and done.stderr == said.replace("p.cu:2", "q.cpp:1")


def test_options_are_refused_in_a_sentence(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu="int main() {}\n")
    for words, part in {
        ("-ptx", "p.cu"): "not PTX",
        ("--wrong", "p.cu"): "nvcc has no such option",
        ("p.cu", "-lcublas"): "cuBLAS is not available",
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
    for words, said in {
        ("FILE=l.cu",): "FILE=l.cu: no such file; name a program, as in make try FILE=common",
        (): "FILE is missing; name a program, as in make try FILE=common/",
        (example, "ARG=1"): "ARG: did you mean ARGS?",
        (example, "ARGS='"): "ARGS=': No closing quotation.",
    }.items():
        done = call(*root, *words, cwd=tmp_path)
        assert done.stderr.startswith(said) and done.returncode == 2


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


def test_the_scoreboard_tells_what_came_of_each_program(tmp_path, monkeypatch) -> None:
    spec = importlib.util.spec_from_file_location("scoreboard", PROGRAMS / "scoreboard.py")
    assert spec and spec.loader
    scoreboard = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scoreboard)
    for name in ("HERE", "RESULTS", "TABLE"):
        monkeypatch.setattr(scoreboard, name, tmp_path / name.lower())
    main = MAIN.replace("switch", 'puts("done");\n    switch')
    write(tmp_path, some__x_cu="", here__scoreboard_toml=LIST)
    write(tmp_path / "some+body/a", k_cu=RACE + main, l_cu="int main() { nothing; }\n")
    scoreboard.main(str(tmp_path), [])
    table = (tmp_path / "table").read_text(encoding="utf-8")
    assert "| ours | 3 | 2 | 1 | 1 | 0 |" in table
    assert re.search(r"\n\| a/k.cu \| yes \| yes \| yes \| 1 race, true \| [\d.]+ \|  \|\n", table)
    assert re.search(r"\n\| a/l.cu \| no \| no \| no \|  \|  \| .nothing. was not declared", table)
    assert "\n| a/m.cu | yes | no | no |  |  | it is large |\n" in table

# Eight host threads with a stream each, and a kernel that waits for its host.
HOSTS = """#include <cstdio>
#include <thread>
__global__ void sum(const int* a, int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x + 64 * blockIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) for (int i = 0; i < 64; ++i) out[blockIdx.x] += s[i];
}
__global__ void waitFor(volatile int* flag) {
    while (*flag == 0) {}
}
int ones[640], results[8];
void add(int number) {
    int *a, *out;
    cudaMalloc(&a, sizeof ones);
    cudaMalloc(&out, 40);
    for (int round = 0; round < 10; ++round) {
        cudaMemcpy(a, ones, sizeof ones, cudaMemcpyHostToDevice);
        cudaMemset(out, number, 40);
        cudaMemset(out, 0, 40);
        sum<<<10, 64>>>(a, out);
        cudaMemcpy(results + number, out + 9, 4, cudaMemcpyDeviceToHost);
    }
    cudaFree(a);
    cudaFree(out);
}
int main(int argc, char**) {
    for (int& one : ones) one = 1;
    std::thread all[8];
    for (int i = 0; i < 8; ++i) all[i] = std::thread(add, i);
    for (std::thread& one : all) one.join();
    for (int result : results) printf("%d ", result);
    printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
    if (argc == 1) return 0;
    int* flag;
    cudaMallocManaged(&flag, 4);
    *flag = 0;
    waitFor<<<1, 1>>>(flag);
    *flag = 1;
}
"""


def test_host_threads_take_turns_and_no_launch_waits_for_one(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=HOSTS)
    assert cusim(tmp_path, "p.cu", "-Xcompiler", "-pthread").stderr == ""
    done = call("./a.out", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("64 " * 8 + "no error\n", "")
    said = call("./a.out", "wait", cwd=tmp_path).stderr
    assert said.startswith("p.cu:10: the kernel waits for a value in memory that the host may write")
    assert "  unsupported, p.cu:10\n" in said


# Algorithms on raw memory and on vectors, in a stream and in a kernel, and CUB's sum of a block.
THRUST = """#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
__global__ void add(const int* a, int* b, int k) {
    using Reduce = cub::BlockReduce<int, 64>;
    __shared__ Reduce::TempStorage storage;
    const int sum = Reduce(storage).Sum(a[threadIdx.x]);
    if (threadIdx.x == 0) b[0] = sum + k + thrust::reduce(thrust::seq, a, a + 8);
}
int main(int argc, char**) {
    thrust::device_vector<int> a(64), b(1);
    thrust::sequence(a.begin(), a.end());
    const int k = argc;
    thrust::transform(a.begin(), a.end(), a.begin(), [=] __device__(int x) { return k * x; });
    thrust::sort(thrust::cuda::par.on(cudaStream_t()), a.begin(), a.end(), thrust::greater<int>());
    add<<<1, 64>>>(thrust::raw_pointer_cast(a.data()), b.data().get(), THRUST_MAJOR_VERSION);
    int *raw, asked = cudaGetLastError();
    cudaMalloc(&raw, 64 * sizeof(int));
    thrust::fill(thrust::device, raw, raw + 64 / argc, 1);
    add<<<1, 64>>>(raw, b.data().get(), asked);
    std::cout << b[0] << " " << a[0] << " " << thrust::reduce(a.begin(), a.end()) << std::endl;
    cudaFree(raw);
    return argc > 1 ? *thrust::raw_pointer_cast(a.data()) : cudaGetLastError();
}
"""


@pytest.mark.skipif(not os.path.exists("/usr/include/thrust"), reason="no libthrust-dev")
def test_thrust_works_on_the_memory_of_the_device(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=THRUST)
    assert cusim(tmp_path, "--extended-lambda", "p.cu").stderr == ""
    done = call("./a.out", cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("72 63 2016\n", "", 0)
    done = call("./a.out", "half is not set", cwd=tmp_path)
    end = done.stderr.partition("simulated device: ")[2].splitlines()
    assert end[:3] == ["2 findings", "  unset-read, p.cu:9", "  host-touches-device, p.cu:25"]
    assert "never freed" not in done.stderr  # what Thrust has allocated is its own to free
