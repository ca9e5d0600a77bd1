"""Checks that cusim reports missing waits in programs, and nothing in right ones."""

import pathlib

import pytest
from program_runs import call, cusim, write

pytestmark = [pytest.mark.seconds(10), pytest.mark.full]

KERNEL = """#include <cstdio>
__global__ void add(int n, const float* x, float* y) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] += x[i];
}
"""
MANAGED = """int main() {
    const int n = 5000;
    float *x, *y, sum = 0;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, n * sizeof *y);
    for (int i = 0; i < n; ++i) x[i] = i, y[i] = 1;
    add<<<1, 256>>>(n, x, y);
    WAIT
    for (int i = 0; i < n; ++i) sum += y[i];
    printf("%.0f\\n", sum);
    cudaFree(x), cudaFree(y);
}
"""
PINNED = """int main() {
    const int n = 5000;
    float *h, *d, sum = 0;
    cudaMallocHost(&h, n * sizeof *h);
    cudaMalloc(&d, n * sizeof *d);
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMemcpyAsync(d, h, n * sizeof *d, cudaMemcpyHostToDevice, s);
    FIRST
    h[0] = 2;
    cudaMemcpyAsync(h, d, n * sizeof *d, cudaMemcpyDeviceToHost, s);
    SECOND
    for (int i = 0; i < n; ++i) sum += h[i];
    printf("%.0f\\n", sum);
    cudaFree(d), cudaFreeHost(h);
}
"""
EARLY = """p.cu:13: the host uses y, which kernel add may still write
   13 | for (int i = 0; i < n; ++i) sum += y[i];
    kernel add begins at p.cu:11; nothing waits for it until here
    Remedy: Call cudaDeviceSynchronize() before this line. Kernels and
"""


def run(folder: pathlib.Path, text: str) -> tuple[str, str]:
    """Returns what a program prints to stdout and to stderr."""
    write(folder, p_cu=KERNEL + text)
    assert cusim(folder, "p.cu").stderr == ""
    done = call("./a.out", cwd=folder)
    assert done.returncode == 0
    return done.stdout, done.stderr


def test_managed_memory_is_read_after_a_wait(tmp_path: pathlib.Path) -> None:
    sum_, said = run(tmp_path, MANAGED.replace("WAIT", ""))
    assert said.startswith(EARLY)
    assert "simulated device: 1 finding\n  missing-wait, p.cu:13\n" in said
    assert run(tmp_path, MANAGED.replace("WAIT", "cudaDeviceSynchronize();")) == (sum_, "")


def test_pinned_memory_is_used_after_a_wait(tmp_path: pathlib.Path) -> None:
    wait = "cudaStreamSynchronize(s);"
    right = run(tmp_path, PINNED.replace("FIRST", wait).replace("SECOND", wait))
    assert right == ("12497500\n", "")
    said = run(tmp_path, PINNED.replace("FIRST", "").replace("SECOND", ""))[1]
    assert "p.cu:15: the host writes to h, which cudaMemcpyAsync may still read\n" in said
    assert "p.cu:18: the host uses h, which cudaMemcpyAsync may still write\n" in said
