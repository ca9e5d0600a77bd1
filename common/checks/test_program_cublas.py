"""Checks cuBLAS in programs that cusim builds: its results, its findings about wrong calls, and
that no lab has it."""

import json
import os
import pathlib
import re

import pytest
from program_runs import call, cusim, refused, write
from run_report import ROOT

pytestmark = [pytest.mark.seconds(15), pytest.mark.full]
BLAS = pytest.mark.skipif(
    not call("g++", "-print-file-name=libblas.so", cwd=ROOT).stdout.startswith("/"),
    reason="no libblas-dev",
)

# Numbers whose sums floats represent exactly, in any order.
RIGHT = r"""#include <cublas_v2.h>
#include <cstdio>
void ok(cublasStatus_t status, int line = __builtin_LINE()) {
    if (status) printf("%d: %s\n", line, cublasGetStatusString(status));
}
template <class T>
T* onDevice(int n, int first, int step) {
    T *host = new T[n], *device;
    for (int i = 0; i < n; ++i) host[i] = first + step * i;
    cudaMalloc(&device, n * sizeof(T));
    ok(cublasSetVector(n, sizeof(T), host, 1, device, 1));
    delete[] host;
    return device;
}
template <class T>
void show(const T* device, int n) {
    T host[64];
    ok(cublasGetVector(n, sizeof(T), device, 1, host, 1));
    for (int i = 0; i < n; ++i) printf("%g%c", double(host[i]), i + 1 < n ? ' ' : '\n');
}
__global__ void negate(float* x) { *x = -*x; }
int main() {
    const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T, C = CUBLAS_OP_C;
    cublasHandle_t h;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    ok(cublasCreate(&h));
    ok(cublasSetStream(h, stream));
    float *x = onDevice<float>(8, 1, 1), *y = onDevice<float>(8, 10, -1), *z;
    float s[3], two = 2, zero = 0, one = 1, part[6] = {1, 2, 3, 4, 5, 6};
    int i;
    ok(cublasSaxpy(h, 8, &two, x, 1, y, 1)), show(y, 8);
    ok(cublasSaxpy(h, 4, &two, x, 2, y, -2)), show(y, 8);
    ok(cublasSscal(h, 3, &two, y + 1, 3)), show(y, 8);
    ok(cublasSswap(h, 8, x, 1, y, 1)), ok(cublasScopy(h, 2, x, 1, y + 6, 1)), show(y, 8);
    ok(cublasSdot(h, 8, x, 1, y, 1, s)), ok(cublasSasum(h, 8, y, 1, s + 1));
    ok(cublasSnrm2(h, 2, y, 2, s + 2)), ok(cublasIsamax(h, 8, y, 1, &i));
    printf("%g %g %.3f %d\n", s[0], s[1], s[2], i);
    // Scalars on the device, one of which a kernel changes.
    cudaMalloc(&z, 64 * sizeof(float));
    ok(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    ok(cublasSdot(h, 2, x, 1, x, 1, z));
    negate<<<1, 1, 0, stream>>>(z);
    ok(cublasSscal(h, 8, z, y, 1));
    ok(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST)), show(y, 8);
    // Products of parts of arrays.
    float *A = onDevice<float>(24, 1, 1), *B = onDevice<float>(24, 5, -1);
    ok(cublasSgemm(h, N, N, 2, 2, 3, &one, A, 4, B, 3, &zero, z, 2)), show(z, 4);
    ok(cublasSgemm(h, T, T, 3, 4, 2, &two, A, 4, B, 4, &zero, z, 3)), show(z, 12);
    ok(cublasSgemmStridedBatched(h, N, C, 2, 2, 2, &one, A, 2, 4, B, 2, 8, &one, z, 2, 4, 3));
    show(z, 12);
    float *all[] = {A, A + 4, B, B, z, z + 6}, **p;
    cudaMalloc(&p, sizeof all);
    cudaMemcpy(p, all, sizeof all, cudaMemcpyHostToDevice);
    ok(cublasSgemmBatched(h, N, N, 2, 2, 2, &one, p, 2, p + 2, 2, &two, p + 4, 2, 2)), show(z, 12);
    ok(cublasSgeam(h, T, N, 2, 3, &two, A, 3, &zero, nullptr, 2, z, 2)), show(z, 6);
    ok(cublasSgeam(h, N, T, 2, 3, &two, z, 2, &one, B, 3, z, 2)), show(z, 6);
    ok(cublasSgemv(h, N, 2, 3, &one, A, 4, B, 1, &zero, z, 1));
    ok(cublasSgemv(h, T, 2, 3, &one, A, 4, B, 2, &one, z, -1)), show(z, 3);
    ok(cublasSger(h, 2, 3, &two, A, 1, B, 1, z, 2)), show(z, 6);
    double *u = onDevice<double>(9, 1, 1), *v = onDevice<double>(9, 9, -1);
    double *w = onDevice<double>(9, 0, 0), quarter = 0.25, none = 0, d;
    ok(cublasDgemm(h, N, T, 3, 3, 3, &quarter, u, 3, v, 3, &none, w, 3)), show(w, 9);
    ok(cublasDdot(h, 9, u, 1, w, 1, &d)), ok(cublasIdamax(h, 9, w, 1, &i)), printf("%g %d\n", d, i);
    ok(cublasSetMatrix(2, 2, sizeof(float), part, 3, z, 2)), show(z, 4);
    ok(cublasGetMatrix(1, 2, sizeof(float), z + 1, 2, part, 3));
    printf("%g %g\n", part[0], part[3]);
    ok(cublasSaxpy(h, 0, &one, nullptr, 1, nullptr, 1));
    // Four million numbers of 0.747: one after the other they would sum to 3.1457e+06.
    const int million = 1 << 20;
    float* many;
    cudaMalloc(&many, 16 * million);
    cudaMemset(many, 0x3f, 16 * million);
    ok(cublasSasum(h, 4 * million, many, 1, s)), ok(cublasSnrm2(h, 2 * million, many, 2, s + 1));
    ok(cublasSdot(h, 2 * million, many, -2, many, 1, s + 2));
    printf("%.5g %.5g %.5g\n", s[0], s[1], s[2]);
    cudaFree(many);
    ok(cublasDestroy(h));
    for (float* each : {x, y, z, A, B}) cudaFree(each);
    for (double* each : {u, v, w}) cudaFree(each);
    cudaFree(p), cudaStreamDestroy(stream);
    puts(cudaGetErrorString(cudaGetLastError()));
}
"""
SAID = """12 13 14 15 16 17 18 19
26 13 24 15 22 17 20 19
26 26 24 15 44 17 20 38
1 2 3 4 5 6 26 26
2040 73 3.162 7
-1352 -2704 -4056 -5408 -6760 -8112 -35152 -35152
52 64 7 10
14 62 110 8 40 72 2 18 34 -4 -4 -4
28 84 120 24 -10 14 -60 -54 -208 -270 -266 -292
73 194 249 62 -10 14 -67 -46 -387 -506 -266 -292
2 8 4 10 6 12
9 18 12 21 15 24
127 107 23
137 127 31 37 21 36
13.5 18 22.5 10.5 14.25 18 7.5 10.5 13.5
596.25 3
1 2 4 5
2 5
3.1334e+06 1081.9 1.1704e+06
no error
"""


