"""Checks which features of a device programs of cusim may use, and how the rest is refused."""

import os
import pathlib

import pytest
from program_runs import call, cusim, refused, write

pytestmark = [pytest.mark.seconds(25), pytest.mark.full]

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


LACKING = {
    "#include <cub/device/device_scan.cuh>": "<cub/device/device_scan.cuh> needs CUB, which",
    "#include <thrust/all.h>": "<thrust/all.h> needs Thrust",
    "#include <cub/cub.cuh>\nusing S = cub::BlockScan<int, 64>;": "BlockScan needs more of CUB than",
    "#include <cub/cub.cuh>\nvoid f() { cub::WarpScan<int> s; }": "WarpScan needs more of CUB than",
    "#include <cublas.h>": "<cublas.h> needs the interface that cuBLAS had before CUDA 4, which",
    "#include <cublasXt.h>": "<cublasXt.h> needs cublasXt, which the simulated device lacks",
    "#include <helper_timer.h>": "helper_timer.h of NVIDIA's samples is not there; put it beside",
    "#include <mpi.h>": "<mpi.h> needs MPI; install libopenmpi-dev and compile with -ccbin mpicxx",
    "#include <cufft.h>": "cufft.h is not available on the simulated device",
    '__global__ void k() { asm volatile("bar.sync 0;"); }': "inline PTX (asm) is not supported",
    "__global__ void k() {}\n__global__ void p() { k<<<1, 1>>>(); }": "dynamic parallelism",
    "texture<float, 1> t;": "a texture reference is not supported",
    "void f() { cudaGraph_t g; cudaGraphCreate(&g, 0); }": "cudaGraph_t is not supported",
    "__global__ int k() { return 0; }": "a __global__ function must have a void return type",
    "__global__ void k(int* a) { *a = __any(*a); }": "__any is gone since CUDA 9; write __any_",
    "__global__ void k(int* a) { *a = __dp4a(*a, 1, 2); }": "device has no __dp4a; check its",
    "__global__ void k(int* a) { *a = __isGlobal(a); }": "__isGlobal needs more of a card's intr",
    "void f(), h();\nvoid g() { f(), h(); }": "f() is used here, but defined nowhere, like 1 other",
    "cudaLogLevel l;": "the simulated device has no cudaLogLevel; check its spelling",
    "cudaLaunchAttribute a;": "cudaLaunchAttribute needs attributes of a launch, which",
    "cudaMemPoolProps p;": "cudaMemPoolProps needs memory pools of a program's own, which",
}


@pytest.mark.parametrize("text", LACKING)
def test_what_the_device_lacks_is_refused_in_a_sentence(text: str, tmp_path: pathlib.Path) -> None:
    said = refused(tmp_path, "// a comment\n" + text + "\nint main() {}\n")
    assert said.startswith(f"p.cu:{2 + text.count(chr(10))}: error: ") and LACKING[text] in said
    assert all(line.startswith("p.cu:") for line in said.splitlines())


def test_a_feature_is_refused_in_one_sentence_and_so_is_a_c_file(tmp_path: pathlib.Path) -> None:
    said = refused(tmp_path, "cudaArray* a;\ncudaTextureObject_t b;\nint main() {}\n")
    assert said.startswith("p.cu:1: error: cudaArray needs textures") and said.count("\n") == 1
    write(tmp_path, p_c="#include <cuda_runtime.h>\nint main() {}\n")
    assert cusim(tmp_path, "p.c").stderr.startswith("p.c:1: error: CUDA for the simulated device")


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


def test_a_wrapper_of_mpi_gives_its_options_to_compiler_and_linker(tmp_path: pathlib.Path) -> None:
    write(tmp_path, kit__mpi_h="inline int MPI_Init() { return OF_WRAPPER; }\n")
    write(tmp_path, p_cu="#include <mpi.h>\nint main() { return MPI_Init(); }\n")
    wrapper = tmp_path / "mpicxx"
    said = refused(tmp_path, (tmp_path / "p.cu").read_text(), "-ccbin", str(wrapper))
    assert said.startswith(
        f"cusim: -ccbin {wrapper}: No such file or directory; install libopenmpi"
    )
    wrapper.write_text("#!/bin/sh\necho g++ -Ikit -DOF_WRAPPER=7 -Wl,-z,relro -lm\n")
    wrapper.chmod(0o755)
    assert cusim(tmp_path, "-c", f"-ccbin={wrapper}", "p.cu").stderr == ""
    done = cusim(tmp_path, "-v", "-ccbin", str(wrapper), "p.o")  # libraries follow the objects
    assert " p.o -Wl,-z,relro -lm " in done.stderr
    assert call("./a.out", cwd=tmp_path).returncode == 7


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
    assert said.startswith(
        "p.cu:10: the kernel waits for a value in memory that the host may write"
    )
    assert "  unsupported, p.cu:10\n" in said


