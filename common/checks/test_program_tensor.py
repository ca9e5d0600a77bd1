"""Checks programs that use tensor cores by mma.h: that they run, and how the rest is refused."""

import pathlib

import pytest
from program_runs import call, cusim, refused, write

pytestmark = [pytest.mark.seconds(25), pytest.mark.full]

MULTIPLY = """#include <cstdio>
#include <mma.h>
using namespace nvcuda;
__global__ void multiply(const half* a, float* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.5f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, a, 16);
    for (int i = 0; i < 2; ++i) wmma::mma_sync(sum, fa, fb, sum);
    wmma::store_matrix_sync(d + 256 * blockIdx.x, sum, 16, wmma::mem_row_major);
}
int main(int argc, char**) {
    half* a;
    float* d;
    cudaMallocManaged(&a, 256 * sizeof(half));
    cudaMallocManaged(&d, 768 * sizeof(float));
    for (int i = 0; i < 256; ++i) a[i] = __int2half_rn(i % 17 == 0);
    multiply<<<3, argc == 1 ? 32 : 16>>>(a, d);
    const int error = cudaDeviceSynchronize();
    printf("%g %g %g\\n", d[0], d[1], d[17]);
    cudaFree(a);
    cudaFree(d);
    return error;
}
"""
LACKING = {
    "using T = wmma::experimental::precision::s4;": "experimental needs tensor cores for numbers of",
    "void f() { wmma::fragment<wmma::matrix_a, 16, 8, 16, half, wmma::row_major> a; }": "wmma has no"
    " such fragment on the simulated device",
}


def test_tensor_cores_multiply_and_the_summary_counts_their_work(tmp_path: pathlib.Path) -> None:
    write(tmp_path, p_cu=MULTIPLY)
    assert cusim(tmp_path, "-arch=sm_80", "p.cu").stderr == ""
    done = call("./a.out", cwd=tmp_path, CUSIM_SUMMARY="always")
    assert (done.stdout, done.returncode) == ("2.5 0.5 2.5\n", 0)
    assert done.stderr.splitlines()[:2] == [
        "simulated device: no findings",
        "  tensor cores: 6 products by a warp (mma_sync), with 49152 operations",
    ]
    done = call("./a.out", "half a warp", cwd=tmp_path)
    assert done.stderr.startswith("p.cu:9: load_matrix_sync is a function of a whole warp, but ")
    assert "tensor cores" not in done.stderr


@pytest.mark.parametrize("text", LACKING)
def test_what_tensor_cores_lack_is_refused_in_a_sentence(text: str, tmp_path: pathlib.Path) -> None:
    said = refused(
        tmp_path, f"#include <mma.h>\nusing namespace nvcuda;\n{text}\nint main() {{}}\n"
    )
    assert said.startswith("p.cu:3: error: " + LACKING[text]) and said.count("\n") == 1