@BLAS
def test_cublas_computes_on_the_memory_of_the_device(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=RIGHT)
    assert cusim(tmp_path, "p.cu", "-lcublas").stderr == ""
    done = call("./a.out", cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == (SAID, "", 0)


# A call, its status and its finding.
CALLS = {
    "cublasSscal(nullptr, 4, &one, d, 1)": "1",
    "cublasDestroy(h), cublasSscal(h, 4, &one, d, 1)": "1",
    "cublasSscal(h, 17, &one, d, 1)": "13 out-of-bounds",
    "cublasSaxpy(h, 4, &one, d + 3, 4, d, 1)": "0",
    "cublasSaxpy(h, 4, &one, d + 4, 4, d, 1)": "13 out-of-bounds",
    "cublasSgemm(h, N, N, 2, 2, 2, &one, d, 2, d, 2, &zero, d + 10, 4)": "0",
    "cublasSgemm(h, N, N, 2, 2, 2, &one, d, 2, d, 2, &zero, d + 11, 4)": "13 out-of-bounds",
    "cublasSgemm(h, N, N, 2, 2, 2, &one, d, 2, d, 2, &zero, d, 1)": "7 invalid-argument",
    "cublasSgemm(h, N, N, 2, -2, 2, &one, d, 2, d, 2, &zero, d, 2)": "7 invalid-argument",
    "cublasSgemm(h, N, N, 2, 2, 2, &one, host, 2, d, 2, &zero, d, 2)": "13 host-pointer",
    "cublasSgemm(h, N, N, 2, 2, 2, &one, d, 2, d, 2, &zero, host, 2)": "13 host-pointer",
    "cublasSgemv(h, N, 2, 2, &one, d, 2, d, 1, &zero, unset, 1)": "0",
    "cublasSgemv(h, N, 2, 2, &one, d, 2, d, 0, &zero, d, 1)": "7 invalid-argument",
    "cublasSaxpy(h, 4, &one, freed, 1, d, 1)": "13 use-after-free",
    "cublasSaxpy(h, 4, &one, variable, 1, d, 1)": "13 host-pointer",
    "cublasSaxpy(h, 4, &one, nullptr, 1, d, 1)": "13 null-pointer",
    "cublasSaxpy(h, 4, nullptr, d, 1, d + 4, 1)": "7 null-pointer",
    "cublasSdot(h, 4, d, 1, d, 1, d + 8)": "7 host-touches-device",
    "onDevice(h), cublasSdot(h, 4, d, 1, d, 1, host)": "13 host-pointer",
    "onDevice(h), cublasSdot(h, 4, d, 1, d, 1, unset)": "0",
    "cublasSaxpy(h, 4, &one, unset, 1, d, 1)": "0 unset-read",
    "cublasSgemm(h, N, N, 2, 2, 2, &zero, unset, 2, unset, 2, &one, d, 2)": "0",
    "cublasSgemm(h, N, N, 2, 2, 2, &one, d, 2, d, 2, &one, unset, 3)": "0 unset-read",
    # With a beta of 0 the target is not read; between its columns nothing is written.
    "set(h, unset), cublasGetVector(2, 4, unset + 3, 1, host, 1)": "0",
    "set(h, unset), cublasGetVector(5, 4, unset, 1, host, 1)": "0 unset-output",
    "cublasSetVector(17, 4, host, 1, d, 1)": "11 wild-copy",
    "cublasSetVector(4, 4, host, 0, d, 1)": "7 invalid-argument",
    "cublasGetMatrix(4, 2, 4, d, 3, host, 4)": "11 invalid-pitch",
}
WRONG = """#include <cublas_v2.h>
#include <cstdlib>
__device__ float variable[4];
const auto N = CUBLAS_OP_N;
float *d, *freed, *unset, host[32], one = 1, zero = 0;
cublasStatus_t onDevice(cublasHandle_t h) {
    return cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
}
cublasStatus_t set(cublasHandle_t h, float* c) {
    return cublasSgemm(h, N, N, 2, 2, 2, &one, d, 2, d, 2, &zero, c, 3);
}
int main(int, char** words) {
    cublasHandle_t h;
    cublasCreate(&h);
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    cudaMalloc(&unset, 64);
    cudaMalloc(&freed, 64);
    cudaFree(freed);
    switch (atoi(words[1])) {
CASES
    }
}
"""


@BLAS
def test_make_try_links_cublas_and_cusim_asks_for_it(tmp_path: pathlib.Path) -> None:
    text = "#include <cublas_v2.h>\nint main() { return cublasSscal(0, 0, 0, 0, 1) != 1; }\n"
    assert refused(tmp_path, text) == "cusim: the program uses cuBLAS; add -lcublas\n"
    done = call("make", "--no-print-directory", "-C", str(ROOT), "try", "FILE=p.cu", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "simulated device: no findings\n")


@BLAS
def test_each_wrong_call_gets_a_status_and_a_finding(tmp_path: pathlib.Path) -> None:
    cases = [f"case {number}: return {one};" for number, one in enumerate(CALLS)]
    write(tmp_path, p_cu=WRONG.replace("CASES", "\n".join(cases)))
    assert cusim(tmp_path, "p.cu", "-lcublas").stderr == ""
    told = {}
    for number, one in enumerate(CALLS):
        file = tmp_path / str(number)
        done = call("./a.out", str(number), cwd=tmp_path, CUSIM_FINDINGS=str(file))
        found = [json.loads(line)["kind"] for line in file.read_text().splitlines()]
        told[one] = " ".join([str(done.returncode), *found])
    assert told == CALLS


@BLAS
def test_a_finding_of_cublas_names_the_array_and_its_size(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=WRONG.replace("CASES", "case 1: return cublasSscal(h, 9, &one, d, 2);"))
    cusim(tmp_path, "p.cu", "-lcublas")
    said = call("./a.out", "1", cwd=tmp_path).stderr
    assert said.startswith("p.cu:21: out of bounds: cublasSscal writes past the end of d\n")
    assert "\n    x is 9 elements, 2 apart: 17 elements of 4 bytes\n" in said
    assert "\n    d holds 16, allocated at p.cu:15\n" in said


EARLY = """#include <cublas_v2.h>
int main(int argc, char**) {
    float *x, *y, r, one = 1;
    cudaMallocManaged(&x, 64);
    cudaMallocManaged(&y, 64);
    for (int i = 0; i < 16; ++i) x[i] = y[i] = 1;
    cublasHandle_t h;
    cublasCreate(&h);
    for (int i = 0; i < 2; ++i) {
        cublasSaxpy(h, 16, &one, x, 1, y, 1);
        if (argc > 1) cudaDeviceSynchronize();
        if (i == 0) r = y[3];
        if (i == 1) x[3] = r;
    }
    cublasSdot(h, 16, x, 1, y, 1, &r);
    x[3] = r;
    cublasSaxpy(h, 16, &one, x, 1, y, 1);
    cublasDestroy(h);  // waits
    x[3] = y[3];
    cudaFree(x), cudaFree(y);
}
"""


@BLAS
def test_what_cublas_may_still_use_is_used_after_a_wait(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=EARLY)
    cusim(tmp_path, "p.cu", "-lcublas")
    assert call("./a.out", "waits", cwd=tmp_path).stderr == ""
    said = call("./a.out", cwd=tmp_path).stderr
    assert "p.cu:12: the host uses y, which cublasSaxpy may still write\n" in said
    assert "p.cu:13: the host writes to x, which cublasSaxpy may still read\n" in said
    assert "simulated device: 2 findings\n" in said


@BLAS
def test_what_cusim_lacks_of_cublas_is_refused_in_a_sentence(tmp_path: pathlib.Path) -> None:
    text = "#include <cublas_v2.h>\nint main() { cublasHandle_t h; cublasHgemm(h); }\n"
    said = refused(tmp_path, text)
    assert said.startswith("p.cu:2: error: cublasHgemm needs a part of cuBLAS, which ")
    assert len(said.splitlines()) == 1


def test_without_a_blas_a_sentence_says_what_to_install(tmp_path: pathlib.Path) -> None:
    header = ROOT / "common/simulator/include/cublas_v2.h"
    words = "-E", "-nostdinc", "-I.", "-DCUSIM_PROGRAM", "-x", "c++", str(header)
    said = call("g++", *words, cwd=tmp_path).stderr
    assert '#error "cublas_v2.h takes a BLAS on the simulated device: install libblas-dev' in said
    write(tmp_path, p_cu="int main() {}\n")
    compiler = tmp_path / "bin/g++"
    compiler.parent.mkdir()
    compiler.write_text("#!/bin/sh\necho libblas.so\n")
    compiler.chmod(0o755)
    done = cusim(tmp_path, "p.cu", "-lcublas", PATH=f"{compiler.parent}:{os.environ['PATH']}")
    assert done.returncode == 2
    assert re.match("cusim: -lcublas: .*; install libblas-dev or libopenblas-dev", done.stderr)