# Algorithms on raw memory and on vectors, in a stream and in a kernel, tuples (Thrust 2 has
# those of cuda::std), and CUB's sum of a block.
THRUST = """#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
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
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), a.begin()));
    const thrust::tuple<int, int> pair = *pairs;
    std::cout << b[0] << " " << thrust::get<1>(pair) << " " << thrust::reduce(a.begin(), a.end())
              << std::endl;
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
    assert end[:3] == ["2 findings", "  unset-read, p.cu:10", "  host-touches-device, p.cu:29"]
    assert "never freed" not in done.stderr  # Thrust frees its own allocations


# Loads a pair of doubles, which a device loads one by one, and four floats, which it loads at once.
ALIGNED = """struct Pair { double a, b; };
struct Body { double mass; Pair place; };
__global__ void beside() {
    __shared__ double one; __shared__ Pair pair; __shared__ double another;
    one = another = pair.a = pair.b = 0;
    Pair whole = pair; }
__global__ void pairs(const Body* x, Pair* y) { y[threadIdx.x] = x[threadIdx.x].place; }
int main() {
    Body* x; Pair* y;
    cudaMalloc(&x, 32 * sizeof(Body));
    cudaMalloc(&y, 32 * sizeof(Pair));
    cudaMemset(x, 0, 32 * sizeof(Body));
    beside<<<1, 1>>>();
    pairs<<<1, 32>>>(x, y);
    const int error = cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return error != 0;
}
"""


def test_a_structure_is_aligned_as_its_members_and_a_float4_as_a_whole(
    tmp_path: pathlib.Path,
) -> None:
    four = ALIGNED.replace("const Body* x, Pair* y", "const float4* x, float4* y").replace(
        "x[threadIdx.x].place", "*(float4*)((float*)x + 2)"
    )
    four = four.replace("Body* x; Pair* y", "float4 *x, *y").replace("sizeof(Pair)", "sizeof *y")
    write(tmp_path, p_cu=ALIGNED, four_cu=four)
    cusim(tmp_path, "p.cu")
    done = call("./a.out", cwd=tmp_path)
    assert (done.stderr, done.returncode) == ("", 0)
    cusim(tmp_path, "four.cu")
    done = call("./a.out", cwd=tmp_path)
    assert done.stderr.startswith("four.cu:7: misaligned: the kernel reads 16 bytes at an address")


# Too large to be squared: a quotient and an absolute value must not do that.
COMPLEX = """#include <complex>
#include <cstdio>
#include <cuComplex.h>
__global__ void floats(cuFloatComplex* x, float* size) {
    const cuComplex a = make_cuComplex(3e30f, 4e30f), b = make_cuFloatComplex(1e30f, -2e30f);
    x[0] = cuCdivf(a, b);
    x[1] = cuCsubf(cuCmulf(x[0], x[0]), cuConjf(x[0]));
    x[2] = cuCfmaf(x[0], x[1], cuCaddf(x[0], x[1]));
    size[0] = cuCabsf(a) / cuCrealf(b) + cuCimagf(x[0]); }
__global__ void doubles(cuDoubleComplex* x, double* size) {
    const cuDoubleComplex a = make_cuDoubleComplex(3e300, 4e300);
    x[0] = cuCdiv(a, make_cuDoubleComplex(1e300, -2e300));
    x[1] = cuCsub(cuCmul(x[0], x[0]), cuConj(x[0]));
    x[2] = cuCfma(x[0], x[1], cuCadd(x[0], x[1]));
    size[0] = cuCabs(a) / 1e300 + cuCimag(cuComplexFloatToDouble(cuComplexDoubleToFloat(x[0]))); }
template <class Real, class Complex> void run(void (*kernel)(Complex*, Real*)) {
    Complex *x, y[3];
    Real *size, of;
    cudaMalloc(&x, sizeof y);
    cudaMalloc(&size, sizeof of);
    kernel<<<1, 1>>>(x, size);
    cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
    cudaMemcpy(&of, size, sizeof of, cudaMemcpyDeviceToHost);
    const std::complex<Real> q(-1, 2), r = q * q - std::conj(q), s = q * r + (q + r);
    for (auto want : {q, r, s}) {
        const Complex* const at = want == q ? y : want == r ? y + 1 : y + 2;
        std::printf("%d ", std::abs(want - std::complex<Real>(at->x, at->y)) < Real(1e-5)); }
    std::printf("%.3f\\n", double(of));
    cudaFree(x), cudaFree(size); }
int main() { run<float>(floats), run<double>(doubles); }
"""


def test_complex_numbers_of_the_toolkits_header_are_calculated(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=COMPLEX)
    assert cusim(tmp_path, "p.cu").stderr == ""
    done = call("./a.out", cwd=tmp_path)
    assert (done.stderr, done.stdout) == ("", "1 1 1 7.000\n" * 2)


# Without the headers that nvcc includes, and with those whose content is in cuda_runtime.h.
BROUGHT = """#include <cuda/cmath>
#include <curand_kernel.h>
#include <driver_functions.h>
#include <nvToolsExtCuda.h>
__device__ int* hidden;
__global__ void fill(int* p) { assert(p); p[threadIdx.x] = cuda::ilog2(9) + cuda::round_up(3, 4); }
int main() {
    const clock_t start = clock();
    int *p, h[32];
    curandGenerator_t generator = nullptr;
    cudaSharedMemConfig config;
    nvtxEventAttributes_t mark = {NVTX_VERSION, NVTX_EVENT_ATTRIB_STRUCT_SIZE};
    nvtxRangePushEx(&mark);
    cudaMalloc(&p, sizeof h);
    fill<<<cuda::ceil_div(20, 32), 32>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    assert(h[31] == 7 && start <= clock() && !generator);
    cudaFree(p);
    printf("%d\\n", cudaDeviceGetSharedMemConfig(&config) + cudaGetLastError());
    if (getenv("HIDDEN")) cudaMalloc((void**)&hidden, 4); }
"""


def test_headers_and_names_that_nvcc_brings_are_there(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=BROUGHT)
    assert cusim(tmp_path, "p.cu").stderr == ""
    done = call("./a.out", cwd=tmp_path)
    assert (done.stderr, done.stdout) == ("", "0\n")
    said = call("./a.out", cwd=tmp_path, HIDDEN="1").stderr
    assert said.startswith("p.cu:20: cudaMalloc stores an address in the host's copy of hidden;")
    assert "simulated device: 1 finding\n" in said


def test_the_special_functions_of_mathematics_come_with_cmath_alone(tmp_path: pathlib.Path) -> None:
    text = "int main() { return std::beta(1.0, 1.0) != 1.0; }\n"
    assert "beta" in refused(tmp_path, text)
    write(tmp_path, p_cu=f"#include <cmath>\n{text}")
    assert cusim(tmp_path, "p.cu").stderr == ""
    assert call("./a.out", cwd=tmp_path).returncode == 0


def test_errors_name_functions_as_the_program_has_written_them(tmp_path: pathlib.Path) -> None:
    kernel = "template <class T> __global__ void k(T* p, int n) {\n    atomicExch(p, 0.5f);\n}\n"
    write(tmp_path, p_cu=kernel + "void f(double* p) {\n k<<<1, 1>>>(p); k<<<1, 1>>>(p, 1);\n}\n")
    said = cusim(tmp_path, "p.cu").stderr
    assert "p.cu:2:" in said and "atomicExch(double*&, float)" in said, said
    assert "p.cu:5:" in said and "no matching function for call to ‘k(double*&)’" in said, said
    assert "‘template<class T> void k(T*, int)’" in said, said
    assert "atomicSets" not in said and "cusim" not in said.replace("cusim/", ""), said
